"""Long calls that another thread cancels."""

from __future__ import annotations

import json
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
    """Make a call so often that not every one can end before a check."""
    for _ in range(100):
        call()


def expect_cancelled(context: groot.Context, call: Callable[[], object]) -> None:
    """Require that a call fails while another thread cancels all the time."""
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


def save_as_new(context: groot.Context, words: list[dict[str, str]]) -> None:
    """Insert words and save them."""
    context.load("Word", words)
    context.save()


def import_in_pieces(context: groot.Context, words: list[dict[str, str]]) -> None:
    """Import words from text in pieces."""
    text = json.dumps(words)
    with context.importing("Word") as stream:
        for start in range(0, len(text), 1000):
            stream.write(text[start : start + 1000])


# At this number of words progress is reported.
LAST_CALLS: dict[str, Callable[[groot.Context, list[dict[str, str]]], object]] = {
    "load": lambda context, words: context.load("Word", words),
    "importing": import_in_pieces,
    "batch": lambda context, words: context.load("Word", words, batch=100),
    "dump": lambda context, words: context.dump(context.fetch("Word")),
    "fetch": lambda context, words: context.fetch("Word"),
    "count": lambda context, words: context.count("Word", {"a": {"endsWith": "9"}}),
    "save": save_as_new,
}


@pytest.mark.parametrize("name", LAST_CALLS)
def test_the_last_progress_call_may_cancel(name: str, tmp_path: Path) -> None:
    words = [{"a": f"{number}", "b": ""} for number in range(1024)]
    reached: list[groot.Progress] = []
    last = 0

    def watch(progress: groot.Progress) -> None:
        reached.append(progress)
        if len(reached) == last:
            context.cancel()

    for _ in range(2):
        # A store queries its file, which is too fast to report progress.
        store = tmp_path / f"{last}.sqlite" if name in ("batch", "save") else None
        with groot.Context(make_mapping(), store=store) as context:
            context.load("Word", words)
            context.save()
            context.progress = watch
            if last == 0:
                LAST_CALLS[name](context, words)
                last = len(reached)
                assert last > 0
                reached.clear()
                continue
            with pytest.raises(groot.Error) as raised:
                LAST_CALLS[name](context, words)
            assert raised.value.code == groot.Status.CANCELLED
            assert len(reached) == last
            context.progress = None
            context.rollback()
            assert context.count("Word") == 1024
            context.check()


def test_the_last_progress_call_of_an_import_may_cancel() -> None:
    with groot.Context(make_mapping()) as context:
        with pytest.raises(groot.Error, match="cancelled") as raised:
            context.load("Word", [{"a": "x", "b": "y"}], progress=lambda _: context.cancel())
        assert raised.value.code == groot.Status.CANCELLED
        assert context.count("Word") == 0
