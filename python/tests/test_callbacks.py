"""Python functions in a registry: their values, their exceptions, their lives."""

from __future__ import annotations

import gc
import traceback
import weakref
from collections.abc import Callable
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

import pytest
from conftest import document, one_attribute

import groot
from groot import Status


def context_with(
    forward: Callable[[Any], Any],
    reverse: Callable[[Any], Any] | None = None,
    type: str = "transformable",
) -> groot.Context:
    """Make a context whose Thing.value goes through a transformer."""
    model = one_attribute(type)
    model["entities"]["Thing"]["attributes"]["value"]["userInfo"]["JSONTransformerName"] = "T"
    registry = groot.Registry()
    registry.transformer("T", forward, reverse=reverse)
    return groot.Context(groot.Mapping(groot.Model(model), registry))


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
    context = context_with(lambda one: (seen.append(one), one)[1], lambda one: one)
    thing = context.load("Thing", {"value": value})
    assert seen == [value]
    assert type(seen[0]) is type(value)
    assert thing.value == value
    assert context.dump(thing) == {"value": value}


def test_null_and_missing_never_reach_it() -> None:
    context = context_with(lambda _: pytest.fail("called"), lambda _: pytest.fail("called"))
    for data in ({"value": None}, {}):
        thing = context.load("Thing", data)
        assert thing.value is None
        assert context.dump(thing) == {"value": None}


def test_none_means_nothing() -> None:
    context = context_with(lambda _: None)
    assert context.load("Thing", {"value": 5}).value is None


def test_reverse() -> None:
    context = context_with(str.upper, str.lower, type="string")
    thing = context.load("Thing", {"value": "Shout"})
    assert thing.value == "SHOUT"
    assert context.dump(thing) == {"value": "shout"}


def test_one_way() -> None:
    context = context_with(str.upper, type="string")
    assert context.dump(context.load("Thing", {"value": "x"}))["value"] in ("X", None)


@pytest.mark.parametrize(
    ("type", "value"),
    [
        ("date", datetime(2024, 2, 29, 12, tzinfo=timezone.utc)),
        ("decimal", Decimal("12.50")),
        ("binary", b"\x00\xff"),
    ],
)
def test_values_that_json_lacks(type: str, value: Any) -> None:
    assert context_with(lambda _: value, type=type).load("Thing", {"value": 1}).value == value


@pytest.mark.parametrize("value", [{1}, object(), float("nan"), 2**63, "\ud800"], ids=repr)
def test_results_that_are_no_json(value: Any) -> None:
    with pytest.raises(groot.Error) as raised:
        context_with(lambda _: value).load("Thing", {"value": 1})
    assert raised.value.code in (
        Status.WRONG_TYPE,
        Status.OUT_OF_RANGE,
        Status.INVALID_UTF8,
    )


class SomeError(Exception):
    """Raised in callbacks."""


def raiser(exception: BaseException) -> Callable[[Any], Any]:
    def raise_it(_: Any) -> Any:
        raise exception

    return raise_it


@pytest.mark.parametrize("kind", [SomeError, KeyboardInterrupt, SystemExit, StopIteration])
def test_an_exception_comes_out_as_itself(kind: type[BaseException]) -> None:
    exception = kind("reason")
    context = context_with(raiser(exception))
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
    context = context_with(lambda one: one, raiser(exception))
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
    inner = context_with(raiser(SomeError("inner")))

    def use_inner(value: Any) -> Any:
        try:
            inner.load("Thing", {"value": value})
        except SomeError as error:
            if value == "pass on":
                raise
            raise LookupError("outer") from error

    outer = context_with(use_inner)
    with pytest.raises(LookupError, match="outer") as raised:
        outer.load("Thing", {"value": 1})
    assert isinstance(raised.value.__cause__, SomeError)
    with pytest.raises(SomeError, match="inner"):
        outer.load("Thing", {"value": "pass on"})
    fine = context_with(lambda one: one)
    nested = context_with(lambda one: fine.load("Thing", {"value": one}).value + 1)
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
            lambda: thing.is_deleted,
            lambda: context.dump(thing),
            context.close,
        )
        for use in uses:
            with pytest.raises(groot.Error) as raised:
                use()
            found.append(raised.value)
        return value

    context = context_with(reenter)
    thing = context.insert("Thing")
    assert context.load("Thing", {"value": 5}).value == 5
    assert [error.code for error in found] == [Status.BUSY] * 8
    assert thing.value is None


