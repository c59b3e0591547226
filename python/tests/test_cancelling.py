"""A call that takes long is ended from another thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

import groot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COUNT = 50_000


def make_mapping() -> groot.Mapping:
    """Make the mapping of one entity."""
    attributes = {name: {"type": "string", "userInfo": {"JSONKeyPath": name}} for name in "ab"}
    return groot.Mapping(groot.Model({"entities": {"Word": {"attributes": attributes}}}))


def repeat(call: Callable[[], object]) -> None:
    """Make a call often enough that it cannot end unseen each time."""
    for _ in range(100):
        call()


def expect_cancelled(context: groot.Context, call: Callable[[], object]) -> None:
    """Require that a call ends when another thread cancels all the time."""
    has_ended = threading.Event()

    def cancel() -> None:
        while not has_ended.is_set():
            context.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    try:
        with pytest.raises(groot.Error) as raised:
            repeat(call)
    finally:
        has_ended.set()
        thread.join()
    assert raised.value.code == groot.Status.CANCELLED


def test_long_calls_end(tmp_path: Path) -> None:
    words = [{"a": f"{number % 1000}", "b": f"{number % 997}"} for number in range(COUNT)]
    with groot.Context(make_mapping(), store=tmp_path / "words.sqlite") as context:
        expect_cancelled(context, lambda: context.load("Word", words))
        assert context.count("Word") == 0
        context.load("Word", words)
        expect_cancelled(context, context.save)
        context.save()
        expect_cancelled(context, lambda: context.fetch("Word", sort=["a", "-b"]))
        expect_cancelled(context, lambda: context.dump(context.fetch("Word")))
        assert context.count("Word") == COUNT


def test_nothing_runs() -> None:
    context = groot.Context(make_mapping())
    context.cancel()
    context.load("Word", {"a": "x", "b": "y"})
    assert context.count("Word") == 1
    context.close()
    context.cancel()
