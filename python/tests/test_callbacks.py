"""Python functions in a registry: their values and their exceptions."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

import pytest
from conftest import one_attribute, transformed

import groot
from groot import Status

VALUES: list[Any] = [
    "text",
    "Ünï 🦇",
    "",
    0,
    -(2**63),
    2**63 - 1,
    1.5,
    0.1,
    True,
    False,
    [],
    {},
    {"a": [1, {"b": None}], "ü": "x" * 5000},
    list(range(2000)),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda one: repr(one)[:20])
def test_values_reach_the_function_and_come_back(value: Any) -> None:
    seen: list[Any] = []
    context = transformed(lambda one: (seen.append(one), one)[1], lambda one: one)
    thing = context.load("Thing", {"value": value})
    assert seen == [value]
    assert type(seen[0]) is type(value)
    assert thing.value == value
    assert context.dump(thing) == {"value": value}


def test_null_and_missing_never_reach_it() -> None:
    context = transformed(lambda _: pytest.fail("called"), lambda _: pytest.fail("called"))
    for data in ({"value": None}, {}):
        thing = context.load("Thing", data)
        assert thing.value is None
        assert context.dump(thing) == {"value": None}


def test_none_means_nothing() -> None:
    context = transformed(lambda _: None)
    assert context.load("Thing", {"value": 5}).value is None


def test_reverse() -> None:
    context = transformed(str.upper, str.lower, type="string")
    thing = context.load("Thing", {"value": "Shout"})
    assert thing.value == "SHOUT"
    assert context.dump(thing) == {"value": "shout"}


def test_one_way() -> None:
    context = transformed(str.upper, type="string")
    assert context.dump(context.load("Thing", {"value": "x"}))["value"] in ("X", None)


@pytest.mark.parametrize(
    ("type", "given", "value"),
    [
        ("double", 0.1, 0.1),
        ("double", 1e300, 1e300),
        ("decimal", 0.1, Decimal("0.1")),
        ("decimal", -1e-7, Decimal("-1e-7")),
        ("integer64", 3.0, 3),
        ("date", 1.5, Status.WRONG_TYPE),
        ("integer64", 3.5, Status.WRONG_TYPE),
        ("boolean", 1.5, Status.WRONG_TYPE),
        ("string", 1.5, Status.WRONG_TYPE),
    ],
)
def test_reals_are_what_they_are_in_json(type: str, given: float, value: Any) -> None:
    contexts = (
        transformed(lambda _: given, type=type),
        groot.Context(groot.Mapping(groot.Model(one_attribute(type)))),
    )
    for context, json in zip(contexts, ({"value": 1}, {"value": given})):
        if isinstance(value, Status):
            with pytest.raises(groot.Error) as raised:
                context.load("Thing", json)
            assert raised.value.code == value
        else:
            assert context.load("Thing", json).value == value


@pytest.mark.parametrize(
    ("type", "value"),
    [
        ("date", datetime(2024, 2, 29, 12, tzinfo=timezone.utc)),
        ("decimal", Decimal("12.50")),
        ("binary", b"\x00\xff"),
    ],
)
def test_values_that_json_lacks(type: str, value: Any) -> None:
    assert transformed(lambda _: value, type=type).load("Thing", {"value": 1}).value == value


@pytest.mark.parametrize(
    ("value", "type"),
    [
        ({1}, "transformable"),
        (object(), "transformable"),
        (float("nan"), "transformable"),
        ([float("nan")], "transformable"),
        (2**63, "integer64"),
        ("\ud800", "transformable"),
        (["\ud800"], "transformable"),
    ],
    ids=repr,
)
def test_results_other_than_json(value: Any, type: str) -> None:
    with pytest.raises(groot.Error) as raised:
        transformed(lambda _: value, type=type).load("Thing", {"value": 1})
    assert raised.value.code in (
        Status.WRONG_TYPE,
        Status.OUT_OF_RANGE,
        Status.INVALID_UTF8,
    )


class SomeError(Exception):
    """An exception for callbacks."""


def raiser(exception: BaseException) -> Callable[[Any], Any]:
    def raise_it(_: Any) -> Any:
        raise exception

    return raise_it


@pytest.mark.parametrize("kind", [SomeError, KeyboardInterrupt, SystemExit, StopIteration])
def test_an_exception_comes_out_as_itself(kind: type[BaseException]) -> None:
    exception = kind("reason")
    context = transformed(raiser(exception))
    with pytest.raises(kind) as raised:
        context.load("Thing", [{"value": None}, {"value": 1}])
    assert raised.value is exception
    names = [frame.name for frame in traceback.extract_tb(exception.__traceback__)]
    assert names[-1] == "raise_it"
    assert "load" in names
    assert context.count("Thing") == 0
    context.check()


def test_an_exception_in_export() -> None:
    exception = SomeError()
    context = transformed(lambda one: one, raiser(exception))
    thing = context.load("Thing", {"value": 1})
    for call in (context.dump, context.dumps, lambda one: context.dump([one])):
        with pytest.raises(SomeError) as raised:
            call(thing)
        assert raised.value is exception


@pytest.mark.parametrize("kind", ["entity_mapper", "dictionary_transformer"])
def test_an_exception_in_a_mapper(kind: str) -> None:
    model = one_attribute("string")
    name = {"entity_mapper": "entityMapperName"}.get(kind, "JSONDictionaryTransformerName")
    model["entities"]["Thing"]["userInfo"] = {name: "F"}
    registry = groot.Registry()
    exception = SomeError()
    getattr(registry, kind)("F", raiser(exception))
    context = groot.Context(groot.Mapping(groot.Model(model), registry))
    with pytest.raises(SomeError) as raised:
        context.load("Thing", {"value": "x"})
    assert raised.value is exception


def test_exceptions_of_nested_calls() -> None:
    inner = transformed(raiser(SomeError("inner")))

    def use_inner(value: Any) -> Any:
        try:
            inner.load("Thing", {"value": value})
        except SomeError as error:
            if value == "pass on":
                raise
            raise LookupError("outer") from error

    outer = transformed(use_inner)
    with pytest.raises(LookupError, match="outer") as raised:
        outer.load("Thing", {"value": 1})
    assert isinstance(raised.value.__cause__, SomeError)
    with pytest.raises(SomeError, match="inner"):
        outer.load("Thing", {"value": "pass on"})
    fine = transformed(lambda one: one)
    nested = transformed(lambda one: fine.load("Thing", {"value": one}).value + 1)
    assert nested.load("Thing", {"value": 1}).value == 2


def test_a_context_is_busy_while_it_calls_back() -> None:
    found: list[groot.Error] = []
    context: groot.Context
    thing: groot.Object

    def reenter(value: Any) -> Any:
        uses = (
            lambda: context.load("Thing", {}),
            lambda: context.fetch("Thing"),
            lambda: context.insert("Thing"),
            lambda: thing.value,
            lambda: setattr(thing, "value", 1),
            lambda: groot.is_deleted(thing),
            lambda: context.dump(thing),
            context.close,
        )
        for use in uses:
            with pytest.raises(groot.Error) as raised:
                use()
            found.append(raised.value)
        return value

    context = transformed(reenter)
    thing = context.insert("Thing")
    assert context.load("Thing", {"value": 5}).value == 5
    assert [error.code for error in found] == [Status.BUSY] * 8
    assert thing.value is None
