# The shared library, in build/lib.
#
# Package.swift lacks the flags below: unsafe flags in the manifest would make the package unusable as a
# dependency.

VERSION := $(shell sed -n 's/^.define GROOT_VERSION "\(.*\)"/\1/p' include/groot.h)
# The name that programs link to has MAJOR.MINOR while MAJOR is 0: a 0.x may break what an earlier one
# had.
MAJOR_MINOR := $(subst ., ,$(VERSION))
INTERFACE := $(word 1,$(MAJOR_MINOR))$(if $(filter 0.%,$(VERSION)),.$(word 2,$(MAJOR_MINOR)))
SONAME := libgroot.so.$(INTERFACE)
SHARED := libgroot.so.$(VERSION)

# Folders count as well: a file that was removed changes its folder only. Articles are not code.
SWIFT_SOURCES := $(shell find Sources include/groot.h include/groot_ffi.h include/module.modulemap Package.swift \
  -name '*.docc' -prune -o -print)

# --static-swift-stdlib does nothing for a dynamic product; the compiler's own flag does. The linker
# is lld, since gold leaves local symbols in the dynamic table. The folder is not .build, so that a
# plain `swift build` does not undo the flags; SwiftPM would not notice that they changed. No path of
# this folder stays in what is built, in hashes neither, so that a build in another folder gives the same
# bytes. The checks of exclusive access are left to the tests of Swift, which run with them: a library
# does not end the process of its program.
RELEASE := $(SWIFT) build --quiet -c release --scratch-path build/release --disable-default-traits \
  --disable-build-manifest-caching --disable-local-rpath \
  -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. \
  -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
  -Xswiftc -enforce-exclusivity=unchecked \
  -Xswiftc -static-stdlib -Xswiftc -no-toolchain-stdlib-rpath -Xswiftc -ld-path=$(CURDIR)/build/runtime/ld
# Of LDFLAGS what a linker knows: -Wl,..., -L and -l.
comma := ,
LINKER_FLAGS = $(subst $(comma), ,$(patsubst -Wl$(comma)%,%,$(filter -Wl$(comma)% -L% -l%,$(LDFLAGS))))
# On glibc before 2.34 the functions of Scripts/package/glibc.c are in libdl.
FOR_GLIBC := $(if $(findstring gnu,$(shell $(CC) -dumpmachine)),\
  $(CURDIR)/build/runtime/glibc.o --push-state --no-as-needed -l:libdl.so.2 --pop-state)
# Functions of equal code are one (--icf=all): nothing compares their addresses. A function of runtime.c
# takes the place of another (--wrap), which --gc-sections then leaves out with its tables. The linker
# gets runtime.o before the objects of Swift, so that it does not look for the same names in archives.
#
# build/runtime has libstdc++ as an archive alone: half of the time to load the library went there, and
# any libstdc++ will do for the rest of the process.
WRAPPED := __cxa_demangle $(addprefix _swift_stdlib_get,ScalarName Age GeneralCategory \
  Script ScriptExtensions WordBreakProperty) \
  _ZN5swift8Demangle9__runtime12nodeToStringB5cxx11EPNS1_4NodeERKNS1_15DemangleOptionsE
LINK_SHARED = -Xswiftc -L$(CURDIR)/build/runtime $(addprefix -Xlinker ,-soname $(SONAME) \
  --version-script $(CURDIR)/Scripts/package/groot.map -z nodelete -z now --gc-sections --icf=all \
  $(WRAPPED:%=--wrap=%) $(CURDIR)/build/runtime/names.o $(FOR_GLIBC) $(LINKER_FLAGS))

# Where the library is put, without the names that only a debugger needs; STRIP=true keeps them.
LIB := build/lib
UNSTRIPPED := build/release/release/libgroot.so
REQUIRED := $(shell sed -n 's/^Requires.*: //p' Scripts/package/install/groot.pc.in | paste -sd,)

.PHONY: required
required:
	@$(PKG_CONFIG) --exists --print-errors '$(REQUIRED)'

RUNTIME := $(addprefix build/runtime/,glibc.o runtime.o names.o ld libstdc++.a)
build/runtime/%.o: Scripts/package/%.c
	@mkdir -p $(@D)
	@$(CC) -std=c99 -O2 -fPIC $(WARNINGS) -c -o $@ $<

build/runtime/%.o: Scripts/package/%.cpp
	@mkdir -p $(@D)
	@$(CXX) -std=c++11 -O2 -fPIC -fno-exceptions -fno-rtti $(WARNINGS) -c -o $@ $<

build/runtime/ld: mk/library.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nPATH="%s:$$PATH" exec ld.lld "%s" "$$@"\n' \
	  "$$(dirname "$$(readlink -f "$$(command -v swiftc)")")" '$(CURDIR)/build/runtime/runtime.o' >$@
	@chmod +x $@

build/runtime/libstdc++.a:
	@mkdir -p $(@D)
	@ln -sf "$$($(CXX) -print-file-name=$(@F))" $@

$(UNSTRIPPED): $(SWIFT_SOURCES) Scripts/package/groot.map $(RUNTIME) mk/library.mk | required
	@echo "building $(SHARED)"
	@$(RELEASE) --product groot $(LINK_SHARED)
	@touch $@

$(LIB)/libgroot.so: $(UNSTRIPPED)
	@mkdir -p $(@D)
	@install -m 755 $< $(LIB)/$(SHARED)
	@$(STRIP) --strip-unneeded $(LIB)/$(SHARED)
	@ln -sf $(SHARED) $(LIB)/$(SONAME)
	@ln -sf $(SONAME) $@
