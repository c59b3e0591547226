#!/usr/bin/env bash
# Runs one fuzz target: run.sh BINARY NAME SECONDS LENGTH
# What libFuzzer finds goes to build/fuzz/NAME, beside the seeds, which stay as they are; an input
# that fails goes to build/fuzz/failures. FUZZ_OPTIONS are libFuzzer's.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
binary=$1 name=$2 seconds=$3 length=$4
log=build/fuzz/$name.log
mkdir -p "build/fuzz/$name" build/fuzz/failures
export LSAN_OPTIONS=print_suppressions=0:suppressions=$here/leaks.supp
if "$binary" "build/fuzz/$name" "$here/corpus/$name" -dict="$here/$name.dict" -max_len="$length" \
  -timeout=20 \
  -max_total_time="$seconds" -print_final_stats=1 -print_funcs=0 \
  -artifact_prefix=build/fuzz/failures/ ${FUZZ_OPTIONS:-} >"$log" 2>&1; then
  echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions, no difference"
else
  tail -40 "$log"
  echo "$name: failed; the whole output is in $log" >&2
  exit 1
fi
