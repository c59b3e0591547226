#!/usr/bin/env bash
# The lint of layers finds what is planted: a copy of the sources with one fault each.
set -u
cd "$(dirname "$0")/.." || exit 1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
passed=0 failed=0

# plant FILE LINE PART-OF-MESSAGE
plant() {
  rm -rf "$copy/Sources"
  cp -r Sources "$copy/Sources"
  printf '%s\n' "$2" >>"$copy/Sources/$1"
  if output=$(python3 Scripts/layers.py "$copy/Sources") || ! grep -q "$3" <<<"$output"; then
    echo "not found in $1: $2"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

plant Groot/Errors/Issue.swift 'let upwards: JSONValue? = nil' 'Errors names JSONValue'
plant Groot/Graph/Graph.swift 'extension StoreCoordinator {}' 'Graph names StoreCoordinator'
plant Groot/Import/Importer.swift 'let context: ManagedObjectContext? = nil' 'names ManagedObjectContext'
plant Groot/Export/Exporter.swift 'let dialect = Mapping.Dialect.kvc' 'names a dialect'
plant Groot/Import/Importer.swift 'import CJansson' 'may import CJansson'
plant Groot/Store/StoreSchema.swift 'import CSQLite' 'may import CSQLite'
if python3 Scripts/layers.py >/dev/null; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
