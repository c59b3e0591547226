"""Stores of earlier formats become stores of this one, and keep their data."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import groot
from groot import Status

OLD = Path(__file__).parent / "stores" / "format-1.sql"
TABLES = ["Place", "Region", "Language", "Country_borders", "Country_languages"]
ORDER = ["code", "area", "ratio", "open", "founded", "day", "money", "key", "flag", "more"]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Make a store of the format 1."""
    path = tmp_path / "old.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(OLD.read_text("utf-8"))
    return path


def mapping() -> groot.Mapping:
    """Return the mapping of the old store."""
    found = json.loads(
        next(line for line in OLD.read_text("utf-8").splitlines() if "'model'" in line)
        .split("'model','", 1)[1]
        .rsplit("')", 1)[0]
    )
    return groot.Mapping(groot.Model(found), implicit=True)


def contents(path: Path) -> dict[str, list[Any]]:
    """Return the rows of all tables, without those that describe the store."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}  # noqa: S608


def test_a_store_of_the_format_1_keeps_its_objects_links_notes_and_views(old: Path) -> None:
    before = contents(old)
    with groot.Context(mapping(), store=old) as context:
        assert context.note("etag") == "W/1"
        text = context.dumps(context.fetch("Country", sort="code"), depth=1)
        context.check()
        context.save()
    assert [[one[key] for key in ORDER] for one in json.loads(text)] == [
        [
            "AAA",
            -0.0,
            -0.0,
            True,
            "1949-05-23T00:00:00.500Z",
            "1949-05-23",
            12.5,
            "7d444840-9dc0-11d1-b245-5ffdce74fad2",
            "AAE=",
            {"a": [1, -0.0]},
        ],
        ["BBB", -5e-324, 0.1, False, *[None] * 6],
        ["CCC", 357022.5, 2.0, None, *[None] * 6],
        ["DDD", 0.0, None, None, *[None] * 6],
    ]
    assert '"area":-0.0,"ratio":-0.0' in text
    assert '"area":0.0' in text
    assert '"languages":[{"number":1,"scale":0.5},{"number":2,"scale":-0.0}]' in text
    after = contents(old)
    assert after["Country_borders"] == before["Country_borders"]
    assert after["Country_languages"] == before["Country_languages"]
    assert after["Region"] == before["Region"]
    assert [row[:4] for row in after["Place"]] == [row[:4] for row in before["Place"]]
    assert [row[4] for row in after["Place"]] == [-5e-324, bytes(8), None, 357022.5, 0.0]
    with contextlib.closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        rows = connection.execute("SELECT code, region, languages FROM Country_view").fetchall()
    assert rows[0] == ("AAA", "Öst", "1, 2")


def test_a_migrated_store_is_as_one_that_was_made_anew(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.sqlite"
    for path in (old, new):
        groot.Context(mapping(), store=path, views=True).close()
    texts = []
    for path in (old, new):
        with contextlib.closing(sqlite3.connect(path)) as connection:
            texts.append(set(connection.execute("SELECT type, name, sql FROM sqlite_master")))
    assert texts[0] == texts[1]


def test_a_backup_is_made_before_the_format_changes(old: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite"
    groot.Context(mapping(), store=old, backup=backup).close()
    with contextlib.closing(sqlite3.connect(backup)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


def test_a_store_that_may_not_be_written_is_refused(old: Path) -> None:
    before = old.read_bytes()
    with pytest.raises(groot.Error, match="has the format 1") as caught:
        groot.Context(mapping(), store=old, read_only=True)
    assert caught.value.code is Status.STORE_MODEL
    assert old.read_bytes() == before


def test_another_model_is_refused_also_in_an_old_format(old: Path) -> None:
    before = old.read_bytes()
    document = mapping().model.document
    document["entities"]["Region"]["attributes"]["size"] = {"type": "double", "optional": True}
    other = groot.Mapping(groot.Model(document), implicit=True)
    with pytest.raises(groot.Error, match="made for another model") as caught:
        groot.Context(other, store=old, migrate=False)
    columns = '"Region" (_id INTEGER PRIMARY KEY AUTOINCREMENT, _entity TEXT NOT NULL, '
    columns += '_version INTEGER NOT NULL, "name" TEXT'
    assert [issue.message for issue in caught.value.issues[1:]] == [
        f"the store has: CREATE TABLE {columns})",
        f'the model needs: CREATE TABLE {columns}, "size")',
        "the model needs: Region.size: double",
    ]
    assert old.read_bytes() == before


def test_another_format_needs_no_option(old: Path) -> None:
    with groot.Context(mapping(), store=old, migrate=False) as context:
        assert context.count("Country") == 4
    with contextlib.closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)


def test_a_changed_table_of_an_old_format_is_damage(old: Path) -> None:
    with contextlib.closing(sqlite3.connect(old)) as connection:
        connection.execute("ALTER TABLE Region ADD COLUMN more TEXT")
    with pytest.raises(groot.Error, match="damaged") as caught:
        groot.Context(mapping(), store=old)
    assert caught.value.code is Status.STORE_INVALID


def test_an_old_store_of_another_model_becomes_one_of_this_format(old: Path) -> None:
    document = mapping().model.document
    document["entities"]["Region"]["attributes"]["size"] = {"type": "double", "optional": True}
    with groot.Context(groot.Mapping(groot.Model(document), implicit=True), store=old) as context:
        found = context.get("Country", "AAA"), context.get("Region", "Öst")
        assert found[0]
        assert found[0].area.hex() == "-0x0.0p+0"
        assert found[1]
        assert found[1].size is None
