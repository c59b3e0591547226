"""Patterns of `match` with objects, from Python 3.10 on, and copies."""

from __future__ import annotations

import copy
import enum
import sys
from typing import Any

import pytest

import groot

new_syntax = pytest.mark.skipif(sys.version_info < (3, 10), reason="match came with Python 3.10")


def heroes(**attributes: str) -> groot.Context:
    """Make a context of heroes whose names identify them."""
    named = {"name": "string", "rating": "integer64", **attributes}
    described = {name: {"type": type, "optional": True} for name, type in named.items()}
    hero = {"userInfo": {"identityAttributes": "name"}, "attributes": described}
    model = groot.Model({"entities": {"Hero": hero, "Other": {**hero, "userInfo": {}}}})
    return groot.Context(groot.Mapping(model, implicit=True))


def matched(subject: Any, pattern: str, **names: Any) -> Any:
    """Return the names that a pattern binds, or None if it does not match."""
    scope = {"subject": subject, "groot": groot, "found": None, **names}
    exec(f"match subject:\n    case {pattern}:\n        found = dict(globals())\n", scope)  # noqa: S102
    return scope["found"]


@new_syntax
def test_patterns_read_the_properties_of_objects() -> None:
    batman = heroes().load("Hero", {"name": "Batman", "rating": 9})
    kind = type(batman)
    assert matched(batman, 'Hero(name="Batman")', Hero=kind)
    assert not matched(batman, 'Hero(name="Robin")', Hero=kind)
    assert matched(batman, "groot.Object(name=name)")["name"] == "Batman"
    assert not matched(batman, "groot.Object(nothing=1)")


@new_syntax
def test_places_in_patterns_are_the_identity() -> None:
    context = heroes()
    batman, other = context.load("Hero", {"name": "Batman"}), context.load("Other", {"name": "x"})
    assert matched(batman, "Hero(name)", Hero=type(batman))["name"] == "Batman"
    with pytest.raises(TypeError, match="0 positional"):
        matched(other, "Other(name)", Other=type(other))
    with pytest.raises(TypeError, match="0 positional"):
        matched(batman, "groot.Object(name)")


class Side(enum.Enum):
    """The side of a figure."""

    GOOD = "good"


class Figure(groot.Entity, identity="title"):
    """An entity that is declared."""

    title: groot.Attribute[str]
    side: groot.Attribute[Side] = groot.attribute(identity=True)


class Toy(Figure):
    """An entity of its own identity and an inherited one."""

    size: groot.Attribute[int] = groot.attribute(identity=True)


class Plain(groot.Entity):
    """An entity with positions of its own."""

    __match_args__ = ("text",)

    text: groot.Attribute[str]


@new_syntax
def test_places_in_patterns_of_declared_classes_are_the_identity() -> None:
    context = groot.Context(Figure, Toy, Plain)
    toy = context.load(Toy, {"title": "x", "side": "good", "size": 3})
    assert matched(toy, "Figure(title, side)", Figure=Figure)["side"] is Side.GOOD
    assert matched(toy, "Toy(title, side, size)", Toy=Toy)["size"] == 3
    plain = context.load(Plain, {"text": "y"})
    assert matched(plain, "Plain(text)", Plain=Plain)["text"] == "y"
    assert not hasattr(groot.Entity, "__match_args__")


def test_an_enum_appears_as_its_value() -> None:
    context = groot.Context(Figure)
    found = context.load(Figure, [{"title": "x", "side": "good"}], changes=True)
    assert groot.report(found).diff() == "+ Figure title='x' side='good'"
    assert "Figure title=&#x27;x&#x27; side=&#x27;good&#x27;" in found._repr_html_()
    assert "Side." not in found[0]._repr_html_()


def test_a_property_may_have_the_name_of_the_places() -> None:
    context = heroes(__match_args__="string")
    hero = context.load("Hero", {"name": "x", "__match_args__": "y"})
    assert hero["__match_args__"] == "y"


@pytest.mark.parametrize("use", [copy.copy, copy.deepcopy])
def test_copies_are_the_same_objects_and_equal_reports(use: Any) -> None:
    context = heroes()
    found = context.load("Hero", [{"name": "Batman"}], changes=True, access=True)
    for one in (found, found[0], found[:1], context.mapping.model, context.mapping):
        assert use(one) is one
    report = groot.report(found)
    assert use(report) == report
    assert use(report).changes[0].object == found[0]
    assert use([found[0]]) == [found[0]]
