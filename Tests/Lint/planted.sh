# For the tests of lints, which take it in: a lint must find what is planted in a copy.
#
# Before, they set `lint`, a command; `root`, the folder that it is given; and `folders`, what of the
# tree it reads, which `root` and the files named below are in.
# shellcheck shell=bash
set -u
cd "$(dirname "$0")/../.." || exit 1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
passed=0 failed=0

# plant FILE LINES PART-OF-MESSAGE
plant() {
  rm -rf "${copy:?}"/*
  # shellcheck disable=SC2086
  cp -r --parents $folders "$copy"
  mkdir -p "$copy/$root/$(dirname "$1")"
  printf '%b\n' "$2" >>"$copy/$root/$1"
  if output=$($lint "$copy/$root") || ! grep -qF "$3" <<<"$output"; then
    echo "not found in $1: $2"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

# Finds nothing in the tree as it is, and ends the test.
finish() {
  if $lint "$root" >/dev/null; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
