#!/usr/bin/env bash
# The check of words finds what is planted: a copy of the tree with one sentence each.
lint='python3 Scripts/prose' root=.
folders='README.md docs Sources include python Tests'
source "$(dirname "$0")/planted.sh"

plant Sources/Groot/Planted.swift '/// What an import did.' 'the subject is a noun'
plant Sources/Groot/Planted.swift '// It is kept; who has it frees it.' 'the subject is a noun'
plant Sources/Groot/Planted.swift 'let a = "the key is "\n  + "no number"' "'not a', 'without' or 'invalid'"
plant Sources/Groot/Planted.swift '///   - key: nil is none.' "'not a', 'without' or 'invalid'"
plant Sources/Groot/Groot.docc/Planted.md 'It reads input that nobody has looked at.' 'word: untrusted'
plant Sources/Groot/Groot.docc/Planted.md "Text $(yes word | head -40 | paste -sd' ')." 'at most 35 words'
plant Sources/Groot/Groot.docc/Planted.md '| a | b |\n|---|---|\n| x | keys that no path names |' 'word: unmapped'
plant include/groot.h '/**\n * Frees it.\n * A key that comes twice.\n */' 'word: duplicate'
plant include/groot.hpp 'int a; /**< what it is */' 'the subject is a noun'
plant python/groot/planted.py '"""Read it.\n\n    Args:\n        path: What is read.\n"""' 'the subject is a noun'
plant python/groot/planted.py 'raise Error(f"{path} is not there")' 'word: missing'
plant python/groot/planted.py '# The import is given up.' 'word: cancelled'
plant README.md 'What it does.' 'the subject is a noun'
plant docs/README.md '- those that are not there' 'word: missing'
plant Tests/Cases/01-objects/planted.json '{"about": "what is kept"}' 'the subject is a noun'
plant Tests/GrootTests/PlantedTests.swift '@Test func whatIsKept() {}' 'the subject is a noun'
plant python/tests/test_planted.py 'def test_objects_that_are_no_strings():' "'not a', 'without' or 'invalid'"
finish
