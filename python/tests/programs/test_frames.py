"""pyarrow, polars, pandas and DuckDB read objects through Arrow, and the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import duckdb
import pandas
import polars
import pyarrow
import pytest

import groot
from programs.atlas import opened

COLUMNS = ["code", "area", "landlocked", "gdp", "changed", "founded", "key"]
DATES = [
    datetime(2024, 3, 1, 12, 30, 0, 250_000, timezone.utc),
    datetime(1958, 10, 4, tzinfo=timezone.utc),
    None,
]
DAYS = [date(1848, 9, 12), date(1958, 10, 4), None]
AREAS = [41284.0, 551695.0, None]


def without_extension() -> bool:
    """Tell whether DuckDB lacks its extension, which comes from a package, or from its server."""
    try:
        from duckdb_extensions import import_extension

        import_extension("sqlite_scanner")
        duckdb.connect().execute("LOAD sqlite")
    except (ImportError, duckdb.Error):
        return True
    return False


@pytest.fixture
def countries(store: Path) -> Iterator[groot.Objects]:
    """Fetch all countries."""
    with opened(store, read_only=True) as atlas:
        yield atlas.fetch("Country", sort="code")


def test_a_table_of_pyarrow_has_all_columns(countries: groot.Objects) -> None:
    table = pyarrow.table(countries.table(*COLUMNS, "region.name"))
    assert table.column_names == [*COLUMNS, "region.name"]
    table.validate(full=True)
    assert table["area"].to_pylist() == AREAS
    assert table["changed"].to_pylist() == DATES
    assert table["founded"].to_pylist() == DAYS
    assert table["region.name"].to_pylist() == ["Europe", "Europe", "Americas"]
    assert pyarrow.table(countries).column_names == COLUMNS


def test_a_table_of_objects_is_joined_with_the_rows_of_the_file_by_keys(
    store: Path, countries: groot.Objects
) -> None:
    table = pyarrow.table(countries.table("code", "region", ids=True, entity=True))
    assert table.column_names == ["_id", "_entity", "code", "region", "region._id"]
    assert table["_entity"].to_pylist() == ["Country"] * 3
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT _id, code, region FROM Country ORDER BY code").fetchall()
    names = ["_id", "code", "region._id"]
    assert list(zip(*(table[name].to_pylist() for name in names), strict=True)) == rows


def test_a_to_many_relationship_is_a_list_and_types_are_those_asked_for(
    countries: groot.Objects,
) -> None:
    types = {"gdp": "decimal128(10, 2)", "key": "uuid", "area": "float32"}
    table = countries.table("languages", "languages._id", "gdp", "key", "area", types=types)
    arrow = pyarrow.table(table)
    arrow.validate(full=True)
    assert arrow["languages"].to_pylist() == [["German", "French"], ["French"], []]
    assert [len(one) for one in arrow["languages._id"].to_pylist()] == [2, 1, 0]
    assert arrow.schema.field("gdp").type == pyarrow.decimal128(10, 2)
    assert arrow["gdp"].to_pylist() == [Decimal("884.94"), None, None]
    assert arrow.schema.field("key").type == pyarrow.binary(16)
    assert arrow["key"].to_pylist()[0] == UUID("6f9619ff-8b86-d011-b42d-00cf4fc964ff").bytes
    assert arrow.schema.field("area").type == pyarrow.float32()
    frame = polars.DataFrame(table)
    assert frame["languages"].to_list() == [["German", "French"], ["French"], []]
    assert frame["gdp"].to_list() == [Decimal("884.94"), None, None]
    connection = duckdb.connect()
    connection.register("table_", table)
    found = connection.execute("SELECT unnest(languages), area FROM table_ ORDER BY ALL")
    assert found.fetchall() == [("French", 41284.0), ("French", 551695.0), ("German", 41284.0)]


def test_a_wrong_type_in_a_schema_is_an_error_of_pyarrow(countries: groot.Objects) -> None:
    schema = pyarrow.schema([("code", pyarrow.int64())])
    with pytest.raises(pyarrow.ArrowInvalid, match="Failed to parse string"):
        pyarrow.table(countries.table("code"), schema=schema)


def test_a_wrong_name_in_a_schema_is_an_error_of_pyarrow(countries: groot.Objects) -> None:
    schema = pyarrow.schema([("name", pyarrow.string())])
    with pytest.raises(ValueError, match="field names are not matching"):
        pyarrow.table(countries.table("code"), schema=schema)


def test_a_frame_of_polars_has_all_columns(countries: groot.Objects) -> None:
    frame = polars.DataFrame(countries)
    assert frame.columns == COLUMNS
    assert frame["area"].to_list() == AREAS
    assert frame["changed"].to_list() == DATES
    assert frame["founded"].to_list() == DAYS
    assert frame["landlocked"].to_list() == [True, False, None]


def test_a_frame_of_pandas_has_all_columns(countries: groot.Objects) -> None:
    for frame in (pandas.DataFrame.from_arrow(countries), countries.to_pandas()):
        assert list(frame.columns) == COLUMNS
        assert frame["area"].sum() == 592979.0
        assert frame["changed"].isna().tolist() == [False, False, True]
        assert frame["changed"][0].to_pydatetime() == DATES[0]


def test_a_query_of_duckdb_reads_arrow(countries: groot.Objects) -> None:
    table = countries.table("code", "area", "changed", "region.name")
    assert isinstance(table, groot.Table)
    query = 'SELECT "region.name", sum(area) FROM table_ GROUP BY ALL ORDER BY ALL'
    connection = duckdb.connect()
    connection.register("table_", table)
    assert connection.execute(query).fetchall() == [("Americas", None), ("Europe", 592979.0)]
    (found,) = connection.execute("SELECT max(changed) FROM table_").fetchone()
    assert found == DATES[0]


@pytest.mark.skipif(without_extension(), reason="not installed: the extension sqlite of DuckDB")
def test_a_query_of_duckdb_reads_the_file(store: Path) -> None:
    connection = duckdb.connect()
    connection.execute(f"ATTACH '{store}' AS atlas (TYPE sqlite, READ_ONLY)")
    rows = connection.execute(
        "SELECT Country.code, make_timestamp(changed), Region.name, area FROM atlas.Country"
        " JOIN atlas.Region ON Country.region = Region._id ORDER BY 1"
    ).fetchall()
    naive = [one and one.replace(tzinfo=None) for one in DATES]
    names = ["Europe", "Europe", "Americas"]
    areas = [41284.0, 551695.0, None]
    assert rows == list(zip(["CHE", "FRA", "PER"], naive, names, areas, strict=True))


def test_a_query_of_pandas_reads_dates(store: Path) -> None:
    database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    query = "SELECT code, changed FROM Country ORDER BY code"
    frame = pandas.read_sql(query, database, dtype={"changed": "Int64"})
    database.close()
    dates = pandas.to_datetime(frame["changed"], unit="us", utc=True)
    assert [None if pandas.isna(one) else one.to_pydatetime() for one in dates] == DATES


def test_a_view_has_dates_that_pandas_reads(store: Path) -> None:
    database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    dates = {"changed": {"utc": True, "format": "ISO8601"}}
    frame = pandas.read_sql("SELECT * FROM Country_view", database, parse_dates=dates)
    database.close()
    assert frame["changed"][0].to_pydatetime() == DATES[0]
