#!/usr/bin/env bash
# The check of documents finds what is planted: a copy of them with one fault each.
set -u
cd "$(dirname "$0")/.." || exit 1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
passed=0 failed=0

# plant FILE LINE PART-OF-MESSAGE
plant() {
  rm -rf "${copy:?}"/*
  cp -r docs include examples python Benchmarks Scripts Sources Tests ./*.md LICENSE "$copy"
  mkdir -p "$copy/$(dirname "$1")"
  printf '%s\n' "$2" >>"$copy/$1"
  if output=$(python3 Scripts/links.py "$copy") || ! grep -qF "$3" <<<"$output"; then
    echo "not found in $1: $2"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

plant README.md '[gone](docs/gone.md)' 'README.md: docs/gone.md leads to no file'
plant docs/README.md '[gone](#no-such-heading)' 'docs/README.md: #no-such-heading leads to no heading'
plant SECURITY.md '[gone](docs/reference/errors.md#no-such-heading)' 'leads to no heading'
plant docs/reference/orphan.md 'Nobody links here.' 'docs/README.md does not lead here'
plant docs/README.md "$(yes line | head -400)" 'are allowed'
plant include/groot.h '/* see docs/errors.md */' 'include/groot.h: docs/errors.md is not there'
plant docs/README.md 'See `NoSuchType`.' 'NoSuchType is no name of the sources'
if python3 Scripts/links.py >/dev/null; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
