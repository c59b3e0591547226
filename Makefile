# Groot's one entry point; `make help` lists the targets.
#
# What the shared library needs beyond Package.swift is passed here, because unsafe flags in the
# manifest would make the package unusable as a dependency.

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

VERSION := $(shell sed -n 's/^.define GROOT_VERSION "\(.*\)"/\1/p' include/groot.h)
# What programs link to: MAJOR.MINOR while MAJOR is 0, since a 0.x may break what an earlier one had.
MAJOR_MINOR := $(subst ., ,$(VERSION))
INTERFACE := $(word 1,$(MAJOR_MINOR))$(if $(filter 0.%,$(VERSION)),.$(word 2,$(MAJOR_MINOR)))
SONAME := libgroot.so.$(INTERFACE)
SHARED := libgroot.so.$(VERSION)

WARNINGS := -Wall -Wextra -Wpedantic -Werror
# Not `:=`: jansson may only be installed by `make setup`.
JANSSON_CFLAGS = $(shell $(PKG_CONFIG) --cflags jansson)
JANSSON_LIBS = $(shell $(PKG_CONFIG) --libs jansson)
C_FLAGS = -std=c99 -D_POSIX_C_SOURCE=200809L -O1 -g $(WARNINGS) -Iinclude $(JANSSON_CFLAGS)
# Programs may compile with it what they include.
SHADOW := -Wshadow
CXX_FLAGS = -std=c++17 -DGROOT_NO_JANSSON -O1 -g $(WARNINGS) $(SHADOW) -Iinclude
C_FILES := $(wildcard Tests/CTests/*.c Tests/CTests/*/*.c Tests/FuzzAPI/*.c Tests/Growth/*.c \
  Tests/Install/*.c Scripts/package/*.c Scripts/package/*/*.c examples/c/*.c Benchmarks/*/*.c)

# ---- the library -----------------------------------------------------------------------------

# Folders count as well: a file that was removed changes its folder only. Articles are no code.
SWIFT_SOURCES := $(shell find Sources include/groot.h include/module.modulemap Package.swift \
  -name '*.docc' -prune -o -print)

# --static-swift-stdlib does nothing for a dynamic product; the compiler's own flag does. The linker
# is lld, since gold leaves local symbols in the dynamic table. The folder is not .build, so that a
# plain `swift build` does not undo the flags; SwiftPM would not notice that they changed. No path of
# this folder stays in what is built, in hashes neither, so that a build in another folder gives the same
# bytes.
RELEASE := GROOT_SHARED_LIBRARY=1 $(SWIFT) build --quiet -c release --scratch-path build/release \
  --disable-build-manifest-caching --disable-local-rpath \
  -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. \
  -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
  -Xswiftc -static-stdlib -Xswiftc -use-ld=lld -Xswiftc -no-toolchain-stdlib-rpath
# Of LDFLAGS what a linker knows: -Wl,..., -L and -l.
comma := ,
LINKER_FLAGS = $(subst $(comma), ,$(patsubst -Wl$(comma)%,%,$(filter -Wl$(comma)% -L% -l%,$(LDFLAGS))))
# On glibc before 2.34 what Scripts/package/glibc.c asks for is in libdl.
FOR_GLIBC := $(if $(findstring gnu,$(shell $(CC) -dumpmachine)),\
  $(CURDIR)/build/runtime/glibc.o --push-state --no-as-needed -l:libdl.so.2 --pop-state)
# Functions of equal code are one (--icf=all): nothing compares their addresses.
# build/runtime has libstdc++ as an archive alone: half of the time to load the library went there, and
# any libstdc++ will do for the rest of the process.
LINK_SHARED = -Xswiftc -L$(CURDIR)/build/runtime $(addprefix -Xlinker ,-soname $(SONAME) \
  --version-script $(CURDIR)/Scripts/package/groot.map -z nodelete -z now --gc-sections --icf=all \
  $(FOR_GLIBC) $(LINKER_FLAGS))

# Where the library is put, without the names that only a debugger needs; STRIP=true keeps them.
LIB := build/lib
UNSTRIPPED := build/release/release/libgroot.so
REQUIRED := $(shell sed -n 's/^Requires.*: //p' Scripts/package/install/groot.pc.in | paste -sd,)

.PHONY: lib required
lib: $(LIB)/libgroot.so $(LIB)/groot.pc

required:
	@$(PKG_CONFIG) --exists --print-errors '$(REQUIRED)'

