"""Memory, and the time when objects are freed."""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest
from conftest import document

import groot

PYTHON = Path(__file__).resolve().parents[1]


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * resource.getpagesize()


def settle(work: Any, times: int) -> int:
    """Return the growth of memory while `work` runs many times after a warm-up."""
    for _ in range(times):
        work()
    gc.collect()
    before = resident()
    for _ in range(times * 3):
        work()
    gc.collect()
    return resident() - before


def test_contexts_give_their_memory_back(comics_mapping: groot.Mapping) -> None:
    text = json.dumps(
        [{"id": str(n), "name": f"Name {n}", "powers": [str(n % 50)]} for n in range(2000)]
    )

    def work() -> None:
        context = groot.Context(comics_mapping)
        objects = context.load("Character", text)
        assert objects[5].name == "Name 5"
        context.dumps(objects)

    assert settle(work, 20) < 8_000_000


def test_repeated_loads_are_bounded(comics: groot.Context) -> None:
    powers = [{"id": "1", "name": "x"}, {"id": "2", "name": "y"}]
    data = [{"id": str(n), "name": "x", "powers": powers} for n in range(500)]

    def work() -> None:
        comics.load("Character", data)
        comics.save()

    assert settle(work, 40) < 8_000_000


def test_failures_are_bounded(comics: groot.Context) -> None:
    data = [{"id": "1", "name": "x"}, {"id": "2", "name": 5}]

    def work() -> None:
        for _ in range(20):
            with pytest.raises(groot.Error):
                comics.load("Character", data)
            with pytest.raises(groot.Error):
                groot.Model({"entities": {"A": {"parent": "B"}}})

    assert settle(work, 20) < 4_000_000


def test_reads_are_bounded(comics: groot.Context, batman: groot.Object) -> None:
    def work() -> None:
        for _ in range(500):
            list(batman.powers)
            batman.publisher.name = "x" * 100
            comics.fetch("Power", where={"identifier": 4})
            assert batman.publisher.name

    assert settle(work, 5) < 4_000_000
    assert len(comics._session._by_entity_text) <= 3


def test_a_context_lives_as_long_as_its_objects(comics_mapping: groot.Mapping) -> None:
    context = groot.Context(comics_mapping)
    batman = context.load("Character", {"id": "1", "name": "Batman", "powers": ["4"]})
    watched = weakref.ref(context._session._handle)
    powers = iter(batman.powers)
    del context
    gc.collect()
    assert batman.name == "Batman"
    assert next(powers).identifier == 4
    del batman, powers
    gc.collect()
    assert watched() is None


def test_no_cycle_keeps_a_context(comics_mapping: groot.Mapping) -> None:
    gc.collect()
    gc.disable()
    try:
        context = groot.Context(comics_mapping)
        objects = context.load("Character", [{"id": "1", "name": "x", "powers": ["1"]}])
        assert objects[0].powers[0].identifier == 1
        with pytest.raises(groot.Error):
            context.load("Character", [{"id": "1", "name": 5}])
        watched = weakref.ref(context._session._handle)
        del context, objects
        assert watched() is None
    finally:
        gc.enable()


def test_sources_of_a_handle_may_go(batman_json: dict[str, Any]) -> None:
    registry = groot.Registry()
    registry.transformer("StringToInteger", int, reverse=str)
    mapping = groot.Mapping(groot.Model(document("comics")), registry)
    del registry
    context = groot.Context(mapping)
    del mapping
    gc.collect()
    batman = context.load("Character", batman_json)
    gc.collect()
    assert context.dump(batman) == batman_json


SHUTDOWN = """
import atexit, groot, json, sys
registry = groot.Registry()
registry.transformer("StringToInteger", int, reverse=str)
with open(sys.argv[1]) as file:
    document = json.load(file)
context = groot.Context(groot.Mapping(groot.Model(document), registry))
batman = context.load("Character", {"id": "1", "name": "Batman", "powers": ["4"]})
everyone = context.fetch("Character")
sys.kept = [batman, everyone, batman.powers]
class Late:
    def __del__(self):
        print(batman.name, len(everyone))
sys.late = Late()
atexit.register(lambda: print(context.dump(batman)["id"]))
print(batman.name)
"""


def test_shutdown_is_quiet() -> None:
    model = PYTHON.parent / "Tests" / "Cases" / "models" / "comics.json"
    result = subprocess.run(
        [sys.executable, "-X", "dev", "-c", SHUTDOWN, str(model)],
        env={**os.environ, "PYTHONPATH": str(PYTHON)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert result.stdout.splitlines()[:2] == ["Batman", "1"]
