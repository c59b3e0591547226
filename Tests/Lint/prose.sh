#!/usr/bin/env bash
# The check of words finds what is planted in a copy of the tree, with one sentence for each rule and
# kind of file.
set -u
cd "$(dirname "$0")/../.." || exit 1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r --parents README.md docs Sources include python Tests "$copy"
passed=0 failed=0
planted=()

# plant FILE LINES PART-OF-MESSAGE
plant() {
  printf '%b\n' "$2" >>"$copy/$1"
  planted+=("$1" "$3")
}

plant Sources/Groot/Planted1.swift '/// What an import did.' 'the subject is a noun'
plant Sources/Groot/Planted2.swift '// It is kept; who has it frees it.' 'the subject is a noun'
plant Sources/Groot/Planted3.swift 'let a = "the key is "\n  + "no number"' "'not a', 'without' or 'invalid'"
plant Sources/Groot/Planted4.swift '///   - key: nil is none.' "'not a', 'without' or 'invalid'"
plant Sources/Groot/Groot.docc/Planted5.md 'It reads input that nobody has looked at.' 'word: untrusted'
plant Sources/Groot/Groot.docc/Planted6.md "Text $(yes word | head -40 | paste -sd' ')." 'at most 35 words'
plant Sources/Groot/Groot.docc/Planted7.md '| a | b |\n|---|---|\n| x | keys that no path names |' 'word: unmapped'
plant include/groot.h '/**\n * Frees it.\n * A key that comes twice.\n */' 'word: duplicate'
plant include/groot.hpp 'int a; /**< what it is */' 'the subject is a noun'
plant python/groot/planted10.py '"""Read it.\n\n    Args:\n        path: What is read.\n"""' 'the subject is a noun'
plant python/groot/planted11.py 'raise Error(f"{path} is not there")' 'word: missing'
plant python/groot/planted12.py '# The import is given up.' 'word: cancelled'
plant README.md 'What it does.' 'the subject is a noun'
plant docs/README.md '- those that are not there' 'word: missing'
plant Tests/Cases/01-objects/planted.json '{"about": "what is kept"}' 'the subject is a noun'
plant Tests/GrootTests/PlantedTests.swift '@Test func whatIsKept() {}' 'the subject is a noun'
plant Tests/GrootTests/Planted2Tests.swift '@Test(\n  arguments: [\n    1\n  ]) func whatIsKept(a: Int) {}' \
  'the subject is a noun'
plant python/tests/test_planted.py 'def test_objects_that_are_no_strings():' "'not a', 'without' or 'invalid'"

output=$(python3 Scripts/lint/prose "$copy")
for ((index = 0; index < ${#planted[@]}; index += 2)); do
  if grep -F "${planted[index]}:" <<<"$output" | grep -qF "${planted[index + 1]}"; then
    passed=$((passed + 1))
  else
    echo "not found in ${planted[index]}: ${planted[index + 1]}"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
