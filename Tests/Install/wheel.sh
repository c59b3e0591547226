#!/usr/bin/env bash
# Builds the wheel and the source distribution of the Python package, and installs them where there
# is nothing but Python: no compiler, no pkg-config, no index of packages.
set -u
cd "$(dirname "$0")/../.." || exit 1
. Tests/Install/check.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
version=$(sed -n 's/^.define GROOT_VERSION "\(.*\)"/\1/p' include/groot.h)
root=$PWD
library=$PWD/build/lib/libgroot.so
bare=$folder/bare tools=$folder/tools program=$folder/program
mkdir "$program" "$tools"
unset GROOT_LIBRARY PYTHONPATH LD_LIBRARY_PATH

# ---- what is built ---------------------------------------------------------------------------

built() { # built FOLDER: the one wheel in it
  local wheels=("$1"/groot_graph-*.whl)
  echo "${wheels[0]}"
}
same_again() {
  Scripts/package/wheel/build.sh "$folder/again" && cmp "$wheel" "$(built "$folder/again")"
}
contains() { # contains LIST PATTERN...: each pattern, of a whole line, is in the list
  local list=$1 pattern code=0
  shift
  for pattern in "$@"; do
    grep -qxE -- "$pattern" <<<"$list" || { echo "not there: $pattern" && code=1; }
  done
  return $code
}
files() { .venv/bin/python -m zipfile -l "$1" | awk 'NR > 1 { print $1 }'; }
all_there() {
  contains "$(files "$wheel")" groot/__init__.py groot/_ffi/table.py groot/py.typed \
    groot/libgroot.so \
    'groot_graph.libs/libjansson-.*' 'groot_graph.libs/libpcre2-8-.*' 'groot_graph.libs/libsqlite3-.*' \
    '.*data/share/man/man1/groot\.1' '.*/bash-completion/completions/groot' \
    '.*/zsh/site-functions/_groot' '.*/fish/vendor_completions\.d/groot\.fish' \
    '.*dist-info/licenses/LICENSE' '.*dist-info/licenses/NOTICE' \
    '.*dist-info/licenses/licenses/jansson.txt' '.*dist-info/licenses/licenses/pcre2.txt' \
    '.*dist-info/licenses/licenses/inflection.txt' groot/_bundled/inflection.py
}
nothing_else() {
  ! files "$wheel" |
    grep -vE '^groot/(.*(\.py|/)|py\.typed|libgroot\.so)?$|^groot_graph\.libs/|^groot_graph-[^/]*\.(dist-info/|data/(data/(share/.*)?)?$)'
}
shown() { .venv/bin/python -m auditwheel show "$wheel" | tr '\n' ' '; } # it breaks lines anywhere
no_tests() { ! files "$wheel" | grep -E 'test|\.pyc$|hatch'; }
small() {
  local size
  size=$(stat -Lc %s "$wheel")
  [ "$size" -lt 6000000 ] || { echo "$size bytes" && false; }
}
no_folder_of_here() {
  mkdir "$folder/unpacked" && .venv/bin/python -m zipfile -e "$wheel" "$folder/unpacked" &&
    ! grep -rF -e "$PWD" -e "$folder" "$folder/unpacked"
}

check "builds a wheel" Scripts/package/wheel/build.sh "$folder/wheel"
wheel=$(built "$folder/wheel")
check "fits manylinux2014" has "py3-none-manylinux2014_$(uname -m).manylinux_2_17_$(uname -m).whl" \
  basename "$wheel"
check "is what its tag says" has "platform tag: \"manylinux_2_17_$(uname -m)\"" shown
check "builds the same wheel again" same_again
check "has the package, the libraries and the licences inside" all_there
check "has nothing else inside" nothing_else
check "has no tests inside" no_tests
check "is under 6 MB" small
check "names no folder of this machine" no_folder_of_here

# ---- where there is nothing ------------------------------------------------------------------

