"""Columns of paths through to-one relationships."""

from __future__ import annotations

from typing import Any

import pytest

import groot
from groot import Status


class Publisher(groot.Entity):
    """A publisher with its heroes."""

    id: groot.Attribute[int] = groot.attribute(identity=True)
    name: groot.Attribute[str]
    heroes: groot.ToMany[Hero] = groot.relationship(inverse="publisher")


class Hero(groot.Entity):
    """A hero, perhaps of a publisher."""

    id: groot.Attribute[int] = groot.attribute(identity=True)
    name: groot.Attribute[str]
    publisher: groot.ToOne[Publisher | None] = groot.relationship(inverse="heroes")


TYPES = {
    "id": "integer64",
    "name": "string",
    "founded": "date",
    "opened": "day",
    "listed": "boolean",
    "size": "double",
    "share": "decimal",
    "data": "binary",
    "info": "transformable",
}


def _attributes(types: dict[str, str]) -> dict[str, Any]:
    return {
        name: {"type": type, "optional": True, "userInfo": {"JSONKeyPath": name}}
        for name, type in types.items()
    }


def _to_one(destination: str, inverse: str) -> dict[str, Any]:
    notes = {"JSONKeyPath": destination.lower() if inverse != "owned" else "owner"}
    return {"destination": destination, "inverse": inverse, "optional": True, "userInfo": notes}


def _to_many(destination: str, inverse: str) -> dict[str, Any]:
    return {"destination": destination, "inverse": inverse, "toMany": True}


@pytest.fixture(scope="module")
def model() -> groot.Model:
    identity = {"identityAttributes": "id"}
    publisher = {
        "userInfo": identity,
        "attributes": _attributes(TYPES),
        "relationships": {
            "heroes": _to_many("Hero", "publisher"),
            "owner": _to_one("Publisher", "owned"),
            "owned": _to_many("Publisher", "owner"),
        },
    }
    hero = {
        "userInfo": identity,
        "attributes": _attributes({"id": "integer64", "name": "string"}),
        "relationships": {"publisher": _to_one("Publisher", "heroes")},
    }
    return groot.Model({"entities": {"Publisher": publisher, "Hero": hero}})


def _publisher(number: int) -> dict[str, Any]:
    """Make a publisher; each third one has values, each second an owner."""
    record: dict[str, Any] = {"id": number}
    if number % 3:
        record.update(
            name=f"Jörn {number}",
            founded=f"2001-02-03T04:05:06.{number:06}Z",
            opened=f"20{number:02}-01-01",
            listed=number % 2 == 0,
            size=number / 4,
            share=f"{number}.5",
            data="AP8=",
            info={"a": number},
        )
    if number % 2:
        record["owner"] = {"id": number // 2}
    return record


def _heroes(model: groot.Model, count: int, every: int) -> groot.Objects[Any]:
    """Load heroes, of which each one of `every` has no publisher; 0 means none."""
    context = groot.Context(groot.Mapping(model))
    context.load("Publisher", [_publisher(number) for number in range(40)])
    records: list[dict[str, Any]] = [{"id": number} for number in range(count)]
    for number, record in enumerate(records):
        if not every or number % every:
            record["publisher"] = {"id": number % 40}
    loaded: groot.Objects[Any] = context.load("Hero", records)
    return loaded


def _value(found: Any, path: str) -> Any:
    for name in path.split("."):
        found = None if found is None else found[name]
    return found


@pytest.mark.parametrize("count", [0, 1, 8, 9, 100])
@pytest.mark.parametrize("every", [0, 1, 2, 5])
@pytest.mark.parametrize("name", [*TYPES, "owner", "owner.name", "owner.owner.id"])
def test_a_path_has_the_values_of_the_related_objects(
    model: groot.Model, name: str, every: int, count: int
) -> None:
    heroes, path = _heroes(model, count, every), f"publisher.{name}"
    expected = [_value(one, path) for one in heroes]
    column = heroes.column(path)
    assert column.tolist() == expected
    assert len(column) == count
    assert [column[index] for index in range(count)] == expected
    assert column.null_count == expected.count(None)
    assert column.values.readonly
    assert (column.validity is None) == (None not in expected)
    if column.validity is not None:
        bits = "".join(f"{byte:08b}"[::-1] for byte in column.validity)
        assert bits == "".join("01"[one is not None] for one in expected).ljust(len(bits), "0")
    if column.offsets is None and count:
        assert all(not one for one, value in zip(column.values, expected) if value is None)


def test_a_path_of_a_part_has_the_values_of_the_part(model: groot.Model) -> None:
    heroes = _heroes(model, 30, 4)[20:3:-3]
    assert heroes.column("publisher.id").tolist() == [_value(one, "publisher.id") for one in heroes]


def test_a_path_is_a_snapshot_that_outlives_its_context(model: groot.Model) -> None:
    heroes = _heroes(model, 5, 2)
    column = heroes.column("publisher.name")
    expected = column.tolist()
    context = heroes[1].publisher._session
    heroes[1].publisher.name = "another"
    context.close()
    assert column.tolist() == expected


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("publisher.heroes", Status.WRONG_TYPE, "to-many"),
        ("publisher.owned.name", Status.WRONG_TYPE, "to-many"),
        ("name.length", Status.WRONG_TYPE, "'name.length', where relationships are expected"),
        ("publisher.nam", Status.UNKNOWN_PROPERTY, "is 'name' meant?"),
        ("publsher.name", Status.UNKNOWN_PROPERTY, "is 'publisher' meant?"),
        ("publisher.", Status.UNKNOWN_PROPERTY, "no property ''"),
        (5, Status.INVALID_ARGUMENT, "5 is not the name of a property"),
        (None, Status.INVALID_ARGUMENT, "None is not the name of a property"),
    ],
)
def test_another_path_is_refused(model: groot.Model, path: Any, status: Status, words: str) -> None:
    heroes = _heroes(model, 3, 0)
    uses = [heroes.column] if words == "to-many" else [heroes.column, heroes.table]
    for use in uses:
        with pytest.raises(groot.Error) as found:
            use(path)
        assert found.value.code == status
        assert words in str(found.value)


@pytest.mark.parametrize(
    "path", ["publisher.heroes.publisher.owned", "publisher.owned.heroes", "publisher.owned.owned"]
)
def test_a_table_has_one_to_many_relationship_in_a_path(model: groot.Model, path: str) -> None:
    with pytest.raises(groot.Error, match="a second to-many relationship in '") as found:
        _heroes(model, 3, 0).table(path)
    assert found.value.code == Status.WRONG_TYPE
    assert "make a table of the members" in str(found.value)


def test_a_path_is_also_an_expression_of_a_class() -> None:
    context = groot.Context(Hero)
    context.load(Hero, [{"id": 1, "name": "Batman", "publisher": {"id": 10, "name": "DC"}}])
    heroes = context.fetch(Hero)
    assert heroes.column(Hero.name).tolist() == ["Batman"]
    assert heroes.column(Hero.publisher.name).tolist() == ["DC"]
    for wrong, words in ((-Hero.id, "leave the minus out"), (Hero.publisher.heroes, "to-many")):
        with pytest.raises(groot.Error, match=words):
            heroes.column(wrong)
    with pytest.raises(groot.Error, match="is about"):
        context.fetch("Publisher").column(Hero.name)
