"""Lists of a store, whose members are read on demand."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

import groot
from groot import Status


def attribute(name: str) -> dict[str, Any]:
    return {name: {"type": "string", "userInfo": {"JSONKeyPath": name}}}


TAGS = groot.Mapping(
    groot.Model(
        {
            "entities": {
                "Item": {
                    "userInfo": {"identityAttributes": "name"},
                    "attributes": attribute("name"),
                    "relationships": {
                        "tags": {
                            "destination": "Tag",
                            "toMany": True,
                            "ordered": True,
                            "inverse": "items",
                            "optional": True,
                            "userInfo": {"JSONKeyPath": "tags"},
                        }
                    },
                },
                "Tag": {
                    "userInfo": {"identityAttributes": "name"},
                    "attributes": attribute("name"),
                    "relationships": {
                        "items": {
                            "destination": "Item",
                            "toMany": True,
                            "inverse": "tags",
                            "optional": True,
                        }
                    },
                },
            }
        }
    )
)


def names(item: groot.Object) -> list[str]:
    return [tag.name for tag in item.tags]


def test_a_link_that_was_rolled_back_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "tags.sqlite"
    with groot.Context(TAGS, store=path) as context:
        context.load(
            "Item", [{"name": "one", "tags": ["x"]}, {"name": "two", "tags": ["a", "b", "c", "d"]}]
        )
        context.save()
    with groot.Context(TAGS, store=path) as context:
        (one,) = context.fetch("Item", {"name": "one"})
        tag = one.tags[0]
        one.tags = []
        context.save()
        one.tags = [tag]
        context.rollback()
        (two,) = context.fetch("Item", {"name": "two"})
        assert names(two) == ["a", "b", "c", "d"]
        assert names(one) == []
        context.check()


LINK = {"optional": True}
CARDS = groot.Mapping(
    groot.Model(
        {
            "entities": {
                "Owner": {
                    "attributes": attribute("name"),
                    "relationships": {
                        "card": {**LINK, "destination": "Card", "inverse": "owner"},
                        "twin": {**LINK, "destination": "Owner", "inverse": "twin"},
                    },
                },
                "Card": {
                    "attributes": attribute("name"),
                    "relationships": {"owner": {**LINK, "destination": "Owner", "inverse": "card"}},
                },
            }
        }
    )
)


def make_cards(path: Path, statement: str, index: str) -> None:
    """Make a store, and change it in a way that an index does not allow."""
    with groot.Context(CARDS, store=path) as context:
        owners = [context.insert("Owner", name=name) for name in "abcd"]
        cards = [context.insert("Card", name=name) for name in "xy"]
        owners[0].card, owners[1].card = cards
        owners[0].twin = owners[1]
        context.save()
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA writable_schema = ON")
    where = "FROM sqlite_master WHERE name = ?"
    (entry,) = database.execute(f"SELECT * {where}", (index,)).fetchall()
    database.execute(f"DELETE {where}", (index,))
    database.close()
    database = sqlite3.connect(path, isolation_level=None)
    database.execute(statement)
    database.execute("PRAGMA writable_schema = ON")
    database.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", entry)
    database.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE Owner SET card = 1 WHERE _id = 2",
        "UPDATE Owner SET card = 1 WHERE _id > 2",
    ],
)
def test_two_objects_that_lead_to_one_are_told(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "cards.sqlite"
    make_cards(path, statement, "_Owner_card")
    with groot.Context(CARDS, store=path) as context:
        with pytest.raises(groot.Error, match="two objects lead to the object 1 of 'Card'") as told:
            context.dump(context.fetch("Owner"))
        assert told.value.code == Status.STORE_INVALID
        with pytest.raises(groot.Error, match="two objects lead to the object 1 of 'Card'"):
            context.check()


def test_a_twin_that_says_otherwise_has_none(tmp_path: Path) -> None:
    path = tmp_path / "cards.sqlite"
    make_cards(path, "UPDATE Owner SET twin = 3 WHERE _id = 1", "_Owner_twin")
    with groot.Context(CARDS, store=path) as context:
        twins = {owner.name: owner.twin and owner.twin.name for owner in context.fetch("Owner")}
        assert twins == {"a": "c", "b": None, "c": "a", "d": None}
        context.check()
