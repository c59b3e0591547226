"""Ctrl-C, kill -9 and two processes: the store is as it was, or has all of the new data."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from command_checks import DC, MODEL, Folder, command, dump, environment

RECORDS = 10_000
BEGUN = "import sys; from groot.cli import main; print('begun', flush=True); sys.exit(main())"
TIMES = int(os.environ.get("GROOT_KILLS", "8"))


def records(first: int, changed: str = "") -> list[dict[str, Any]]:
    return [
        {
            "id": number,
            "name": f"Hero {number}{changed}",
            "stats": {"rating": number / 7},
            "publisher": DC,
            "powers": [{"name": f"Power {number % 50}"}],
        }
        for number in range(first, first + RECORDS)
    ]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    folder = Folder(tmp_path_factory.mktemp("made"))
    folder.write("heroes.model.json", MODEL)
    folder.write("before.json", records(0))
    folder.write("after.json", records(RECORDS // 2, "!"))
    done = folder.groot(
        "import", "before.sqlite", "Hero", "before.json", "--model", "heroes.model.json"
    )
    assert done.code == 0, done
    return folder


def copy(made: Folder) -> Path:
    """Copy the store of the fixture."""
    store = made.path / "store.sqlite"
    for ending in ("", "-wal", "-shm"):
        Path(f"{store}{ending}").unlink(missing_ok=True)
    store.write_bytes((made.path / "before.sqlite").read_bytes())
    return store


def content(store: Path) -> list[str]:
    """Return the content of a store without the counters of its rows."""
    return [one for one in dump(store) if "sqlite_sequence" not in one]


def interrupted(
    made: Folder, arguments: list[str], seconds: float, signal_number: int
) -> tuple[int, str]:
    """Send a signal to a command some time after it has begun; return its exit code and errors."""
    with subprocess.Popen(
        [sys.executable, "-c", BEGUN, *arguments],
        cwd=made.path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        if running.stdout is not None:
            running.stdout.readline()
        time.sleep(seconds)
        running.send_signal(signal_number)
        _, err = running.communicate()
    return running.returncode, err


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize(
    "words",
    [["import"], ["import", "--batch", "1000"], ["sync"]],
    ids=["import", "batches", "sync"],
)
def test_a_signal_at_any_instant_leaves_the_store_as_it_was_or_complete(
    made: Folder, words: list[str], signal_number: int
) -> None:
    name, *more = words
    arguments = command(name, "store.sqlite", "Hero", "after.json", *more)
    store = copy(made)
    before = content(store)
    began = time.monotonic()
    subprocess.run(arguments, cwd=made.path, env=environment(), check=True, capture_output=True)
    taken = time.monotonic() - began
    after = content(store)
    assert before != after
    chance = random.Random(f"{words} {signal_number}")  # noqa: S311, instants
    codes = set()
    for _ in range(TIMES):
        store = copy(made)
        code, err = interrupted(made, arguments[3:], chance.random() * taken, signal_number)
        codes.add(code)
        found = content(store)
        if signal_number == signal.SIGKILL:
            assert code in (-signal.SIGKILL, 0)
            assert found in (before, after)
        else:
            assert code in (0, 130), err
            assert found == (before if code else after), code
            assert err == ("groot: interrupted; nothing was changed\n" if code else "")
    assert codes & {130, -signal.SIGKILL}, "no signal came before the end"


def test_a_signal_that_python_wraps_in_another_exception_counts(made: Folder) -> None:
    program = """
import os, signal, sys
import groot.cli.syncing as command
def run(options):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            pass
    except KeyboardInterrupt as wrapped:
        raise RuntimeError("Error calling __set_name__") from wrapped
