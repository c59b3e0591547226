#!/usr/bin/env bash
# Installs the packages of `make deb` on a bare Debian system in a folder, one after the other, and
# runs the tour with each. For `make check-long`, since it loads a whole system from a mirror.
set -u
cd "$(dirname "$0")/../.." || exit 1
. Tests/Install/check.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
system=$folder/system
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)

mmdebstrap --quiet --variant=minbase --skip=cleanup/apt "$release" "$system" || exit 1
cp /etc/resolv.conf "$system/etc/resolv.conf"
mkdir "$system/groot"
cp -r build/deb/*.deb build/examples/tour examples "$system/groot"

inside() { # inside COMMAND: of a shell, in the system
  chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    LC_ALL=C.UTF-8 sh -c "cd /groot && $1"
}
add() { # add WORD...: packages, or files of packages
  inside "apt-get install -y -qq --no-install-recommends $*"
}
gives_the_tour() { # gives_the_tour COMMAND
  inside "$1" | diff examples/expected-tour.txt -
}
bare() { ! inside "command -v python3 || command -v cc || find / -name 'libjansson*' | grep ."; }
clean() { # nothing of a package is left when it is gone
  inside "dpkg --purge python3-groot libgroot-dev libgroot0.1" || return 1
  ! inside "find / -xdev -path /groot -prune -o -path /proc -prune -o -name '*groot*' -print" | grep .
}
described() {
  local list name # in the package, since a bare system may leave out documents
  list=$(dpkg-deb --contents build/deb/python3-groot_*.deb)
  for name in man/man1/groot.1.gz bash-completion/completions/groot zsh/vendor-completions/_groot \
    fish/vendor_completions.d/groot.fish; do
    grep -qF "./usr/share/$name" <<<"$list" || { echo "not there: $name" && return 1; }
  done
}
# shellcheck disable=SC2016
compile='cc -o built examples/c/tour.c $(pkg-config --cflags --libs groot)'
# shellcheck disable=SC2016
compile_static='cc -o static examples/c/tour.c $(pkg-config --cflags --libs groot-static)'

check "is a bare system" bare
check "installs the library" add ./libgroot0.1_*.deb
check "runs a program that was built elsewhere" gives_the_tour "./tour examples/comics.json"
check "installs the Python package" add ./python3-groot_*.deb
check "runs the tour in Python" gives_the_tour "python3 examples/python/tour.py"
check "has a command" has "usage: groot " inside "groot --help"
check "has its man page and completions" described
check "installs what programs are built with" add ./libgroot-dev_*.deb gcc g++ libc6-dev pkg-config
check "builds the tour" inside "$compile"
check "runs it" gives_the_tour "./built examples/comics.json"
check "builds the tour with the static library" inside "$compile_static"
check "runs that" gives_the_tour "./static examples/comics.json"
check "is gone when it is removed" clean
finish
