#!/usr/bin/env bash
# Installs into an empty folder, builds a C program with nothing but what pkg-config says, runs it,
# and uninstalls again.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

make --no-print-directory install PREFIX="$folder/usr"
export PKG_CONFIG_PATH=$folder/usr/lib/pkgconfig
# shellcheck disable=SC2046
${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror -o "$folder/program" Tests/Install/program.c \
  $(pkg-config --cflags --libs groot)
LD_LIBRARY_PATH=$folder/usr/lib "$folder/program" "$(pkg-config --modversion groot)"

# Without jansson's header, nor its library named: a header of that name would end the compilation.
mkdir "$folder/none"
echo '#error "jansson is not for this program"' >"$folder/none/jansson.h"
${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror -DGROOT_NO_JANSSON -I"$folder/none" \
  -I"$folder/usr/include" -o "$folder/program-of-text" Tests/Install/program.c \
  -L"$folder/usr/lib" -lgroot
LD_LIBRARY_PATH=$folder/usr/lib "$folder/program-of-text" "$(pkg-config --modversion groot)"

# Only the soname's link is needed at run time.
rm "$folder/usr/lib/libgroot.so"
LD_LIBRARY_PATH=$folder/usr/lib "$folder/program" "$(pkg-config --modversion groot)"

make --no-print-directory uninstall PREFIX="$folder/usr"
left=$(find "$folder/usr" -not -type d)
[ -z "$left" ] || { echo "left behind: $left" && exit 1; }

# A package builder stages into DESTDIR; the files must still name the final place.
make --no-print-directory install PREFIX=/opt/groot DESTDIR="$folder/stage"
grep -qx 'prefix=/opt/groot' "$folder/stage/opt/groot/lib/pkgconfig/groot.pc"
if grep "$folder" "$folder/stage/opt/groot/lib/pkgconfig/groot.pc"; then exit 1; fi
echo "5 passed, 0 failed"
