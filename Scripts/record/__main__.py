"""Draws the commands of the README on a terminal: docs/commands.svg.

usage: record [--check] [FOLDER]    the folder is that of the project, unless told

The commands are those of the first ```console block of README.md that begins with the command
groot. They run one after the other on a pseudo-terminal, in a folder with the files that the page
defines, such as ```json heroes.json. A command exits with 0, or with the code in a comment such as
"# exits 1", which is not drawn. It must not ask. With --check the drawing is compared with the file
instead of written.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "Tests"))
sys.path.insert(0, str(Path(__file__).parent))
from drawing import draw
from sessions import Step, steps
from snippets import BLOCK, FILE_NAME, Problem
from terminal import Shown, prepare, run

PROJECT = Path(__file__).resolve().parents[2]
COLUMNS = 88
TITLE = "A terminal with commands of groot and their output"


def session(page: str) -> list[Step]:
    """The commands to draw."""
    codes = [one[3] for one in BLOCK.finditer(page) if one[1] == "console"]
    code = next((one for one in codes if one.startswith("$ groot ")), None)
    if code is None:
        raise Problem("no ```console block begins with the command groot")
    return steps(code)


def record(page: str) -> list[Shown]:
    """Runs the commands of a page in a folder with its files."""
    found = session(page)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for _, words, code in (one.groups() for one in BLOCK.finditer(page)):
            if FILE_NAME.fullmatch(words.strip()):
                (folder / words.strip()).write_text(code)
        with tempfile.TemporaryDirectory() as path:
            prepare(Path(path), PROJECT)
            return [run(one, folder, Path(path), COLUMNS) for one in found]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("folder", nargs="?", default=PROJECT, type=Path)
    options = parser.parse_args()
    file = options.folder / "docs" / "commands.svg"
    try:
        text = draw(record((options.folder / "README.md").read_text()), COLUMNS, TITLE)
    except Problem as problem:
        print(f"README.md: {problem}")
        return 1
    if not options.check:
        file.write_text(text)
    elif not file.exists() or file.read_text() != text:
        print("docs/commands.svg differs from the commands of README.md; make figures writes it")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
