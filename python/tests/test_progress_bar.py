"""The bar of `progress=True`."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from heroes import COUNT, HEROES, MAPPING, NEXT_MAPPING

import groot
from groot.progress import ProgressBar


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A time that goes on only when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def at(records: int, bytes: int = 0, operation: str = "import") -> groot.Progress:
    return groot.Progress(bytes, records, 0, 0, 0, operation)


def test_nothing_is_written_unless_it_is_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    with groot.Context(MAPPING) as context:
        context.load("Hero", HEROES)
        context.load("Hero", HEROES, progress=False)
        context.progress = False
        context.dump(context.fetch("Hero"))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("call", ["load", "load a file", "sync", "sync a file"])
def test_a_bar_shows_share_records_and_bytes(
    call: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = json.dumps(HEROES)
    file = tmp_path / "heroes.json"
    file.write_text(text)
    with groot.Context(MAPPING) as context:
        if call == "load":
            context.load("Hero", text, progress=True)
        elif call == "sync":
            context.sync("Hero", text, progress=True)
        elif call == "load a file":
            context.load_file("Hero", file, progress=True)
        else:
            context.sync_file("Hero", file, progress=True)
    written = capsys.readouterr()
    assert written.out == ""
    size = f"{len(text) / 1000:.1f} kB"
    assert written.err == f"import [{'#' * 24}] 100% 5,000 records, {size}\n"


def test_a_bar_without_a_total_shows_records_and_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    with groot.Context(MAPPING) as context:
        context.load("Hero", iter(HEROES), progress=True)
        written = capsys.readouterr().err
        assert written.startswith("import 5,000 records, ")
        assert (written.count("\n"), written.count("%")) == (1, 0)
        with context.importing("Hero", progress=True) as stream:
            stream.write("[")
            stream.write(json.dumps(HEROES[0]) + "]")
        assert capsys.readouterr().err.startswith("import 1 record, ")


def test_a_task_shows_one_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with groot.Context(MAPPING) as context:
        asyncio.run(context.load_async("Hero", HEROES, progress=True))
    assert capsys.readouterr().err.count("\n") == 1


def test_a_failed_call_ends_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    with groot.Context(MAPPING) as context:
        with pytest.raises(groot.Error):
            context.load("Hero", [*HEROES, {"id": "?"}], progress=True)
        assert capsys.readouterr().err.endswith("\n")
        stream = context.importing("Hero", progress=True)
        stream.write(json.dumps(HEROES))
        stream.cancel()
        assert capsys.readouterr().err.endswith("\n")
        assert context.count("Hero") == 0


def test_a_context_shows_only_calls_that_take_long(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    store = tmp_path / "heroes.sqlite"
    with groot.Context(MAPPING, store=store, progress=True) as context:
        bar: Any = context.progress
        bar._clock = Clock()
        context.load("Hero", HEROES)
        context.save()
        assert capsys.readouterr().err == ""
        bar._delay = 0
        context.dump(context.fetch("Hero"))
        lines = capsys.readouterr().err.splitlines()
        assert [line.split()[0] for line in lines] == ["fetch", "export"]
    groot.Context(NEXT_MAPPING, store=store, progress=True).close()


def test_a_terminal_has_one_line_that_is_written_again() -> None:
    stream, clock = Terminal(), Clock()
    bar = ProgressBar(stream, clock=clock)
    bar.total = 2000
    bar(at(1, 500))
    for _ in range(1000):
        bar(at(2, 1000))  # at the same time
    clock.now = 1
    bar(at(3, 1500))
    bar.end()
    lines = stream.getvalue().split("\r")[1:]
    assert [line.split()[2] for line in lines] == ["25%", "75%", "75%"]
    assert stream.getvalue().endswith("\n")
    assert stream.getvalue().count("\n") == 1


def test_a_shorter_line_covers_the_longer_one_before() -> None:
    stream, clock = Terminal(), Clock()
    bar = ProgressBar(stream, clock=clock)
    bar(at(123_456, operation="export"))
    clock.now = 1
    bar(at(1, operation="fetch"))
    first, second = stream.getvalue().split("\r")[1:]
    assert len(second) == len(first)
    assert second.rstrip() == "fetch 1 object"


def test_a_line_is_not_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "12")
    stream = Terminal()
    ProgressBar(stream)(at(123_456_789))
    assert stream.getvalue() == "\rimport 123,"


def test_a_file_gets_few_lines() -> None:
    stream, clock = io.StringIO(), Clock()
    bar = ProgressBar(stream, clock=clock)
    for second in range(3600):
        clock.now = second
        bar(at(second))
    bar.end()
    assert len(stream.getvalue().splitlines()) == 10
    assert "\r" not in stream.getvalue()


def test_a_bar_begins_anew_for_each_call() -> None:
    stream = Terminal()
    bar = ProgressBar(stream, clock=Clock())
    bar.total = 10
    bar(at(1, 5))
    bar.end()
    bar.end()
    bar(at(1, 5))
    assert stream.getvalue().splitlines()[-1] == "import 1 record, 5 bytes"


def test_a_stream_that_cannot_be_written_fails_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    with groot.Context(MAPPING) as context:
        for stream in (None, closed):
            monkeypatch.setattr(sys, "stderr", stream)
            context.sync("Hero", HEROES, progress=True)
        assert context.count("Hero") == COUNT


def test_a_bar_may_be_given_a_stream() -> None:
    stream = io.StringIO()
    with groot.Context(MAPPING) as context:
        context.load("Hero", HEROES, progress=ProgressBar(stream))
    assert "100%" in stream.getvalue()
