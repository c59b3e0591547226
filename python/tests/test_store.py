"""Stores: saved changes last, even if the process ends abruptly."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from conftest import document

import groot
from groot import Status


def test_everything_comes_back(tmp_path: Path, types_mapping: groot.Mapping) -> None:
    path = tmp_path / "things.sqlite"
    values: dict[str, Any] = {
        "id": 1,
        "small": -7,
        "price": Decimal("12345678901234567890.0000001"),
        "ratio": -0.0,
        "weight": 1.5,
        "name": "Zoë \x01\n",
        "active": False,
        "made": datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=timezone.utc),
        "born": date(1968, 3, 1),
        "data": b"\0\xff",
        "uuid": UUID(int=7),
        "link": "urn:x",
        "extra": {"b": [1, 2.5, None], "a": "x"},
    }
    with groot.Context(types_mapping, store=path) as context:
        thing = context.insert("Thing", **values)
        parts = [context.insert("Thing", id=number, owner=thing) for number in (3, 2, 4)]
        thing.parts = [parts[2], parts[0], parts[1]]
        identifier = groot.object_id(thing)
        context.save()
        assert groot.object_id(thing) == identifier
        thing["name"] = "not saved"
    with groot.Context(types_mapping, store=path, durability="normal") as context:
        (thing,) = context.fetch("Thing", {"id": 1})
        assert {name: thing[name] for name in values} == values
        assert str(thing.ratio) == "-0.0"
        assert [part["id"] for part in thing.parts] == [4, 3, 2]
        assert context.changes == {"inserted": 0, "updated": 0, "deleted": 0}
        context.check()


def has_log(path: Path) -> bool:
    """Whether a file says that it is written through a log."""
    return path.read_bytes()[18:20] == b"\2\2"


def test_a_new_store_has_its_log_after_its_first_objects(
    tmp_path: Path, types_mapping: groot.Mapping
) -> None:
    path = tmp_path / "things.sqlite"
    with groot.Context(types_mapping, store=path) as context:
        context.load("Thing", [{"id": number, "name": "first"} for number in range(12_000)])
        context.save()
        assert has_log(path)
        with groot.Context(types_mapping, store=path) as other:
            assert other.count("Thing") == 12_000
            other.insert("Thing", id=-1)
            other.save()
        context.refresh()
        assert context.count("Thing") == 12_001


def test_a_new_store_that_others_have_open_keeps_its_log(
    tmp_path: Path, types_mapping: groot.Mapping
) -> None:
    path = tmp_path / "things.sqlite"
    with groot.Context(types_mapping, store=path) as context:
        with groot.Context(types_mapping, store=path) as other:
            assert other.count("Thing") == 0
            context.load("Thing", [{"id": number, "name": "first"} for number in range(12_000)])
            context.save()
            assert other.count("Thing") == 0
            other.refresh()
            assert other.count("Thing") == 12_000
        assert has_log(path)


def test_a_pipe_is_read_once(tmp_path: Path, types_mapping: groot.Mapping) -> None:
    """A source that cannot be read twice is not examined before the import."""
    path, pipe = tmp_path / "things.sqlite", tmp_path / "pipe"
    with groot.Context(types_mapping, store=path) as context:
        context.load("Thing", [{"id": number, "name": "old"} for number in range(50)])
        context.save()
    os.mkfifo(pipe)
    text = json.dumps([{"id": number, "name": "new"} for number in range(40, 60)])
    with groot.Context(types_mapping, store=path) as context:
        writer = threading.Thread(target=lambda: pipe.write_text(text), daemon=True)
        writer.start()
        things = context.load_file("Thing", pipe)
        writer.join()
        assert [thing["id"] for thing in things] == list(range(40, 60))
        assert context.changes == {"inserted": 10, "updated": 10, "deleted": 0}
        context.check()


def test_other_programs_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "comics.sqlite"
    registry = groot.Registry()
    registry.builtin("StringToInteger", "integer-text")
    mapping = groot.Mapping(groot.Model(document("comics")), registry)
    with groot.Context(mapping, store=path) as context:
        context.load(
            "Character",
            {
                "id": "1",
                "name": "Batman",
                "powers": [{"id": "4", "name": "Wealth"}, {"id": "2", "name": "Agility"}],
                "publisher": {"id": "10", "name": "DC"},
            },
        )
        context.save()
    database = sqlite3.connect(path)
    rows = database.execute(
        "SELECT c.name, c.realName, p.name FROM Character c JOIN Publisher p ON c.publisher = p._id"
    )
    assert list(rows) == [("Batman", None, "DC")]
    rows = database.execute(
        "SELECT Power.name FROM Character_powers JOIN Power ON target = _id ORDER BY source_order"
    )
    assert [name for (name,) in rows] == ["Wealth", "Agility"]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    with pytest.raises(sqlite3.IntegrityError):
        database.execute("INSERT INTO Power (_entity, _version, identifier) VALUES ('Power', 1, 4)")
    database.close()


def test_files_other_than_stores(tmp_path: Path, types_mapping: groot.Mapping) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no database\n" * 500)
    for wrong, status in ((path, Status.STORE_INVALID), (tmp_path, Status.FILE_ERROR)):
        with pytest.raises(groot.Error) as raised:
            groot.Context(types_mapping, store=wrong)
        assert raised.value.code == status
        assert str(wrong) in str(raised.value)
    assert path.read_text() == "no database\n" * 500
    with pytest.raises(groot.Error) as raised:
        groot.Context(types_mapping, store=tmp_path / "none", create=False)
    assert raised.value.code == Status.FILE_ERROR
    with pytest.raises(groot.Error) as raised:
        groot.Context(types_mapping, store="a\0b")
    assert raised.value.code == Status.INVALID_ARGUMENT


@pytest.mark.parametrize(
    "name",
    [":memory:", "file:one", "file:two?mode=memory", "file::memory:", "file:%61", "plain", " "],
)
def test_a_path_is_a_path(
    name: str, types_mapping: groot.Mapping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    copy = name + " copy"
    for number in (1, 2):
        with groot.Context(types_mapping, store=name) as context:
            context.insert("Thing", id=number, name="kept")
            context.save()
    changed = document("types")
    changed["entities"]["Thing"]["attributes"]["more"] = {"type": "string", "optional": True}
    groot.Context(groot.Mapping(groot.Model(changed)), store=name, backup=copy).close()
    for file in (name, copy):
        assert (tmp_path / file).stat().st_size > 0
    with groot.Context(types_mapping, store=copy) as context:
        assert context.count("Thing") == 2


@pytest.mark.parametrize("path", ["", "/dev/null"])
def test_unusable_paths_are_refused(path: str, types_mapping: groot.Mapping) -> None:
    with pytest.raises(groot.Error) as raised:
        groot.Context(types_mapping, store=path)
    assert raised.value.code in (Status.INVALID_ARGUMENT, Status.FILE_ERROR)


def test_views_have_readable_dates_and_stay(tmp_path: Path) -> None:
    path = tmp_path / "things.sqlite"
    model = groot.Model(
        {
            "entities": {
                "Maker": {"attributes": {"name": {"type": "string"}}},
                "Thing": {
                    "attributes": {"made": {"type": "date"}},
                    "relationships": {"maker": {"destination": "Maker", "optional": True}},
                },
            }
        }
    )
    mapping = groot.Mapping(model, implicit=True)
    with groot.Context(mapping, store=path, views=True) as context:
        context.load("Thing", {"made": "1969-12-31T23:59:59.25Z", "maker": {"name": "Ann"}})
        context.save()
    with groot.Context(mapping, store=path) as context:
        assert context.count("Thing") == 1
    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT made, maker FROM Thing_view").fetchall()
    database.close()
    assert rows == [("1969-12-31T23:59:59.250000Z", "Ann")]


def test_triggers_are_refused_unless_allowed(tmp_path: Path, types_mapping: groot.Mapping) -> None:
    path = tmp_path / "things.sqlite"
    with groot.Context(types_mapping, store=path) as context:
        context.insert("Thing", id=1, name="own")
        context.save()
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TRIGGER thief AFTER INSERT ON Thing BEGIN UPDATE Thing SET name = 'stolen'; END"
        )
    database.close()
    with pytest.raises(groot.Error, match="thief") as raised:
        groot.Context(types_mapping, store=path)
    assert raised.value.code == Status.STORE_INVALID
    with groot.Context(types_mapping, store=path, triggers=True) as context:
        context.insert("Thing", id=2)
        context.save()
        context.refresh()
        assert {thing["name"] for thing in context.fetch("Thing")} == {"stolen"}


def test_another_model(tmp_path: Path) -> None:
    path, copy = tmp_path / "things.sqlite", tmp_path / "copy.sqlite"
    model = document("types")
    with groot.Context(groot.Mapping(groot.Model(model)), store=path) as context:
        context.insert("Thing", id=1, name="old", small=7)
        context.save()
    changed = document("types")
    attributes = changed["entities"]["Thing"]["attributes"]
    del attributes["small"]
    attributes["color"] = {"type": "string", "default": "red"}
    mapping = groot.Mapping(groot.Model(changed))
    with pytest.raises(groot.Error) as raised:
        groot.Context(mapping, store=path, migrate=False)
    assert raised.value.code == Status.STORE_MODEL
    with pytest.raises(groot.Error) as raised:
        groot.Context(mapping, store=path, backup=copy)
    assert raised.value.code == Status.STORE_MODEL
    (issue,) = raised.value.issues[1:]
    assert (issue.entity, issue.property) == ("Thing", "small")
    assert "1 value would be lost" in issue.message
    assert not copy.exists()
    with groot.Context(mapping, store=path, backup=copy, migrate="destructive") as context:
        (thing,) = context.fetch("Thing")
        assert (thing["name"], thing["color"]) == ("old", "red")
    with groot.Context(groot.Mapping(groot.Model(model)), store=copy) as context:
        assert context.fetch("Thing")[0]["small"] == 7
    attributes["name"]["type"] = "date"
    with pytest.raises(groot.Error) as raised:
        groot.Context(groot.Mapping(groot.Model(changed)), store=path)
    assert raised.value.code == Status.STORE_MODEL
    assert any(issue.property == "name" for issue in raised.value.issues)
