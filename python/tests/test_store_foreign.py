"""Other programs write to a store: values of other types, missing objects, and long logs."""

from __future__ import annotations

import contextlib
import sqlite3
from datetime import datetime, timezone
from pathlib import Path

import pytest

import groot
from groot import Status

MODEL = {
    "entities": {
        "Region": {
            "attributes": {"name": {"type": "string", "userInfo": {"JSONKeyPath": "name"}}},
            "userInfo": {"identityAttributes": "name"},
            "relationships": {
                "countries": {
                    "destination": "Country",
                    "toMany": True,
                    "optional": True,
                    "inverse": "region",
                }
            },
        },
        "Country": {
            "attributes": {
                "cca3": {"type": "string", "userInfo": {"JSONKeyPath": "cca3"}},
                "founded": {"type": "date", "optional": True},
                "area": {
                    "type": "double",
                    "optional": True,
                    "userInfo": {"JSONKeyPath": "area"},
                },
            },
            "userInfo": {"identityAttributes": "cca3"},
            "relationships": {
                "region": {
                    "destination": "Region",
                    "optional": True,
                    "inverse": "countries",
                    "userInfo": {"JSONKeyPath": "region"},
                }
            },
        },
    }
}


def opened(path: Path, triggers: bool = False) -> groot.Context:
    return groot.Context(groot.Mapping(groot.Model(MODEL)), store=path, triggers=triggers)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with three countries."""
    path = tmp_path / "countries.sqlite"
    with opened(path) as context:
        region = {"name": "Europe"}
        context.load(
            "Country", [{"cca3": name, "region": region} for name in ("CHE", "DEU", "FRA")]
        )
        context.save()
    return path


def run(path: Path, *statements: str) -> None:
    database = sqlite3.connect(path)
    with database:
        for statement in statements:
            database.execute(statement)
    database.close()


def test_a_foreign_value_is_an_error_of_its_property(path: Path) -> None:
    run(path, "UPDATE Country SET founded = '2020-01-01' WHERE cca3 = 'DEU'")
    with opened(path) as context:
        countries = context.fetch("Country", sort="cca3")
        assert [one.cca3 for one in countries] == ["CHE", "DEU", "FRA"]
        assert [countries[0].founded, countries[2].founded] == [None, None]
        assert countries[1].region.name == "Europe"
        with pytest.raises(groot.Error, match="'2020-01-01' in its column 'founded'") as raised:
            _ = countries[1].founded
        assert raised.value.code == Status.STORE_VALUE_INVALID
        assert (raised.value.issues[0].entity, raised.value.issues[0].property) == (
            "Country",
            "founded",
        )
        for lost in (
            lambda: context.dumps(countries),
            lambda: countries.column("founded"),
            lambda: countries.table("founded").__arrow_c_stream__(),
            lambda: context.distinct("Country", "founded"),
            context.check,
        ):
            with pytest.raises(groot.Error) as raised:
                lost()
            assert raised.value.code == Status.STORE_VALUE_INVALID
        countries[1].founded = datetime(2020, 1, 1, tzinfo=timezone.utc)
        context.save()
        context.check()
    with opened(path) as context:
        assert context.fetch("Country", {"cca3": "DEU"})[0].founded.year == 2020


def test_a_foreign_value_can_be_cleared_deleted_and_imported_over(path: Path) -> None:
    run(path, "INSERT INTO Country (cca3) VALUES ('AUT')", "UPDATE Country SET area = 'wide'")
    with opened(path) as context:
        context.load("Country", [{"cca3": "CHE", "area": 41.0}, {"cca3": "AUT", "area": None}])
        context.fetch("Country", {"cca3": "DEU"})[0].area = None
        context.delete(context.fetch("Country", {"cca3": "FRA"})[0])
        context.save()
        context.check()
        assert [one.area for one in context.fetch("Country", sort="cca3")] == [None, 41.0, None]


def test_links_to_missing_objects_are_listed(path: Path) -> None:
    run(path, "UPDATE Country SET region = 9 WHERE cca3 <> 'CHE'")
    with opened(path) as context:
        with pytest.raises(groot.Error, match="the object 9 of 'Region'") as raised:
            context.check()
        assert raised.value.code == Status.STORE_INVALID
        for lost in (
            lambda: context.dumps(context.fetch("Country")),
            lambda: context.fetch("Country").column("region.name"),
            lambda: context.fetch("Country", {"cca3": "DEU"})[0].region.name,
        ):
            with pytest.raises(
                groot.Error, match="'region' of the object 2 of 'Country'"
            ) as raised:
                lost()
            assert raised.value.issues[0].property == "region"
        for country in context.fetch("Country"):
            country.region = None
        context.save()
        context.check()


def test_the_log_of_two_contexts_is_bounded(path: Path) -> None:
    with opened(path) as writer, opened(path) as reader:
        country = writer.fetch("Country")[0]
        for number in range(1_500):
            country.area = float(number)
            writer.save()
            if number % 20 == 0:
                reader.refresh()
        assert path.with_name(path.name + "-wal").stat().st_size < 10 << 20


def test_a_search_of_texts_by_triggers_is_kept_by_saves_where_triggers_are_allowed(
    path: Path,
) -> None:
    run(
        path,
        "CREATE VIRTUAL TABLE found USING fts5(cca3)",
        "CREATE TRIGGER find AFTER INSERT ON Country BEGIN"
        " INSERT INTO found (rowid, cca3) VALUES (new._id, new.cca3); END",
    )
    with pytest.raises(groot.Error, match="trigger"):
        opened(path)
    with opened(path, triggers=True) as context:
        context.load("Country", {"cca3": "PER"})
        context.save()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT cca3 FROM found WHERE found MATCH 'per'").fetchall()
    assert found == [("PER",)]
