#!/usr/bin/env bash
# Installs into an empty folder, builds programs with nothing but what is installed, runs them, and
# uninstalls again. Each of the other scripts here has tests of one kind.
set -u
cd "$(dirname "$0")/../.." || exit 1
. Tests/Install/check.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
usr=$folder/usr
export PKG_CONFIG_PATH=$usr/lib/pkgconfig
c() { # c ARGUMENT...: the C compiler, with all warnings
  ${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror "$@"
}
run_make() { make --no-print-directory "$@"; }
program_runs() { # program_runs PROGRAM
  LD_LIBRARY_PATH=$usr/lib "$1" "$(pkg-config --modversion groot)"
}
tour_runs() { # tour_runs PROGRAM: it prints what the tour is to print
  LD_LIBRARY_PATH=$usr/lib "$1" examples/comics.json | diff examples/expected-tour.txt -
}

run_make install PREFIX="$usr" || exit 1
. Tests/Install/files.sh
. Tests/Install/pkg-config.sh
. Tests/Install/static.sh
. Tests/Install/cmake.sh
. Tests/Install/system.sh
. Tests/Install/uninstall.sh
finish
