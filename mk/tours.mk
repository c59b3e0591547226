# The tours in examples/: each is built when its tools are there, which Tests/tours.sh asks for.

# With the flags of pkg-config alone, as the comment in the program tells its reader.
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

RUSTC ?= rustc
GO ?= go
JARS ?= /usr/share/java
TOUR_FLAGS = $$(PKG_CONFIG_PATH=build/lib $(PKG_CONFIG) --cflags --libs groot) -DGROOT_NO_JANSSON
TOUR_RPATH = -Wl,-rpath,$(CURDIR)/build/lib
NODE_HEADERS = $(dir $(shell node -p process.execPath))../include/node

build/examples/tour-cpp: examples/cpp/tour.cpp include/groot.hpp include/groot.h | lib
	@mkdir -p $(@D)
	@$(CXX) -std=c++17 $(WARNINGS) -g -o $@ $< $(TOUR_FLAGS) $(TOUR_RPATH)

RUST_FILES := $(wildcard examples/rust/*.rs examples/rust/*/*.rs)
build/examples/tour-rust: examples/rust/tour.rs $(RUST_FILES) | lib
	@mkdir -p $(@D)
	@$(RUSTC) --edition 2021 -D warnings -L build/lib -C link-arg=$(TOUR_RPATH) -o $@ $<

build/examples/tour-go: $(wildcard examples/go/* examples/go/*/*) include/groot.h | lib
	@mkdir -p $(@D)
	@cd examples/go && PKG_CONFIG_PATH=$(CURDIR)/build/lib CGO_LDFLAGS='$(TOUR_RPATH)' \
	  GOCACHE=$(CURDIR)/build/go/cache GOPATH=$(CURDIR)/build/go GOFLAGS=-mod=readonly \
	  $(GO) build -o $(CURDIR)/$@ .

# The folder of its classes.
build/examples/tour-java: $(wildcard examples/java/*.java)
	@mkdir -p $@
	@javac -Xlint:all -Werror -cp $(JARS)/jna.jar:$(JARS)/gson.jar -d $@ $^
	@touch $@

# The addon.
build/examples/tour.node: examples/node/addon.c include/groot.h | lib
	@mkdir -p $(@D)
	@$(CC) -std=c99 $(WARNINGS) -O1 -g -shared -fPIC -isystem $(NODE_HEADERS) -o $@ $< $(TOUR_FLAGS) \
	  $(TOUR_RPATH)

# Those in C and C++ against another build of the library, as `make sanitize-address` does.
.PHONY: native-tours
native-tours: $(OUT)/tour $(OUT)/tour-cpp
	@for tour in $^; do $(RUN) $$tour examples/comics.json >$$tour.txt && \
	  diff examples/expected-tour.txt $$tour.txt || exit 1; done; echo '2 passed, 0 failed'

$(OUT)/tour: examples/c/tour.c include/groot.h | $(LIBRARY)
	@mkdir -p $(@D)
	@$(CC) $(C_FLAGS) $(SANITIZE) -o $@ $< $(C_TEST_LIBS)

$(OUT)/tour-cpp: examples/cpp/tour.cpp include/groot.hpp include/groot.h | $(LIBRARY)
	@mkdir -p $(@D)
	@$(CXX) $(CXX_FLAGS) $(SANITIZE) -o $@ $< $(C_TEST_LIBS)
