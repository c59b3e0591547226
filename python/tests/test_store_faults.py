"""What goes wrong around a store: killed processes, full disks, files that may not be written."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import document

import groot
from groot import Status

# How often a process is killed; more find more.
KILLS = int(os.environ.get("GROOT_KILLS", "20"))
BATCH = 300
NOBODY = 65534


def mapping_of(model: Any) -> groot.Mapping:
    return groot.Mapping(groot.Model(model))


def changed(model: Any) -> Any:
    """Give the model with one attribute less and one more."""
    model = json.loads(json.dumps(model))
    attributes = model["entities"]["Thing"]["attributes"]
    del attributes["medium"]
    attributes["color"] = {"type": "string", "default": "red" * 20}
    return model


def check_file(path: Path) -> None:
    """Have SQLite check a file that no process has open."""
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    database.close()


def killed(script: str, *arguments: str, within: float, chance: random.Random) -> list[str]:
    """Run a script, kill it at a random instant after its first line; give its other lines."""
    command = [sys.executable, "-c", script, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(chance.random() * within)
        process.send_signal(signal.SIGKILL)
        return process.stdout.read().split()


WRITER = """
import json, sys
import groot
mapping = groot.Mapping(groot.Model(json.loads(sys.argv[1])))
batch = int(sys.argv[3])
print("ready", flush=True)
for round in range(1000000):
    with groot.Context(mapping, store=sys.argv[2]) as context:
        start = context.count("Thing")
        # Each save gives all objects another name.
        name = str(start) + "x" * (round % 40 * 30)
        things = [{"id": i + 1, "name": name, "owner": max(i, 1)} for i in range(start + batch)]
        context.load("Thing", things)
        context.save()
        print(start + batch, flush=True)
"""


def test_a_killed_process_leaves_all_or_nothing(tmp_path: Path) -> None:
    """Kill a process that imports and saves, at random instants.

    The file always opens and holds whole saves only, at least those that were reported.
    """
    path = tmp_path / "killed.sqlite"
    model = document("types")
    chance = random.Random(7)  # noqa: S311
    for _ in range(KILLS):
        reported = killed(
            WRITER, json.dumps(model), str(path), str(BATCH), within=0.25, chance=chance
        )
        if path.exists():
            check_file(path)
        with groot.Context(mapping_of(model), store=path) as context:
            count = context.count("Thing")
            assert count % BATCH == 0
            assert count >= max([int(line) for line in reported if line.isdigit()], default=0)
            names = context.distinct("Thing", "name")
            assert len(names) == (1 if count else 0)
            context.check()
        if count > 20 * BATCH:
            path.unlink()


BATCHER = """
import json, sys
import groot
mapping = groot.Mapping(groot.Model(json.loads(sys.argv[1])))
count, batch, commits = int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
print("ready", flush=True)
with groot.Context(mapping, store=sys.argv[2]) as context:
    start = int(max(context.distinct("Thing", "name"), default="000000"))
    for round in range(start + 1, start + 1000000):
        things = [{"id": i + 1, "name": f"{round:06}", "owner": max(i, 1)} for i in range(count)]
        context.load("Thing", things, batch=batch, commits=commits)
        print(round, flush=True)
"""


@pytest.mark.parametrize("commits", ["whole", "each"])
def test_a_killed_import_in_batches_leaves_whole_ones(tmp_path: Path, commits: str) -> None:
    """Kill a process that imports in batches, at random instants.

    Each import gives all objects a greater name. So names never grow from one object to the next,
    and change between batches only; with one transaction for all batches they do not change.
    """
    path = tmp_path / "killed.sqlite"
    model = document("types")
    count, batch = 20 * BATCH, BATCH
    chance = random.Random(13)  # noqa: S311
    for _ in range(max(KILLS // 2, 1)):
        told = json.dumps(model), str(path), str(count), str(batch), commits
        reported = killed(BATCHER, *told, within=0.4, chance=chance)
        if path.exists():
            check_file(path)
        with groot.Context(mapping_of(model), store=path) as context:
            names = [thing.name for thing in context.fetch("Thing", sort="id")]
            done = max((f"{int(one):06}" for one in reported), default="")
            assert min(names, default="") >= done
            assert names == sorted(names, reverse=True)
            assert all(names.count(name) % batch == 0 for name in set(names))
            if commits == "whole":
                assert len(names) in (0, count)
                assert len(set(names)) <= 1
            context.check()


MIGRATOR = """
import json, os, shutil, sys
import groot
first, second = (groot.Mapping(groot.Model(json.loads(text))) for text in sys.argv[1:3])
print("ready", flush=True)
for round in range(1000000):
    path = f"{sys.argv[3]}.{round}"
    shutil.copyfile(sys.argv[3], path + ".part")
    os.rename(path + ".part", path)
    print(round, flush=True)
    backup = path + ".backup" if sys.argv[4] == "backup" else None
    groot.Context(second, store=path, backup=backup).close()
    groot.Context(first, store=path, migrate="destructive").close()