RUNTIME := $(addprefix build/runtime/,glibc.o libstdc++.a)
build/runtime/glibc.o: Scripts/package/glibc.c
	@mkdir -p $(@D)
	@$(CC) -std=c99 -O2 -fPIC $(WARNINGS) -c -o $@ $<

build/runtime/libstdc++.a:
	@mkdir -p $(@D)
	@ln -sf "$$($(CXX) -print-file-name=$(@F))" $@

$(UNSTRIPPED): $(SWIFT_SOURCES) Scripts/package/groot.map $(RUNTIME) Makefile | required
	@echo "building $(SHARED)"
	@$(RELEASE) --product groot $(LINK_SHARED)
	@touch $@

$(LIB)/libgroot.so: $(UNSTRIPPED)
	@mkdir -p $(@D)
	@install -m 755 $< $(LIB)/$(SHARED)
	@$(STRIP) --strip-unneeded $(LIB)/$(SHARED)
	@ln -sf $(SHARED) $(LIB)/$(SONAME)
	@ln -sf $(SONAME) $@

include Scripts/package/install/install.mk

# ---- tools -----------------------------------------------------------------------------------

.PHONY: setup setup-tours
setup:
	@Scripts/ci/setup.sh

setup-tours:
	@Scripts/ci/setup.sh --tours

.venv/ready: Scripts/ci/python-tools.txt
	@$(PYTHON) -m venv .venv
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check -r Scripts/ci/python-tools.txt
	@touch $@

# ---- lint ------------------------------------------------------------------------------------

.PHONY: lint lint-swift lint-c lint-fuzz lint-python lint-documents
lint: lint-swift lint-c lint-fuzz lint-python lint-documents

lint-swift:
	@$(SWIFT) format lint --strict --parallel --recursive --configuration .swift-format \
	  $(wildcard Sources Tests examples Benchmarks) Package.swift
	@Scripts/lint/sources.sh
	@Tests/Lint/sources.sh
	@$(PYTHON) Scripts/lint/layers.py
	@Tests/Lint/layers.sh
	@$(PYTHON) Scripts/lint/figures.py
	@Tests/Lint/figures.sh

# The header alone, taken in twice, must be a program in both languages.
HEADER_TWICE := printf '\#include "groot.h"\n\#include "groot.h"\n'
lint-c:
	@$(HEADER_TWICE) | $(CC) -x c -std=c99 $(WARNINGS) $(SHADOW) -fsyntax-only -Iinclude $(JANSSON_CFLAGS) -
	@$(HEADER_TWICE) | $(CXX) -x c++ -std=c++17 $(WARNINGS) $(SHADOW) -fsyntax-only -Iinclude $(JANSSON_CFLAGS) -
	@$(subst groot.h,groot.hpp,$(HEADER_TWICE)) | $(CXX) -x c++ $(CXX_FLAGS) -fsyntax-only -
	@$(TOOLCHAIN)/bin/clang++ $(CXX_FLAGS) -fsyntax-only Tests/CTests/plusplus.cpp
	@for file in $(C_FILES); do $(CC) $(C_FLAGS) -fsyntax-only $$file || exit 1; done
	@$(PYTHON) Scripts/lint/header.py
	@Tests/Lint/header.sh

