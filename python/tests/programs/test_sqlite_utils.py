"""sqlite-utils reads and writes a store; wrong values are found, changed tables are refused."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path

import pytest

import groot
from groot import Status
from programs.atlas import Writer, opened, run

RAISE = "_version = abs(_version) + 1"


def utils(folder: Path, command: str, *arguments: str, rows: object = None) -> str:
    text = None if rows is None else json.dumps(rows)
    return run(folder, "sqlite-utils", command, "atlas.sqlite", *arguments, text=text)


def test_rows_of_tables_and_views_are_json(folder: Path) -> None:
    rows = json.loads(utils(folder, "rows", "Country"))
    assert [row["changed"] for row in rows] == [1709296200250000, -354844800000000, None]
    views = json.loads(utils(folder, "rows", "Country_view"))
    assert [row["region"] for row in views] == ["Europe", "Europe", "Americas"]


def test_an_inserted_row_is_an_object(folder: Path, store: Path) -> None:
    row = {"code": "AUT", "region": 1, "area": 83879}
    utils(folder, "insert", "Country", "-", rows=row)
    with opened(store) as atlas:
        atlas.check()
        austria = atlas.fetch("Country", {"code": "AUT"})[0]
        assert (austria.area, austria.region.name) == (83879.0, "Europe")
        europe = atlas.fetch("Region", {"name": "Europe"})[0]
        assert [one.code for one in europe.countries] == ["AUT", "CHE", "FRA"]


def test_a_value_of_a_wrong_type_is_reported_and_repaired(folder: Path, store: Path) -> None:
    update = f"UPDATE Country SET changed = '2020-01-01', {RAISE} WHERE code = 'CHE'"
    utils(folder, "query", update)
    with opened(store) as atlas:
        with pytest.raises(groot.Error, match="'2020-01-01' in its column 'changed'") as raised:
            atlas.check()
        assert raised.value.code == Status.STORE_VALUE_INVALID
        country = atlas.fetch("Country", {"code": "CHE"})[0]
        country.changed = datetime(2020, 1, 1, tzinfo=timezone.utc)
        atlas.save()
        atlas.check()
    rows = json.loads(utils(folder, "query", "SELECT changed FROM Country WHERE code = 'CHE'"))
    assert rows == [{"changed": 1577836800000000}]


def test_a_link_to_a_missing_row_is_reported_and_repaired(folder: Path, store: Path) -> None:
    utils(folder, "query", f"UPDATE Country SET region = 9, {RAISE} WHERE code = 'CHE'")
    with opened(store) as atlas:
        with pytest.raises(groot.Error, match="the object 9 of 'Region'"):
            atlas.check()
        atlas.fetch("Country", {"code": "CHE"})[0].region = None
        atlas.save()
        atlas.check()


def test_a_context_has_a_conflict_with_an_update(folder: Path) -> None:
    other = Writer(folder, "CHE")
    utils(folder, "query", f"UPDATE Country SET area = 2, {RAISE} WHERE code = 'CHE'")
    assert other.save() == str(int(Status.STORE_CONFLICT))


@pytest.mark.parametrize(
    "command",
    [
        "transform Country --type gdp float",
        "add-column Country motto text",
        "add-foreign-key Country code Region name",
        "convert Country gdp value --output copy",
    ],
)
def test_a_change_of_tables_is_refused(folder: Path, store: Path, command: str) -> None:
    utils(folder, *command.split())
    with pytest.raises(groot.Error, match="is missing, or was changed") as raised:
        opened(store)
    assert raised.value.code == Status.STORE_INVALID


def test_a_column_of_an_insert_is_refused(folder: Path, store: Path) -> None:
    row = {"code": "AUT", "motto": "A.E.I.O.U."}
    utils(folder, "insert", "Country", "-", "--alter", rows=row)
    with pytest.raises(groot.Error, match="is missing, or was changed"):
        opened(store)


@pytest.mark.parametrize(
    "command",
    ["create-index Country founded", "enable-fts Country code", "vacuum", "analyze"],
)
def test_an_addition_leaves_a_store(folder: Path, store: Path, command: str) -> None:
    utils(folder, *command.split())
    with opened(store) as atlas:
        atlas.check()
        assert atlas.count("Country") == 3


def test_a_trigger_of_a_search_table_needs_the_option(folder: Path, store: Path) -> None:
    utils(folder, "enable-fts", "Country", "code", "--create-triggers")
    with pytest.raises(groot.Error, match='the option "triggers" allows it'):
        opened(store)
    with opened(store, triggers=True) as atlas:
        assert atlas.count("Country") == 3
        atlas.load("Country", {"code": "NOR"})
        atlas.save()
        atlas.check()
    assert "NOR" in utils(folder, "search", "Country", "NOR")
