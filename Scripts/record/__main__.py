"""Draws the commands of the README on a terminal, docs/commands.svg, and its model, docs/model.svg.

usage: record [--check] [FOLDER]    the folder is that of the project, unless told

The commands are those of the first ```console block of README.md that begins with the command
groot. They run one after the other on a pseudo-terminal, in a folder with the files that the page
defines, such as ```json heroes.json. A command exits with 0, or with the code in a comment such as
"# exits 1", which is not drawn. It must not ask. The model is that of the store that they make.
With --check the drawings are compared with the files instead of written.
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


def record(page: str) -> tuple[list[Shown], str]:
    """Runs the commands of a page in a folder with its files; what is shown, and the model."""
    found = session(page)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for _, words, code in (one.groups() for one in BLOCK.finditer(page)):
            if FILE_NAME.fullmatch(words.strip()):
                (folder / words.strip()).write_text(code)
        with tempfile.TemporaryDirectory() as path:
            prepare(Path(path), PROJECT)
            shown = [run(one, folder, Path(path), COLUMNS) for one in found]
            store = next(folder.glob("*.sqlite"))
            drawing = Step(f"groot schema {store.name} --svg -o model.svg", "")
            run(drawing, folder, Path(path), COLUMNS)
            return shown, (folder / "model.svg").read_text()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("folder", nargs="?", default=PROJECT, type=Path)
    options = parser.parse_args()
    try:
        shown, model = record((options.folder / "README.md").read_text())
        drawings = {"commands.svg": draw(shown, COLUMNS, TITLE), "model.svg": model}
    except Problem as problem:
        print(f"README.md: {problem}")
        return 1
    differs = False
    for name, text in drawings.items():
        file = options.folder / "docs" / name
        if not options.check:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            print(f"docs/{name} differs from the commands of README.md; make figures writes it")
            differs = True
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