def test_decorators() -> None:
    registry = groot.Registry()

    @registry.transformer("A", reverse=str)
    def a(value: Any) -> Any:
        return value

    @registry.entity_mapper("B")
    def b(value: Any) -> Any:
        return None

    @registry.dictionary_transformer("C")
    def c(value: Any) -> Any:
        return None

    assert [one.__name__ for one in (a, b, c)] == ["a", "b", "c"]
    assert registry.transformer("D", int) is int
    for name in "ABCD":
        registry.remove(name)
        with pytest.raises(groot.Error) as raised:
            registry.remove(name)
        assert raised.value.code == Status.UNKNOWN_TRANSFORMER
        assert name in str(raised.value)


def test_builtins() -> None:
    builtins = groot.Registry.builtins()
    assert "integer-text" in builtins
    assert all(isinstance(text, str) and text for text in builtins.values())
    with pytest.raises(groot.Error) as raised:
        groot.Registry().builtin("X", "no such thing")
    assert raised.value.code == Status.UNKNOWN_TRANSFORMER
    assert "no such thing" in str(raised.value)


def test_what_cannot_be_registered() -> None:
    registry = groot.Registry()
    for call in (
        lambda: registry.transformer("X", 5),  # type: ignore[call-overload]
        lambda: registry.transformer("X", int, reverse=5),  # type: ignore[call-overload]
        lambda: registry.entity_mapper("X", "text"),  # type: ignore[call-overload]
        lambda: registry.transformer(5, int),  # type: ignore[call-overload]
    ):
        with pytest.raises(groot.Error) as raised:
            call()
        assert raised.value.code == Status.INVALID_ARGUMENT


def test_a_mapping_keeps_what_it_was_made_with() -> None:
    model = document("legacy")
    registry = groot.Registry()
    registry.builtin("StringToInteger", "integer-text")
    registry.dictionary_transformer("Legacy", lambda one: {**one, "id": one["legacy_id"]})
    mapping = groot.Mapping(groot.Model(model), registry)
    registry.dictionary_transformer("Legacy", raiser(SomeError()))
    registry.remove("StringToInteger")
    del registry
    gc.collect()
    context = groot.Context(mapping)
    assert context.load("Character", {"legacy_id": "5"}).identifier == 5


class Function:
    """A function whose life can be watched."""

    def __call__(self, value: Any) -> Any:
        return value


def test_functions_are_let_go() -> None:
    first, second, third = Function(), Function(), Function()
    watched = [weakref.ref(one) for one in (first, second, third)]

    def alive() -> list[bool]:
        gc.collect()
        return [one() is not None for one in watched]

    model = one_attribute("string")
    model["entities"]["Thing"]["attributes"]["value"]["userInfo"]["JSONTransformerName"] = "T"
    registry = groot.Registry()
    registry.transformer("T", first)
    del first
    assert alive() == [True, True, True]
    registry.transformer("T", second)
    del second
    assert alive() == [False, True, True]
    mapping = groot.Mapping(groot.Model(model), registry)
    context = groot.Context(mapping)
    registry.transformer("T", third)
    del third
    assert alive() == [False, True, True]
    registry.remove("T")
    assert alive() == [False, True, False]
    del registry, mapping
    assert alive() == [False, True, False]
    assert context.load("Thing", {"value": "x"}).value == "x"
    del context
    assert alive() == [False, False, False]
    assert not [one for one in groot._callbacks._registered.values() if Function in map(type, one)]
