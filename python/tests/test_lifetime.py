"""Memory, finalisation and threads."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import groot

PYTHON = Path(__file__).resolve().parents[1]
THREAD_RUNS = int(os.environ.get("GROOT_THREAD_RUNS", "1000"))


def resident() -> int:
    """Give the resident memory of this process in bytes."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * resource.getpagesize()


def settle(work: Any, times: int) -> int:
    """Give by how much memory grows while `work` runs many times after a warm-up."""
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


def test_what_a_handle_was_made_from_may_go(batman_json: dict[str, Any]) -> None:
    from conftest import document

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


def test_contexts_on_threads_share_a_mapping() -> None:
    from conftest import document

    calls: list[int] = []
    registry = groot.Registry()
    registry.transformer("StringToInteger", lambda one: (calls.append(1), int(one))[1], reverse=str)
    mapping = groot.Mapping(groot.Model(document("comics")), registry)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            context = groot.Context(mapping)
            for round in range(10):
                data = [
                    {"id": str(n), "name": f"{seed}.{n}", "powers": [str(n % 7)], "publisher": "1"}
                    for n in range(100)
                ]
                found = context.load("Character", data)
                assert [one.name for one in found] == [one["name"] for one in data]
                with pytest.raises(ValueError, match=f"seed{seed}"):
                    context.load("Character", {"id": f"seed{seed}", "name": "x"})
                assert context.count("Power") == 7
                assert len(context.dump(found)) == 100
                assert round < 10
                context.check()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    assert len(calls) > 4 * 10 * 100


def test_readings_that_interrupt_each_other(comics: groot.Context, batman: groot.Object) -> None:
    def read(_: Any = None, __: Any = None) -> None:
        assert batman.identifier == 1699
        assert batman.realName == "Bruce Wayne"
        assert batman.publisher.name == "DC Comics"

    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(3000):
                read()
                assert batman.name == "Batman"
                assert [power.identifier for power in batman.powers] == [4, 9]
        except BaseException as failure:
            failures.append(failure)

    interval = sys.getswitchinterval()
    handler = signal.signal(signal.SIGALRM, read)
    threads = [threading.Thread(target=work) for _ in range(3)]
    try:
        sys.setswitchinterval(1e-6)
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
        for thread in threads:
            thread.start()
        work()
        for thread in threads:
            thread.join()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        sys.setswitchinterval(interval)
    assert not failures, failures[0]


def interrupt(context: groot.Context, entity: str, text: str, delay: float) -> None:
    """Send SIGINT while or, should the machine be so quick, after `text` is loaded."""
    timer = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT))

    def load() -> None:
        timer.start()
        context.load(entity, text)
        while True:
            time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        load()
    context.check()


def test_an_interrupt_ends_a_long_import(comics: groot.Context) -> None:
    text = json.dumps([{"id": str(n), "name": "x" * 20} for n in range(1_000_000)])
    interrupt(comics, "Character", text, 0.05)
    assert comics.count("Character") in (0, 1_000_000)


@pytest.mark.parametrize("delay", [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08])
def test_an_interrupt_between_callbacks(delay: float, capfd: pytest.CaptureFixture[str]) -> None:
    from conftest import one_attribute

    model = one_attribute("integer64")
    model["entities"]["Thing"]["attributes"]["value"]["userInfo"]["JSONTransformerName"] = "T"
    registry = groot.Registry()
    registry.transformer("T", int, reverse=str)
    context = groot.Context(groot.Mapping(groot.Model(model), registry))
    text = json.dumps([{"value": str(n)} for n in range(100_000)])
    hook = sys.unraisablehook
    interrupt(context, "Thing", text, delay)
    assert sys.unraisablehook is hook
    assert context.count("Thing") in (0, 100_000)
    assert capfd.readouterr() == ("", "")


def test_a_context_in_use_by_another_thread_is_busy_and_nothing_else(
    comics: groot.Context,
) -> None:
    batman = comics.insert("Character")
    power = comics.insert("Power")
    batman.powers.add(power)
    is_over = threading.Event()
    others: list[BaseException] = []
    uses: list[Callable[[], object]] = [
        lambda: batman.name,
        lambda: batman.is_deleted,
        lambda: setattr(batman, "name", "Batman"),
        lambda: comics.insert("Publisher"),
        lambda: len(batman.powers),
        lambda: list(batman.powers),
        lambda: power in batman.powers,
        lambda: batman.publisher,
        lambda: comics.count("Publisher"),
        lambda: comics.changes,
    ]

    def intrude() -> None:
        while not is_over.is_set():
            for use in uses:
                try:
                    use()
                except groot.Error as error:
                    if error.code != groot.Status.BUSY:
                        others.append(error)
                except BaseException as error:
                    others.append(error)

    threads = [threading.Thread(target=intrude) for _ in range(2)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        loaded = 0
        for number in range(THREAD_RUNS):
            with contextlib.suppress(groot.Error):
                comics.load("Power", [{"id": str(number), "name": "x"}] * 50)
                loaded += 1
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(interval)
    assert not others, f"{len(others)}: {others[:3]!r}"
    comics.check()
    assert loaded > 0


def test_a_sequence_may_be_read_from_another_thread(comics: groot.Context) -> None:
    objects = comics.load("Power", [str(n) for n in range(3000)])
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.extend([len(objects), objects[7].id]))
    thread.start()
    thread.join()
    assert found == [3000, objects[7].id]
