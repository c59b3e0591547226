"""A survey has the same facts however the records are cut into pieces."""

from __future__ import annotations

import random
from typing import Any

import pytest

from groot.models.infer._places import Known, Place
from groot.models.infer._survey import add
from groot.models.infer._values import Spill, Values

_COUNTS = (
    "count", "nulls", "booleans", "integers", "reals", "objects", "arrays", "empty_arrays",
    "empty_objects", "is_scalar_list", "low", "high", "digits", "beyond", "shapes", "pairs",
)  # fmt: skip
_TEXTS = ("addresses", "count", "identifiers", "longest", "lower", "masks", "others")
_WORDS = (
    "Superman", "", "ä", "https://groot.example/1", "2020-03-01", "2021-04-02", "2020-03-01\n",
    "2020-03-01T10:00:00Z", "Mon, 02 Mar 2020 10:00:00 GMT", "9781401216674",
    "b2f6b2a0-6d0c-4c4e-9a67-0e1a8f6a9b10", "B2F6B2A0-6D0C-4C4E-9A67-0E1A8F6A9B10",
)  # fmt: skip


def _value(chance: random.Random, depth: int) -> Any:
    kind = chance.randrange(10 if depth else 7)
    if kind < 3:
        return chance.choice(_WORDS)
    if kind < 5:
        return chance.randrange(-3, 3)
    if kind < 7:
        return chance.choice([None, True, 0.5, chance.randrange(9)])
    if kind == 7:
        return [_value(chance, 0) for _ in range(chance.randrange(3))]
    if kind == 8:
        return [_object(chance, depth - 1) for _ in range(chance.randrange(4))]
    return _object(chance, depth - 1)


def _object(chance: random.Random, depth: int) -> dict[str, Any]:
    """Make an object: often of the same keys in any order, sometimes of as many others."""
    keys = ["id", "name", "created"] if chance.random() < 0.7 else ["id", "key", "link"]
    chance.shuffle(keys)
    return {key: _value(chance, depth) for key in keys[: chance.choice([3, 3, 3, 2, 0])]}


def _facts(place: Place) -> dict[str, Any]:
    facts = {name: getattr(place, name) for name in _COUNTS}
    facts["texts"] = {name: getattr(place.texts, name) for name in _TEXTS}
    facts["different"] = _number(place.text_values), place.integer_values.count()
    if place.contents is not None:
        facts["contents"] = {key: _number(values) for key, values in place.contents.items()}
    if place.is_scalar_list:
        facts["repeats"] = place.repeats
    facts["inside"] = {one.path: _facts(one) for one in place.children()}
    return facts


def _number(values: Values | None) -> int | None:
    return None if values is None else values.count()


@pytest.mark.parametrize("seed", range(40))
def test_facts_do_not_depend_on_the_pieces_of_a_sample(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 (a repeatable choice)
    records = [_object(chance, 3) for _ in range(60)]
    splits = {(): "kind"} if seed % 4 == 1 else {}
    maps = {("name",)} if seed % 4 == 2 else set()
    for record in records if splits else []:
        record["kind"] = chance.choice(["Hero", "Villain"])
    found = []
    for size in (1, 7, 60):
        place = Place((), Known(Spill(), dict(splits), set(maps)))
        for start in range(0, len(records), size):
            add(place, records[start : start + size])
        found.append(_facts(place))
    assert found[0] == found[1] == found[2]
    assert found[0]["objects"] == 60


def test_objects_with_as_many_other_keys_are_another_shape() -> None:
    place = Place((), Known(Spill()))
    add(place, [{"id": 1, "name": "a"}, {"name": "b", "id": 2}, {"id": 3, "key": "c"}])
    assert place.shapes == {("id", "name"): 2, ("id", "key"): 1}
    assert list(place.members) == ["id", "name", "key"]
    assert place.members["id"].integer_values.values == {1, 2, 3}


def test_members_of_kinds_come_in_the_order_of_their_appearance() -> None:
    place = Place((), Known(Spill(), {(): "kind"}))
    add(place, [{"kind": "a", "x": 1, "z": 2}, {"kind": "a", "x": 1, "y": 3, "z": 2}])
    assert list(place.kinds["a"].members) == ["kind", "x", "z", "y"]
