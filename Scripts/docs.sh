#!/usr/bin/env bash
# Builds the archive of the Swift documentation; a warning, such as a link to nothing, fails it.
# usage: docs.sh DOCC SYMBOL-GRAPH FOLDER
set -eu
docc=$1 graph=$2 folder=$3
mkdir -p "$folder/graph"
cp "$graph" "$folder/graph"
"$docc" convert Sources/Groot/Groot.docc --additional-symbol-graph-dir "$folder/graph" \
  --output-path "$folder/Groot.doccarchive" --fallback-display-name Groot \
  --fallback-bundle-identifier groot --warnings-as-errors >"$folder/docc.log" 2>&1 || {
  cat "$folder/docc.log"
  exit 1
}
echo "$folder/Groot.doccarchive: $(find "$folder/Groot.doccarchive/data" -name '*.json' | wc -l) pages"
