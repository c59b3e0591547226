"""The purpose of a call, as registered functions receive it."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from conftest import one_attribute, transformed

import groot
from groot import Status


def test_a_function_may_ask_what_it_is_called_for() -> None:
    seen: list[tuple[Any, groot.Call, Any]] = []

    def told(value: Any, call: groot.Call) -> Any:
        seen.append((value, call, (call.entity, call.property, call.path)))
        return value

    context = transformed(told, told, type="string")
    found = context.load("Thing", [{"value": "a"}, {"value": "b"}])
    context.dump(found)
    assert [(value, *told) for value, _, told in seen] == [
        ("a", "Thing", "value", "$[0].value"),
        ("b", "Thing", "value", "$[1].value"),
        ("a", "Thing", "value", None),
        ("b", "Thing", "value", None),
    ]
    for _, call, _ in seen:
        for part in ("entity", "property", "path"):
            with pytest.raises(groot.Error, match="the call is over") as raised:
                getattr(call, part)
            assert raised.value.code == Status.INVALID_ARGUMENT


@pytest.mark.parametrize("kind", ["entity_mapper", "dictionary_transformer"])
def test_a_call_for_an_object_has_no_property(kind: str) -> None:
    model = one_attribute("string")
    name = {"entity_mapper": "entityMapperName"}.get(kind, "JSONDictionaryTransformerName")
    model["entities"]["Thing"]["userInfo"] = {name: "F"}
    registry = groot.Registry()
    seen: list[Any] = []

    @getattr(registry, kind)("F")
    def told(_: Any, call: groot.Call) -> None:
        seen.append((call.entity, call.property, call.path))

    context = groot.Context(groot.Mapping(groot.Model(model), registry))
    context.load("Thing", [{}, {"value": "x"}])
    assert seen == [("Thing", None, "$[0]"), ("Thing", None, "$[1]")]


class Callable1:
    def __call__(self, value: Any) -> Any:
        return value


class Callable2:
    def __call__(self, value: Any, call: groot.Call) -> Any:
        return [value, call.property]

    def method(self, value: Any, call: groot.Call) -> Any:
        return [value, call.property]


def with_default(value: Any, more: str = "") -> Any:
    return [value, more]


def with_rest(*values: Any, **_: Any) -> Any:
    return list(values)


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (Callable1(), 1),
        (Callable2(), [1, "value"]),
        (Callable2().method, [1, "value"]),
        (functools.partial(lambda more, value: [more, value], 5), [5, 1]),
        (
            functools.partial(lambda more, value, call: [more, value, call.property], 5),
            [5, 1, "value"],
        ),
        (with_default, [1, ""]),
        (with_rest, [1]),
        (round, 1),
        (int, 1),
        (str, "1"),
        (abs, 1),
    ],
)
def test_only_what_needs_two_arguments_is_given_two(function: Any, given: Any) -> None:
    assert transformed(function).load("Thing", {"value": 1}).value == given


def test_the_call_of_a_failing_function() -> None:
    calls: list[groot.Call] = []

    def fail(_: Any, call: groot.Call) -> None:
        calls.append(call)
        raise LookupError(call.path)

    with pytest.raises(LookupError, match=r"\$\.value"):
        transformed(fail).load("Thing", {"value": 1})
    with pytest.raises(groot.Error, match="the call is over"):
        _ = calls[0].path
