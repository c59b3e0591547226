"""The store of docs/guides/other-programs.md, the blocks of that page, and other processes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import groot

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "guides" / "other-programs.md").read_text()
BLOCKS = re.findall(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TOOLS = Path(sys.executable).parent

WRITER = """
import sys
import groot

mapping = groot.Mapping(groot.Model.load("atlas.json"), implicit=True)
with groot.Context(mapping, store="atlas.sqlite") as atlas:
    country = atlas.fetch("Country", {"code": sys.argv[1]})[0]
    print("read", country.area, flush=True)
    sys.stdin.readline()
    country.area = 1.0
    try:
        atlas.save()
        print("saved")
    except groot.Error as error:
        print(error.code)
"""


def block(words: str) -> str:
    """Return the code of the block of the page with these words behind its language."""
    (code,) = [code for _, said, code in BLOCKS if said == words]
    return code


def program() -> str:
    """Return the program of the page that makes the store."""
    return next(code for language, words, code in BLOCKS if language == "python" and not words)


def opened(path: Path, **options: Any) -> groot.Context:
    """Open the store of the page."""
    mapping = groot.Mapping(groot.Model.load(path.with_name("atlas.json")), implicit=True)
    return groot.Context(mapping, store=path, **options)


def environment() -> dict[str, str]:
    """Return the variables of a process that finds Groot, and the commands of the tools."""
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT / "python"),
        "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}",
    }


def run(folder: Path, *command: str, text: str | None = None) -> str:
    """Run a command in a folder; what it prints."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(),
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_python(folder: Path, code: str, *arguments: str) -> str:
    """Run a program of Python in another process; what it prints."""
    return run(folder, sys.executable, "-c", code, *arguments)


class Writer:
    """A context of another process that has read a country, and saves a change of it."""

    def __init__(self, folder: Path, code: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WRITER, code],
            cwd=folder,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline().startswith("read")

    def save(self) -> str:
        """Save the change; "saved", or the status of the failure."""
        said, _ = self.process.communicate("\n", timeout=60)
        return said.strip()
