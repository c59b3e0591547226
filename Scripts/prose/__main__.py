"""Checks the words of documents, comments, messages and names of tests: see CONTRIBUTING.md.

usage: prose [FOLDER]    the folder is that of the project unless told
"""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from readers import names_of_tests, passages
from rules import problems, sentences

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
TEXTS = [
    "*.md", "docs/**/*.md", "Sources/**/*.md", "Sources/**/*.swift", "python/groot/**/*.py",
    "include/*.h", "include/*.hpp", "Tests/Cases/**/*.json",
    "examples/**/*.md", "Benchmarks/**/*.md", "Tests/**/*.md"
]
TESTS = ["Tests/**/*Tests.swift", "Tests/**/*Law*.swift", "python/tests/test_*.py"]


def main() -> int:
    found: Counter[str] = Counter()
    count = 0
    lines = []
    for reader, patterns in ((passages, TEXTS), (names_of_tests, TESTS)):
        files = sorted({path for pattern in patterns for path in ROOT.glob(pattern)})
        for path in files:
            for passage in reader(path):
                count += sum(1 for _ in sentences(passage.text))
                for rule, sentence in problems(passage.text):
                    found[rule] += 1
                    lines.append(f"{path.relative_to(ROOT)}:{passage.line}: {rule}: {sentence}")
    for line in lines:
        print(line)
    print(f"{count} sentences, {found.total()} to mend: {dict(found)}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
