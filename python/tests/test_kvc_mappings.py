"""Mappings by rules: positions, other keys, rules over annotations, what is refused."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from kvc_people import MODEL, RULES, registry

import groot
from groot import Status


def test_positions() -> None:
    rules = {"people": {"Person.name": {"0": "name", "2": "likesCoffee"}}}
    mapping = groot.Mapping(groot.Model(MODEL), dialect="kvc", rules=rules)
    context = groot.Context(mapping)
    found = context.load("Person", [["John", "ignored", True], ["Ann", None, 0]])
    assert [(one.name, one.likesCoffee) for one in found] == [("John", True), ("Ann", False)]
    assert context.dump(found[0]) == ["John", None, True]
    assert context.dump(found) == [["John", None, True], ["Ann", None, False]]


def test_other_keys() -> None:
    made = registry()
    made.transformer("Join", " ".join, reverse=str.split)
    rules = {
        "people": {
            "Person.name": {
                "[first, last]": "Join:name",
                "address.city": "surname",
                "a\\.b": "number",
            }
        }
    }
    mapping = groot.Mapping(groot.Model(MODEL), made, "kvc", rules=rules)
    context = groot.Context(mapping)
    data = {"first": "John", "last": "Doe", "address": {"city": "Rome"}, "a.b": 5}
    john = context.load("Person", data)
    assert (john.name, john.surname, john.number) == ("John Doe", "Rome", 5)
    assert context.dump(john) == data


def test_rules_over_annotations(comics_mapping: groot.Mapping, batman_json: dict[str, Any]) -> None:
    """One graph, two APIs."""
    rules = {"heroes": {"Character.identifier": {"number": "identifier", "alias": "name"}}}
    names = groot.Registry()
    names.builtin("StringToInteger", "integer-text")
    laid = groot.Mapping(comics_mapping.model, names, "kvc", rules=rules)
    context = groot.Context(comics_mapping)
    batman = context.load("Character", batman_json)
    again = context.load(None, {"heroes": [{"number": 1699, "alias": "The Bat"}]}, mapping=laid)
    assert list(again) == [batman]
    assert batman.name == "The Bat"
    assert context.dump(batman, mapping=laid)["alias"] == "The Bat"
    assert context.dump(batman)["name"] == "The Bat"
    assert context.count("Character") == 1
    context.check()


def test_all_errors_of_rules() -> None:
    rules = {
        "people": {
            "Person.nobody": {"a": "nothing", "b": "a.b.c", "c": 5, "d": "Nobody:name"},
        },
        "ghosts": {"Ghost": {}},
    }
    with pytest.raises(groot.Error) as raised:
        groot.Mapping(groot.Model(MODEL), dialect="kvc", rules=rules)
    assert raised.value.code in {Status.INVALID_MAPPING, Status.UNKNOWN_TRANSFORMER}
    text = str(raised.value)
    assert len(raised.value.issues) >= 5
    for part in ("nobody", "nothing", "a.b.c", "Nobody", "Ghost", "$.people"):
        assert part in text, text


def test_options_of_the_mapping() -> None:
    model = groot.Model(MODEL)
    for dialect in ("groot", "hyper"):
        with pytest.raises(groot.Error) as raised:
            groot.Mapping(model, dialect=dialect, rules=RULES)
        assert raised.value.code == Status.INVALID_ARGUMENT
    with pytest.raises(groot.Error) as raised:
        groot.Mapping(model, dialect="kvc", rules={"people": {"Person": {"a": Decimal(1)}}})
    assert raised.value.code == Status.WRONG_TYPE
