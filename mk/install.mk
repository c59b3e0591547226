# The static library, the files that `make install` fills in, and the one for use from the build.

# One object with all of Groot and of Swift's runtime, which shows groot_* and nothing else, so
# that no name in it is in the way of the program's.
SWIFT_STATIC = $(TOOLCHAIN)/lib/swift_static/linux
OBJCOPY ?= objcopy

$(LIB)/libgroot.a: $(UNSTRIPPED)
	@mkdir -p $(@D)
	@$(LD) -r --force-group-allocation -o $(LIB)/groot.o \
	  $(SWIFT_STATIC)/$(shell uname -m)/swiftrt.o @$(<D)/groot.product/Objects.LinkFileList \
	  $(SWIFT_STATIC)/libswiftCore.a
	@$(OBJCOPY) --wildcard --keep-global-symbol='groot_*' $(LIB)/groot.o
	@$(STRIP) --strip-unneeded $(LIB)/groot.o
	@rm -f $@
	@$(AR) rcD $@ $(LIB)/groot.o
	@rm $(LIB)/groot.o

INSTALL_FILES := Scripts/package/install
PC_DIR = $(LIBDIR)/pkgconfig
CMAKE_DIR = $(LIBDIR)/cmake/groot
# Where Debian's packages put files for valgrind.
SUPPRESSIONS = $(PREFIX)/lib/valgrind/groot.supp
HEADERS := $(notdir $(wildcard include/*.h include/*.hpp))
DOCUMENTS := $(wildcard *.md) LICENSE NOTICE $(shell find docs examples -type f -not -name '*.pyc')

# fill FILE PREFIX LIBDIR INCLUDEDIR: a file of Scripts/package/install with the values between @.
fill = sed -e 's|@VERSION@|$(VERSION)|' -e 's|@INTERFACE@|$(INTERFACE)|' -e 's|@PREFIX@|$(2)|' \
  -e 's|@LIBDIR@|$(3)|' -e 's|@INCLUDEDIR@|$(4)|' \
  -e "s|@INCLUDE_FROM_LIB@|$$(realpath -ms --relative-to='$(3)' '$(4)')|" $(INSTALL_FILES)/$(1).in

# For use straight from the build: PKG_CONFIG_PATH=build/lib. The folder may move with `include`.
$(LIB)/%.pc: $(INSTALL_FILES)/%.pc.in include/groot.h
	@mkdir -p $(@D)
	@$(call fill,$*.pc,$${pcfiledir}/../..,$${pcfiledir},$${pcfiledir}/../../include) >$@
