# The flags that C and C++ are compiled with, and the folder of the Swift toolchain.

WARNINGS := -Wall -Wextra -Wpedantic -Werror
# Not `:=`: what is asked for here may only be installed by `make setup`.
JANSSON_CFLAGS = $(shell $(PKG_CONFIG) --cflags jansson)
JANSSON_LIBS = $(shell $(PKG_CONFIG) --libs jansson)
POSTGRESQL_CFLAGS = $(shell $(PKG_CONFIG) --cflags libpq)
POSTGRESQL_LIBS = $(shell $(PKG_CONFIG) --libs libpq)
C_FLAGS = -std=c99 -D_POSIX_C_SOURCE=200809L -O1 -g $(WARNINGS) -Iinclude $(JANSSON_CFLAGS)
# Programs may compile with it what they include.
SHADOW := -Wshadow
CXX_FLAGS = -std=c++17 -DGROOT_NO_JANSSON -O1 -g $(WARNINGS) $(SHADOW) -Iinclude

# Its clang and its other tools go with what swiftc makes.
TOOLCHAIN = $(abspath $(dir $(realpath $(shell command -v $(SWIFT))))..)
