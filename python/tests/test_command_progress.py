"""The progress of commands on a terminal, and Ctrl-C that is typed there."""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from command_checks import MODEL, ROOT, Folder, command
from terminals import Terminal

RECORDS = 15_000
IMPORT = ("import", "heroes.sqlite", "Hero", "heroes.json", "--model", "heroes.model.json")
HIDDEN, SHOWN = "\x1b[?25l", "\x1b[?25h"
# Each look at this clock is a fifth of a second later, so that few records take seconds.
CLOCK = """
import itertools, os, sys, time
steps, before = itertools.count(), time.monotonic
def clock():
    time.sleep(float(os.environ.get("LOOK_SECONDS", 0.002)))
    return next(steps) / 5
time.monotonic = clock
import groot.progress
time.monotonic = before
if os.environ.get("WITHOUT_RICH"):
    sys.modules["rich"] = None
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    folder = Folder(tmp_path_factory.mktemp("made"))
    folder.write("heroes.model.json", MODEL)
    folder.write("heroes.json", [{"id": one, "name": f"Hero {one}"} for one in range(RECORDS)])
    (folder.path / "clock").mkdir()
    folder.write("clock/sitecustomize.py", CLOCK)
    return folder


@pytest.fixture
def folder(made: Folder) -> Folder:
    (made.path / "heroes.sqlite").unlink(missing_ok=True)
    return made


@pytest.fixture(params=["plain", "rich"])
def bar(request: pytest.FixtureRequest) -> str:
    if request.param == "rich" and find_spec("rich") is None:
        pytest.skip("rich is not installed")
    return str(request.param)


def slow(folder: Folder, bar: str) -> dict[str, str]:
    """Return the variables for a process with a clock that runs fast, with rich or without it."""
    paths = [str(folder.path / "clock"), str(ROOT / "python")]
    found = find_spec("rich")
    if bar == "rich" and found is not None and found.origin is not None:
        paths.append(str(Path(found.origin).parents[1]))
    return {"PYTHONPATH": ":".join(paths), "WITHOUT_RICH": "" if bar == "rich" else "1"}


def slower(folder: Folder, bar: str) -> dict[str, str]:
    """Return the same for a process that takes longer, since rich draws ten times a second."""
    return {**slow(folder, bar), "LOOK_SECONDS": "0.03"}


def test_an_import_shows_records_bytes_and_rate_and_ends_its_line(folder: Folder, bar: str) -> None:
    size = (folder.path / "heroes.json").stat().st_size
    with Terminal(
        command(*IMPORT), folder.path, columns=100, stdout=subprocess.PIPE, **slower(folder, bar)
    ) as terminal:
        assert terminal.end() == 0
        assert terminal.process.stdout is not None
        assert terminal.process.stdout.read() == (
            b"15,000 inserted, 0 updated, 0 unchanged, 0 deleted\n"
        )
    text = terminal.shown
    assert re.search(r"import .*[1-9][\d,]+ records, [\d.]+ kB, [\d.]+ kB/s, \d+ s left", text)
    assert f"15,000 records, {size / 1e3:.1f} kB" in text
    imported, saved = text.removesuffix(SHOWN).removesuffix("\n").split("\n")
    assert ("import" in imported, "save" in saved) == (True, True)
    assert text.endswith(f"\n{SHOWN}" if bar == "rich" else "\n")
    assert text.count(HIDDEN) == text.count(SHOWN) == (2 if bar == "rich" else 0)


def test_a_line_fits_the_terminal_where_only_messages_are_on_it(folder: Folder) -> None:
    with Terminal(
        command(*IMPORT),
        folder.path,
        columns=40,
        stdout=subprocess.DEVNULL,
        **slow(folder, "plain"),
    ) as terminal:
        assert terminal.end() == 0
    lines = re.split(r"[\r\n]", terminal.shown)
    assert len(lines) > 2
    assert max(map(len, lines)) == 39


@pytest.mark.parametrize("option", ["--quiet", "--json-errors"])
def test_options_switch_the_progress_off(folder: Folder, bar: str, option: str) -> None:
    with Terminal(
        command(*IMPORT, option), folder.path, stdout=subprocess.DEVNULL, **slow(folder, bar)
    ) as terminal:
        assert (terminal.end(), terminal.shown) == (0, "")


def test_a_pipe_has_no_progress(folder: Folder, bar: str) -> None:
    with Terminal(
        command(*IMPORT), folder.path, stderr=subprocess.PIPE, **slow(folder, bar)
    ) as terminal:
        assert terminal.process.stderr is not None
        assert terminal.process.stderr.read() == b""
        assert terminal.end() == 0
    assert terminal.shown == "15,000 inserted, 0 updated, 0 unchanged, 0 deleted\n"


@pytest.mark.parametrize("name", ["query", "export"])
def test_rows_on_the_terminal_have_no_progress_between_them(
    folder: Folder, bar: str, name: str
) -> None:
    assert folder.groot(*IMPORT).code == 0
    arguments: list[Any] = [name, "heroes.sqlite", "Hero", "--sort", "id"]
    if name == "export":
        arguments.append("--lines")
    with Terminal(command(*arguments), folder.path, **slow(folder, bar)) as terminal:
        assert terminal.end() == 0
    assert "\r" not in terminal.shown
    assert HIDDEN not in terminal.shown
    assert terminal.shown.count("Hero ") == RECORDS
    with Terminal(
        command(*arguments), folder.path, stdout=subprocess.DEVNULL, **slow(folder, bar)
    ) as terminal:
        assert terminal.end() == 0
    assert re.search("export .*[1-9][0-9,]+ objects", terminal.shown)


def test_ctrl_c_ends_an_import_and_leaves_the_terminal_as_it_was(folder: Folder, bar: str) -> None:
    names = folder.names()
    with Terminal(command(*IMPORT), folder.path, **slower(folder, bar)) as terminal:
        terminal.wait_for(" records, ")
        before = terminal.settings()
        terminal.type("\x03")
        assert terminal.end() == 130
        assert terminal.settings() == before
    text = terminal.shown
    assert text.removeprefix(HIDDEN).endswith("groot: interrupted; nothing was changed\n")
    assert text.count("\n") == 2  # of the bar, and of the message
    assert text.count(HIDDEN) == text.count(SHOWN) == (bar == "rich")
    assert text.rfind(SHOWN) >= text.rfind(HIDDEN)
    assert folder.names() == names
