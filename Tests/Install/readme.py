#!/usr/bin/env python3
"""Writes the programs of the README into a folder, with what they read and what they print.

They are program.py and expected.txt, and the commands session.sh and session.txt.

usage: readme.py FOLDER
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import sessions
import snippets


def main() -> None:
    folder = Path(sys.argv[1])
    found = snippets.blocks((snippets.ROOT / "README.md").read_text())
    snippets.write_files(found, folder)
    (folder / "program.py").write_text(dict(snippets.programs(found))["python"])
    printed = "".join(block.code for block in found if "python" in block.prints)
    (folder / "expected.txt").write_text(printed)
    steps = [
        step
        for block in found
        if block.language == "console"
        for step in sessions.steps(block.code)
    ]
    (folder / "session.sh").write_text("".join(f"{step.command}\n" for step in steps))
    (folder / "session.txt").write_text("".join(step.output for step in steps))


if __name__ == "__main__":
    main()
