#!/usr/bin/env bash
# Fails when the fuzzer does not call a function that the headers declare.
# usage: calls.sh FOLDER HEADER...
set -u
folder=$1
shift
code=0
for name in $(cat "$@" | grep -v '^ *\*' | grep -oE '\bgroot_[a-z0-9_]+\(' | tr -d '(' | sort -u); do
  cat "$folder"/*.c | tr -d '\n' | tr -s ' ' |
    grep -qE "CALL(ED)?\( ?$name\(|\b$name\(call" ||
    { echo "the fuzzer does not call $name" && code=1; }
done
exit $code
