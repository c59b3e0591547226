"""Runs of the command line as a user makes them: a process of its own in an empty folder."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import traceback
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple, NoReturn

from groot.cli import main

ROOT = Path(__file__).resolve().parents[2]

MODEL: dict[str, Any] = {
    "entities": {
        "Hero": {
            "userInfo": {"identityAttributes": "id"},
            "attributes": {
                "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
                "name": {"type": "string", "userInfo": {"JSONKeyPath": "name"}},
                "rating": {
                    "type": "double",
                    "optional": True,
                    "userInfo": {"JSONKeyPath": "stats.rating"},
                },
            },
            "relationships": {
                "publisher": {
                    "destination": "Publisher",
                    "optional": True,
                    "inverse": "heroes",
                    "userInfo": {"JSONKeyPath": "publisher"},
                },
                "powers": {
                    "destination": "Power",
                    "toMany": True,
                    "optional": True,
                    "userInfo": {"JSONKeyPath": "powers"},
                },
            },
        },
        "Publisher": {
            "userInfo": {"identityAttributes": "id"},
            "attributes": {
                "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
                "name": {
                    "type": "string",
                    "optional": True,
                    "userInfo": {"JSONKeyPath": "name"},
                },
            },
            "relationships": {
                "heroes": {
                    "destination": "Hero",
                    "toMany": True,
                    "optional": True,
                    "inverse": "publisher",
                }
            },
        },
        "Power": {
            "userInfo": {"identityAttributes": "name"},
            "attributes": {"name": {"type": "string", "userInfo": {"JSONKeyPath": "name"}}},
        },
    }
}

DC = {"id": 1, "name": "DC"}
HEROES: list[dict[str, Any]] = [
    {
        "id": 1,
        "name": "Batman",
        "stats": {"rating": 9.5},
        "publisher": DC,
        "powers": [{"name": "Wealth"}, {"name": "Agility"}],
    },
    {"id": 2, "name": "Bane", "stats": {"rating": 7.0}, "publisher": {"id": 1}, "powers": []},
    {
        "id": 3,
        "name": "Hulk",
        "stats": {"rating": None},
        "publisher": {"id": 2, "name": "Marvel"},
        "powers": [{"name": "Strength"}],
    },
]


class Done(NamedTuple):
    """A process that has ended."""

    code: int
    out: str
    err: str


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a command."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "python"), "NO_COLOR": "", **more}


def command(*arguments: Any) -> list[str]:
    """Return the command line of a command."""
    return [sys.executable, "-m", "groot", *map(str, arguments)]


class Folder:
    """A folder with files, in which commands run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, content: Any) -> Path:
        """Write a file: bytes, text, or a value as JSON."""
        file = self.path / name
        if isinstance(content, bytes):
            file.write_bytes(content)
        else:
            file.write_text(content if isinstance(content, str) else json.dumps(content))
        return file

    def groot(self, *arguments: Any, stdin: str | None = None, **more: str) -> Done:
        """Run a command to its end, in a process of its own that need not start Python again."""
        given = list(map(str, arguments))
        with TemporaryFile() as into, TemporaryFile() as out, TemporaryFile() as err:
            into.write((stdin or "").encode())
            into.seek(0)
            child = os.fork()
            if not child:
                _be(given, self.path, more, [into.fileno(), out.fileno(), err.fileno()])
            _, status = os.waitpid(child, 0)
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read().decode("utf-8", "surrogateescape"))
        assert "Traceback" not in texts[1], texts[1]
        return Done(os.waitstatus_to_exitcode(status), *texts)

    def program(self, code: str) -> Done:
        """Run a program of Python to its end."""
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=self.path,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def heroes(self, store: str = "heroes.sqlite") -> str:
        """Make a store of the heroes, and return its name."""
        self.write("heroes.model.json", MODEL)
        self.write("heroes.json", HEROES)
        done = self.groot("import", store, "Hero", "heroes.json", "--model", "heroes.model.json")
        assert (done.code, done.err) == (0, ""), done
        return store

    def names(self) -> list[str]:
        """Return the names of all files, hidden ones too."""
        return sorted(one.name for one in self.path.iterdir())


def _be(arguments: list[str], folder: Path, more: dict[str, str], files: list[int]) -> NoReturn:
    """Be a process of the command line, as if Python had just begun."""
    code = 70
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
            for number, mode in enumerate(("r", "w", "w"))
        )
        os.chdir(folder)
        os.environ.update(NO_COLOR="", **more)
        code = main(arguments)
    except BaseException:
        traceback.print_exc()
    finally:
        for file in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                file.flush()
        os._exit(code)


def dump(store: Path) -> list[str]:
    """Return the content of a store as statements."""
    connection = sqlite3.connect(store)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()
