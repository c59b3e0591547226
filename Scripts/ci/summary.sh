#!/usr/bin/env bash
# Adds up the results that step.sh left; fails when a step failed or did not run.
# usage: summary.sh FOLDER STEP...
set -u
folder=$1
shift
passed=0 failed=0
for step in "$@"; do
  if [ -e "$folder/$step.result" ]; then
    read -r good bad <"$folder/$step.result"
  else
    echo "$step did not run"
    good=0 bad=1
  fi
  passed=$((passed + good)) failed=$((failed + bad))
done
echo "total: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
