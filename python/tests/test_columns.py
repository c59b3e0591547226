"""Columns: one property of many objects as buffers, and as a stream of Arrow."""

from __future__ import annotations

import gc
import struct
from array import array
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import nanoarrow
import pytest
from conftest import messages

import groot
from groot import Status

ATTRIBUTES = {
    "small": "integer16",
    "large": "integer64",
    "ratio": "double",
    "flag": "boolean",
    "text": "string",
    "exact": "decimal",
    "at": "date",
    "on": "day",
    "bytes": "binary",
    "key": "uuid",
    "link": "uri",
    "any": "transformable",
}
RECORD = {
    "small": -7,
    "large": 9223372036854775807,
    "ratio": -0.5,
    "flag": True,
    "text": "Jörn",
    "exact": 12.5,
    "at": "2016-02-07T10:30:00.000001Z",
    "on": "1968-03-01",
    "bytes": "AP8=",
    "key": "7d444840-9dc0-11d1-b245-5ffdce74fad2",
    "link": "https://example.org/ä",
    "any": {"a": [1, None]},
}
VALUES = {
    "small": -7,
    "large": 9223372036854775807,
    "ratio": -0.5,
    "flag": True,
    "text": "Jörn",
    "exact": Decimal("12.5"),
    "at": datetime(2016, 2, 7, 10, 30, 0, 1, timezone.utc),
    "on": date(1968, 3, 1),
    "bytes": b"\x00\xff",
    "key": UUID("7d444840-9dc0-11d1-b245-5ffdce74fad2"),
    "link": "https://example.org/ä",
    "any": {"a": [1, None]},
}


@pytest.fixture
def things() -> groot.Context:
    attributes = {
        name: {"type": type, "optional": True, "userInfo": {"JSONKeyPath": name}}
        for name, type in ATTRIBUTES.items()
    }
    document = {"entities": {"Thing": {"attributes": attributes}}}
    return groot.Context(groot.Mapping(groot.Model(document)))


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 100])
@pytest.mark.parametrize("name", ATTRIBUTES)
def test_every_type(things: groot.Context, name: str, count: int) -> None:
    records = [RECORD if index % 3 else {} for index in range(count)]
    objects = things.load("Thing", records)
    assert isinstance(objects, groot.Objects)
    expected = [VALUES[name] if index % 3 else None for index in range(count)]
    column = objects.column(name)
    assert len(column) == count
    assert column.null_count == expected.count(None)
    assert (column.validity is None) == (column.null_count == 0)
    assert column.tolist() == expected
    assert list(column) == expected
    assert [column[index] for index in range(count)] == expected
    assert column[::-1] == expected[::-1]
    assert expected == [getattr(one, name) for one in objects]


def test_buffers(things: groot.Context) -> None:
    objects = things.load(
        "Thing", [{"large": 5, "text": "ab", "flag": True}, {}, {"text": "", "ratio": 0.25}]
    )
    large, text = objects.column("large"), objects.column("text")
    assert large.kind == "integer"
    assert large.values.tolist() == [5, 0, 0]
    assert large.values.format == "q"
    assert large.values.readonly
    assert array("q", large.values) == array("q", [5, 0, 0])
    assert large.validity is not None
    assert large.validity.tolist() == [0b001]
    assert large.offsets is None
    assert text.kind == "string"
    assert text.values.tobytes() == b"ab"
    assert text.offsets is not None
    assert text.offsets.tolist() == [0, 2, 2, 2]
    assert text.validity is not None
    assert text.validity.tolist() == [0b101]
    assert objects.column("ratio").values.tolist() == [0, 0, 0.25]
    assert objects.column("flag").values.tolist() == [True, False, False]
    assert repr(text) == "<3 values: 'ab', None, ''>"


def test_a_column_is_a_snapshot_that_outlives_its_context(things: groot.Context) -> None:
    objects = things.load("Thing", [{"text": "a text that is longer than a slot"}, {"large": 3}])
    text, values = objects.column("text"), objects.column("large").values
    objects[0].text = "another"
    things.close()
    del objects
    gc.collect()
    assert text.tolist() == ["a text that is longer than a slot", None]
    assert values.tolist() == [0, 3]


def test_parts_of_a_sequence(comics: groot.Context) -> None:
    objects = comics.load("Character", [{"id": str(one), "name": f"c{one}"} for one in range(9)])
    assert objects[2:5].column("name").tolist() == ["c2", "c3", "c4"]
    assert objects[::-4].column("identifier").tolist() == [8, 4, 0]
    assert objects[9:].column("name").tolist() == []


def test_to_one(comics: groot.Context, batman: groot.Object) -> None:
    nobody = comics.insert("Character", identifier=2, name="Nobody")
    column = comics.fetch("Character", sort="identifier").column("publisher")
    assert column.kind == "object"
    assert column.tolist() == [None, batman.publisher]
    assert column.values.tolist() == [0, groot.object_id(batman.publisher)]
    assert nobody.publisher is None


def test_refused(comics: groot.Context, batman: groot.Object) -> None:
    objects = comics.fetch("Character")
    for name, status in (("powers", Status.WRONG_TYPE), ("nothing", Status.UNKNOWN_PROPERTY)):
        with pytest.raises(groot.Error) as found:
            objects.column(name)
        assert found.value.code == status
    comics.delete(batman)
    with pytest.raises(groot.Error) as found:
        objects.column("name")
    assert found.value.code == Status.OBJECT_DELETED