inside() { # inside COMMAND...: in an empty environment, and in the folder of the program
  (cd "$program" && env -i PATH="$bare/bin" HOME="$folder" LC_ALL=C.UTF-8 "$@")
}
is_bare() {
  local name
  # shellcheck disable=SC2016
  for name in cc gcc clang swift make ld pkg-config git; do
    ! inside "$BASH" -c 'command -v "$1"' - "$name" || return 1
  done
}
add() { inside python -m pip --disable-pip-version-check install --quiet --no-index "$@"; }
packages=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
# What builds a package comes from the environment of the project: there is no index.
build_and_install() { # build_and_install [NAME=VALUE...] ARGUMENT...
  local variables=()
  while [[ $1 = *=* ]]; do
    variables+=("$1")
    shift
  done
  (cd "$program" && env -i PATH="$bare/bin:$tools" HOME="$folder" LC_ALL=C.UTF-8 \
    PYTHONPATH="$packages" "${variables[@]}" python -m pip --disable-pip-version-check install \
    --quiet --no-index --no-build-isolation --no-deps "$@")
}
remove() {
  inside python -m pip --quiet uninstall --yes groot-graph && ! find "$bare/" -name '*groot*' | grep .
}
readme_runs() {
  rm -f "$program"/*.sqlite
  [ -s "$program/expected.txt" ] && inside python program.py | diff "$program/expected.txt" -
}
commands_run() {
  [ -s "$program/session.txt" ] && inside "$BASH" session.sh 2>&1 | diff "$program/session.txt" -
}
mirrors() { # mirrors FEED ENTITY ROOT CHANGE: with the commands alone
  inside "$BASH" "$root/Tests/Install/mirror.sh" "$@"
}
refused() { # refused TEXT COMMAND...: the command fails and prints the text
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then echo "it succeeded: $output" && return 1; fi
  grep -qF -- "$text" <<<"$output" || { echo "no '$text' in: $output" && false; }
}
cat >"$program/store.py" <<'PYTHON'
import sys
from pathlib import Path

import groot

names = {"name": {"type": "string"}}
mapping = groot.Mapping(groot.Model({"entities": {"Power": {"attributes": names}}}), implicit=True)
with groot.Context(mapping, store="heroes.sqlite") as heroes:
    heroes.load("Power", {"name": "Agility"})
    heroes.save()
with groot.Context(mapping, store="heroes.sqlite") as heroes:
    assert heroes.fetch("Power")[0].name == "Agility"
mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines()}
names = tuple(f"lib{name}" for name in sys.argv[2:])
used = {path for path in mapped if Path(path).name.startswith(names)}
assert len(used) == len(names), used
assert all(path.startswith(sys.argv[1]) for path in used), used
PYTHON

cat >"$program/feeds.py" <<'PYTHON'
import json

towns = [{"code": "ULM", "country": "DE"}, {"code": "OSL", "country": "NO"}]
shops = [
    {
        "id": number,
        "name": f"Shop {number}",
        "opened": f"2026-01-{number + 1:02}",
        "town": towns[number % 2],
        "tags": [{"id": tag, "word": f"tag {tag}"} for tag in range(number % 4)],
        "score": number / 8 if number % 3 else None,
    }
    for number in range(20)
]
with open("feed.json", "w") as file:
    json.dump(shops, file)
with open("page.json", "w") as file:
    json.dump({"data": {"items": shops, "count": 20}, "next": None}, file)
PYTHON

check "has a program" .venv/bin/python Tests/Install/readme.py "$program"
check "has feeds" .venv/bin/python -c "import os; os.chdir('$program'); exec(open('feeds.py').read())"
check "makes an environment" .venv/bin/python -m venv "$bare"
check "is bare" is_bare
check "installs the wheel" add "$wheel"
check "runs the program of the README" readme_runs
check "keeps a store, with no library but its own" \
  inside python store.py "$bare" groot jansson pcre2 sqlite3
check "runs the commands of the README" commands_run
check "mirrors a feed of lists" mirrors feed.json Shop '' \
  'records[0]["name"] = "new"; records.pop(2)'
check "mirrors a feed in an envelope" mirrors page.json Shop /data/items \
  'records[1]["tags"] = []; records.append({**copy.deepcopy(records[0]), "id": 99})'
check "has a command" has "usage: groot " inside groot --help
check "has its man page" grep -q 'TH GROOT 1' "$bare/share/man/man1/groot.1"
check "completes commands in bash" grep -q '_groot groot$' \
  "$bare/share/bash-completion/completions/groot"
check "needs nothing" has "Requires: " inside python -m pip show groot-graph
check "shows itself with rich when that is asked for" refused "rich" add "$wheel[cli]"
check "takes the library of GROOT_LIBRARY alone" refused "/nowhere/libgroot.so" \
  inside "$(command -v env)" GROOT_LIBRARY=/nowhere/libgroot.so python program.py
check "is gone when it is removed" remove

# ---- editable --------------------------------------------------------------------------------

check "installs the source tree" build_and_install --editable "$PWD/python"
check "has what the extra 'infer' brings" cp -r "$packages/inflection" \
  "$(echo "$bare"/lib/python3*/site-packages)"
