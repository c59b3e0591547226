# The steps of `make check` and `make test`.

# As many run at once as there are processors; builds and the longest come first. A step whose needs are still
# running when make comes to it waits until all others have begun: so .venv/ready is made first, and debug-build
# comes before those of lib.
STEPS := lib swift-build debug-build test-python test-postgresql growth bench-count test-swift test-servers \
  wheel-test consumer generated snippets lint-swift lint-c lint-fuzz lint-python lint-documents docs exports abi \
  install-test test-c fuzz-api examples

.PHONY: $(STEPS:%=step-%)
$(STEPS:%=step-%): step-%:
	@Scripts/ci/step.sh build/check $* $(MAKE) --no-print-directory $*

step-exports step-install-test step-wheel-test step-test-c step-fuzz-api step-growth step-bench-count \
  step-test-python step-test-postgresql step-examples step-snippets step-generated step-lint-documents: step-lib
step-test-swift: step-swift-build
step-bench-count: export COUNT_OPTIONS = --short
step-docs: step-lint-documents
# One at a time builds in a folder.
step-examples step-snippets step-consumer: step-debug-build
step-generated: step-consumer
step-lint-python step-lint-documents step-test-python step-test-postgresql step-test-servers step-install-test \
  step-wheel-test: .venv/ready
