"""Processes that are killed while they write to a store: all is written, or nothing."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import document
from store_checks import changed, check_file, mapping_of

import groot

# The number of times that a process is killed; more kills find more faults.
KILLS = int(os.environ.get("GROOT_KILLS", "20"))


BATCH = 300


def killed(script: str, *arguments: str, within: float, chance: random.Random) -> list[str]:
    """Run a script, kill it at a random instant after its first line; return its other lines."""
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


def test_a_process_killed_while_it_fills_a_new_store_leaves_it_empty_or_whole(
    tmp_path: Path,
) -> None:
    """The first objects of a new file go straight to it: a journal has the pages of before."""
    model, batch = document("types"), 12_000
    chance = random.Random(8)  # noqa: S311
    for number in range(KILLS):
        path = tmp_path / f"{number}.sqlite"
        reported = killed(
            WRITER, json.dumps(model), str(path), str(batch), within=0.3, chance=chance
        )
        with groot.Context(mapping_of(model), store=path) as context:
            count = context.count("Thing")
            assert count % batch == 0
            assert count >= max([int(line) for line in reported if line.isdigit()], default=0)
            context.check()
        check_file(path)
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
    """Kill a process that migrates stores to another model and back, at random instants."""
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
        # The store is of either model, and opens with both.
        for model_now in (model, other):
            opened = groot.Context(mapping_of(model_now), store=last, migrate="destructive")
            with opened as context:
                assert context.distinct("Thing", "id") == ids
                assert context.distinct("Thing", "small") == ids
                assert context.count("Thing", {"owner": {"!=": None}}) == len(ids)
                context.check()
        for copy in tmp_path.glob("*.backup"):
            # An unfinished backup is not yet a store; a finished one is the whole old store.
            with groot.Context(mapping_of(model), store=copy) as context:
                assert context.count("Thing") in (0, len(ids))
        for rest in tmp_path.glob(path.name + ".*"):
            rest.unlink()
