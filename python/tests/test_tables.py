"""Tables for readers of Arrow data: identities, composites, and the life of their memory."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from datetime import date, datetime, timezone
from typing import Any

import nanoarrow
import pytest

import groot
from groot import Status
from groot._ffi import ArrowStream, arrow

DATE = datetime(2016, 2, 7, 10, 30, 0, 1, timezone.utc)


def _attribute(type: str, **more: Any) -> dict[str, Any]:
    return {"type": type, "optional": True, **more}


ELEMENTS: dict[str, Any] = {
    "street": _attribute("string"),
    "floor": _attribute("integer16"),
    "lit": _attribute("boolean"),
    "rent": _attribute("decimal"),
    "since": _attribute("date"),
    "opened": _attribute("day"),
    "key": _attribute("binary"),
    "code": _attribute("uuid"),
    "notes": _attribute("transformable"),
    "spot": _attribute("composite", elements={"x": _attribute("double"), "y": _attribute("float")}),
    "any": _attribute("composite"),
}
PLACE: dict[str, Any] = {
    "street": "Jörn",
    "floor": 3.0,
    "lit": True,
    "rent": "12345678901234567.25",
    "since": "2016-02-07T11:30:00.000001+01:00",
    "opened": "19680301",
    "key": "AP8",
    "code": "7D4448409DC011D1B2455FFDCE74FAD2",
    "notes": [1, 2.5, None],
    "spot": {"x": 1, "y": 0.5},
    "any": {"b": 1, "a": 2},
}
READ: dict[str, Any] = {
    "street": "Jörn",
    "floor": 3,
    "lit": True,
    "rent": "12345678901234567.25",
    "since": DATE,
    "opened": date(1968, 3, 1),
    "key": b"\x00\xff",
    "code": "7d444840-9dc0-11d1-b245-5ffdce74fad2",
    "notes": "[1,2.5,null]",
    "spot": {"x": 1.0, "y": 0.5},
    "any": '{"a":2,"b":1}',
}


def _keyed(attribute: dict[str, Any], name: str) -> dict[str, Any]:
    return {**attribute, "userInfo": {"JSONKeyPath": name}}


def _entity(identity: str, attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    named = {name: _keyed(one, name) for name, one in attributes.items()}
    return {"userInfo": {"identityAttributes": identity}, "attributes": named, **more}


def _one(destination: str, inverse: str, name: str) -> dict[str, Any]:
    return _keyed({"destination": destination, "inverse": inverse, "optional": True}, name)


def _many(destination: str, inverse: str) -> dict[str, Any]:
    return {"destination": destination, "inverse": inverse, "toMany": True}


ENTITIES: dict[str, Any] = {
    "Book": _entity(
        "isbn", {"isbn": _attribute("string")}, relationships={"pages": _many("Page", "book")}
    ),
    "Page": _entity(
        "book,number",
        {"number": _attribute("integer32")},
        relationships={"book": _one("Book", "pages", "book"), "marks": _many("Mark", "page")},
    ),
    "Mark": _entity(
        "id",
        {
            "id": _attribute("integer64"),
            "flag": _attribute("boolean"),
            "place": _attribute("composite", elements=ELEMENTS),
        },
        relationships={
            "page": _one("Page", "marks", "page"),
            "shop": _one("Shop", "marks", "shop"),
        },
    ),
    "Shop": {
        "attributes": {"name": _keyed(_attribute("string"), "name")},
        "relationships": {"marks": _many("Mark", "shop")},
    },
    "Folder": _entity(
        "parent,name",
        {"name": _attribute("string")},
        relationships={
            "parent": _one("Folder", "children", "parent"),
            "children": _many("Folder", "parent"),
        },
    ),
}


@pytest.fixture
def context() -> Iterator[groot.Context]:
    with groot.Context(groot.Mapping(groot.Model({"entities": ENTITIES}))) as made:
        yield made


@pytest.fixture
def marks(context: groot.Context) -> groot.Objects[Any]:
    """Load marks: the first has everything, the second nothing, the third empty parts."""
    found: groot.Objects[Any] = context.load(
        "Mark",
        [
            {
                "id": 1,
                "flag": True,
                "place": PLACE,
                "page": {"number": 7, "book": {"isbn": "x"}},
                "shop": {"name": "a shop"},
            },
            {"id": 2},
            {"id": 3, "place": {}, "page": {"number": 8}},
        ],
    )
    return found


def _rows(table: Any) -> list[Any]:
    return list(nanoarrow.ArrayStream(table).read_all().iter_py())


def kept_streams() -> int:
    """Count the structs of streams, which `new_stream` takes from PyMem_RawCalloc."""
    mine = [tracemalloc.Filter(True, arrow.__file__)]
    traces = tracemalloc.take_snapshot().filter_traces(mine).traces
    return sum(one.size == ctypes.sizeof(ArrowStream) for one in traces)


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """Check that all memory of a test's streams is given back."""
    tracemalloc.start()
    yield
    gc.collect()
    left = kept_streams()
    tracemalloc.stop()
    assert left == 0


