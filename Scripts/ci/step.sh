#!/usr/bin/env bash
# Runs one step of `make check`: a line when it passes, and what it skipped; all its output when it
# fails.
# usage: step.sh FOLDER NAME COMMAND...
# Leaves FOLDER/NAME.log and FOLDER/NAME.result: "passed failed", counted from what test runners
# print; a command that counts nothing is one test.
set -u
folder=$1 name=$2
shift 2
mkdir -p "$folder"
log=$folder/$name.log
start=$(date +%s%N)
"$@" >"$log" 2>&1 </dev/null
code=$?
tenths=$((($(date +%s%N) - start) / 100000000))

# C programs and scripts of this project, pytest, XCTest, Swift Testing.
read -r passed failed < <(awk '
  /^([A-Za-z_-]+: )?[0-9]+ passed, [0-9]+ failed/ {
    sub(/^[A-Za-z_-]+: /, ""); passed += $1; failed += $3; next
  }
  /^(=+ )?[0-9]+ [a-z]+(, [0-9]+ [a-z]+)* in [0-9.]+s/ {
    for (i = 2; i <= NF; i++) {
      if ($i ~ /^passed/) passed += $(i - 1)
      if ($i ~ /^(failed|error)/) failed += $(i - 1)
    }
    next
  }
  /Executed [0-9]+ tests?, with [0-9]+ failure/ {
    # XCTest counts each suite and again the whole; only the whole, which comes last, matters.
    sub(/.*Executed /, ""); split($0, word, " "); run = $1; bad = word[4]
  }
  /Test run with [0-9]+ tests?/ {
    sub(/.*Test run with /, ""); run2 = $1
    if (match($0, /with [0-9]+ issues?/)) {
      split(substr($0, RSTART), word, " "); bad2 = word[2]
      if (bad2 > run2) bad2 = run2
    }
  }
  END { print passed + run - bad + run2 - bad2, failed + bad + bad2 }' "$log")
if [ $code -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
if [ "$((passed + failed))" -eq 0 ]; then passed=1; fi
echo "$passed $failed" >"$folder/$name.result"

if [ $code -eq 0 ]; then
  printf '%-14s %5d passed %7d.%d s\n' "$name" "$passed" $((tenths / 10)) $((tenths % 10))
  grep '^SKIPPED' "$log" | sed 's/^/    /'
else
  printf '%-14s FAILED, %d of %d\n' "$name" "$failed" $((passed + failed))
  tail -n 200 "$log" | sed 's/^/    /'
fi
exit $code
