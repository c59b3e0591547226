#!/usr/bin/env python3
"""Writes the Python program of the README into a folder, with what it reads and what it prints.

usage: readme.py FOLDER
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import snippets


def main() -> None:
    folder = Path(sys.argv[1])
    found = snippets.blocks((snippets.ROOT / "README.md").read_text())
    for block in found:
        if snippets.FILE_NAME.fullmatch(block.words):
            (folder / block.words).write_text(block.code)
    (folder / "program.py").write_text(dict(snippets.programs(found))["python"])
    printed = "".join(block.code for block in found if "python" in block.prints)
    (folder / "expected.txt").write_text(printed)


if __name__ == "__main__":
    main()
