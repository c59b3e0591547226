# The static library, `make install`, `make deb` and `make wheel`; a part of the Makefile.

# ---- the static library ----------------------------------------------------------------------

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

# ---- install ---------------------------------------------------------------------------------

INSTALL_FILES := Scripts/package/install
PC_DIR = $(LIBDIR)/pkgconfig
CMAKE_DIR = $(LIBDIR)/cmake/groot
HEADERS := $(notdir $(wildcard include/*.h include/*.hpp))
DOCUMENTS := $(wildcard *.md) LICENSE NOTICE $(shell find docs examples -type f -not -name '*.pyc')

# fill FILE PREFIX LIBDIR INCLUDEDIR: a file of Scripts/package/install with what stands between @.
fill = sed -e 's|@VERSION@|$(VERSION)|' -e 's|@INTERFACE@|$(INTERFACE)|' -e 's|@PREFIX@|$(2)|' \
  -e 's|@LIBDIR@|$(3)|' -e 's|@INCLUDEDIR@|$(4)|' \
  -e "s|@INCLUDE_FROM_LIB@|$$(realpath -ms --relative-to='$(3)' '$(4)')|" $(INSTALL_FILES)/$(1).in

# For use straight from the build: PKG_CONFIG_PATH=build/lib.
$(LIB)/%.pc: $(INSTALL_FILES)/%.pc.in include/groot.h
	@mkdir -p $(@D)
	@$(call fill,$*.pc,$(CURDIR),$(abspath $(LIB)),$(CURDIR)/include) >$@

.PHONY: install uninstall
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
	@for file in $(DOCUMENTS); do install -D -m 644 $$file '$(DESTDIR)$(DOCDIR)'/$$file; done

uninstall:
	@rm -f $(foreach name,$(HEADERS),'$(DESTDIR)$(INCLUDEDIR)/$(name)') \
	  $(foreach name,$(SHARED) $(SONAME) libgroot.so libgroot.a,'$(DESTDIR)$(LIBDIR)/$(name)') \
	  '$(DESTDIR)$(PC_DIR)/groot.pc' '$(DESTDIR)$(PC_DIR)/groot-static.pc' \
	  $(foreach file,$(DOCUMENTS),'$(DESTDIR)$(DOCDIR)/$(file)')
	@rm -rf '$(DESTDIR)$(CMAKE_DIR)'
	@[ ! -d '$(DESTDIR)$(DOCDIR)' ] || find '$(DESTDIR)$(DOCDIR)' -depth -type d -empty -delete

.PHONY: deb
deb: lib $(LIB)/libgroot.a
	@Scripts/package/debian/build.sh $(VERSION) $(INTERFACE) build/deb

# The source distribution has the sources of the library: where no wheel fits, it builds one.
.PHONY: wheel sdist
wheel: lib .venv/ready
	@Scripts/package/wheel/build.sh build/wheel

sdist: .venv/ready
	@cd python && ../.venv/bin/python -m hatchling build -t sdist -d ../build/sdist
