#!/usr/bin/env bash
# Builds the libraries a second time, from a copy in another folder whose name has another length:
# all bytes must be the same. For `make check-long`, since it is a whole build.
set -u
cd "$(dirname "$0")/../.." || exit 1
. Tests/Install/check.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
copy=$folder/a-longer-name-for-a-copy-of-the-sources
mkdir "$copy"
tar --exclude=./build --exclude=./.[a-z]* -cf - . | tar -xf - -C "$copy"
make --no-print-directory -C "$copy" lib build/lib/libgroot.a || exit 1
for name in libgroot.so libgroot.a; do
  check "is the same $name" cmp "build/lib/$name" "$copy/build/lib/$name"
done
finish