"""


@pytest.mark.parametrize("backup", ["", "backup"])
def test_a_killed_migration_leaves_the_old_store_or_the_new(tmp_path: Path, backup: str) -> None:
    """Kill a process that brings stores to another model and back, at random instants."""
    path = tmp_path / "store.sqlite"
    model = document("types")
    other = changed(model)
    with groot.Context(mapping_of(model), store=path) as context:
        context.load(
            "Thing",
            [
                {"id": n, "small": n, "owner": max(n // 2, 1), "name": "x" * 50}
                for n in range(1, 1500)
            ],
        )
        context.save()
        ids = context.distinct("Thing", "id")
        context.check()
    chance = random.Random(11)  # noqa: S311
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    for _ in range(KILLS // 2):
        arguments = (json.dumps(model), json.dumps(other), str(path), backup)
        rounds = killed(MIGRATOR, *arguments, within=0.3, chance=chance)
        if not rounds:
            continue
        last = path.with_name(f"{path.name}.{rounds[-1]}")
        check_file(last)
        # Whichever of the two it is of, it opens with both.
        for model_now in (model, other):
            opened = groot.Context(mapping_of(model_now), store=last, migrate="destructive")
            with opened as context:
                assert context.distinct("Thing", "id") == ids
                assert context.distinct("Thing", "small") == ids
                assert context.count("Thing", {"owner": {"!=": None}}) == len(ids)
                context.check()
        for copy in tmp_path.glob("*.backup"):
            # A backup that was not finished is no store, or it is the whole old one.
            with groot.Context(mapping_of(model), store=copy) as context:
                assert context.count("Thing") in (0, len(ids))
        for rest in tmp_path.glob(path.name + ".*"):
            rest.unlink()


@contextmanager
def file_size(limit: int) -> Iterator[None]:
    """Have no file grow beyond a size, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def fails_for_want_of_room(context: Any) -> bool:
    return context.value.code in (Status.STORE_FULL, Status.STORE_FAILED)


def test_a_full_disk_stops_a_save_which_can_then_be_done(tmp_path: Path) -> None:
    path = tmp_path / "full.sqlite"
    mapping = mapping_of(document("types"))
    with groot.Context(mapping, store=path) as context:
        context.insert("Thing", id=1)
        context.save()
        context.load("Thing", [{"id": n, "name": "x" * 500} for n in range(2, 2000)])
        for limit in (70_000, 200_000, 500_000):
            with file_size(limit), pytest.raises(groot.Error) as raised:
                context.save()
            assert fails_for_want_of_room(raised)
            assert context.changes == {"inserted": 1998, "updated": 0, "deleted": 0}
            context.check()
            with groot.Context(mapping, store=path) as other:
                assert other.count("Thing") == 1
        context.save()
        assert context.changes == {"inserted": 0, "updated": 0, "deleted": 0}
    check_file(path)
    with groot.Context(mapping, store=path) as context:
        assert context.count("Thing") == 1999


def test_a_full_disk_stops_the_making_of_a_store(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    mapping = mapping_of(document("types"))
    for limit in (0, 3000, 9000):
        with file_size(limit), pytest.raises(groot.Error) as raised:
            groot.Context(mapping, store=path)
        assert fails_for_want_of_room(raised)
        with groot.Context(mapping, store=path) as context:
            assert context.count("Thing") == 0
        path.unlink()


@pytest.mark.parametrize("backup", [False, True])
def test_a_full_disk_stops_a_migration_which_can_then_be_done(tmp_path: Path, backup: bool) -> None:
    path = tmp_path / "old.sqlite"
    model = document("types")
    with groot.Context(mapping_of(model), store=path) as context:
        context.load("Thing", [{"id": n, "small": n, "name": "x" * 100} for n in range(1, 2000)])
        context.save()
    options = {"backup": tmp_path / "copy.sqlite"} if backup else {}
    for limit in (40_000, 150_000, 300_000):
        before = path.read_bytes()
        with file_size(limit), pytest.raises(groot.Error) as raised:
            groot.Context(mapping_of(changed(model)), store=path, **options)
        assert fails_for_want_of_room(raised)
        with groot.Context(mapping_of(model), store=path, migrate=False) as context:
            assert context.count("Thing") == 1999
        assert path.read_bytes() == before
    with groot.Context(mapping_of(changed(model)), store=path, **options) as context:
        assert context.count("Thing", {"color": "red" * 20}) == 1999
    if backup:
        with groot.Context(mapping_of(model), store=options["backup"], migrate=False) as context:
            assert context.distinct("Thing", "small")[-1] == 1999


READER = """
import json, os, sys
import groot
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
mapping = groot.Mapping(groot.Model(json.loads(sys.argv[1])))
try:
    with groot.Context(mapping, store=sys.argv[2]) as context:
        print("opened", context.count("Thing"))
        context.insert("Thing", id=99)
        try:
            context.save()
        except groot.Error as error:
            print("save", error.code.name, context.changes["inserted"])
except groot.Error as error:
    print("open", error.code.name)
"""


@pytest.mark.parametrize("folder", [0o755, 0o555])
def test_what_may_not_be_written_says_so_and_stays(folder: int) -> None:
    """A file without the right to write it, in a folder with and without that right."""
    with tempfile.TemporaryDirectory(prefix="groot-") as place:
        path = Path(place) / "store.sqlite"
        model = document("types")
        with groot.Context(mapping_of(model), store=path) as context:
            context.insert("Thing", id=1)
            context.save()
        before = path.read_bytes()
        path.chmod(0o444)
        Path(place).chmod(folder)
        if os.geteuid() == 0:
            os.chown(place, NOBODY, NOBODY)
        try:
            run = subprocess.run(
                [sys.executable, "-c", READER, json.dumps(model), str(path)],
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            Path(place).chmod(0o755)
        lines = run.stdout.splitlines()
        assert lines in (
            ["opened 1", "save STORE_READ_ONLY 1"],
            ["open STORE_READ_ONLY"],
            ["open FILE_ERROR"],
        ), run.stderr
        assert path.read_bytes() == before
        path.chmod(0o644)
        with groot.Context(mapping_of(model), store=path) as context:
            assert context.count("Thing") == 1
            context.insert("Thing", id=2)
            context.save()
