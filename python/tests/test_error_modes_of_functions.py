"""Exceptions of registered functions in a load: abort, collect, skip."""

from __future__ import annotations

import json
import math
import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from conftest import transformed

import groot
from groot import Status


class OddError(Exception):
    """The exception of registered functions."""


def refuse_odd(value: Any) -> Any:
    if value % 2:
        raise OddError(f"{value} is odd")
    return value


def things(function: Callable[[Any], Any]) -> groot.Context:
    """Make a context with a transformer in both directions for the integer Thing.value."""
    return transformed(function, function, "integer64")


NUMBERS = [{"value": number} for number in (0, 1, 2, 3, "x")]


def test_an_exception_of_a_function_in_abort() -> None:
    context = things(refuse_odd)
    calls: list[Callable[[], Any]] = [
        lambda: context.load("Thing", json.dumps(NUMBERS)),
        lambda: context.load("Thing", json.dumps(NUMBERS).encode(), errors="abort"),
    ]
    for call in calls:
        with pytest.raises(OddError, match="1 is odd") as raised:
            call()
        place = raised.value.__cause__
        assert isinstance(place, groot.Error)
        issue = place.issues[0]
        assert (issue.status, issue.path) == (Status.CALLBACK_FAILED, "$[1].value")
        assert (issue.entity, issue.property) == ("Thing", "value")
        assert (issue.line, issue.column) == (1, 26)
        assert "OddError: 1 is odd" in issue.message
        assert context.count("Thing") == 0


def test_values_other_than_text_have_no_lines() -> None:
    context = things(refuse_odd)
    thing = context.insert("Thing")
    calls: list[Callable[[], Any]] = [
        lambda: context.load("Thing", NUMBERS),
        lambda: context.load("Thing", NUMBERS, errors="collect"),
        lambda: context.fill(thing, NUMBERS[1]),
    ]
    for call in calls:
        with pytest.raises((OddError, groot.Error)) as raised:
            call()
        found = raised.value if isinstance(raised.value, groot.Error) else raised.value.__cause__
        assert isinstance(found, groot.Error)
        for issue in found.issues:
            assert (issue.line, issue.column, issue.offset) == (None, None, None)
            assert issue.path
    skipped = groot.report(context.load("Thing", NUMBERS, errors="skip")).issues
    assert [one.line for one in skipped] == [None] * 3
    assert (
        groot.report(context.load("Thing", json.dumps(NUMBERS), errors="skip")).issues[0].line == 1
    )


@pytest.mark.parametrize("errors", ["collect", "skip"])
def test_any_number_of_issues(errors: Any) -> None:
    context = things(refuse_odd)
    many = [{"value": 1}] * 150
    with pytest.raises(groot.Error) as raised:
        context.load("Thing", many, errors=errors)
    assert len(raised.value.issues) == 102
    assert raised.value.issues[-1].status == Status.LIMIT_EXCEEDED
    assert "maxIssues" in raised.value.issues[-1].message
    if errors == "skip":
        for limit in (None, math.inf):
            found = context.load("Thing", many, errors=errors, max_issues=limit)
            assert groot.report(found).skipped == 150
    else:
        with pytest.raises(groot.Error) as raised:
            context.load("Thing", many, errors=errors, max_issues=math.inf)
        assert len(raised.value.issues) == 150


def test_exceptions_of_a_function_in_collect() -> None:
    context = things(refuse_odd)
    with pytest.raises(groot.Error) as raised:
        context.load("Thing", NUMBERS, errors="collect")
    assert raised.value.code == Status.CALLBACK_FAILED
    issues = raised.value.issues
    assert [one.path for one in issues] == ["$[1].value", "$[3].value", "$[4].value"]
    assert "OddError: 1 is odd" in issues[0].message
    assert "TypeError" in issues[2].message
    assert isinstance(raised.value.__cause__, OddError)
    assert str(raised.value.__cause__) == "1 is odd"
    assert context.count("Thing") == 0


def test_exceptions_of_a_function_in_skip() -> None:
    context = things(refuse_odd)
    found = context.load("Thing", NUMBERS, errors="skip")
    assert [one.value for one in found] == [0, 2]
    assert groot.report(found).skipped == 3
    assert [one.status for one in groot.report(found).issues] == [Status.CALLBACK_FAILED] * 3
    assert "OddError: 3 is odd" in groot.report(found).issues[1].message
    with pytest.raises(groot.Error) as raised:
        context.load("Thing", NUMBERS, errors="skip", max_issues=1)
    assert isinstance(raised.value.__cause__, OddError)


def test_using_the_context_in_skip() -> None:
    def reenter(value: Any) -> Any:
        context.count("Thing")
        return value

    context = things(reenter)
    found = context.load("Thing", {"value": 1}, errors="skip")
    assert "in use" in groot.report(found).issues[0].message
    assert context.count("Thing") == 0


@pytest.mark.parametrize("errors", ["abort", "collect", "skip"])
@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_exceptions_that_end_programs_come_out_in_every_mode(errors: Any, kind: Any) -> None:
    def end(value: Any) -> Any:
        raise kind(value)

    context = things(end)
    with pytest.raises(kind) as raised:
        context.load("Thing", NUMBERS, errors=errors)
    assert raised.value.__cause__ is None
    assert context.count("Thing") == 0


@pytest.mark.parametrize("errors", ["abort", "collect", "skip"])
def test_a_signal_during_a_function_ends_every_mode(errors: Any) -> None:
    def interrupt(value: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return value

    context = things(interrupt)
    with pytest.raises(KeyboardInterrupt):
        context.load("Thing", [{"value": 1}], errors=errors)
    assert context.count("Thing") == 0


@pytest.mark.parametrize("errors", ["abort", "collect", "skip"])
def test_progress_in_every_mode(errors: Any) -> None:
    context = things(lambda one: one)
    exception = OddError()

    def fail(_: groot.Progress) -> Any:
        raise exception

    with pytest.raises(OddError) as raised:
        context.load("Thing", [{"value": 1}], errors=errors, progress=fail)
    assert raised.value is exception
    with pytest.raises(groot.Error) as cancelled:
        context.load("Thing", [{"value": 1}], errors=errors, progress=lambda _: False)
    assert cancelled.value.code == Status.CANCELLED
    assert context.count("Thing") == 0


def test_an_export_after_skip_raises_as_ever() -> None:
    context = things(lambda one: one)
    context.load("Thing", json.dumps(NUMBERS[:1]), errors="skip")
    odd = things(refuse_odd)
    thing = odd.insert("Thing", value=1)
    with pytest.raises(OddError):
        odd.dump(thing)


@pytest.mark.parametrize("errors", ["abort", "collect", "skip"])
def test_an_exception_notes_what_it_was_called_for(errors: Any) -> None:
    context = things(refuse_odd)
    for data, line in ((NUMBERS, ""), ("[{},\n" + json.dumps(NUMBERS)[1:], ", line 2")):
        with pytest.raises((OddError, groot.Error)) as raised:
            context.load("Thing", data, errors=errors, max_issues=1)
        found = raised.value if errors == "abort" else raised.value.__cause__
        assert isinstance(found, OddError)
        index = 2 if line else 1
        assert found.__notes__ == [f"called for Thing.value at $[{index}].value{line}"]


def test_an_exception_raised_twice_has_one_note() -> None:
    always = OddError("always the same")

    def refuse(_: Any) -> Any:
        raise always

    context = things(refuse)
    for _ in range(2):
        with pytest.raises(OddError):
            context.load("Thing", {"value": 1})
    assert always.__notes__ == ["called for Thing.value at $.value"]
