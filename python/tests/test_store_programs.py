"""The rules for other programs on a store, with sqlite3 alone: docs/guides/other-programs.md."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import groot
from groot import Status

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "other-programs.md"
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
PRAGMAS = ("application_id", "user_version")
RAISE = "_version = abs(_version) + 1"
MODEL = {
    "entities": {
        "Region": {
            "userInfo": {"identityAttributes": "name"},
            "attributes": {"name": {"type": "string"}},
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
            "userInfo": {"identityAttributes": "code"},
            "attributes": {
                "code": {"type": "string"},
                "changed": {"type": "date", "optional": True},
                "key": {"type": "uuid", "optional": True},
            },
            "relationships": {
                "region": {"destination": "Region", "optional": True, "inverse": "countries"},
                "borders": {
                    "destination": "Country",
                    "toMany": True,
                    "optional": True,
                    "inverse": "borders",
                },
            },
        },
    }
}


def opened(path: Path, **options: Any) -> groot.Context:
    return groot.Context(groot.Mapping(groot.Model(MODEL), implicit=True), store=path, **options)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with three countries, and a placeholder of a region."""
    path = tmp_path / "countries.sqlite"
    with opened(path) as context:
        switzerland = {"code": "CHE", "borders": ["DEU"], "changed": "1848-09-12T12:00:00.25Z"}
        countries = [switzerland, {"code": "DEU"}, {"code": "PER"}]
        context.load("Country", [{"region": "Europe", **country} for country in countries])
        context.save()
    return path


def run(path: Path, *statements: str) -> list[tuple[object, ...]]:
    """Run statements on a store that this process has closed; the rows of the last one."""
    database = sqlite3.connect(path)
    with database:
        rows = [database.execute(statement).fetchall() for statement in statements]
    database.close()
    return rows[-1]


def run_elsewhere(path: Path, *statements: str) -> None:
    """Run statements in another process, on a store that may be open."""
    code = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
with database:
    for statement in sys.argv[2:]:
        database.execute(statement)
