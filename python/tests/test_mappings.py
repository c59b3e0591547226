"""Mappings: warnings, properties without key paths, policies of a call."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import one_attribute

import groot
from groot import Status


def test_no_warnings(comics_mapping: groot.Mapping) -> None:
    assert comics_mapping.warnings == ()


def test_warnings() -> None:
    model = one_attribute("integer64")
    thing = model["entities"]["Thing"]
    thing["userInfo"] = {"identityAtributes": "value", "identityAttributes": "value"}
    thing["attributes"]["value"]["userInfo"]["JSONKeypath"] = "v"
    thing["attributes"]["other"] = {"type": "string", "userInfo": {"groot.unknown": "x"}}
    registry = groot.Registry()
    registry.builtin("Unused", "integer-text")
    warnings = groot.Mapping(groot.Model(model), registry).warnings
    assert all(isinstance(one, groot.Issue) for one in warnings)
    assert {one.severity for one in warnings} == {1}
    found = {(one.entity, one.property): one.message for one in warnings}
    assert "identityAttributes" in found["Thing", None]
    assert "groot.unknown" in found["Thing", "other"]
    assert "Unused" in found[None, None]
    about_value = [one.message for one in warnings if one.property == "value"]
    assert any("JSONKeyPath" in one for one in about_value)
    assert any("optional" in one for one in about_value)
    assert warnings[0].path is None
    assert warnings[0].line is None
    assert warnings[0].offset is None


def plain() -> groot.Model:
    """Make a model without annotations."""
    attribute = {"type": "string", "optional": True}
    return groot.Model({"entities": {"Thing": {"attributes": {"a": attribute, "b": attribute}}}})


def test_arguments_of_other_types_are_refused() -> None:
    model: Any = groot.Model(one_attribute("string"))
    none: Any = None
    number: Any = 5
    for call, message in (
        (lambda: groot.Mapping(none), "model is None, not a groot.Model"),
        (lambda: groot.Mapping(model, number), "registry is 5, not a groot.Registry"),
        (lambda: groot.Context(none), "mapping is None, not a groot.Mapping"),
        (lambda: groot.Context(model), "not a groot.Mapping of a model"),
    ):
        with pytest.raises(groot.Error, match=message) as raised:
            call()
        assert raised.value.code == Status.INVALID_ARGUMENT


def test_implicit() -> None:
    implicit = groot.Context(groot.Mapping(plain(), implicit=True))
    thing = implicit.load("Thing", {"a": "x", "b": "y", "c": "z"})
    assert (thing.a, thing.b) == ("x", "y")
    assert implicit.dump(thing) == {"a": "x", "b": "y"}
    explicit = groot.Context(groot.Mapping(plain()))
    thing = explicit.load("Thing", {"a": "x"})
    assert thing.a is None
    assert explicit.dump(thing) == {}


def test_policies_of_a_call(types: groot.Context) -> None:
    whole = types.load("Thing", {"id": 1, "name": "x", "parts": [{"id": 2}]})

    def load(policies: Any, **more: Any) -> Any:
        return types.load("Thing", {"id": 1, **more}, policies=policies)

    load({"null": "keep"}, name=None)
    assert whole.name == "x"
    load({"assignment": "union"}, parts=[3])
    assert [one["id"] for one in whole.parts] == [2, 3]
    load({"shape": "box"}, parts=4)
    assert [one["id"] for one in whole.parts] == [4]
    load({"unknownIdentifier": "skip"}, parts=[4, 5])
    assert [one["id"] for one in whole.parts] == [4]
    load({"conversion": "lenient"}, small="7", name=5)
    assert (whole.small, whole.name) == (7, "5")
    load({"missing": "clear"})
    assert (whole.name, list(whole.parts)) == (None, [])
    for policies in (None, {}):
        load(policies, name="y")
    assert whole.name == "y"


def test_policies_that_forbid(types: groot.Context) -> None:
    types.load("Thing", {"id": 1})
    for policies, data, status in (
        ({"null": "error"}, {"name": None}, Status.MISSING_VALUE),
        ({"missing": "required"}, {}, Status.MISSING_VALUE),
        ({"unknownIdentifier": "error"}, {"parts": [9]}, Status.UNKNOWN_IDENTIFIER),
    ):
        with pytest.raises(groot.Error) as raised:
            types.load("Thing", {"id": 1, **data}, policies=policies)
        assert raised.value.code == status, policies
    assert types.count("Thing") == 1


@pytest.mark.parametrize("policies", [{"nul": "keep"}, {"null": "kept"}, {"null": 5}], ids=repr)
def test_policies_that_do_not_exist(types: groot.Context, policies: Any) -> None:
    with pytest.raises(groot.Error) as raised:
        types.load("Thing", {"id": 1}, policies=policies)
    assert raised.value.code == Status.INVALID_ARGUMENT
    assert "polic" in str(raised.value)


def test_annotations_win_over_policies_of_a_call() -> None:
    model = one_attribute("string")
    model["entities"]["Thing"]["userInfo"] = {"identityAttributes": "id"}
    attributes = model["entities"]["Thing"]["attributes"]
    attributes["id"] = {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}
    attributes["value"]["userInfo"]["groot.null"] = "clear"
    context = groot.Context(groot.Mapping(groot.Model(model)))
    thing = context.load("Thing", {"id": 1, "value": "x"})
    context.load("Thing", {"id": 1, "value": None}, policies={"null": "keep"})
    assert thing.value is None
