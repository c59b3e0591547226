#!/usr/bin/env bash
# Builds the wheel of Python that needs nothing else, with the library in build/lib and copies of
# jansson, PCRE2 and SQLite.
# usage: build.sh FOLDER      leaves the wheel in the folder; its tools are those of .venv
set -euo pipefail
cd "$(dirname "$0")/../../.."
root=$PWD folder=$1
mkdir -p "$folder"
folder=$(realpath "$folder")
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
PATH=$root/.venv/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

archive=$(${CC:-cc} -print-file-name=libsqlite3.a)
functions() { # the functions of SQLite that the library calls
  readelf --dyn-syms -W build/lib/libgroot.so |
    awk '$7 == "UND" && $8 ~ /^sqlite3_/ { sub(/@.*/, "", $8); print $8 ";" }'
}
# The system's SQLite runs on no older system than this one, so it is linked once more. The static
# one has no code for shared libraries, which is no matter since nothing but functions is shown.
link_sqlite() {
  printf '{ global: %s local: *; };\n' "$(functions)" >"$work/sqlite.map"
  ${CC:-cc} -std=c99 -O2 -fPIC -c -o "$work/glibc.o" Scripts/package/wheel/glibc.c
  ${CC:-cc} -shared -o "$work/libsqlite3.so.0" -Wl,-soname,libsqlite3.so.0 -Wl,-z,relro,-z,now \
    -Wl,--version-script="$work/sqlite.map" -Wl,--whole-archive "$archive" -Wl,--no-whole-archive \
    "$work/glibc.o" -Wl,--no-as-needed -l:libdl.so.2 -l:libpthread.so.0 -lm
  strip --strip-unneeded "$work/libsqlite3.so.0"
}
if [ -e "$archive" ]; then
  link_sqlite
else
  echo "no libsqlite3.a: the wheel will ask for a system as new as this one's SQLite does" >&2
fi

(cd python && GROOT_LIBRARY=$root/build/lib/libgroot.so \
  python -m hatchling build -t wheel -d "$work/plain" >"$work/log" 2>&1) ||
  { cat "$work/log" >&2 && exit 1; }
rm -f "$folder"/groot_graph-*.whl
LD_LIBRARY_PATH=$work python -m auditwheel repair --wheel-dir "$folder" "$work"/plain/*.whl \
  >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 1; }
ls "$folder"/groot_graph-*.whl