def test_a_to_one_is_the_identity_of_its_object(marks: groot.Objects[Any]) -> None:
    table = marks.table("id", "page", "page.book", "page.book.isbn", "shop")
    pages = [{"book": "x", "number": 7}, None, {"book": None, "number": 8}]
    shop = groot.object_id(marks[0].shop)
    assert _rows(table) == [
        {"id": 1, "page": pages[0], "page.book": "x", "page.book.isbn": "x", "shop": shop},
        {"id": 2, "page": None, "page.book": None, "page.book.isbn": None, "shop": None},
        {"id": 3, "page": pages[2], "page.book": None, "page.book.isbn": None, "shop": None},
    ]
    schema = nanoarrow.ArrayStream(table).schema
    types = [one.type.name for one in schema.fields]
    assert types == ["INT64", "STRUCT", "LARGE_STRING", "LARGE_STRING", "UINT64"]
    assert all(one.nullable for one in schema.fields)


def test_an_identity_that_leads_to_its_own_entity_ends_with_a_number(
    context: groot.Context,
) -> None:
    context.load("Folder", {"name": "b", "parent": {"name": "a"}})
    folders = context.fetch("Folder", sort="name")
    parents = [None, {"parent": None, "name": "a"}]
    assert [one["parent"] for one in _rows(folders.table("parent"))] == parents
    assert [one["parent.parent"] for one in _rows(folders.table("parent.parent"))] == [None, None]


def test_a_composite_is_a_struct_of_its_elements(marks: groot.Objects[Any]) -> None:
    empty = dict.fromkeys(ELEMENTS)
    assert [one["place"] for one in _rows(marks)] == [READ, None, empty]
    types = {one.name: one.type.name for one in nanoarrow.ArrayStream(marks).schema.field(2).fields}
    assert types == {
        "street": "LARGE_STRING",
        "floor": "INT64",
        "lit": "BOOL",
        "rent": "LARGE_STRING",
        "since": "TIMESTAMP",
        "opened": "DATE32",
        "key": "LARGE_BINARY",
        "code": "LARGE_STRING",
        "notes": "LARGE_STRING",
        "spot": "STRUCT",
        "any": "LARGE_STRING",
    }


@pytest.mark.parametrize(
    ("element", "value", "status"),
    [
        ("since", "+012024-03-01T00:00:00Z", Status.OUT_OF_RANGE),
        ("opened", "+012024-03-01", Status.OUT_OF_RANGE),
        ("floor", "three", Status.WRONG_TYPE),
        ("spot", 5, Status.WRONG_TYPE),
    ],
)
def test_a_value_that_does_not_fit_its_element_names_the_attribute(
    context: groot.Context, element: str, value: Any, status: Status
) -> None:
    context.insert("Mark", place={element: value})
    with pytest.raises(groot.Error, match=r"Mark\.place: the element") as found:
        context.fetch("Mark").table().__arrow_c_stream__()
    assert found.value.code == status
    assert element in str(found.value)


@pytest.mark.parametrize("count", [0, 1, 8, 9, 1000])
def test_a_table_of_any_length(context: groot.Context, count: int) -> None:
    records = [
        {"id": number, "flag": number % 3 == 0, "place": {"lit": number % 2 == 0, "floor": number}}
        for number in range(count)
    ]
    rows = _rows(context.load("Mark", records))
    assert [one["flag"] for one in rows] == [one["flag"] for one in records]
    assert [one["place"]["lit"] for one in rows] == [one["place"]["lit"] for one in records]
    assert [one["place"]["floor"] for one in rows] == list(range(count))


def test_a_table_is_read_twice_with_the_current_values(marks: groot.Objects[Any]) -> None:
    table = marks.table("id", "page.book")
    assert [one["page.book"] for one in _rows(table)] == ["x", None, None]
    marks[0].page.book.isbn = "y"
    assert [one["page.book"] for one in _rows(table)] == ["y", None, None]


def test_a_stream_is_over_after_its_batch(marks: groot.Objects[Any]) -> None:
    stream = nanoarrow.c_array_stream(marks)
    assert len(stream.get_next()) == 3
    with pytest.raises(StopIteration):
        stream.get_next()