database.close()
"""
    subprocess.run([sys.executable, "-c", code, str(path), *statements], check=True)


def restore(path: Path, *pragmas: str) -> Path:
    """Make a copy from a dump, with some numbers of the header."""
    restored = path.with_name("restored.sqlite")
    source, target = sqlite3.connect(path), sqlite3.connect(restored)
    target.executescript("\n".join(source.iterdump()))
    for name in pragmas:
        (number,) = source.execute(f"PRAGMA {name}").fetchone()
        target.execute(f"PRAGMA {name} = {number}")
    target.commit()
    source.close()
    target.close()
    return restored


def test_a_dump_with_both_numbers_restores_a_store(path: Path) -> None:
    with opened(path) as context:
        before = context.dumps(context.fetch("Country", sort="code"))
    with opened(restore(path, *PRAGMAS)) as context:
        context.check()
        assert context.dumps(context.fetch("Country", sort="code")) == before
        context.insert("Country", code="AUT")
        context.save()
    assert run(path.with_name("restored.sqlite"), "SELECT max(_id) FROM Country") == [(4,)]


@pytest.mark.parametrize("pragmas", [(), PRAGMAS[:1], PRAGMAS[1:]])
def test_a_dump_without_one_of_the_numbers_is_refused(path: Path, pragmas: tuple[str, ...]) -> None:
    with pytest.raises(groot.Error) as raised:
        opened(restore(path, *pragmas))
    assert raised.value.code == Status.STORE_INVALID


def test_an_inserted_row_without_a_position_is_first_in_its_list(path: Path) -> None:
    insert = "INSERT INTO Country (code, region) VALUES ('AUT', 1)"
    run(path, insert)
    with opened(path) as context:
        context.check()
        (region,) = context.fetch("Region")
        assert [one.code for one in region.countries] == ["AUT", "CHE", "DEU", "PER"]
        context.insert("Country", code="FRA", region=region)
        context.save()
    with opened(path) as context:
        (region,) = context.fetch("Region")
        assert [one.code for one in region.countries] == ["AUT", "CHE", "DEU", "PER", "FRA"]


def test_a_row_of_a_join_table_is_a_link(path: Path) -> None:
    run(path, "INSERT INTO Country_borders VALUES (1, 3, 0, 0), (3, 1, 0, 0)")
    with opened(path) as context:
        context.check()
        (peru,) = context.fetch("Country", {"code": "PER"})
        assert [one.code for one in peru.borders] == ["CHE"]


def test_a_link_of_an_own_inverse_without_its_other_row_is_damage(path: Path) -> None:
    run(path, "INSERT INTO Country_borders VALUES (1, 3, 0, 0)")
    lost = "leads from the object 1 to 3, but not back"
    with opened(path) as context, pytest.raises(groot.Error, match=lost):
        context.check()


def require_conflict(path: Path, entity: str, also: str = "") -> None:
    """Change an object here and elsewhere; `also` is what the update elsewhere sets besides."""
    attribute = {"Country": "code", "Region": "name"}[entity]
    with opened(path) as context:
        one = context.fetch(entity)[0]
        assert getattr(one, attribute)
        run_elsewhere(path, f"UPDATE {entity} SET {attribute} = {attribute} || '!'{also}")
        setattr(one, attribute, "mine")
        with pytest.raises(groot.Error) as raised:
            context.save()
        assert raised.value.code == Status.STORE_CONFLICT
        context.rollback()
        context.check()


@pytest.mark.parametrize("entity", ["Country", "Region"])
def test_a_raised_version_is_a_conflict(path: Path, entity: str) -> None:
    require_conflict(path, entity, f", {RAISE}")


def test_a_raised_version_of_a_placeholder_was_never_read(path: Path) -> None:
    (before,) = run(path, "SELECT _version FROM Region")
    assert before[0] < 0
    with opened(path) as context:
        (region,) = context.fetch("Region")
        assert region.name == "Europe"
        run_elsewhere(
            path,
            "UPDATE Region SET name = 'once', _version = _version - 1",
            f"UPDATE Region SET name = 'twice', {RAISE}",
        )
        region.name = "mine"
        with pytest.raises(groot.Error) as raised:
            context.save()
        assert raised.value.code == Status.STORE_CONFLICT
        context.rollback()
        assert context.fetch("Region")[0].name == "twice"


@pytest.mark.parametrize("entity", ["Country", "Region"])
def test_an_update_without_a_version_is_a_conflict_with_versions(path: Path, entity: str) -> None:
    opened(path, versions=True).close()
    require_conflict(path, entity)


def test_the_documented_text_of_a_date_is_exact(path: Path) -> None:
    select = next(
        code.partition(";")[0].replace("FROM Country", "FROM Country WHERE _id = 1")
        for code in re.findall(r"^```sql [^\n]*\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
        if code.startswith("SELECT strftime")
    )
    microseconds = [
        0, 1, -1, 999_999, 1_000_000, -999_999, -1_000_000, -1_000_001, 1_709_296_200_250_000,
        -62_135_596_800_000_000, 253_402_300_799_999_999,
    ]  # fmt: skip
    for number in microseconds:
        ((text,),) = run(path, f"UPDATE Country SET changed = {number} WHERE _id = 1", select)
        date = EPOCH + timedelta(microseconds=number)
        assert text == date.isoformat(timespec="microseconds").replace("+00:00", "Z")
        with opened(path) as context:
            assert context.fetch("Country", sort="code")[0].changed == date


def test_a_date_of_the_documented_update_is_read(path: Path) -> None:
    run(path, "UPDATE Country SET changed = strftime('%s', '2025-01-01T12:00:00Z') * 1000000")
    with opened(path) as context:
        expected = datetime(2025, 1, 1, 12, tzinfo=timezone.utc)
        assert [one.changed for one in context.fetch("Country")] == [expected] * 3


def test_a_uuid_without_hyphens_is_read(path: Path) -> None:
    text = "6f9619ff8b86d011b42d00cf4fc964ff"
    run(path, f"UPDATE Country SET key = '{text}'")
    with opened(path) as context:
        assert {one.key.hex for one in context.fetch("Country")} == {text}