# The fuzz targets still compile: `make fuzz` takes minutes to build them.
lint-fuzz:
	@$(SWIFT)c -typecheck -wmo -swift-version 6 -parse-as-library -suppress-warnings \
	  -package-name groot -module-name Groot $(MODULES) -I Sources/CSQLite $(wildcard Tests/Fuzz/*.swift) \
	  $(sort $(FUZZ_MODELS) $(FUZZ_QUERIES)) $(wildcard Sources/GrootSQLite/*.swift) \
	  Tests/GrootTests/JSON/JanssonOracle.swift

PYTHON_FILES := $(wildcard python examples/python Tests Benchmarks Scripts)
lint-python: .venv/ready
	@.venv/bin/ruff check --quiet $(PYTHON_FILES)
	@.venv/bin/ruff format --quiet --check $(PYTHON_FILES)
	@MYPYPATH=python .venv/bin/mypy --strict --no-error-summary python/groot
	@$(PYTHON) Scripts/lint/import-circles.py
	@Tests/Lint/import-circles.sh

lint-documents: documentation
	@$(PYTHON) Scripts/lint/links.py
	@Tests/Lint/links.sh
	@$(PYTHON) Scripts/lint/prose
	@Tests/Lint/prose.sh

# What is public in Swift has a summary, its parameters and what it throws.
DOCUMENTED := $(notdir $(wildcard $(addprefix Sources/,Groot GrootSQLite GrootFoundation)))
SYMBOLS := build/docs/symbols
.PHONY: documentation docs
documentation: $(SYMBOLS)/ready
	@$(PYTHON) Scripts/lint/documentation.py $(DOCUMENTED:%=$(SYMBOLS)/%)
	@SWIFT=$(SWIFT) Tests/Lint/documentation.sh

$(SYMBOLS)/ready: $(SWIFT_SOURCES) Scripts/lint/symbols.sh
	@SWIFT=$(SWIFT) Scripts/lint/symbols.sh $(SYMBOLS) $(DOCUMENTED)
	@touch $@

# The archive that a browser shows. A link that leads nowhere fails it. Of the symbol graphs it takes that of
# Groot alone: what Groot adds to the types of Swift itself would have pages of its own.
DOCC = $(TOOLCHAIN)/bin/docc
docs: documentation
	@test -x $(DOCC) || echo 'no docc at $(DOCC): no archive is made, the comments were checked' >&2
	@test ! -x $(DOCC) || $(PYTHON) Scripts/lint/docs.py $(DOCC) Sources/Groot/Groot.docc \
	  $(SYMBOLS)/Groot/Groot.symbols.json build/docs
	@test ! -x $(DOCC) || Tests/Lint/docs.sh $(DOCC) $(SYMBOLS)/Groot/Groot.symbols.json

# ---- tests -----------------------------------------------------------------------------------

.PHONY: swift-build swift-tests debug-build c-tests python-tests examples snippets exports install-test wheel-test \
  consumer generated
# Optimized, since the laws run for long, but with the checks of a debug build.
TEST_BUILD := -c release --scratch-path build/tests -Xswiftc -enable-testing \
  -Xswiftc -assert-config -Xswiftc Debug
swift-build:
	@$(SWIFT) build --quiet --build-tests $(TEST_BUILD)

swift-tests: swift-build
	@$(SWIFT) test --skip-build $(TEST_BUILD)

# The modules for tours, snippets and packages that depend on this one, which are roots of their own: SwiftPM
# would take the manifest of one for that of another.
DEBUG := build/debug
DEBUG_BUILD := --quiet --scratch-path $(DEBUG) --disable-build-manifest-caching
debug-build:
	@$(SWIFT) build $(DEBUG_BUILD)

# `make sanitize` runs the same programs against another build of the library.
LIBRARY ?= build/lib/libgroot.so
OUT ?= build/ctests
RUN ?=
C_SUPPORT := Tests/CTests/check.c Tests/CTests/support.c
C_TESTS = $(patsubst Tests/CTests/%.c,$(OUT)/%,$(filter-out $(C_SUPPORT),$(wildcard Tests/CTests/*.c)))
C_TEST_LIBS = -L$(dir $(LIBRARY)) -Wl,-rpath,$(abspath $(dir $(LIBRARY))) -lgroot $(JANSSON_LIBS) -pthread

$(C_TESTS): $(OUT)/%: Tests/CTests/%.c $(C_SUPPORT) $(wildcard Tests/CTests/*.h) include/groot.h | $(LIBRARY)
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) $(C_TEST_LIBS)

$(OUT)/run_cases: $(wildcard Tests/CTests/cases/*)
$(OUT)/store_faults: $(wildcard Tests/CTests/faults/*)
$(OUT)/store_faults: C_TEST_LIBS += -lsqlite3
# A jansson of the program's own, of which the library sees nothing.
$(OUT)/two_janssons: JANSSON_LIBS = -Wl,--exclude-libs,libjansson.a -l:libjansson.a

# groot.hpp, in C++.
$(OUT)/plusplus: Tests/CTests/plusplus.cpp include/groot.hpp include/groot.h | $(LIBRARY)
	@mkdir -p $(@D)
	@$(CXX) $(CXX_FLAGS) $(SANITIZE) -o $@ $< $(C_TEST_LIBS)

c-tests: $(C_TESTS) $(OUT)/plusplus
	@code=0; for test in $(filter-out %/run_cases,$^); do $(RUN) $$test || code=1; done; \
	  find Tests/Cases -name '*.json' -not -path '*/models/*' -print | sort | \
	  xargs $(RUN) $(OUT)/run_cases || code=1; exit $$code

python-tests: lib .venv/ready
	@PYTHONPATH=python .venv/bin/python -m pytest -p no:cacheprovider python/tests

exports: lib
	@Tests/ABI/exports.sh build/lib/libgroot.so include/groot.h

# Against the interface that is stored in Tests/ABI; abi-update stores the header's.
.PHONY: abi abi-update
abi:
	@Tests/ABI/abi.sh include/groot.h
	@Tests/ABI/planted.sh include/groot.h

abi-update:
	@Tests/ABI/abi.sh --update include/groot.h

install-test: lib .venv/ready
	@Tests/Install/run.sh

wheel-test: lib .venv/ready
	@Tests/Install/wheel.sh

# Builds the other tours as well, where it can.
examples: lib build/examples/tour build/examples/tour-swift build/examples/mirror
	@Tests/tours.sh

include examples/tours.mk

# With nothing but what pkg-config says, as the comment in the program tells its reader.
build/examples/tour: examples/c/tour.c include/groot.h | lib
	@mkdir -p $(@D)
	@$(CC) -std=c99 $(WARNINGS) -O1 -g -o $@ $< -Wl,-rpath,$(CURDIR)/build/lib \
	  $$(PKG_CONFIG_PATH=build/lib $(PKG_CONFIG) --cflags --libs groot)

# A program of Swift, with the modules as a package would build them.
build/examples/tour-swift: $(SWIFT_SOURCES) $(wildcard examples/swift/*.swift)
	@mkdir -p $(@D)
	@$(SWIFT) build $(DEBUG_BUILD) --product GrootTour
	@cp $(DEBUG)/debug/GrootTour $@

build/examples/mirror: $(SWIFT_SOURCES) $(wildcard examples/mirror/*.swift)
	@mkdir -p $(@D)
	@$(SWIFT) build $(DEBUG_BUILD) --product GrootMirror
	@cp $(DEBUG)/debug/GrootMirror $@

snippets: lib debug-build
	@$(PYTHON) Tests/snippets.py
	@Tests/snippets.sh

# A package of its own that depends on this one, as a user's would; and lines that must not compile.
consumer:
	@$(SWIFT) run $(DEBUG_BUILD) --package-path Tests/Consumer
	@$(PYTHON) Tests/Consumer/refused.py $(DEBUG)/debug/Modules

# The models of all tests as types, which must make the same models again.
generated: lib
	@PYTHONPATH=python $(PYTHON) Tests/Generated/write.py build/generated/documents
	@$(SWIFT) run $(DEBUG_BUILD) --package-path Tests/Generated Generated \
	  $(CURDIR)/build/generated/documents

# Instructions at three sizes, counted by callgrind; `make check-long` takes larger ones.
GROWTH_SIZE := 512
.PHONY: growth
growth: build/growth/growth
	@$(PYTHON) Tests/Growth/run.py $< $(GROWTH_SIZE) $(GROWTH)

build/growth/growth: $(wildcard Tests/Growth/*.c Tests/Growth/*.h) include/groot.h build/lib/libgroot.so
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) -o $@ $(filter %.c,$^) -Lbuild/lib -Wl,-rpath,$(CURDIR)/build/lib -lgroot \
	  $(JANSSON_LIBS)

# ---- check -----------------------------------------------------------------------------------

# As many run at once as there are processors; builds and the longest come first.
STEPS := lib swift-build debug-build swift-tests growth python-tests wheel-test consumer generated snippets \
  lint-swift lint-c lint-fuzz lint-python lint-documents exports abi install-test c-tests fuzz-api examples

.PHONY: check $(STEPS:%=step-%)
check:
	@Scripts/ci/setup.sh --check
	@rm -rf build/check
	@$(MAKE) --no-print-directory --keep-going --jobs=$$(getconf _NPROCESSORS_ONLN) $(STEPS:%=step-%); \
	  Scripts/ci/summary.sh build/check $(STEPS)

$(STEPS:%=step-%): step-%:
	@Scripts/ci/step.sh build/check $* $(MAKE) --no-print-directory $*

step-exports step-install-test step-wheel-test step-c-tests step-fuzz-api step-growth step-python-tests \
  step-examples step-snippets step-generated: step-lib
step-swift-tests: step-swift-build
# One at a time builds in a folder.
step-examples step-snippets step-consumer: step-debug-build
step-generated: step-consumer
step-lint-python step-python-tests step-install-test step-wheel-test: .venv/ready

# The toolchain's clang: its sanitizers are those that the Swift code is built with. That for
# threads knows about Dispatch and wants to see it.
TOOLCHAIN = $(abspath $(dir $(realpath $(shell command -v $(SWIFT))))..)
SANITIZER_LIBS = -L$(TOOLCHAIN)/lib/swift/linux -Wl,-rpath,$(TOOLCHAIN)/lib/swift/linux \
  -Wl,--as-needed -ldispatch -lBlocksRuntime

.PHONY: check-sanitize sanitize-address sanitize-thread valgrind
check-sanitize: sanitize-address sanitize-thread

sanitize-address: export LSAN_OPTIONS = \
  print_suppressions=0:suppressions=$(CURDIR)/Tests/Suppressions/leaks.supp
# A buffer larger than the machine is asked for, and is to be refused as malloc does.
sanitize-address: export ASAN_OPTIONS = allocator_may_return_null=1
sanitize-thread: export TSAN_OPTIONS = \
  allocator_may_return_null=1:suppressions=$(CURDIR)/Tests/Suppressions/races.supp
sanitize-address sanitize-thread: sanitize-%:
	@$(SWIFT) build --quiet --sanitize=$* --scratch-path build/$* --product groot
	@Scripts/ci/step.sh build/check swift-$* $(SWIFT) test --sanitize=$* --scratch-path build/$*
	@Scripts/ci/step.sh build/check c-$* $(MAKE) --no-print-directory c-tests native-tours OUT=build/$*/ctests \
	  LIBRARY=build/$*/debug/libgroot.so CC=$(TOOLCHAIN)/bin/clang CXX=$(TOOLCHAIN)/bin/clang++ \
	  SANITIZE='-fsanitize=$* -fuse-ld=lld $(SANITIZER_LIBS)'

# Random programs of calls of the interface, with a model of the graph in plain C beside the library;
# see Tests/FuzzAPI/fuzz.h. The usual build looks for leaks.
FUZZ_API_SEED := 1
FUZZ_API_CALLS := 200000
FUZZ_API_SANITIZE = $(or $(SANITIZE),-fsanitize=leak)

.PHONY: fuzz-api fuzz-api-address
fuzz-api: $(OUT)/fuzz_api
	@$< $(FUZZ_API_SEED) $(FUZZ_API_CALLS)

$(OUT)/fuzz_api: $(wildcard Tests/FuzzAPI/*) include/groot.h | $(LIBRARY)
	@mkdir -p $(@D)
	@Tests/FuzzAPI/calls.sh include/groot.h Tests/FuzzAPI
	@$(CC) $(C_FLAGS) $(FUZZ_API_SANITIZE) -o $@ $(filter %.c,$^) $(C_TEST_LIBS)

fuzz-api-address: export LSAN_OPTIONS = \
  print_suppressions=0:suppressions=$(CURDIR)/Tests/Suppressions/leaks.supp
fuzz-api-address:
	@$(SWIFT) build --quiet -c release --sanitize=address --scratch-path build/address-release \
	  --product groot
	@$(MAKE) --no-print-directory fuzz-api OUT=build/address-release/ctests \
	  LIBRARY=build/address-release/release/libgroot.so CC=$(TOOLCHAIN)/bin/clang \
	  SANITIZE='-fsanitize=address -fuse-ld=lld $(SANITIZER_LIBS)'

# With the names and lines that the library in build/lib has lost.
VALGRIND := valgrind --quiet --error-exitcode=9 --suppressions=Tests/Suppressions/valgrind.supp \
  --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite
valgrind: export LD_LIBRARY_PATH = $(CURDIR)/build/unstripped
valgrind: lib build/examples/tour build/examples/tour-cpp
	@mkdir -p build/unstripped
	@ln -sf ../release/release/libgroot.so build/unstripped/$(SONAME)
	@Scripts/ci/step.sh build/check valgrind $(MAKE) --no-print-directory c-tests RUN='$(VALGRIND)'
	@Scripts/ci/step.sh build/check valgrind-tour $(VALGRIND) build/examples/tour examples/comics.json
	@Scripts/ci/step.sh build/check valgrind-cpp $(VALGRIND) build/examples/tour-cpp examples/comics.json

# Small faults in the sources, of which the tests must find 95 of 100.
MUTANTS := 200
MUTANT_SEED := 1
.PHONY: mutate
mutate: .venv/ready
	@$(PYTHON) Tests/Mutation/mutate.py --mutants $(MUTANTS) --seed $(MUTANT_SEED)

# Which lines of the library the Swift and C tests do not reach.
COVERAGE := build/coverage
.PHONY: coverage
coverage: export LLVM_PROFILE_FILE = $(CURDIR)/$(COVERAGE)/profiles/%p-%m.profraw
coverage:
	@rm -rf $(COVERAGE)/profiles
	@$(SWIFT) build --quiet --enable-code-coverage --scratch-path $(COVERAGE) --product groot
	@$(SWIFT) build --quiet --enable-code-coverage --scratch-path $(COVERAGE) --build-tests
	@$(SWIFT) test --skip-build --enable-code-coverage --scratch-path $(COVERAGE) >$(COVERAGE)/swift.log
	@$(MAKE) --no-print-directory c-tests OUT=$(COVERAGE)/ctests \
	  LIBRARY=$(COVERAGE)/debug/libgroot.so >$(COVERAGE)/c.log
	@$(TOOLCHAIN)/bin/llvm-profdata merge -sparse -o $(COVERAGE)/all.profdata \
	  $(COVERAGE)/profiles/*.profraw $(COVERAGE)/debug/codecov/*.profraw
	@$(PYTHON) Scripts/ci/coverage.py $(TOOLCHAIN)/bin/llvm-cov $(COVERAGE)/all.profdata \
	  $(COVERAGE)/debug/GrootPackageTests.xctest $(COVERAGE)/debug/libgroot.so

# libFuzzer with the address sanitizer, over the parts of the library that read text.
FUZZ_SECONDS := 60
FUZZ_SOURCES = $(wildcard $(addsuffix /*.swift,$(addprefix Sources/Groot/,Errors Bytes JSON Values))) \
  Tests/Fuzz/Requirement.swift

FUZZ_TARGETS := json dates models rules patterns predicates store
.PHONY: fuzz $(FUZZ_TARGETS:%=fuzz-%)
fuzz: $(FUZZ_TARGETS:%=fuzz-%)
$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: build/fuzz/%-target
	@Tests/Fuzz/run.sh $< $* $(FUZZ_SECONDS) $(FUZZ_LENGTH)

FUZZ_LENGTH := 400
MODULES := -I Sources/CAtomics -I Sources/CFiles -I Sources/CJansson -I Sources/CPCRE2
fuzz-models fuzz-rules: FUZZ_LENGTH := 4000

FUZZ_QUERIES := Tests/GrootTests/Store/NaivePredicate.swift Tests/GrootTests/Store/QueryModel.swift \
  Tests/GrootTests/Support/SeededGenerator.swift

# Models and rules are tried with what the tests try them with, and with all of the engine.
FUZZ_MODELS = $(shell find Sources/Groot -name '*.swift') Tests/GrootTests/Support/SeededGenerator.swift \
  $(wildcard Tests/GrootTests/Mapping/Hostile/[!JH]*.swift)
build/fuzz/json-target: Tests/Fuzz/JSONTarget.swift Tests/GrootTests/JSON/JanssonOracle.swift
build/fuzz/dates-target: Tests/Fuzz/DateTarget.swift
# The whole library in one module, whose name it imports.
build/fuzz/store-target: Tests/Fuzz/StoreTarget.swift Tests/Fuzz/Requirement.swift $(SWIFT_SOURCES)
	@mkdir -p $(@D)
	@$(SWIFT)c -O -wmo -gline-tables-only -sanitize=fuzzer,address -use-ld=lld -swift-version 6 \
	  -parse-as-library -suppress-warnings -package-name groot -module-name Groot \
	  $(MODULES) -I Sources/CSQLite -o $@ $(filter Tests/%.swift,$^) \
	  $(filter Sources/Groot/%.swift Sources/GrootSQLite/%.swift,$^)

build/fuzz/models-target: Tests/Fuzz/ModelTarget.swift $(FUZZ_MODELS)
build/fuzz/rules-target: Tests/Fuzz/RulesTarget.swift $(FUZZ_MODELS)
build/fuzz/patterns-target: Tests/Fuzz/PatternTarget.swift $(wildcard Sources/Groot/Model/Pattern*.swift)
# The whole core, with what the tests compare queries with.
build/fuzz/predicates-target: Tests/Fuzz/PredicateTarget.swift $(shell find Sources/Groot -name '*.swift') \
  $(FUZZ_QUERIES)
build/fuzz/%-target: $(FUZZ_SOURCES) Makefile
	@mkdir -p $(@D)
	@$(SWIFT)c -O -wmo -gline-tables-only -sanitize=fuzzer,address -use-ld=lld -swift-version 6 \
	  -parse-as-library -package-name groot -module-name Groot $(MODULES) -o $@ \
	  $(filter %.swift,$^)

# The laws again, at length, and more of what a store must outlive.
LONG_KILLS := 200
LONG_POWER := 20
LONG_GROWTH := 1024
LONG_LAW := 1000-6000
LONG_ORDERS := 1000-6000
LONG_REPORTS := 1000-3000
LONG_TRIPS := 1000-16000
LONG_FLIPS := 10000
LONG_RESTS := 10000-60000
LONG_HOSTILE := 0-99999
LONG_REFUSED := 0-99999
LONG_LAWS := law orders reports trips rests flips hostile refused
LONG_STEPS := growth faults kills reproducible debian $(LONG_LAWS)

.PHONY: check-long $(LONG_STEPS:%=long-%)
check-long:
	@rm -rf build/check-long
	@$(MAKE) --no-print-directory --keep-going $(LONG_STEPS:%=long-%); \
	  Scripts/ci/summary.sh build/check-long $(LONG_STEPS)

LONG_STEP = Scripts/ci/step.sh build/check-long $(@:long-%=%)
long-growth:
	@$(LONG_STEP) $(MAKE) --no-print-directory growth GROWTH_SIZE=$(LONG_GROWTH)
long-faults: lib $(OUT)/store_faults
	@$(LONG_STEP) $(OUT)/store_faults 1 $(LONG_POWER)
long-kills: lib .venv/ready
	@$(LONG_STEP) env PYTHONPATH=python GROOT_KILLS=$(LONG_KILLS) \
	  .venv/bin/python -m pytest -p no:cacheprovider python/tests/test_store_kills.py

long-reproducible: lib $(LIB)/libgroot.a
	@$(LONG_STEP) Tests/Install/reproducible.sh
long-debian: deb build/examples/tour
	@$(LONG_STEP) Tests/Install/debian.sh

long-law: SEEDS = GROOT_LAW=$(LONG_LAW)
long-law: SUITE = StoreEqualityLaw
long-orders: SEEDS = GROOT_ORDER_LAW=$(LONG_ORDERS)
long-orders: SUITE = OrderLaw
long-reports: SEEDS = GROOT_REPORTS=$(LONG_REPORTS)
long-reports: SUITE = ReportLaw
long-trips: SEEDS = GROOT_ROUND_TRIPS=$(LONG_TRIPS)
long-trips: SUITE = RoundTripLaw
long-rests: SEEDS = GROOT_REST=$(LONG_RESTS)
long-rests: SUITE = RestLaw
long-flips: SEEDS = GROOT_FLIPS=$(LONG_FLIPS)
long-flips: SUITE = StoreFlipTests
long-hostile: SEEDS = GROOT_HOSTILE=$(LONG_HOSTILE)
long-hostile: SUITE = HostileModel
long-refused: SEEDS = GROOT_REFUSED=$(LONG_REFUSED)
long-refused: SUITE = RefusedMemoryTests
$(LONG_LAWS:%=long-%): swift-build
	@$(LONG_STEP) env $(SEEDS) $(SWIFT) test --skip-build $(TEST_BUILD) --filter $(SUITE)

# ---- demo ------------------------------------------------------------------------------------

.PHONY: demo demo-run
demo: setup
	@$(MAKE) --no-print-directory demo-run

CHARACTERS := 100000
DEMO_FILE := build/demo/characters-$(CHARACTERS).json

demo-run: lib build/examples/tour build/examples/tour-swift build/demo/import_export $(DEMO_FILE)
	@Tests/tours.sh --show c python swift
	@echo "Import and export of $(DEMO_FILE), best of three"
	@build/demo/import_export Benchmarks/characters.json $(DEMO_FILE)

build/demo/import_export: Benchmarks/demo/import_export.c include/groot.h | lib
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) -O2 -o $@ $< -Lbuild/lib -Wl,-rpath,$(CURDIR)/build/lib -lgroot $(JANSSON_LIBS)

$(DEMO_FILE): Benchmarks/generate.py
	@mkdir -p $(@D)
	@$(PYTHON) $< $(CHARACTERS) $@

# A JSON array through a store and back, larger than the memory that this may take.
MEGABYTES := 1000
LARGE_OPTIONS :=

.PHONY: large
large: lib
	@$(PYTHON) Benchmarks/large.py --megabytes $(MEGABYTES) $(LARGE_OPTIONS)

# ---- benchmark -------------------------------------------------------------------------------

# RUNS, SIZES and BENCH_OPTIONS (Benchmarks/bench.py --help) say what is measured.
RUNS := 5
SIZES := 10000,100000,500000
BENCH_OPTIONS :=
BENCH = build/bench/venv/bin/python Benchmarks/bench.py --runs $(RUNS) $(BENCH_OPTIONS)

.PHONY: bench bench-check
bench: build/bench/bench build/bench/dates build/bench/start build/bench/venv/ready
	@$(BENCH) --sizes $(SIZES) --json build/bench/results.json

bench-check: build/bench/bench build/bench/dates build/bench/venv/ready
	@$(BENCH) --check Benchmarks/budget.json --json build/bench/check.json

build/bench/bench: $(wildcard Benchmarks/native/*) include/groot.h build/lib/libgroot.so
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) -O2 -o $@ $(filter %.c,$^) -Lbuild/lib -Wl,-rpath,$(CURDIR)/build/lib \
	  -lgroot $(JANSSON_LIBS) -lsqlite3

# Not linked to the library, which it loads itself.
build/bench/start: Benchmarks/start/start.c include/groot.h | lib
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) -o $@ $<

# The readers of dates are no part of the interface: they are compiled with the program.
DATE_SOURCES = $(wildcard Sources/Groot/Values/Timestamp*.swift Sources/Groot/Values/CalendarDay*.swift) \
  Sources/Groot/Bytes/ByteLanes.swift Sources/Groot/Bytes/Byte.swift

build/bench/dates: $(wildcard Benchmarks/dates/*.swift) $(DATE_SOURCES)
	@mkdir -p $(@D)
	@$(SWIFT)c -O -wmo -swift-version 6 -parse-as-library -module-name DateBenchmarks -o $@ $^

# Without the libraries to compare with the benchmark leaves their rows out.
build/bench/venv/ready: Benchmarks/peers.txt
	@$(PYTHON) -m venv build/bench/venv
	@build/bench/venv/bin/python -m pip install --quiet --disable-pip-version-check -r $< || \
	  echo 'the libraries to compare with cannot be installed' >&2
	@touch $@

# ---- clean -----------------------------------------------------------------------------------

.PHONY: clean help
clean:
	@rm -rf .build build .venv

help:
	@echo 'make                 the library, in build/lib'
	@echo 'make setup           installs what the build and the tests need, with apt-get'
	@echo 'make setup-tours     also what the tours in all languages need'
	@echo 'make demo            the tour in three languages, then a big file in and out, with times'
	@echo 'make bench           measures; SIZES=10000,100000,500000 RUNS=5 BENCH_OPTIONS='
	@echo 'make bench-check     fails when the budget in Benchmarks/budget.json is exceeded'
	@echo 'make check           all tests and lint'
	@echo 'make check-long      the laws and the store at length, for hours; LONG_LAW=1000-6000 LONG_FLIPS=10000'
	@echo 'make mutate          plants MUTANTS=200 mistakes, one after the other; what tests find them'
	@echo 'make coverage        the lines of the library that the Swift and C tests do not reach'
	@echo 'make large           a file through a store and back, in little memory; MEGABYTES=1000'
	@echo 'make growth          instructions at three sizes; GROWTH_SIZE=512 GROWTH=operations'
	@echo 'make examples        the tour in each language that has its tools here'
	@echo 'make lint            format, warnings, layers, links of documents'
	@echo 'make docs            the documentation of the Swift library, in build/docs'
	@echo 'make snippets        the code in all documents'
	@echo 'make fuzz            FUZZ_SECONDS=60: texts, models, patterns, stores ... made by libFuzzer'
	@echo 'make fuzz-api        FUZZ_API_SEED=1 FUZZ_API_CALLS=200000: random calls of the C interface'
	@echo 'make fuzz-api-address  the same under the address sanitizer'
	@echo 'make check-sanitize  Swift and C tests under the address and the thread sanitizer'
	@echo 'make valgrind        C and C++ tests and tours under valgrind'
	@echo 'make install         PREFIX=/usr/local LIBDIR= INCLUDEDIR= DOCDIR= DESTDIR='
	@echo 'make uninstall       the same variables'
	@echo 'make deb             Debian packages of it, in build/deb'
	@echo 'make wheel           a wheel for Python that needs nothing else, in build/wheel'
	@echo 'make sdist           its source distribution, in build/sdist'
	@echo 'make abi-update      stores the interface that make check compares the header with'
	@echo 'make clean           removes all that was built'
