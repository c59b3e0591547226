"""Sequences of objects and to-many relationships."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from conftest import document

import groot
from groot import Status


@pytest.fixture
def powers(comics: groot.Context) -> groot.Objects:
    """Return ten powers."""
    return comics.load("Power", [{"id": str(n), "name": f"Power {n}"} for n in range(10)])


def numbers(objects: Any) -> list[int]:
    return [one.identifier for one in objects]


def test_a_sequence(powers: groot.Objects) -> None:
    assert len(powers) == 10
    assert numbers(powers) == list(range(10))
    assert powers[0].identifier == 0
    assert powers[-1].identifier == 9
    assert numbers(reversed(powers)) == list(range(9, -1, -1))
    assert powers[3] in powers
    assert powers.index(powers[3]) == 3
    assert powers.count(powers[3]) == 1
    assert "x" not in powers
    for index in (10, -11):
        with pytest.raises(IndexError):
            powers[index]
    with pytest.raises(TypeError):
        powers["x"]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "part",
    [
        slice(2, 5),
        slice(None, None, 2),
        slice(None, None, -1),
        slice(8, 2, -3),
        slice(-3, None),
        slice(5, 2),
        slice(100, 200),
    ],
    ids=str,
)
def test_slices(comics: groot.Context, powers: groot.Objects, part: slice) -> None:
    expected = list(range(10))[part]
    cut = powers[part]
    assert isinstance(cut, groot.Objects)
    assert numbers(cut) == expected
    assert numbers(cut[::-1]) == expected[::-1]
    assert numbers(cut[1:]) == expected[1:]
    assert cut == [powers[n] for n in expected]
    assert [one["id"] for one in comics.dump(cut)] == [str(n) for n in expected]
    if expected:
        assert cut[-1].identifier == expected[-1]


def test_equality(comics: groot.Context, powers: groot.Objects) -> None:
    assert powers == comics.fetch("Power")
    assert powers == list(powers)
    assert powers == tuple(powers)
    assert list(powers) == powers
    assert powers != powers[1:]
    assert powers[:2] != [powers[1], powers[0]]
    assert powers != groot.Context(comics.mapping).fetch("Power")
    assert powers != 5
    assert comics.fetch("Power", where={"identifier": 99}) == []
    with pytest.raises(TypeError):
        hash(powers)


def test_a_snapshot_stays(comics: groot.Context, powers: groot.Objects) -> None:
    first = powers[0]
    comics.delete(first)
    comics.insert("Power", identifier=100)
    assert len(powers) == 10
    assert powers[0] == first
    assert groot.is_deleted(powers[0])
    assert repr(powers).startswith("<10 objects: <Power #")


def test_a_large_sequence(comics: groot.Context) -> None:
    count = 5000
    found = comics.load("Power", [str(n) for n in range(count)])
    assert numbers(found) == list(range(count))
    assert numbers(found[1::3]) == list(range(1, count, 3))
    assert found[count - 1] in found


def test_fetching(comics: groot.Context, powers: groot.Objects) -> None:
    assert numbers(comics.fetch("Power", where={"name": "Power 3"})) == [3]
    assert numbers(comics.fetch("Power", where={"identifier": 3, "name": "Power 3"})) == [3]
    assert numbers(comics.fetch("Power", where={"identifier": 3, "name": "x"})) == []
    assert numbers(comics.fetch("Power", sort="-identifier", limit=2)) == [9, 8]
    assert numbers(comics.fetch("Power", sort=["identifier"], limit=2, offset=4)) == [4, 5]
    assert comics.count("Power") == 10
    assert comics.count("Power", where={"name": "Power 3"}) == 1
    for wrong in ({"where": {"nmae": 1}}, {"sort": "nmae"}):
        with pytest.raises(groot.Error) as raised:
            comics.fetch("Power", **wrong)  # type: ignore[arg-type]
        assert raised.value.code == Status.UNKNOWN_PROPERTY
    with pytest.raises(groot.Error):
        comics.fetch("Power", limit=-1)


def test_fetching_by_values_of_python() -> None:
    attributes = {
        "price": Decimal("1.50"),
        "made": datetime(2020, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))),
        "uuid": UUID(int=7),
        "data": b"\x00\x01",
        "ratio": 0.5,
    }
    context = groot.Context(groot.Mapping(groot.Model(document("types"))))
    thing = context.insert("Thing", id=1, **attributes)
    context.insert("Thing", id=2, owner=thing)
    for name, value in attributes.items():
        assert context.fetch("Thing", {name: value}) == [thing]
        assert context.fetch("Thing", {"or": [{name: {"in": (value,)}}]}) == [thing]
        assert context.count("Thing", {f"owner.{name}": {"<=": value}}) == 1
        assert context.distinct("Thing", name) == [None, value]
        assert context.distinct("Thing", f"-owner.{name}", {"id": {"in": {1, 2}}}) == [value, None]
        assert context.aggregate("Thing", {"most": {"max": f"owner.{name}"}}) == {"most": value}
        assert context.aggregate("Thing", {}, by=name) == [{name: None}, {name: value}]
    for wrong in ({"price": object()}, {"id": {"in": object()}}, {"owner": thing}):
        with pytest.raises(groot.Error):
            context.fetch("Thing", wrong)
    nested: dict[str, Any] = {}
    for _ in range(3000):
        nested = {"not": nested}
    with pytest.raises(groot.Error) as raised:
        context.fetch("Thing", nested)
    assert raised.value.code == Status.LIMIT_EXCEEDED


def test_members(comics: groot.Context, batman: groot.Object, powers: groot.Objects) -> None:
    members = batman.powers
    assert len(members) == 2
    assert numbers(members) == [4, 9]
    members.add(powers[1])
    members.add(powers[4])
    assert numbers(members) == [4, 9, 1]
    assert len(batman.powers) == 3
    assert members == batman.powers
    assert powers[1] in members
    assert powers[2] not in members
    assert 5 not in members
    members.remove(powers[9])
    members.discard(powers[9])
    with pytest.raises(KeyError):
        members.remove(powers[9])
    assert numbers(members) == [4, 1]
    assert (members[0].identifier, members[-1].identifier) == (4, 1)
    assert numbers(members[::-1]) == [1, 4]
    with pytest.raises(IndexError):
        members[2]
    members.update([powers[7], powers[8]])
    assert numbers(members) == [4, 1, 7, 8]
    members.clear()
    assert len(members) == 0
    assert list(members) == []
    assert not members
    assert comics.count("Power") == 10
    assert repr(members) == "<<Character identifier=1699>.powers: 0 members>"


def test_both_directions(batman: groot.Object, powers: groot.Objects) -> None:
    batman.powers = powers
    assert all(batman in power.characters for power in powers)
    powers[0].characters.remove(batman)
    assert batman.powers == set(powers[1:])


def test_assignment(batman: groot.Object, powers: groot.Objects) -> None:
    batman.powers = [powers[3], powers[1], powers[3]]
    assert numbers(batman.powers) == [3, 1]
    batman.powers = (power for power in powers if power.identifier > 7)
    assert numbers(batman.powers) == [8, 9]
    batman.powers = batman.powers
    assert numbers(batman.powers) == [8, 9]
    batman.powers = batman.powers[:1]
    batman.powers = []
    assert numbers(batman.powers) == []


def test_comparison_of_members(batman: groot.Object, powers: groot.Objects) -> None:
    batman.powers = powers[:2]
    assert batman.powers == [powers[0], powers[1]]
    assert batman.powers == powers[:2]
    assert batman.powers == {powers[1], powers[0]}
    assert batman.powers != [powers[1], powers[0]]
    assert batman.powers != 5
    with pytest.raises(TypeError):
        hash(batman.powers)


def test_changing_while_iterating(batman: groot.Object, powers: groot.Objects) -> None:
    batman.powers = powers
    for power in batman.powers:
        batman.powers.remove(power)
    assert len(batman.powers) == 0


@pytest.mark.parametrize("wrong", [None, 5, "text", ["4"], [None]])
def test_wrong_members(batman: groot.Object, wrong: Any) -> None:
    with pytest.raises(groot.Error) as raised:
        batman.powers = wrong
    issue = raised.value.issues[0]
    assert issue.status == Status.WRONG_TYPE
    assert (issue.entity, issue.property) == ("Character", "powers")
    assert numbers(batman.powers) == [4, 9]
    with pytest.raises(groot.Error):
        batman.powers.add(wrong)


def test_deleted_members(comics: groot.Context, batman: groot.Object) -> None:
    members = batman.powers
    agility = members[0]
    comics.delete(agility)
    assert agility not in members
    members.discard(agility)
    assert numbers(members) == [9]
    with pytest.raises(KeyError):
        members.remove(agility)


def test_one_to_many(comics: groot.Context, types: groot.Context) -> None:
    whole = types.insert("Thing", id=1)
    parts = [types.insert("Thing", id=n) for n in range(2, 6)]
    whole.parts = parts[::-1]
    assert [part["id"] for part in whole.parts] == [5, 4, 3, 2]
    assert all(part.owner == whole for part in parts)
    other = types.insert("Thing", id=9, parts=[parts[0]])
    assert parts[0].owner == other
    assert parts[0] not in whole.parts
