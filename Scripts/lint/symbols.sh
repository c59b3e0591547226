#!/usr/bin/env bash
# Writes what is public in Swift as symbol graphs: a type check with no code, so seconds and not minutes.
# usage: symbols.sh FOLDER [MODULE...]    the modules of Sources in the order of dependence
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1
shift
mkdir -p "$folder/modules"
imports=(-I "$folder/modules")
for system in CAtomics CFiles CJansson CPCRE2 CSQLite CVectors; do imports+=(-I "$root/Sources/$system"); done

for module in "$@"; do
  rm -rf "${folder:?}/$module"
  mkdir -p "$folder/$module"
  mapfile -t files < <(find "$root/Sources/$module" -name '*.swift' | sort)
  "${SWIFT:-swift}c" -frontend -emit-module -o "$folder/modules/$module.swiftmodule" \
    -module-name "$module" -package-name groot -swift-version 6 -D Entities "${imports[@]}" \
    -emit-symbol-graph -emit-symbol-graph-dir "$folder/$module" \
    -symbol-graph-minimum-access-level public "${files[@]}"
done
