"""The dialect of rules in Python; the shared cases have the details."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

import pytest
from kvc_people import MODEL, PEOPLE, RULES, registry

import groot
from groot import Status


@pytest.fixture(scope="module")
def mapping() -> groot.Mapping:
    """Make the mapping of people."""
    return groot.Mapping(groot.Model(MODEL), dialect="kvc", rules=RULES, registry=registry())


@pytest.fixture
def context(mapping: groot.Mapping) -> Iterator[groot.Context]:
    """Return an empty context of people."""
    with groot.Context(mapping) as made:
        yield made
        made.check()


def test_the_first_example(context: groot.Context) -> None:
    john, ann = context.load("Person", PEOPLE)
    assert (john.name, john.surname, john.likesCoffee) == ("John", "Doe", True)
    assert ann.birthdate == datetime(1981, 10, 23, tzinfo=timezone.utc)
    again = context.load("Person", {"name1": "John", "caffeine": "no"})
    assert again == john
    assert john.likesCoffee is False
    assert context.dump(ann) == {
        "name1": "Ann",
        "name2": "Onymous",
        "caffeine": True,
        "bday": "1981/10/23",
        "no": None,
        "cost": None,
        "town": None,
    }


def test_create(context: groot.Context) -> None:
    john = context.load("Person", PEOPLE[0], create=True)
    assert context.load("Person", PEOPLE[1], create=False) is None
    assert context.load("Person", '{"name1": "Ann"}', create=False) is None
    assert list(context.load("Person", PEOPLE, create=False)) == [john]
    assert context.load("Person", PEOPLE[0], create=False) == john
    assert context.count("Person") == 1


def test_create_leaves_out_what_is_pointed_to(context: groot.Context) -> None:
    data = {"name1": "John", "town": "ber", "friends": ["Ann", "John"]}
    john = context.load("Person", data)
    assert john.home.code == "ber"
    assert [one.name for one in john.friends] == ["Ann", "John"]
    context.load(
        "Person", {"name1": "John", "town": "par", "friends": ["Bob", "Ann"]}, create=False
    )
    assert john.home is None
    assert [one.name for one in john.friends] == ["Ann"]
    assert (context.count("City"), context.count("Person")) == (1, 2)


def test_batches(context: groot.Context) -> None:
    found = context.load(
        None,
        {
            "people": [{"name1": "John", "town": "ber"}, {"name1": "Ann"}],
            "person": {"name1": "Bob"},
            "cities": {"id": "ber", "title": "Berlin"},
            "planets": [{"id": 1}],
        },
    )
    assert isinstance(found, groot.Objects)
    assert sorted(groot.entity_name(one) for one in found) == ["City", "Person", "Person", "Person"]
    john = context.fetch("Person", {"name": "John"})[0]
    assert john.home.label == "Berlin"
    assert groot.report(found).inserted == 4
    assert groot.report(found).issues == ()
    assert list(context.load(None, '{"people": [{"name1": "Ann"}]}', create=False)) == list(
        context.fetch("Person", {"name": "Ann"})
    )
    assert len(context.load(None, {})) == 0
    for read in (lambda: found.column("name"), lambda: found[:1].column("name")):
        with pytest.raises(groot.Error) as raised:
            read()
        assert raised.value.code == Status.INVALID_ARGUMENT
        assert "several entities" in str(raised.value)


def test_invalid_batches(context: groot.Context) -> None:
    for data in ([5], "5", "null", 5):
        with pytest.raises(groot.Error):
            context.load(None, data)
    report = groot.report(context.load(None, {"people": "nobody"}))
    assert [issue.path for issue in report.issues] == ["$.people"]


def test_files_of_batches(context: groot.Context, tmp_path: Any) -> None:
    file = tmp_path / "batch.json"
    file.write_text('{"cities": [{"id": "ber"}, {"id": "par"}]}')
    assert [one.code for one in context.load_file(None, file)] == ["ber", "par"]


def test_access(context: groot.Context) -> None:
    context.load(None, {"people": PEOPLE, "cities": [{"id": "ber"}]})
    john, ann = context.fetch("Person")
    found = context.load(None, {"people": [{"name1": "John"}, {"name1": "Bob"}]}, access=True)
    report = groot.report(found)
    assert report.accessed["Person"] == tuple(found)
    assert report.unaccessed["Person"] == (ann,)
    for one in report.unaccessed["Person"]:
        context.delete(one)
    assert groot.is_deleted(report.unaccessed["Person"][0])
    assert [one.name for one in context.fetch("Person")] == ["John", "Bob"]
    quiet = groot.report(context.load(None, {"people": [{"name1": "John"}]}))
    assert (quiet.accessed, quiet.unaccessed) == ({}, {})
    assert john in report.accessed["Person"]


def test_coercion(context: groot.Context) -> None:
    john = context.load(
        "Person", {"name1": 5, "name2": 12.5, "no": " 42", "cost": "12.3456789", "caffeine": "yes"}
    )
    assert (john.name, john.surname, john.number) == ("5", "12.5", 42)
    assert (john.price, john.likesCoffee) == (Decimal("12.3456789"), True)
    again = context.load("Person", {"name1": 5, "no": 70000, "cost": "toto"})
    assert (john.number, john.price) == (42, Decimal("12.3456789"))
    assert [(one.path, one.property) for one in groot.report(again).issues] == [
        ("$.no", "number"),
        ("$.cost", "price"),
    ]
    context.load("Person", {"name1": "5", "no": "toto"}, policies={"invalid": "clear"})
    assert john.number is None


def test_reverse_mapping(context: groot.Context) -> None:
    context.load(None, {"people": PEOPLE, "cities": [{"id": "ber", "title": "Berlin"}]})
    city = context.fetch("City")[0]
    john, ann = context.fetch("Person")
    john.home, john.friends = city, [ann]
    assert context.dump(john)["town"] == "ber"
    assert "friends" not in context.dump(john)
    assert context.dump(john, to_many=True)["friends"] == ["Ann"]
    assert context.dump(city) == {"id": "ber", "title": "Berlin"}
    inhabitants = [{"n": "John", "s": "Doe"}]
    expected = {"id": "ber", "title": "Berlin", "inhabitants": inhabitants}
    assert context.dump(city, subobjects=True) == expected
    assert context.dump(city, to_many=True, subobjects=True) == expected
    assert context.dump([city], subobjects=True) == [expected]


def test_exceptions_of_transformers_come_out(context: groot.Context) -> None:
    with pytest.raises(AttributeError):
        context.load("Person", {"name1": "John", "bday": 5})
    assert context.count("Person") == 0
