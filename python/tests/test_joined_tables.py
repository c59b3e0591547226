"""Tables that can be joined: keys of rows, entities, and lists of members."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nanoarrow
import pytest

import groot
from groot import Status


def _attributes(**types: str) -> dict[str, Any]:
    return {
        name: {"type": type, "optional": True, "userInfo": {"JSONKeyPath": name}}
        for name, type in types.items()
    }


def _to_many(destination: str, **more: Any) -> dict[str, Any]:
    return {"destination": destination, "toMany": True, "optional": True, **more}


def _keyed(name: str, relationship: dict[str, Any]) -> dict[str, Any]:
    return {**relationship, "userInfo": {"JSONKeyPath": name}}


ENTITIES: dict[str, Any] = {
    "Region": {
        "userInfo": {"identityAttributes": "id"},
        "attributes": _attributes(id="integer64", name="string"),
        "relationships": {"countries": _to_many("Country", inverse="region")},
    },
    "Country": {
        "userInfo": {"identityAttributes": "cca3"},
        "attributes": _attributes(cca3="string", area="double", landlocked="boolean"),
        "relationships": {
            "region": _keyed(
                "region", {"destination": "Region", "inverse": "countries", "optional": True}
            ),
            "borders": _keyed("borders", _to_many("Country", ordered=True)),
            "towns": _keyed("towns", _to_many("Town", ordered=True)),
        },
    },
    "Island": {"parent": "Country", "attributes": _attributes(coast="double")},
    "Town": {"attributes": _attributes(name="string")},
    "Document": {
        "attributes": _attributes(_id="string", _entity="string"),
        "relationships": {"next": {"destination": "Document", "optional": True}},
    },
}
RECORDS: list[dict[str, Any]] = [
    {
        "cca3": "DEU",
        "area": 357114.5,
        "landlocked": False,
        "region": {"id": 1, "name": "Europe"},
        "borders": ["ÖST", "FRA"],
        "towns": [{"name": "Köln"}, {}],
    },
    {"cca3": "ÖST", "landlocked": True, "region": {"id": 1}, "borders": ["DEU"]},
    {"cca3": "FRA", "area": 0.5},
]


@pytest.fixture(params=["memory", "file"])
def context(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[groot.Context]:
    mapping = groot.Mapping(groot.Model({"entities": ENTITIES}))
    store = (str(tmp_path / "world.sqlite"),) if request.param == "file" else ()
    with groot.Context(mapping, *store) as made:
        yield made


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[groot.Context]:
    path = tmp_path / "saved.sqlite"
    with groot.Context(groot.Mapping(groot.Model({"entities": ENTITIES})), path) as made:
        made.load("Country", RECORDS)
        made.save()
        yield made


def _rows(table: Any) -> list[Any]:
    return list(nanoarrow.ArrayStream(table).read_all().iter_py())


def _column(table: Any, name: str) -> list[Any]:
    return [row[name] for row in _rows(table)]


def _types(table: Any) -> dict[str, str]:
    return {one.name: one.type.name for one in nanoarrow.ArrayStream(table).schema.fields}


def test_objects_that_were_not_saved_have_no_key(context: groot.Context) -> None:
    countries = context.load("Country", RECORDS)
    table = countries.table("cca3", "region", ids=True)
    assert table.names == ["_id", "cca3", "region", "region._id"]
    assert _types(table)["_id"] == _types(table)["region._id"] == "INT64"
    assert _column(table, "_id") == _column(table, "region._id") == [None] * 3
    assert countries.column("_id").tolist() == [None] * 3
    assert [row["_id"] for row in table] == [None] * 3


def test_keys_join_the_tables_and_are_those_of_the_rows(
    saved: groot.Context, tmp_path: Path
) -> None:
    sqlite3 = pytest.importorskip("sqlite3")
    table = saved.fetch("Country").table("cca3", "region", ids=True)
    regions = {row["_id"]: row for row in _rows(saved.fetch("Region").table(ids=True))}
    names = {
        row["cca3"]: regions[row["region._id"]]["name"] if row["region._id"] else None
        for row in _rows(table)
    }
    assert names == {"DEU": "Europe", "ÖST": "Europe", "FRA": None}
    assert list(table) == [
        {**row, "region": one.region} for row, one in zip(_rows(table), saved.fetch("Country"))
    ]
    database = sqlite3.connect(tmp_path / "saved.sqlite")
    stored = dict(database.execute("SELECT cca3, _id FROM Country").fetchall())
    database.close()
    assert {row["cca3"]: row["_id"] for row in _rows(table)} == stored


def test_a_new_object_gets_its_key_with_the_save(saved: groot.Context) -> None:
    new = saved.insert("Country", cca3="XXX")
    countries = saved.fetch("Country", sort="cca3")
    table = countries.table("cca3", ids=True)
    assert [row["_id"] is None for row in _rows(table)] == [False, False, True, False]
    saved.save()
    assert None not in _column(table, "_id")
    saved.delete(new)
    with pytest.raises(groot.Error) as found:
        countries.table("_id").__arrow_c_stream__()
    assert found.value.code == Status.OBJECT_DELETED


def test_keys_of_objects_that_were_never_read(saved: groot.Context, tmp_path: Path) -> None:
    again = groot.Context(groot.Mapping(saved.mapping.model), tmp_path / "saved.sqlite")
    table = again.fetch("Country", sort="cca3").table("borders", ids=True)
    assert _rows(table) == _rows(saved.fetch("Country", sort="cca3").table("borders", ids=True))
    again.close()


def test_a_column_that_is_chosen_already_is_not_added(saved: groot.Context) -> None:
    countries = saved.fetch("Country")
    names = ["cca3", "region._id", "region", "_id"]
    assert countries.table(*names, ids=True).names == names
    assert countries.table("cca3", "_entity", entity=True).names == ["cca3", "_entity"]
    assert countries.table(ids=True, entity=True).names == [
        *("_id", "_entity", "cca3", "area", "landlocked")
    ]


def test_an_attribute_with_the_name_of_a_column_is_named(context: groot.Context) -> None:
    documents = context.load("Document", [{"_id": "x", "_entity": "y"}])
    assert _rows(documents.table("_id", "_entity")) == [{"_id": "x", "_entity": "y"}]
    uses: list[tuple[dict[str, Any], str]] = [({"ids": True}, "_id"), ({"entity": True}, "_entity")]
    for use, name in uses:
        with pytest.raises(groot.Error, match=rf"Document\.{name}.*leave the column out") as found:
            documents.table(**use)
        assert found.value.code == Status.INVALID_ARGUMENT


def test_each_object_has_the_name_of_its_own_entity(context: groot.Context) -> None:
    context.load("Country", RECORDS[:1])
    context.insert("Island", cca3="ISL", coast=1.5, region=context.fetch("Region")[0])
    countries = context.fetch("Country", sort="cca3")
    table = countries.table("cca3", "region._entity", "region.countries._entity", entity=True)
    assert _types(table)["_entity"] == "LARGE_STRING"
    assert _column(table, "_entity") == ["Country", "Country", "Island", "Country"]
    assert _column(table, "region._entity") == ["Region", None, "Region", None]
    assert _column(table, "region.countries._entity")[0] == ["Country", "Island"]
    assert context.fetch("Island").column("_entity").tolist() == ["Island"]
    with pytest.raises(groot.Error) as found:
        countries.table("coast")
    assert found.value.code == Status.UNKNOWN_PROPERTY
    towns = context.fetch("Town")
    context.delete(towns[0])
    with pytest.raises(groot.Error) as found:
        towns.table("_entity").__arrow_c_stream__()
    assert found.value.code == Status.OBJECT_DELETED


def test_a_to_many_relationship_is_a_list(context: groot.Context) -> None:
    context.load("Country", RECORDS)
    countries = context.fetch("Country", sort="area")  # ÖST, FRA, DEU
    paths = {
        "borders": [["DEU"], [], ["ÖST", "FRA"]],
        "borders.area": [[357114.5], [], [None, 0.5]],
        "borders.landlocked": [[False], [], [True, None]],
        "borders.region": [[1], [], [1, None]],
        "borders.region.name": [["Europe"], [], ["Europe", None]],
        "region.countries.cca3": [["DEU", "ÖST"], None, ["DEU", "ÖST"]],
        "region.countries": [["DEU", "ÖST"], None, ["DEU", "ÖST"]],
        "towns.name": [[], [], ["Köln", None]],
    }
    assert [one.cca3 for one in countries] == ["ÖST", "FRA", "DEU"]
    table = countries.table(*paths)
    assert set(_types(table).values()) == {"LARGE_LIST"}
    assert _rows(table) == [dict(zip(paths, row)) for row in zip(*paths.values())]
    towns = [groot.object_id(one) for one in countries[2].towns]
    assert _column(countries.table("towns"), "towns") == [[], [], towns]
    item = nanoarrow.ArrayStream(table).schema.field(1).value_type
    assert (item.name, item.type.name, item.nullable) == ("item", "DOUBLE", True)


def test_rows_have_lists_of_the_values_of_the_members(context: groot.Context) -> None:
    context.load("Country", RECORDS)
    countries = context.fetch("Country", sort="area")
    rows = list(countries.table("borders", "borders.region", "region.countries.cca3"))
    assert [row["borders"] for row in rows] == [list(one.borders) for one in countries]
    assert [row["borders.region"] for row in rows] == [
        [other.region for other in one.borders] for one in countries
    ]
    assert [row["region.countries.cca3"] for row in rows] == [
        None if one.region is None else [other.cca3 for other in one.region.countries]
        for one in countries
    ]


def test_keys_follow_each_relationship(saved: groot.Context) -> None:
    countries = saved.fetch("Country", sort="area")
    table = countries.table("borders", "borders.region", ids=True)
    keys = dict(zip(countries.column("cca3"), countries.column("_id")))
    assert table.names == ["_id", "borders", "borders._id", "borders.region", "borders.region._id"]
    assert _column(table, "borders._id") == [
        [keys[other] for other in row] for row in _column(table, "borders")
    ]
    assert _column(table, "borders.region._id") == [[1], [], [1, None]]


@pytest.mark.parametrize("count", [0, 1, 10_000])
def test_tables_of_any_length(context: groot.Context, count: int) -> None:
    records = [{"cca3": f"ö{number}", "borders": [f"ö{number // 2}"]} for number in range(count)]
    countries = context.load("Country", records)
    rows = _rows(countries.table("borders", "borders.cca3", ids=True, entity=True))
    assert [row["borders.cca3"] for row in rows] == [one["borders"] for one in records]
    assert [row["borders"] for row in rows] == [one["borders"] for one in records]
    assert {row["_entity"] for row in rows} == ({"Country"} if count else set())


def test_the_members_of_a_deleted_object_are_refused(context: groot.Context) -> None:
    countries = context.load("Country", RECORDS)
    context.delete(countries[0])
    for path in ("borders", "borders.cca3", "region.countries"):
        with pytest.raises(groot.Error) as found:
            countries.table(path).__arrow_c_stream__()
        assert found.value.code == Status.OBJECT_DELETED
    assert _column(countries[1:].table("borders"), "borders") == [[], []]


def test_pyarrow_reads_lists_after_the_context_is_closed(saved: groot.Context) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    paths = ["borders", "borders.landlocked", "region.countries", "towns"]
    read = pyarrow.table(saved.fetch("Country", sort="area").table(*paths, ids=True))
    saved.close()
    read.validate(full=True)
    assert read.column("borders.landlocked").to_pylist() == [[False], [], [True, None]]
