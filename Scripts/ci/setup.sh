#!/usr/bin/env bash
# Finds out what the build and the tests need and do not have, and installs it where that is
# possible without a question: on a system with apt-get, as root or with a sudo that asks nothing.
# usage: setup.sh [--check | --tours]      --check only tells; --tours also installs what the tours in
# other languages need, which are skipped without it
set -u
cd "$(dirname "$0")/../.."

missing=() # Debian packages
need() {   # need PACKAGE COMMAND...: the package is missing when the command fails
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}
find_missing() {
  missing=()
  need make command -v make
  need gcc command -v gcc
  need g++ command -v g++
  need libc6-dev test -e /usr/include/stdlib.h
  need binutils command -v strip
  need pkg-config command -v pkg-config
  need libjansson-dev pkg-config --exists 'jansson >= 2.14'
  need libsqlite3-dev pkg-config --exists 'sqlite3 >= 3.37'
  need libpcre2-dev pkg-config --exists 'libpcre2-8 >= 10.30'
  need postgresql sh -c 'ls /usr/lib/postgresql/*/bin/initdb || command -v initdb'
  need libpq-dev pkg-config --exists libpq
  # Debian has it where the PATH of users does not lead.
  need pgbouncer env PATH="$PATH:/usr/sbin" sh -c 'command -v pgbouncer'
  need cmake command -v cmake
  need abigail-tools command -v abidiff
  need dpkg-dev command -v dpkg-shlibdeps
  need mmdebstrap command -v mmdebstrap
  need valgrind command -v valgrind
  need python3 command -v python3
  need python3-venv python3 -c 'import venv, ensurepip'
  [ "$tours" = no ] ||
    mapfile -t -O ${#missing[@]} missing < <(Scripts/ci/tour-tools.sh cpp rust go luajit ruby java node)
}
tours=no
[ "${1:-}" != --tours ] || tours=yes

if ! command -v swift >/dev/null 2>&1; then
  echo "setup: no swift in PATH; install a Swift 6.3 toolchain (swift.org/install)" >&2
  exit 1
fi

find_missing
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "${1:-}" = --check ]; then
  echo "setup: missing: ${missing[*]}; run 'make setup'" >&2
  exit 1
fi

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: install what Debian calls: ${missing[*]}" >&2
  exit 1
fi
if [ ${#as_root[@]} -gt 0 ] && ! "${as_root[@]}" true 2>/dev/null; then
  echo "setup: as root, run: apt-get install ${missing[*]}" >&2
  exit 1
fi

echo "setup: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# --no-install-recommends would leave out libc6-dbg, which valgrind needs on Debian.
if ! { "${as_root[@]}" apt-get update -qq &&
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}"; } \
  >"$log" 2>&1 </dev/null; then
  cat "$log" >&2
  exit 1
fi
find_missing
if [ ${#missing[@]} -gt 0 ]; then
  echo "setup: still missing: ${missing[*]}" >&2
  exit 1
fi
