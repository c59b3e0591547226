#!/usr/bin/env python3
"""Runs type checkers of Python over programs of classes.

usage: checkers.py CHECKER [BIN]

CHECKER is mypy, pyright, ty or pyrefly, and BIN the folder of its program. The checker must accept
all of python/tests/typing/accepted.py. Of refused.py it must refuse exactly the lines whose comment
names it. Prints each line that is judged otherwise, and fails when there is one.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path("python/tests/typing")
MARK = re.compile(r"#.*\brefused:([a-z ]+)")
Found = dict[tuple[str, int], str]
"""By file and line the first message of a checker."""


def run(*command: str) -> str:
    """Run a checker, which fails when it finds something, and return its output."""
    environment = {**os.environ, "MYPYPATH": "python"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def lines_of(output: str) -> Found:
    """Read messages that begin with file and line."""
    found: Found = {}
    for file, line, message in re.findall(r"^(\S+?\.py):(\d+):(.*error.*)$", output, re.M):
        found.setdefault((Path(file).name, int(line)), message.strip())
    return found


def mypy(program: str, files: list[str]) -> Found:
    """Check with mypy."""
    return lines_of(run(program, "--strict", "--no-error-summary", "--no-incremental", *files))


def pyright(program: str, files: list[str]) -> Found:
    """Check with pyright, in its strict mode."""
    settings = {
        "include": [str(Path(file).resolve()) for file in files],
        "extraPaths": [str(Path("python").resolve())],
        "typeCheckingMode": "strict",
        "reportUnusedExpression": False,
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(settings, file)
        file.flush()
        output = json.loads(run(program, "--outputjson", "-p", file.name))
    found: Found = {}
    for one in output["generalDiagnostics"]:
        if one["severity"] == "error":
            place = Path(one["file"]).name, one["range"]["start"]["line"] + 1
            found.setdefault(place, one["message"])
    return found


def ty(program: str, files: list[str]) -> Found:
    """Check with ty."""
    python = str(Path(program).parent.parent)
    search = ("--extra-search-path", "python", "--python", python)
    return lines_of(run(program, "check", "--output-format", "concise", *search, *files))


def pyrefly(program: str, files: list[str]) -> Found:
    """Check with pyrefly."""
    search = ("--search-path", "python", "--python-interpreter-path", sys.executable)
    output = run(program, "check", "--output-format", "json", *search, *files)
    found: Found = {}
    for one in json.loads(output)["errors"]:
        found.setdefault((Path(one["path"]).name, one["line"]), one["concise_description"])
    return found


CHECKERS = {"mypy": mypy, "pyright": pyright, "ty": ty, "pyrefly": pyrefly}
PROGRAMS = {"pyright": "basedpyright"}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checker", choices=CHECKERS)
    parser.add_argument("bin", nargs="?", default=".venv/bin", type=Path)
    options = parser.parse_args()
    name: str = options.checker
    program = str(options.bin / PROGRAMS.get(name, name))
    files = sorted(FOLDER.glob("*.py"))
    found = CHECKERS[name](program, [str(file) for file in files])
    expected = {}
    for file in files:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            mark = MARK.search(line)
            if mark and name in mark.group(1).split():
                expected[file.name, number] = line.strip()
    for place in sorted(found.keys() - expected.keys()):
        print(f"{FOLDER}/{place[0]}:{place[1]}: {name} refuses it: {found[place]}")
    for place in sorted(expected.keys() - found.keys()):
        print(f"{FOLDER}/{place[0]}:{place[1]}: {name} accepts it: {expected[place]}")
    print(f"{name}: {len(expected)} lines refused as planned, {len(found)} in all")
    return 1 if found.keys() != expected.keys() or not expected else 0


if __name__ == "__main__":
    sys.exit(main())