def test_sub_entities() -> None:
    context = messages(lambda json: f"{json['type'].title()}Message")
    context.load("Message", [{"type": "text", "id": 1, "text": "x"}, {"type": "picture", "id": 2}])
    every = context.fetch("Message")
    names = [one.name for one in nanoarrow.ArrayStream(every).schema.fields]
    assert every.column(names[0]).tolist() == [getattr(one, names[0]) for one in every]
    with pytest.raises(groot.Error) as found:
        every.column("text")
    assert found.value.code == Status.UNKNOWN_PROPERTY
    assert context.fetch("TextMessage").column("text").tolist() == ["x"]


def test_arrow_schema(things: groot.Context) -> None:
    objects = things.load("Thing", [])
    types = {one.name: one.type.name for one in nanoarrow.ArrayStream(objects).schema.fields}
    assert types == {
        "small": "INT64",
        "large": "INT64",
        "ratio": "DOUBLE",
        "flag": "BOOL",
        "text": "LARGE_STRING",
        "exact": "LARGE_STRING",
        "at": "TIMESTAMP",
        "on": "DATE32",
        "bytes": "LARGE_BINARY",
        "key": "LARGE_STRING",
        "link": "LARGE_STRING",
        "any": "LARGE_STRING",
    }
    schema = nanoarrow.ArrayStream(objects).schema
    assert schema.field(6).unit.name == "MICRO"
    assert schema.field(6).timezone == "UTC"
    assert all(one.nullable for one in schema.fields)


@pytest.mark.parametrize("count", [0, 1, 8, 21])
def test_arrow_values(things: groot.Context, count: int) -> None:
    objects = things.load("Thing", [RECORD if index % 5 else {} for index in range(count)])
    rows = list(nanoarrow.ArrayStream(objects).read_all().iter_py())
    assert len(rows) == count
    for index, row in enumerate(rows):
        if index % 5 == 0:
            assert set(row.values()) == {None}
            continue
        texts = {"exact": "12.5", "key": RECORD["key"], "any": '{"a":[1,null]}'}
        assert row == {**VALUES, **texts}


def test_arrow_of_some_properties(comics: groot.Context, batman: groot.Object) -> None:
    table = comics.fetch("Character").table("publisher", "name")
    rows = list(nanoarrow.ArrayStream(table).read_all().iter_py())
    assert rows == [{"publisher": 10, "name": "Batman"}]
    assert list(nanoarrow.ArrayStream(table).read_all().iter_py()) == rows
    for names in (("powers.nothing",), ("name", "nothing")):
        with pytest.raises(groot.Error):
            comics.fetch("Character").table(*names).__arrow_c_stream__()


def test_arrow_outlives_its_context(things: groot.Context) -> None:
    stream = nanoarrow.ArrayStream(things.load("Thing", [RECORD] * 3))
    things.close()
    gc.collect()
    whole = stream.read_all()
    child = whole.child(4)
    del whole, stream
    gc.collect()
    assert list(child.iter_py()) == ["Jörn"] * 3


def test_an_unread_stream_is_released(things: groot.Context) -> None:
    objects = things.load("Thing", [RECORD] * 3)
    capsule = objects.__arrow_c_stream__()
    assert "arrow_array_stream" in repr(capsule)
    del capsule
    gc.collect()


def test_numpy_interface(things: groot.Context) -> None:
    interface: dict[str, Any] = (
        things.load("Thing", [{"ratio": 1.5}]).column("ratio").__array_interface__
    )
    assert interface["typestr"] == "<f8"
    assert interface["shape"] == (1,)
    assert struct.unpack("<d", interface["data"]) == (1.5,)


def test_an_array_of_reals_has_nan_for_no_value(things: groot.Context) -> None:
    column = things.load("Thing", [{"ratio": 1.5}, {}, {"ratio": 0.0}]).column("ratio")
    data = column.__array_interface__["data"]
    assert repr(data.tolist()) == "[1.5, nan, 0.0]"
    assert data.readonly
    assert repr(column.__buffer__(0).tolist()) == "[1.5, nan, 0.0]"
    assert column.values.tolist() == [1.5, 0.0, 0.0]
    numpy = pytest.importorskip("numpy")
    assert repr(numpy.asarray(column).tolist()) == "[1.5, nan, 0.0]"
    assert numpy.asarray(column.values).tolist() == [1.5, 0.0, 0.0]


@pytest.mark.parametrize("name", ["small", "flag", "at", "on"])
def test_an_array_of_other_numbers_needs_all_values(things: groot.Context, name: str) -> None:
    objects = things.load("Thing", [RECORD, {}, {}])
    column = objects.column(name)
    words = rf"Thing\.{name}: 2 of 3 objects have no value.*tolist.*column\.values.*validity"
    with pytest.raises(ValueError, match=words):
        column.__array_interface__  # noqa: B018 (NumPy reads it)
    with pytest.raises(BufferError, match=words):
        column.__buffer__(0)
    assert column.values[1] == 0
    assert len(objects[:1].column(name).__array_interface__["data"]) == 1
    numpy = pytest.importorskip("numpy")
    with pytest.raises(ValueError, match=words):
        numpy.asarray(column)
    assert len(numpy.asarray(objects[:1].column(name))) == 1


def test_an_array_of_objects_needs_a_member_for_each(
    comics: groot.Context, batman: groot.Object
) -> None:
    comics.insert("Character", identifier=2)
    column = comics.fetch("Character").column("publisher")
    with pytest.raises(ValueError, match=r"Character\.publisher: 1 of 2"):
        column.__array_interface__  # noqa: B018 (NumPy reads it)
    assert batman.publisher in column
