"""Threads and signals, and the calls that they interrupt."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from conftest import document, transformed

import groot

THREAD_RUNS = int(os.environ.get("GROOT_THREAD_RUNS", "1000"))


def test_contexts_on_threads_share_a_mapping() -> None:
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
    """Send SIGINT while `text` is loaded, or after that on a fast machine."""
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
    context = transformed(int, str, "integer64")
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
        lambda: groot.is_deleted(batman),
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
        # On a busy machine the others may have the context each time for a while.
        for number in range(100 * THREAD_RUNS):
            if loaded and number >= THREAD_RUNS:
                break
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
    thread = threading.Thread(
        target=lambda: found.extend([len(objects), groot.object_id(objects[7])])
    )
    thread.start()
    thread.join()
    assert found == [3000, groot.object_id(objects[7])]
