#!/usr/bin/env bash
# The archive of the Swift documentation is refused when the catalogue has what is planted.
# usage: docs.sh DOCC SYMBOL-GRAPH
set -u
cd "$(dirname "$0")/../.." || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

# plant PAGE COMMAND-OF-SED PART-OF-MESSAGE
plant() {
  cp -r Sources/Groot/Groot.docc "$folder"
  sed -i "$2" "$folder/Groot.docc/$1"
  if output=$(python3 Scripts/lint/docs.py "$docc" "$folder/Groot.docc" "$graph" "$folder/out") ||
    ! grep -qF "$3" <<<"$output"; then
    echo "not found in $1: $2"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

docc=$1 graph=$2
plant Errors.md 's/``GrootIssue``/``GrootIsue``/' "'GrootIsue' doesn't exist"
plant Tutorial.md 's/<doc:Stores>/<doc:Store>/' "'Store' doesn't exist"
plant Groot.md '/^- ``Column``$/d' 'in no topic: doc://groot/documentation/Groot/Column'
plant Groot.md 's/^- ``Column``$/- ``Columns``/' "'Columns' doesn't exist"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
