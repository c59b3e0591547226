#!/usr/bin/env bash
# Describes the interface of the headers, or compares it with the description that is stored beside this
# script: all that a program could notice, additions too, so that these are stored and kept from then
# on. Tests/ABI/exports.sh sees that the library has the header's functions.
# usage: abi.sh INCLUDE            what differs from the stored description; fails when something does
#        abi.sh --update INCLUDE   stores the headers's description, and prints what is new in it
set -u
cd "$(dirname "$0")/../.." || exit 1
stored=Tests/ABI/groot.abi
update=0
[ "${1:-}" = --update ] && update=1 && shift
include=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

describe() {
  cp "$include"/*.h "$folder" &&
    "${PYTHON:-python3}" Tests/ABI/stubs.py "$include"/*.h >"$folder/stubs.c" &&
    # shellcheck disable=SC2046
    (cd "$folder" && ${CC:-cc} -std=gnu99 -g -fPIC -shared -w -Wl,-soname,libgroot.so -o libgroot.so \
      stubs.c -I. $(pkg-config --cflags jansson)) &&
    abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed \
      --no-architecture --type-id-style hash --out-file "$folder/groot.abi" "$folder/libgroot.so"
}

describe || exit 1
[ -e "$stored" ] || cp "$folder/groot.abi" "$stored"
abidiff --harmless --no-show-locs "$stored" "$folder/groot.abi" >"$folder/differences"
code=$?
cat "$folder/differences"
# abidiff overlooks a number that is gone.
numbers() { grep -o "number_GROOT_.*'" "$1"; }
diff <(numbers "$stored") <(numbers "$folder/groot.abi") || code=1
if [ $update -eq 1 ]; then
  cp "$folder/groot.abi" "$stored"
elif [ $code -ne 0 ]; then
  echo "The interface is not the one that is stored. If programs may see that, 'make abi-update' stores it."
  exit 1
fi
