# The programs of the tests, and the tests of more than one language.

.PHONY: swift-build debug-build exports install-test wheel-test snippets consumer generated

# Optimized, since the laws run for long, but with the checks of a debug build.
TEST_BUILD := -c release --scratch-path build/tests -Xswiftc -enable-testing \
  -Xswiftc -assert-config -Xswiftc Debug
swift-build:
	@$(SWIFT) build --quiet --build-tests $(TEST_BUILD)

# The modules for tours, snippets and packages that depend on this one, which are roots of their own: SwiftPM
# would take the manifest of one for that of another.
DEBUG := build/debug
DEBUG_BUILD := --quiet --scratch-path $(DEBUG) --disable-build-manifest-caching
debug-build:
	@$(SWIFT) build $(DEBUG_BUILD)

# `make check-sanitize` runs the same programs against another build of the library.
LIBRARY ?= build/lib/libgroot.so
OUT ?= build/ctests
RUN ?=
C_SUPPORT := Tests/CTests/check.c Tests/CTests/support.c
C_TESTS = $(patsubst Tests/CTests/%.c,$(OUT)/%,$(filter-out $(C_SUPPORT),$(wildcard Tests/CTests/*.c)))
C_TEST_LIBS = -L$(dir $(LIBRARY)) -Wl,-rpath,$(abspath $(dir $(LIBRARY))) -lgroot $(JANSSON_LIBS) -pthread

$(C_TESTS): $(OUT)/%: Tests/CTests/%.c $(C_SUPPORT) $(wildcard Tests/CTests/*.h) include/groot.h | $(LIBRARY)
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) $(C_TEST_LIBS)

# Those that follow from the declarations of the headers have a part that is written from them.
WRITER := $(wildcard Tests/CTests/generated/*.py)
$(OUT)/header: $(OUT)/generated/layout.c
$(OUT)/null: $(OUT)/generated/null.c
$(OUT)/twins: $(OUT)/generated/twins.c
$(OUT)/header $(OUT)/null $(OUT)/twins: C_FLAGS += -ITests/CTests
$(OUT)/generated/%.c: $(WRITER) include/groot.h include/groot_ffi.h
	@$(PYTHON) Tests/CTests/generated/write.py $* include $@

$(OUT)/run_cases: $(wildcard Tests/CTests/cases/*)
$(OUT)/store_faults: $(wildcard Tests/CTests/faults/*)
$(OUT)/store_faults: C_TEST_LIBS += -lsqlite3
# A jansson of the program's own, of which the library sees nothing.
$(OUT)/two_janssons: JANSSON_LIBS = -Wl,--exclude-libs,libjansson.a -l:libjansson.a

# groot.hpp, in C++.
$(OUT)/plusplus: Tests/CTests/plusplus.cpp include/groot.hpp include/groot.h | $(LIBRARY)
	@mkdir -p $(@D)
	@$(CXX) $(CXX_FLAGS) $(SANITIZE) -o $@ $< $(C_TEST_LIBS)

exports: lib
	@Tests/ABI/exports.sh build/lib/libgroot.so include

# Against the interface that is stored in Tests/ABI; abi-update stores the header's.
.PHONY: abi abi-update
abi:
	@Tests/ABI/abi.sh include
	@Tests/ABI/planted.sh include

abi-update:
	@Tests/ABI/abi.sh --update include

install-test: lib .venv/ready
	@Tests/Install/run.sh

wheel-test: lib .venv/ready
	@Tests/Install/wheel.sh

snippets: lib debug-build .venv/ready
	@$(WITH_SERVER) -- .venv/bin/python Tests/snippets.py
	@Tests/snippets.sh

# A server of PostgreSQL that is there only for the tests.
WITH_SERVER := Tests/PostgreSQL/server

# The servers that tests with PostgreSQL run under, and the proxy that breaks their connections.
test-servers: .venv/ready
	@.venv/bin/python -m pytest -p no:cacheprovider -rs Tests/PostgreSQL

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