def test_memory_outlives_the_context_and_every_other_part(
    context: groot.Context, marks: groot.Objects[Any]
) -> None:
    stream = nanoarrow.ArrayStream(marks.table("page", "place", "page.book"))
    context.close()
    whole = stream.read_all()
    child = whole.child(1).child(0)
    del whole, stream
    gc.collect()
    assert list(child.iter_py()) == ["Jörn", None, None]


def test_an_exception_stays_while_a_stream_is_dropped(marks: groot.Objects[Any]) -> None:
    # The arguments of a call in C are dropped while its exception is being raised.
    with pytest.raises(TypeError, match="int"):
        int(marks.__arrow_c_stream__())  # type: ignore[call-overload]
    assert kept_streams() == 0


def test_the_exception_of_pyarrow_stays(marks: groot.Objects[Any]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    wrong = pyarrow.schema([("id", pyarrow.list_(pyarrow.int8()))])
    with pytest.raises((pyarrow.ArrowException, TypeError, ValueError)):
        pyarrow.table(marks, schema=wrong)


def test_an_unread_stream_is_released(marks: groot.Objects[Any]) -> None:
    capsule = marks.__arrow_c_stream__()
    assert kept_streams() == 1
    del capsule
    assert kept_streams() == 0
    stream = nanoarrow.c_array_stream(marks)
    stream.get_schema()
    del stream


def test_memory_is_released_while_an_exception_is_raised(marks: groot.Objects[Any]) -> None:
    def read() -> None:
        held = nanoarrow.ArrayStream(marks).read_all()
        raise KeyError(len(held))

    with pytest.raises(KeyError, match="3"):
        read()


def test_another_thread_releases(marks: groot.Objects[Any]) -> None:
    held = [nanoarrow.ArrayStream(marks).read_all()]
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()


def test_a_deleted_object_is_refused(context: groot.Context, marks: groot.Objects[Any]) -> None:
    context.delete(marks[0])
    with pytest.raises(groot.Error) as found:
        marks.table("page.book").__arrow_c_stream__()
    assert found.value.code == Status.OBJECT_DELETED


def test_rows_have_the_values_of_the_objects(marks: groot.Objects[Any]) -> None:
    table = marks.table("id", "page.book.isbn", "place")
    assert len(table) == 3
    assert list(table)[:2] == [
        {"id": 1, "page.book.isbn": "x", "place": PLACE},
        {"id": 2, "page.book.isbn": None, "place": None},
    ]
    assert repr(table) == "<a table of 3 objects: id, page.book.isbn, place>"


def test_pyarrow_reads_structs_after_the_context_is_closed(
    context: groot.Context, marks: groot.Objects[Any]
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    read = pyarrow.table(marks.table("id", "page", "place"))
    other = pyarrow.table(marks)
    context.close()
    read.validate(full=True)
    other.validate(full=True)
    assert read.column("page").to_pylist()[0] == {"book": "x", "number": 7}
    assert read.column("place").to_pylist()[0] == READ
    part = other.column("place").combine_chunks().field("street")
    del read, other
    gc.collect()
    assert part.to_pylist() == ["Jörn", None, None]


def test_polars_reads_objects_and_tables(marks: groot.Objects[Any]) -> None:
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(marks).columns == ["id", "flag", "place"]
    assert polars.DataFrame(marks.table("page.book")).to_dicts()[0] == {"page.book": "x"}
    assert polars.DataFrame(marks)["place"].to_list()[0]["spot"] == {"x": 1.0, "y": 0.5}


def test_pandas_reads_tables(marks: groot.Objects[Any]) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(marks.table("id", "page.book.isbn"))
    assert list(frame.columns) == ["id", "page.book.isbn"]
    assert frame["id"].tolist() == [1, 2, 3]
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame.from_arrow(marks)
    assert frame["id"].tolist() == [1, 2, 3]


def test_objects_become_a_frame_of_pandas(
    marks: groot.Objects[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pandas = pytest.importorskip("pandas")
    names = ["id", "page.book.isbn"]

    def check() -> None:
        frame = marks.to_pandas(*names)
        assert list(frame.columns) == names
        assert frame["id"].tolist() == [1, 2, 3]
        assert list(marks[:0].to_pandas(*names).columns) == names

    check()
    # Older versions read it by pyarrow, and without pyarrow row by row.
    monkeypatch.delattr(pandas.DataFrame, "from_arrow", raising=False)
    check()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    check()


def test_pandas_is_told_how_objects_become_a_frame(marks: groot.Objects[Any]) -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match=r"pandas.DataFrame\(objects.table\(\)\)"):
        pandas.DataFrame(marks)


def test_an_array_of_objects_is_refused_with_the_calls_for_properties(
    marks: groot.Objects[Any],
) -> None:
    with pytest.raises(TypeError, match=r"objects.column\(name\)"):
        marks.__array__()
