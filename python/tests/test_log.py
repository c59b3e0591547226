"""Stores that write to a log."""

from __future__ import annotations

import contextlib
import gc
import logging
import signal
import sqlite3
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

import pytest
from heroes import COUNT, HEROES, MAPPING, NEXT_MAPPING

import groot
from groot import Status

LEVELS = {"error", "warning", "event", "statement"}


class Told:
    """The messages of a log, by level."""

    def __init__(self) -> None:
        self.messages: dict[str, list[str]] = {}

    def __call__(self, level: str, message: str) -> None:
        self.messages.setdefault(level, []).append(message)

    def has(self, level: str, part: str) -> bool:
        return any(part in message for message in self.messages.get(level, []))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a store with all heroes."""
    path = tmp_path / "heroes.sqlite"
    with groot.Context(MAPPING, store=path) as context:
        context.load("Hero", HEROES)
        context.save()
    return path


@pytest.fixture
def unraisable(monkeypatch: pytest.MonkeyPatch) -> list[BaseException | None]:
    """Gather the exceptions that go to `sys.unraisablehook`."""
    found: list[BaseException | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: found.append(lost.exc_value))
    return found


def lock_out(context: groot.Context, path: Path) -> None:
    """Make a save fail since another process is writing."""
    context.load("Hero", {"id": 1, "name": "other"})
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(groot.Error) as raised:
            context.save()
    assert raised.value.code == Status.STORE_LOCKED


def test_a_function_is_told_everything(path: Path) -> None:
    told = Told()
    with groot.Context(
        NEXT_MAPPING, store=path, log=told, triggers=True, busy_timeout=0
    ) as context:
        assert told.has("warning", "triggers")
        assert told.has("event", "to another model")
        assert told.has("event", f"opened the store '{path}'")
        assert told.has("statement", 'INSERT INTO "')
        assert "error" not in told.messages
        lock_out(context, path)
        assert told.has("error", "locked")
        context.save()
        assert told.has("statement", 'UPDATE "Hero"')
        assert context.count("Hero", {"name": "hero number 77"}) == 1
        told.messages.clear()
    assert told.messages.keys() <= {"statement"}
    assert set(told.messages) <= LEVELS


def test_statements_have_no_values(path: Path) -> None:
    told = Told()
    with groot.Context(MAPPING, store=path, log=told) as context:
        context.load("Hero", {"id": 123456789, "name": "a secret"})
        context.save()
        assert context.fetch("Hero", {"name": {"contains": "secret"}})[0].name == "a secret"
        context.refresh()
        assert context.fetch("Hero", {"id": 123456789})[0].name == "a secret"
    statements = " ".join(told.messages["statement"])
    assert "INSERT" in statements
    assert "SELECT" in statements
    assert "secret" not in statements
    assert "123456789" not in statements


@pytest.mark.parametrize("level", ["DEBUG", "INFO", "WARNING", "ERROR"])
@pytest.mark.parametrize("is_adapted", [False, True])
def test_a_logger(
    path: Path, level: str, is_adapted: bool, caplog: pytest.LogCaptureFixture
) -> None:
    logger = logging.getLogger(f"test.{level}")
    caplog.set_level(level, logger=logger.name)
    log: Any = logging.LoggerAdapter(logger, {}) if is_adapted else logger
    with groot.Context(MAPPING, store=path, log=log, triggers=True, busy_timeout=0) as context:
        lock_out(context, path)
    levels = {record.levelno for record in caplog.records}
    every = [logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR]
    assert levels == {one for one in every if one >= logging.getLevelName(level)}
    for record in caplog.records:
        assert record.name == logger.name
        wanted = {"SELECT": logging.DEBUG, "opened": logging.INFO, "triggers": logging.WARNING}
        assert record.levelno == wanted.get(record.getMessage().split()[0], record.levelno)


def test_statements_are_asked_for_when_they_are_wanted(path: Path) -> None:
    class Logger(logging.Logger):
        seen: list[int] = []

        def log(self, level: int, *_: Any, **__: Any) -> None:
            self.seen.append(level)

    groot.Context(MAPPING, store=path, log=Logger("x", logging.ERROR)).close()
    assert Logger.seen == [logging.INFO]
    groot.Context(MAPPING, store=path, log=Logger("x", logging.DEBUG)).close()
    assert logging.DEBUG in Logger.seen


def test_a_context_in_memory_has_nothing_to_tell() -> None:
    told = Told()
    with groot.Context(MAPPING, log=told) as context:
        context.load("Hero", HEROES)
        context.save()
    assert not told.messages


def test_invalid_logs_are_refused(tmp_path: Path) -> None:
    wrong: Any = "debug"
    with pytest.raises(groot.Error, match="log is 'debug', not a function or a logger") as raised:
        groot.Context(MAPPING, store=tmp_path / "x.sqlite", log=wrong)
    assert raised.value.code == Status.INVALID_ARGUMENT
    assert not (tmp_path / "x.sqlite").exists()


def test_an_exception_changes_nothing_and_is_not_lost(
    path: Path, unraisable: list[BaseException | None]
) -> None:
    def fail(level: str, _: str) -> None:
        raise KeyError(level)

    with groot.Context(MAPPING, store=path, log=fail) as context:
        context.load("Hero", {"id": COUNT, "name": "new"})
        context.save()
        hero = context.fetch("Hero", {"id": COUNT})[0]
        context.refresh()
        before = len(unraisable)
        assert hero.name == "new"  # a short call
        assert len(unraisable) > before
        assert context.count("Hero") == COUNT + 1
        with pytest.raises(groot.Error, match="nothing"):
            context.count("Hero", {"nothing": 1})
    assert {type(one) for one in unraisable} == {KeyError}
    assert {one.args for one in unraisable if one} == {("event",), ("statement",)}


def test_an_exception_within_another_call(
    path: Path, unraisable: list[BaseException | None]
) -> None:
    def fail(_: str, message: str) -> None:
        raise KeyError(message)

    outer, inner = groot.Context(MAPPING), groot.Context(MAPPING, store=path, log=fail)
    before = len(unraisable)
    outer.load("Hero", HEROES[:1], progress=lambda _: inner.count("Hero"))
    assert len(unraisable) > before
    before = len(unraisable)

    def elsewhere(_: groot.Progress) -> None:
        hero = inner.fetch("Hero", limit=1)[0]
        inner.refresh()
        assert hero.name == "hero number 0"

    def in_thread(at: groot.Progress) -> None:
        thread = threading.Thread(target=elsewhere, args=(at,))
        thread.start()
        thread.join()

    outer.load("Hero", HEROES[:1], progress=in_thread)
    assert len(unraisable) > before


def test_an_interrupt_comes_out_of_the_call(
    path: Path, unraisable: list[BaseException | None]
) -> None:
    is_armed = False

    def interrupt(*_: str) -> None:
        nonlocal is_armed
        if is_armed:
            is_armed = False
            signal.raise_signal(signal.SIGINT)

    with groot.Context(MAPPING, store=path, log=interrupt) as context:
        for call in (
            lambda: context.fetch("Hero"),
            lambda: context.count("Hero"),
            context.refresh,
            lambda: groot.Context(MAPPING, store=path, log=interrupt),
        ):
            is_armed = True
            with pytest.raises(KeyboardInterrupt):
                call()
            assert not is_armed
        assert context.count("Hero") == COUNT
    assert not unraisable


def test_the_context_is_busy_meanwhile(path: Path) -> None:
    codes: list[int] = []

    def use(*_: str) -> None:
        if not objects:
            return
        for call in (lambda: objects[-1].name, context.save, lambda: context.count("Hero")):
            with pytest.raises(groot.Error) as raised:
                call()
            codes.append(raised.value.code)

    objects: list[Any] = []
    context = groot.Context(MAPPING, store=path, log=use)
    objects.extend(context.fetch("Hero"))
    context.refresh()
    assert codes
    codes.clear()
    assert objects[-2].name == f"hero number {COUNT - 2}"  # a short call
    assert codes
    assert set(codes) == {Status.BUSY}
    objects.clear()
    context.close()


def test_a_log_that_refers_to_its_context_lets_it_go(path: Path) -> None:
    def make() -> tuple[weakref.ref[Any], ...]:
        contexts: list[groot.Context] = []

        def log(*_: str) -> None:
            contexts.count(None)  # type: ignore[arg-type]

        contexts.append(groot.Context(MAPPING, store=path, log=log))
        contexts[0].fetch("Hero")
        return weakref.ref(contexts[0]), weakref.ref(contexts[0]._session._handle), weakref.ref(log)

    references = make()
    gc.collect()
    assert [one() for one in references] == [None, None, None]


def test_contexts_go_in_any_order(path: Path) -> None:
    told = [Told() for _ in range(4)]
    references = [weakref.ref(one) for one in told]
    contexts = {
        number: groot.Context(MAPPING, store=path, log=one) for number, one in enumerate(told)
    }
    for number in (2, 0, 3, 1):
        hero = contexts.pop(number).fetch("Hero", limit=1)[0]
        assert hero.name == "hero number 0"  # the context lives as long as its objects
        del hero
        told[number] = Told()
        gc.collect()
        assert references[number]() is None
        for other in list(contexts):
            told[other].messages.clear()
            assert contexts[other].count("Hero") == COUNT
            assert told[other].has("statement", "count")


def test_a_failed_opening_lets_the_log_go(tmp_path: Path) -> None:
    told = Told()
    with pytest.raises(groot.Error):
        groot.Context(MAPPING, store=tmp_path / "none" / "x.sqlite", log=told)
    reference = weakref.ref(told)
    del told
    gc.collect()
    assert reference() is None
