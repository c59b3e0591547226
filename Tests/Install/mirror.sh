# Keeps a feed in a store with the commands of groot alone: infer, import, query, diff, sync, export.
# Python changes the feed, and compares each export with it.
# usage: mirror.sh FEED ENTITY ROOT CHANGE   CHANGE is Python that changes the list `records`
set -eu
feed=$1 entity=$2 root=$3 change=$4
store=${feed##*/}
store=${store%.json}.sqlite

compare() { # compare FEED ROOT [CHANGE]: the export is the feed, which is changed then
  python - "$@" <<'PYTHON'
import copy
import json
import sys

feed, root, *changes = sys.argv[1:]


def read(name, pointer):
    with open(name) as file:
        value = json.load(file)
    for key in pointer.split("/")[1:]:
        value = value[int(key) if isinstance(value, list) else key]
    return value


records = read(feed, root)
assert read("exported.json", "") == records, "the export is not the feed"
for change in changes:
    assert len(open("rows.csv").readlines()) > len(records)
    exec(change)
    with open("changed.json", "w") as file:
        json.dump(records, file)
PYTHON
}

groot infer "$feed" --entity "$entity" --root "$root" -o model.json
groot import "$store" "$entity" "$feed" --model model.json --quiet
groot query "$store" "$entity" --csv -o rows.csv
groot export "$store" "$entity" -o exported.json
compare "$feed" "$root" "$change"
code=0
groot diff "$store" "$entity" changed.json --root '' --quiet >changes.txt || code=$?
[ "$code" = 1 ] && [ -s changes.txt ]
groot sync "$store" "$entity" changed.json --root '' --quiet
groot export "$store" "$entity" -o exported.json
compare changed.json ''
groot diff "$store" "$entity" changed.json --root '' --quiet
groot info "$store" >info.txt
