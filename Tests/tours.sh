#!/usr/bin/env bash
# Builds and runs the tour in each language and compares what it prints with
# examples/expected-tour.txt; also the program about feeds in Python and the one that mirrors a feed
# in Swift, with examples/expected-feeds.txt and examples/expected-mirror.txt.
# A tour whose tools are missing is skipped, and that is said.
# usage: tours.sh [--show] [LANGUAGE...]      --show prints it, once
set -u
cd "$(dirname "$0")/.."
export LD_LIBRARY_PATH=$PWD/build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
show=0
[ "${1:-}" = --show ] && show=1 && shift
[ $# -gt 0 ] || set -- c python feeds swift mirror cpp rust go luajit ruby java node
jars=${JARS:-/usr/share/java}

build() {
  local program
  case $1 in
    python | feeds | luajit | ruby) return ;;
    c) program=build/examples/tour ;;
    node) program=build/examples/tour.node ;;
    mirror) program=build/examples/mirror ;;
    *) program=build/examples/tour-$1 ;;
  esac
  env -u MAKEFLAGS "${MAKE:-make}" --no-print-directory "$program"
}
# A feed twice, and what became of it, into one store.
mirror() {
  local store feed
  store=$(mktemp -d)/stations.sqlite
  for feed in morning morning evening; do
    echo "$feed"
    build/examples/mirror "examples/mirror/$feed.json" "$store" || return
  done
  rm -r "$(dirname "$store")"
}
run() {
  case $1 in
    c) build/examples/tour examples/comics.json ;;
    python) PYTHONPATH=python "${PYTHON:-python3}" examples/python/tour.py ;;
    feeds) PYTHONPATH=python "${PYTHON:-python3}" examples/python/feeds.py ;;
    luajit) luajit examples/luajit/tour.lua ;;
    ruby) ruby -w examples/ruby/tour.rb ;;
    java) java -cp "$jars/jna.jar:$jars/gson.jar:build/examples/tour-java" Tour examples/comics.json ;;
    node) GROOT_ADDON=$PWD/build/examples/tour.node node examples/node/tour.js ;;
    mirror) mirror ;;
    *) "build/examples/tour-$1" examples/comics.json ;;
  esac
}

passed=0 failed=0 skipped=0
tour() {
  local language=$1 expected=examples/expected-tour.txt missing='' output
  case $language in feeds | mirror) expected=examples/expected-$language.txt ;; esac
  missing=$(Scripts/ci/tour-tools.sh "$language" | paste -sd' ')
  if [ -n "$missing" ]; then
    skipped=$((skipped + 1))
    echo "SKIPPED: the tour in $language, which needs what Debian calls $missing"
    return
  fi
  if ! output=$(build "$language" 2>&1); then
    failed=$((failed + 1))
    printf '%s: not built\n%s\n' "$language" "$output"
    return
  fi
  output=$(run "$language" 2>&1 || echo "ended with status $?")
  if [ "$output" = "$(cat "$expected")" ]; then
    passed=$((passed + 1))
    [ $show -eq 0 ] || printf 'The tour, in all languages the same\n%s\n' "$output"
    show=0
  else
    failed=$((failed + 1))
    echo "$language: not as expected"
    diff "$expected" <(echo "$output")
  fi
}
for language in "$@"; do tour "$language"; done
echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ $failed -eq 0 ]
