"""Checks the words of documents, comments, messages and names of tests: see CONTRIBUTING.md.

usage: prose [FOLDER [PATTERN...]]    the folder is that of the project, unless told
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from readers import passages
from rules import problems, sentences

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[3]).resolve()
CHECKED = [
    "*.md",
    "docs/**/*.md",
    "examples/**/*.md",
    "Benchmarks/**/*.md",
    "Tests/**/*.md",
    "Tests/Cases/*/*.json",
    "Tests/**/*Tests.swift",
    "python/tests/test_*.py",
    "Sources/**/*.swift",
    "Sources/**/*.md",
    "include/*.h",
    "include/*.hpp",
    "python/groot/**/*.py",
]


def main() -> int:
    count = wrong = 0
    for pattern in sys.argv[2:] or CHECKED:
        for path in sorted(ROOT.glob(pattern)):
            for passage in passages(path):
                count += len(sentences(passage.text))
                for rule, sentence in problems(passage.text):
                    wrong += 1
                    print(f"{path.relative_to(ROOT)}:{passage.line}: {rule}: {sentence}")
    print(f"{count} sentences, {wrong} break a rule")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
