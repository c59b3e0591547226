# Groot's one entry point: the rules that one types. `make help` lists them; the others are in mk/.

.DEFAULT_GOAL := lib
.DELETE_ON_ERROR:
.SUFFIXES:

SWIFT ?= swift
PYTHON ?= python3
PKG_CONFIG ?= pkg-config
STRIP ?= strip
CXX ?= g++
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DOCDIR ?= $(PREFIX)/share/doc/groot
DESTDIR ?=

# A file uses in its targets and prerequisites only variables of the files before it.
include $(patsubst %,mk/%.mk,flags library python lint tests tours check sanitize fuzz coverage long \
  bench demo install)

# ---- the library -----------------------------------------------------------------------------

.PHONY: lib install uninstall
lib: $(LIB)/libgroot.so $(LIB)/groot.pc

install: lib $(LIB)/libgroot.a
	@install -d $(foreach folder,$(INCLUDEDIR) $(PC_DIR) $(CMAKE_DIR),'$(DESTDIR)$(folder)')
	@install -m 644 $(HEADERS:%=include/%) '$(DESTDIR)$(INCLUDEDIR)'
	@install -m 755 $(LIB)/$(SHARED) '$(DESTDIR)$(LIBDIR)/$(SHARED)'
	@ln -sf $(SHARED) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	@ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/libgroot.so'
	@install -m 644 $(LIB)/libgroot.a '$(DESTDIR)$(LIBDIR)/libgroot.a'
	@for name in groot groot-static; do \
	  $(call fill,$$name.pc,$(PREFIX),$(LIBDIR),$(INCLUDEDIR)) >'$(DESTDIR)$(PC_DIR)'/$$name.pc; done
	@for name in grootConfig grootConfigVersion; do \
	  $(call fill,$$name.cmake,$(PREFIX),$(LIBDIR),$(INCLUDEDIR)) \
	  >'$(DESTDIR)$(CMAKE_DIR)'/$$name.cmake; done
	@install -D -m 644 $(INSTALL_FILES)/groot.supp '$(DESTDIR)$(SUPPRESSIONS)'
	@for file in $(DOCUMENTS); do install -D -m 644 $$file '$(DESTDIR)$(DOCDIR)'/$$file; done

uninstall:
	@rm -f $(foreach name,$(HEADERS),'$(DESTDIR)$(INCLUDEDIR)/$(name)') \
	  $(foreach name,$(SHARED) $(SONAME) libgroot.so libgroot.a,'$(DESTDIR)$(LIBDIR)/$(name)') \
	  '$(DESTDIR)$(PC_DIR)/groot.pc' '$(DESTDIR)$(PC_DIR)/groot-static.pc' \
	  '$(DESTDIR)$(SUPPRESSIONS)' $(foreach file,$(DOCUMENTS),'$(DESTDIR)$(DOCDIR)/$(file)')
	@rm -rf '$(DESTDIR)$(CMAKE_DIR)'
	@[ ! -d '$(DESTDIR)$(DOCDIR)' ] || find '$(DESTDIR)$(DOCDIR)' -depth -type d -empty -delete

.PHONY: deb wheel sdist
deb: lib $(LIB)/libgroot.a
	@Scripts/package/debian/build.sh $(VERSION) $(INTERFACE) build/deb

# The source distribution has the sources of the library: where no wheel fits, it builds one.
wheel: lib .venv/ready
	@Scripts/package/wheel/build.sh build/wheel

sdist: .venv/ready
	@cd python && ../.venv/bin/python -m hatchling build -t sdist -d ../build/sdist

# ---- tools -----------------------------------------------------------------------------------

.PHONY: setup setup-tours
setup:
	@Scripts/ci/setup.sh

setup-tours:
	@Scripts/ci/setup.sh --tours

# ---- tests -----------------------------------------------------------------------------------

.PHONY: check test test-swift test-c test-python test-postgresql examples
check: CHOSEN = $(STEPS)
test: CHOSEN = $(filter-out docs lint-%,$(STEPS))
check test:
	@Scripts/ci/setup.sh --check
	@rm -rf build/check
	@$(MAKE) --no-print-directory --keep-going --jobs=$$(getconf _NPROCESSORS_ONLN) \
	  .venv/ready $(CHOSEN:%=step-%); \
	  Scripts/ci/summary.sh build/check $(CHOSEN)

test-swift: swift-build
	@$(WITH_SERVER) -- $(SWIFT) test --skip-build $(TEST_BUILD)