check "is the source tree" has "$PWD/python/groot" \
  inside python -c 'import groot; print(groot.__path__)'
check "runs the program with the library of the source tree" readme_runs
check "has the command" has "usage: groot " inside groot --help
check "is removed" remove
check "installs a copy of the source tree" build_and_install "$root/python"
check "runs the program with the library of the copy" readme_runs
check "is the copy" inside python store.py "$bare" groot
check "has no copy left" remove

# ---- from sources ----------------------------------------------------------------------------

sdist=build/sdist/groot_graph-$version.tar.gz
sources=$folder/groot_graph-$version
all_sources() {
  local path code=0
  tar -xzf "$sdist" -C "$folder" || return 1
  while read -r path; do
    [ -e "$sources/library/$path" ] || { echo "not there: $path" && code=1; }
  done < <(
    printf '%s\n' Makefile Package.swift Scripts/package/{glibc,runtime}.c \
      Scripts/package/groot.map
    find Scripts/package/install Sources include mk -type f
    sed -nE 's/.*path: "([^"]*)".*/\1/p' Package.swift
    sed -nE 's|.*testTarget\(name: "([^"]*)".*|Tests/\1|p' Package.swift
  )
  [ -s "$sources/README.md" ] && [ -s "$sources/LICENSE" ] && [ -s "$sources/NOTICE" ] &&
    return $code
}
same_from_itself() {
  (cd "$sources" && "$root/.venv/bin/python" -m hatchling build -t sdist -d "$folder/twice") &&
    diff <(tar -tzf "$sdist" | sort) <(tar -tzf "$folder/twice/groot_graph-$version.tar.gz" | sort)
}
builds_swift() { has "--product groot" make --dry-run -C "$sources/library" lib; }
# Stands for the one that takes minutes: it gives the library that is already built.
make_tools() {
  cat >"$tools/make" <<SCRIPT
#!$BASH
[ "\$1 \$3" = "-C lib" ] && $(command -v install) -D "$library" "\$2/build/lib/libgroot.so"
SCRIPT
  ln -s "$tools/make" "$tools/swift" && chmod +x "$tools/make"
}
system_runs() {
  rm -f "$program"/*.sqlite
  inside "$(command -v env)" LD_LIBRARY_PATH="$root/build/lib" python program.py |
    diff "$program/expected.txt" -
}
is_installed() { inside python -c 'import ctypes; ctypes.CDLL("libgroot.so.0.1")' 2>"$folder/log"; }

check "builds a source distribution" make --no-print-directory sdist
check "has all sources of the library" all_sources
check "makes the same of itself" same_from_itself
check "builds it as make does" builds_swift
check "takes the library that is named" build_and_install GROOT_LIBRARY="$library" "$PWD/$sdist"
check "runs the program with it" readme_runs
check "is removed again" remove
check "takes no library that is not there" refused "GROOT_LIBRARY is /nowhere" \
  build_and_install GROOT_LIBRARY=/nowhere "$PWD/$sdist"
check "takes the library of the system" build_and_install LD_LIBRARY_PATH="$root/build/lib" \
  "$PWD/$sdist"
check "has no library then" test ! -e "$(echo "$bare"/lib/python3*/site-packages/groot)/libgroot.so"
check "runs the program with that of the system" system_runs
check "is removed once more" remove
if is_installed; then
  echo "SKIPPED without a library and without Swift: this system has a library"
else
  check "says what is missing" refused "install what builds it here: make, swift" \
    build_and_install "$PWD/$sdist"
  check "has what builds" make_tools
  check "builds the library" build_and_install "$PWD/$sdist"
  check "runs the program with what it built" readme_runs
fi
finish
