"""Objects: properties, identity, deletion, and misuse."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import groot
from groot import Status


def test_reading_and_writing(comics: groot.Context, batman: groot.Object) -> None:
    batman.name = "The Batman"
    batman["realName"] = "B. Wayne"
    assert batman["name"] == batman.name == "The Batman"
    assert batman.realName == "B. Wayne"
    batman.realName = None
    assert batman.realName is None


def test_names(batman: groot.Object) -> None:
    assert groot.entity_name(batman) == "Character"
    assert isinstance(groot.object_id(batman), int)
    assert "name" in batman
    assert "nmae" not in batman
    assert {"name", "powers", "publisher"} <= set(dir(batman))
    assert [name for name in dir(groot.Object) if not name.startswith("_")] == []
    assert type(batman).__name__ == "Character"


def test_unknown_properties(batman: groot.Object) -> None:
    with pytest.raises(AttributeError, match=r"Character.*nmae"):
        batman.nmae  # noqa: B018
    with pytest.raises(AttributeError, match=r"Character.*nmae"):
        batman.nmae = "x"
    assert not hasattr(batman, "nmae")
    for use in (lambda: batman["nmae"], lambda: batman.__setitem__("nmae", 1)):
        with pytest.raises(groot.Error) as raised:
            use()
        assert raised.value.code == Status.UNKNOWN_PROPERTY
        assert raised.value.issues[0].entity == "Character"
        assert "nmae" in str(raised.value)


def test_properties_have_their_names(types: groot.Context) -> None:
    thing = types.insert("Thing", id=7)
    assert thing["id"] == thing.id == 7
    thing.id = 8
    assert types.dump(thing)["id"] == 8
    assert repr(thing) == "<Thing id=8>"


NAMES = ("id", "entity", "is_deleted", "report", "keys", "get", "items", "values", "_id", "class")


def test_any_name_is_a_propertys() -> None:
    attributes = {
        name: {"type": "string", "optional": True, "userInfo": {"JSONKeyPath": name}}
        for name in (*NAMES, "_session")
    }
    model = groot.Model({"entities": {"Tweet": {"attributes": attributes}}})
    tweets = groot.Context(groot.Mapping(model))
    tweet = tweets.load("Tweet", {name: f"the {name}" for name in attributes})
    for name in NAMES:
        assert getattr(tweet, name) == tweet[name] == f"the {name}"
        setattr(tweet, name, "other")
        assert tweet[name] == "other"
    assert tweet["_session"] == "the _session"
    assert groot.object_id(tweet) == groot.object_id(tweets.fetch("Tweet")[0])
    assert groot.entity_name(tweet) == "Tweet"
    assert groot.report(tweet).inserted == 1
    tweets.delete(tweet)
    assert groot.is_deleted(tweet)


@pytest.mark.parametrize("tell", ["object_id", "entity_name", "is_deleted", "report"])
def test_only_objects_are_told_of(comics: groot.Context, tell: str) -> None:
    for wrong in (None, 5, {"id": 1}, comics):
        with pytest.raises(groot.Error, match="objects of a context") as raised:
            getattr(groot, tell)(wrong)
        assert raised.value.code == Status.INVALID_ARGUMENT


def test_identity(comics: groot.Context, batman: groot.Object) -> None:
    again = comics.fetch("Character", where={"identifier": 1699})[0]
    assert again is not batman
    assert again == batman
    assert hash(again) == hash(batman)
    assert {batman: 1}[again] == 1
    assert batman != comics.insert("Character")
    assert batman != groot.object_id(batman)
    assert copy.copy(batman) is batman
    assert copy.deepcopy([batman])[0] is batman
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(batman)
    for use in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="copied or pickled"):
            use(comics)


def test_objects_of_two_contexts_differ(comics: groot.Context, batman: groot.Object) -> None:
    other = groot.Context(comics.mapping)
    same = other.load("Character", {"id": "1699", "name": "Batman"})
    assert groot.object_id(same) == groot.object_id(batman) or same != batman
    assert same != batman


def test_repr(comics: groot.Context, batman: groot.Object) -> None:
    assert repr(batman) == "<Character identifier=1699>"
    comics.delete(batman)
    assert repr(batman) == f"<Character #{groot.object_id(batman)} deleted>"


def test_to_one(comics: groot.Context, batman: groot.Object) -> None:
    dc = batman.publisher
    marvel = comics.insert("Publisher", name="Marvel")
    batman.publisher = marvel
    assert batman.publisher == marvel
    assert list(marvel.characters) == [batman]
    assert list(dc.characters) == []
    batman.publisher = None
    assert batman.publisher is None
    assert len(marvel.characters) == 0


@pytest.mark.parametrize("wrong", ["DC", 5, {"id": "10"}, []])
def test_wrong_to_one(batman: groot.Object, wrong: Any) -> None:
    with pytest.raises(groot.Error) as raised:
        batman.publisher = wrong
    issue = raised.value.issues[0]
    assert issue.status == Status.WRONG_TYPE
    assert (issue.entity, issue.property) == ("Character", "publisher")
    assert "Publisher" in issue.message
    assert batman.publisher.name == "DC Comics"


def test_objects_of_the_wrong_entity(comics: groot.Context, batman: groot.Object) -> None:
    with pytest.raises(groot.Error) as raised:
        batman.publisher = batman
    assert raised.value.code == Status.WRONG_TYPE
    with pytest.raises(groot.Error) as raised:
        batman.powers.add(batman)
    assert raised.value.code == Status.WRONG_TYPE


def test_objects_of_another_context(comics: groot.Context, batman: groot.Object) -> None:
    stranger = groot.Context(comics.mapping).insert("Publisher")
    with pytest.raises(groot.Error, match="another context"):
        batman.publisher = stranger
    with pytest.raises(groot.Error, match="another context"):
        comics.delete(stranger)


def test_deletion(comics: groot.Context, batman: groot.Object) -> None:
    dc, agility = batman.publisher, batman.powers[0]
    assert not groot.is_deleted(batman)
    comics.delete(batman)
    assert groot.is_deleted(batman)
    assert len(dc.characters) == 0
    assert list(agility.characters) == []
    uses = (
        lambda: batman.name,
        lambda: batman.identifier,
        lambda: batman.publisher,
        lambda: setattr(batman, "name", "x"),
        lambda: setattr(batman, "publisher", dc),
        lambda: len(batman.powers),
        lambda: list(batman.powers),
        lambda: batman.powers.add(agility),
        lambda: setattr(batman, "powers", []),
        lambda: comics.delete(batman),
        lambda: agility.characters.add(batman),
        lambda: setattr(dc, "characters", [batman]),
    )
    for use in uses:
        with pytest.raises(groot.Error) as raised:
            use()
        assert raised.value.code == Status.OBJECT_DELETED
    assert batman not in dc.characters
    assert groot.entity_name(batman) == "Character"


def test_insertion(comics: groot.Context, batman: groot.Object) -> None:
    robin = comics.insert(
        "Character", identifier=2, name="Robin", powers=batman.powers, publisher=batman.publisher
    )
    assert comics.dump(robin)["powers"] == comics.dump(batman)["powers"]
    assert list(batman.publisher.characters) == [batman, robin]


@pytest.mark.parametrize("wrong", [{"name": 5}, {"nmae": "x"}, {"powers": ["4"]}])
def test_an_insertion_that_fails(comics: groot.Context, wrong: dict[str, Any]) -> None:
    changes = comics.changes
    with pytest.raises(groot.Error):
        comics.insert("Character", identifier=1, **wrong)
    assert comics.count("Character") == 0
    assert comics.changes == changes


def test_a_closed_context(comics_mapping: groot.Mapping, batman_json: dict[str, Any]) -> None:
    with groot.Context(comics_mapping) as context:
        batman = context.load("Character", batman_json)
        everyone = context.fetch("Character")
        members = batman.powers
    context.close()
    assert len(everyone) == 1
    uses = (
        lambda: batman.name,
        lambda: setattr(batman, "name", "x"),
        lambda: groot.is_deleted(batman),
        lambda: len(members),
        lambda: list(members),
        lambda: context.fetch("Character"),
        lambda: context.load("Character", []),
        lambda: context.insert("Character"),
        lambda: context.dump(batman),
        lambda: context.changes,
    )
    for use in uses:
        with pytest.raises(groot.Error, match="closed"):
            use()
    assert repr(batman).startswith("<Character #")


def test_property_numbers_are_the_mappings(comics_mapping: groot.Mapping) -> None:
    contexts = [groot.Context(comics_mapping) for _ in range(3)]
    for name in ("identifier", "name", "realName", "powers", "publisher"):
        assert len({context._session.number("Character", name) for context in contexts}) == 1
