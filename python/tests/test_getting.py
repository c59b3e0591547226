"""Objects by their identity, and their use as Python values: dicts, patterns, text."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hyper_users import users
from kvc_people import MODEL

import groot
from groot import Status


def attribute(type: str, key: str) -> dict[str, Any]:
    return {"type": type, "optional": True, "userInfo": {"JSONKeyPath": key}}


LINK = {"optional": True, "userInfo": {"JSONKeyPath": "pages"}}
BOOKS = {
    "entities": {
        "Book": {
            "userInfo": {"identityAttributes": "country, number"},
            "attributes": {
                "country": attribute("string", "country"),
                "number": attribute("integer32", "number"),
            },
            "relationships": {
                "pages": {**LINK, "destination": "Page", "toMany": True, "inverse": "book"},
            },
        },
        "Page": {
            "userInfo": {"identityAttributes": "book, number"},
            "attributes": {"number": attribute("integer32", "n")},
            "relationships": {
                "book": {"destination": "Book", "inverse": "pages", "optional": True},
            },
        },
        "Note": {"attributes": {"text": attribute("string", "text")}},
    }
}
FEED = [
    {"country": "DE", "number": 1, "pages": [{"n": 1}, {"n": 2}]},
    {"country": "DE", "number": 2, "pages": [{"n": 1}]},
]


@pytest.fixture(params=["memory", "store"])
def books(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[groot.Context]:
    mapping = groot.Mapping(groot.Model(BOOKS))
    if request.param == "memory":
        context = groot.Context(mapping)
        context.load("Book", FEED)
        yield context
        return
    with groot.Context(mapping, tmp_path / "books.sqlite") as writer:
        writer.load("Book", FEED)
        writer.save()
    with groot.Context(mapping, tmp_path / "books.sqlite") as context:
        yield context


def test_by_one_part(comics: groot.Context, batman: groot.Object) -> None:
    assert comics.get("Character", 1699) == batman
    assert comics.get("Character", (1699,)) == batman
    assert comics.get("Character", {"identifier": 1699}) == batman
    assert comics.get("Character", 5) is None
    assert comics.get("Character", None) is None


def test_by_several_parts(books: groot.Context) -> None:
    second = books.get("Book", ("DE", 2))
    assert second is not None
    assert (second.country, second.number) == ("DE", 2)
    assert books.get("Book", {"number": 2, "country": "DE"}) == second
    assert books.get("Book", ("FR", 2)) is None
    assert books.get("Book", ("DE", None)) is None
    third = books.load("Book", {"country": "DE"})
    assert books.get("Book", ("DE", None)) == third
    orphan = books.insert("Page", number=9)
    assert books.get("Page", (None, 9)) == orphan
    (page,) = second.pages
    assert books.get("Page", (second, 1)) == page
    assert books.get("Page", {"number": 1, "book": second}) == page
    assert books.get("Page", (second, 2)) is None


@pytest.mark.parametrize(
    ("entity", "identity", "code", "said"),
    [
        ("Bok", 1, Status.UNKNOWN_ENTITY, "no entity has this name"),
        ("Note", 1, Status.INVALID_ARGUMENT, "no identity to get an object by; use fetch"),
        ("Book", 1, Status.INVALID_ARGUMENT, "which has the parts country, number"),
        ("Book", ("DE",), Status.INVALID_ARGUMENT, "which has the parts country, number"),
        ("Book", {"country": "DE"}, Status.INVALID_ARGUMENT, "the parts country, number"),
        ("Page", (5, 1), Status.INVALID_ARGUMENT, "where objects of a context are expected"),
        ("Book", ("DE", "x"), Status.WRONG_TYPE, "number"),
    ],
)
def test_invalid_identities(
    books: groot.Context, entity: str, identity: Any, code: Status, said: str
) -> None:
    with pytest.raises(groot.Error) as raised:
        books.get(entity, identity)
    assert raised.value.code == code
    assert said in str(raised.value)


def test_by_conventions_and_rules() -> None:
    context = groot.Context(groot.Mapping(groot.Model(users()), dialect="hyper"))
    john = context.load("User", {"id": 7, "first_name": "John"})
    assert context.get("User", 7) == john
    assert repr(john) == "<User id=7>"
    rules = {"person": {"Person.name": {"name1": "name", "town": "home.code"}}}
    rules["City.code"] = {"id": "code"}
    people = groot.Context(groot.Mapping(groot.Model(MODEL), dialect="kvc", rules=rules))
    ann = people.load("Person", {"name1": "Ann", "town": "B"})
    assert people.get("Person", "Ann") == ann
    assert repr(ann) == "<Person name='Ann'>"
    assert people.get("City", "B") == ann.home
    assert repr(ann.home) == "<City code='B'>"


def test_a_primary_key_is_annotated_or_conventional() -> None:
    keys = {"remoteID": {}, "code": {"hyper.isPrimaryKey": "true"}}
    attributes = {
        name: {"type": "integer64", "optional": True, "userInfo": notes}
        for name, notes in keys.items()
    }
    entities = {
        "Own": {"attributes": attributes},
        "Far": {"attributes": {"remoteID": attributes["remoteID"]}},
        "Sub": {"parent": "Far", "attributes": {"x": {"type": "string", "optional": True}}},
    }
    context = groot.Context(groot.Mapping(groot.Model({"entities": entities}), dialect="hyper"))
    assert repr(context.load("Own", {"code": 5, "id": 6})) == "<Own code=5>"
    assert repr(context.load("Sub", {"id": 6})) == "<Sub remoteID=6>"


def test_as_a_dict(books: groot.Context) -> None:
    first = books.get("Book", ("DE", 1))
    assert first is not None
    found = dict(first)
    assert list(found) == ["country", "number", "pages"]
    assert (found["country"], found["number"]) == ("DE", 1)
    assert list(found["pages"]) == list(first.pages)
    with pytest.raises(groot.Error, match="where a list of Page is expected"):
        first.pages = first
    books.delete(first)
    with pytest.raises(groot.Error) as raised:
        dict(first)
    assert raised.value.code == Status.OBJECT_DELETED


MATCH = """
match batman:
    case groot.Object(nmae=_):
        found = "a property that is not there"
    case groot.Object(name="Robin"):
        found = "another"
    case groot.Object(name=name, publisher=groot.Object(name="DC Comics")):
        found = name
match dict(batman):
    case {"identifier": 1699, "realName": real}:
        pass
"""


@pytest.mark.skipif(sys.version_info < (3, 10), reason="match came with Python 3.10")
def test_patterns(batman: groot.Object) -> None:
    names: dict[str, Any] = {"groot": groot, "batman": batman}
    exec(MATCH, names)  # noqa: S102
    assert (names["found"], names["real"]) == ("Batman", "Bruce Wayne")


def test_a_copy_names_the_same_object(batman: groot.Object) -> None:
    other = copy.copy(batman)
    other.name = "Bruce"
    assert batman.name == "Bruce"
