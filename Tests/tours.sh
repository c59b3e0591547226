#!/usr/bin/env bash
# Runs the tour in each language and compares what it prints with examples/expected-tour.txt; also the
# Python program about feeds, with examples/expected-feeds.txt.
# usage: tours.sh [--show] C_PROGRAM SWIFT_PROGRAM      --show prints it, once
set -u
show=0
[ "${1:-}" = --show ] && show=1 && shift
c_program=$1 swift_program=$2
passed=0 failed=0
tour() { # tour LANGUAGE EXPECTED COMMAND...
  local language=$1 expected=examples/$2 output
  shift 2
  output=$("$@" 2>&1)
  if [ "$output" = "$(cat "$expected")" ]; then
    passed=$((passed + 1))
    [ $show -eq 0 ] || printf 'The tour in %s\n%s\n' "$language" "$output"
  else
    failed=$((failed + 1))
    echo "$language: not as expected"
    diff "$expected" <(echo "$output")
  fi
}
tour C expected-tour.txt "$c_program" examples/comics.json
[ $show -eq 0 ] || echo "The tour in Python and in Swift, which must print the same"
show=0
tour Python expected-tour.txt env PYTHONPATH=python "${PYTHON:-python3}" examples/python/tour.py
tour Swift expected-tour.txt "$swift_program" examples/comics.json
tour "Python's feeds" expected-feeds.txt env PYTHONPATH=python "${PYTHON:-python3}" \
  examples/python/feeds.py
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