command.run = run
from groot.cli import main
sys.exit(main(["sync", "s.sqlite", "Hero", "x.json"]))
"""
    done = made.program(program)
    assert (done.code, done.err) == (130, "groot: interrupted; nothing was changed\n")


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_new_store_is_there_only_when_it_is_complete(made: Folder, signal_number: int) -> None:
    model = "heroes.model.json"
    arguments = command("sync", "new.sqlite", "Hero", "after.json", "--model", model)
    store = made.path / "new.sqlite"
    began = time.monotonic()
    subprocess.run(arguments, cwd=made.path, env=environment(), check=True, capture_output=True)
    taken = time.monotonic() - began
    complete = content(store)
    chance = random.Random(signal_number)  # noqa: S311, instants
    for _ in range(TIMES):
        store.unlink(missing_ok=True)
        code, _ = interrupted(made, arguments[3:], chance.random() * taken, signal_number)
        assert store.exists() == (code == 0) or signal_number == signal.SIGKILL
        if store.exists():
            assert content(store) == complete
        left = [one for one in made.names() if one.startswith(".")]
        if signal_number != signal.SIGKILL:
            assert code in (0, 128 + signal_number, -signal.SIGTERM)
            assert left == []
        for one in left:
            (made.path / one).unlink()


def test_a_second_writer_is_told_to_try_again_and_then_succeeds(made: Folder) -> None:
    store = copy(made)
    arguments = ("sync", "store.sqlite", "Hero", "after.json")
    other = sqlite3.connect(store, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    done = made.groot(*arguments, "--wait", "0.1")
    assert done.code == 3, done
    assert "run the command again" in done.err
    assert made.groot("query", "store.sqlite", "Hero", "--limit", "1").code == 0  # readers go on
    other.execute("ROLLBACK")
    other.close()
    assert made.groot(*arguments).code == 0


def test_of_two_processes_that_write_at_once_none_loses_data(made: Folder) -> None:
    copy(made)
    made.write("a.json", [{"id": -1, "name": "A"}])
    made.write("b.json", [{"id": -2, "name": "B"}])
    both = [
        subprocess.Popen(
            command("import", "store.sqlite", "Hero", name),
            cwd=made.path,
            env=environment(),
            stdout=subprocess.DEVNULL,
        )
        for name in ("a.json", "b.json")
    ]
    assert [one.wait() for one in both] == [0, 0]
    done = made.groot("query", "store.sqlite", "Hero", '{"id": {"<": 0}}', "--columns", "name")
    assert done.out == '{"name":"A"}\n{"name":"B"}\n' or done.out == '{"name":"B"}\n{"name":"A"}\n'


def test_a_change_of_another_process_is_a_conflict_and_then_succeeds(made: Folder) -> None:
    store = copy(made)
    made.write("one.json", [{"id": 5, "name": "mine"}])
    slow = """
import sys, sqlite3
import groot.context as contexts
save = contexts.Context.save
def late(self):
    other = sqlite3.connect("store.sqlite")
    other.execute("UPDATE Hero SET name = 'theirs', _version = _version + 1 WHERE id = 5")
    other.commit()
    other.close()
    save(self)
contexts.Context.save = late
from groot.cli import main
sys.exit(main(["import", "store.sqlite", "Hero", "one.json"]))
"""
    done = made.program(slow)
    assert done.code == 3, done.err
    assert "run the command again" in done.err
    assert made.groot("import", "store.sqlite", "Hero", "one.json").code == 0
    rows = sqlite3.connect(store).execute("SELECT name FROM Hero WHERE id = 5").fetchall()
    assert rows == [("mine",)]


def test_a_store_that_another_process_makes_meanwhile_is_a_conflict(made: Folder) -> None:
    (made.path / "new.sqlite").unlink(missing_ok=True)
    made.write("one.json", [{"id": 5, "name": "mine"}])
    made.write("two.json", [{"id": 6, "name": "theirs"}])
    other = command("import", "new.sqlite", "Hero", "two.json", "--model", "heroes.model.json")
    slow = f"""
import subprocess, sys
import groot.context as contexts
save = contexts.Context.save
def late(self):
    subprocess.run({other!r}, check=True, capture_output=True)
    save(self)
contexts.Context.save = late
from groot.cli import main
sys.exit(main(["import", "new.sqlite", "Hero", "one.json", "--model", "heroes.model.json"]))
"""
    done = made.program(slow)
    assert done.code == 3, done.err
    assert "'new.sqlite' was made by another process meanwhile" in done.err
    names = ("query", "new.sqlite", "Hero", "--columns", "name")
    assert made.groot(*names).out == '{"name":"theirs"}\n'
    assert [one for one in made.names() if one.startswith(".")] == []
    assert made.groot("import", "new.sqlite", "Hero", "one.json").code == 0
    assert made.groot(*names).out == '{"name":"theirs"}\n{"name":"mine"}\n'
