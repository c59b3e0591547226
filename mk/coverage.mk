# The reach of the tests: lines that they miss (coverage), planted faults that they find (mutate).

# Small faults in the sources, of which the tests must find 95 of 100.
MUTANTS := 200
MUTANT_SEED := 1
.PHONY: mutate
mutate: .venv/ready
	@$(PYTHON) Tests/Mutation/mutate.py --mutants $(MUTANTS) --seed $(MUTANT_SEED)

# The lines of the library that the Swift and C tests do not reach.
COVERAGE := build/coverage
.PHONY: coverage
coverage: export LLVM_PROFILE_FILE = $(CURDIR)/$(COVERAGE)/profiles/%p-%m.profraw
coverage:
	@rm -rf $(COVERAGE)/profiles
	@$(SWIFT) build --quiet --enable-code-coverage --scratch-path $(COVERAGE) --product groot
	@$(SWIFT) build --quiet --enable-code-coverage --scratch-path $(COVERAGE) --build-tests
	@$(SWIFT) test --skip-build --enable-code-coverage --scratch-path $(COVERAGE) >$(COVERAGE)/swift.log
	@$(MAKE) --no-print-directory test-c OUT=$(COVERAGE)/ctests \
	  LIBRARY=$(COVERAGE)/debug/libgroot.so >$(COVERAGE)/c.log
	@$(TOOLCHAIN)/bin/llvm-profdata merge -sparse -o $(COVERAGE)/all.profdata \
	  $(COVERAGE)/profiles/*.profraw $(COVERAGE)/debug/codecov/*.profraw
	@$(PYTHON) Scripts/ci/coverage.py $(TOOLCHAIN)/bin/llvm-cov $(COVERAGE)/all.profdata \
	  $(COVERAGE)/debug/GrootPackageTests.xctest $(COVERAGE)/debug/libgroot.so