test-c: $(C_TESTS) $(OUT)/plusplus
	@code=0; for test in $(filter-out %/run_cases %/postgresql,$^); do $(RUN) $$test || code=1; done; \
	  $(WITH_SERVER) -- $(RUN) $(OUT)/postgresql || code=1; \
	  find Tests/Cases -name '*.json' -not -path '*/models/*' -print | sort | \
	  xargs $(RUN) $(OUT)/run_cases || code=1; exit $$code

PYTEST := PYTHONPATH=python .venv/bin/python -m pytest -p no:cacheprovider
test-python: lib .venv/ready
	@$(PYTEST) --ignore=python/tests/postgresql --ignore=python/tests/programs python/tests

test-postgresql: lib .venv/ready
	@$(PYTEST) python/tests/postgresql

# Builds the other tours as well, where it can.
examples: lib build/examples/tour build/examples/tour-swift build/examples/mirror
	@Tests/tours.sh

# ---- lint and documentation ------------------------------------------------------------------

.PHONY: lint docs
lint: lint-swift lint-c lint-fuzz lint-python lint-documents

# The archive that a browser shows. A link that leads nowhere fails it. Of the symbol graphs it takes that
# of Groot alone: additions to the types of Swift itself would have pages of their own.
DOCC = $(TOOLCHAIN)/bin/docc
docs: documentation
	@test -x $(DOCC) || echo 'no docc at $(DOCC): no archive is made, the comments were checked' >&2
	@test ! -x $(DOCC) || $(PYTHON) Scripts/lint/docs.py $(DOCC) Sources/Groot/Groot.docc \
	  $(SYMBOLS)/Groot/Groot.symbols.json build/docs
	@test ! -x $(DOCC) || Tests/Lint/docs.sh $(DOCC) $(SYMBOLS)/Groot/Groot.symbols.json

# ---- benchmark and demo ----------------------------------------------------------------------

# RUNS, SIZES and BENCH_OPTIONS (Benchmarks/bench.py --help) say what is measured.
RUNS := 5
SIZES := 10000,100000,500000
BENCH_OPTIONS :=
BENCH = build/bench/venv/bin/python Benchmarks/bench.py --runs $(RUNS) $(BENCH_OPTIONS)

# The server tidies up when nothing is measured only: a row counts the bytes that it writes.
BENCH_SERVER := Tests/PostgreSQL/server --optional --fsync --setting autovacuum=off --

.PHONY: bench bench-check demo
bench: build/bench/bench $(SIMDJSON) build/bench/dates build/bench/start build/bench/venv/ready
	@$(BENCH_SERVER) $(BENCH) --sizes $(SIZES) --json build/bench/results.json

bench-check: bench-count build/bench/bench build/bench/dates build/bench/venv/ready
	@$(BENCH_SERVER) $(BENCH) --check Benchmarks/budget.json --json build/bench/check.json

demo: setup
	@$(MAKE) --no-print-directory demo-run

# ---- clean and help --------------------------------------------------------------------------

.PHONY: clean help
clean:
	@rm -rf .build build .venv

help:
	@echo 'make            the library, in build/lib'
	@echo 'make setup      installs missing tools with apt-get; setup-tours: those of all tours'
	@echo 'make demo       the tour in three languages, then a big file in and out, with times'
	@echo 'make test       all tests; test-swift, test-c, test-python, test-postgresql: some'
	@echo 'make lint       format, warnings, layers, words and links of documents'
	@echo 'make check      all tests and lint'
	@echo 'make examples   the tour in each language that has its tools here'
	@echo 'make docs       the documentation of the Swift library, in build/docs'
	@echo 'make figures    the commands of the README on a terminal, docs/commands.svg'
	@echo 'make bench      measures; SIZES=10000,100000,500000 RUNS=5 BENCH_OPTIONS='
	@echo 'make bench-document   the tables of docs/explanation/performance.md from what it measured'
	@echo 'make install    PREFIX=/usr/local LIBDIR= INCLUDEDIR= DOCDIR= DESTDIR=; uninstall: the same'
	@echo 'make deb        Debian packages of it, in build/deb'
	@echo 'make wheel      a wheel for Python that needs nothing else, in build/wheel; sdist: its source'
	@echo 'make clean      removes all that was built'
	@echo 'The other rules are in mk/: sanitizers, valgrind, fuzzing, coverage, growth, long runs ...'
