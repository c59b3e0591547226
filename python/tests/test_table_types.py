"""Types of Arrow on request: smaller numbers, decimals and UUIDs."""

from __future__ import annotations

import struct
from decimal import Context, Decimal
from typing import Any

import nanoarrow
import pytest

import groot
from groot import Status

TYPES = {
    "small": "integer16",
    "large": "integer64",
    "exact": "decimal",
    "ratio": "double",
    "half": "float",
    "key": "uuid",
    "text": "string",
    "place": "composite",
}
UUIDS = ["7d444840-9dc0-11d1-b245-5ffdce74fad2", "00000000-0000-0000-0000-000000000001"]


@pytest.fixture
def context() -> groot.Context:
    attributes = {
        name: {"type": type, "optional": True, "userInfo": {"JSONKeyPath": name}}
        for name, type in TYPES.items()
    }
    many = {"destination": "Thing", "toMany": True, "optional": True, "ordered": True}
    thing = {"attributes": attributes, "relationships": {"parts": many}}
    return groot.Context(groot.Mapping(groot.Model({"entities": {"Thing": thing}})))


def _read(objects: Any, path: str, type: str) -> tuple[str, list[Any]]:
    """Return the type and the values of a column."""
    found = nanoarrow.ArrayStream(objects.table(path, types={path: type})).read_all().child(0)
    return found.schema.type.name, list(found.iter_py())


def _decimals(objects: Any, path: str, precision: int, scale: int) -> list[Any]:
    """Return decimals from their bytes, since nanoarrow reads negative ones as positive."""
    types = {path: f"decimal128({precision}, {scale})"}
    found = nanoarrow.ArrayStream(objects.table(path, types=types)).read_all().child(0)
    assert found.schema.type.name == "DECIMAL128"
    assert (found.schema.precision, found.schema.scale) == (precision, scale)
    data = bytes(found.buffer(1))
    numbers = [
        int.from_bytes(data[start : start + 16], "little", signed=True)
        for start in range(0, len(data), 16)
    ]
    exact = Context(prec=precision + 1)
    return [
        None if one is None else Decimal(number).scaleb(-scale, exact)
        for number, one in zip(numbers, found.iter_py())
    ]


@pytest.mark.parametrize(
    ("type", "limit", "name"), [("int16", 1 << 15, "INT16"), ("int32", 1 << 31, "INT32")]
)
def test_integers_in_fewer_bytes(context: groot.Context, type: str, limit: int, name: str) -> None:
    values = [0, None, 1 - limit, -limit, limit - 1, -1]
    things = context.load("Thing", [{"large": one} for one in values])
    assert _read(things, "large", type) == (name, values)
    for beyond in (limit, -limit - 1, 1 << 62):
        things[0].large = beyond
        with pytest.raises(
            groot.Error, match=rf"Thing\.large: the value {beyond} is not an {type}"
        ):
            _read(things, "large", type)


@pytest.mark.parametrize("path", ["ratio", "half"])
def test_reals_of_32_bits_are_rounded(context: groot.Context, path: str) -> None:
    values = [0.1, None, -2.5, 0.0]
    things = context.load("Thing", [{path: one} for one in values])
    rounded = [
        None if one is None else struct.unpack("f", struct.pack("f", one))[0] for one in values
    ]
    assert _read(things, path, "float32") == ("FLOAT", rounded)


def test_a_real_that_would_become_infinite_is_refused(context: groot.Context) -> None:
    things = context.load("Thing", [{"ratio": 1e38}, {"ratio": -1e39}])
    with pytest.raises(groot.Error, match=r"Thing\.ratio: the value -1e\+39 is outside") as found:
        _read(things, "ratio", "float32")
    assert found.value.code == Status.OUT_OF_RANGE


def test_decimals_are_exact(context: groot.Context) -> None:
    texts = ["0.1", None, "-12345678901234567890.1234", "0", "7", "-0.0001", "100.50"]
    things = context.load("Thing", [{"exact": one} for one in texts])
    expected = [None if one is None else Decimal(one) for one in texts]
    assert _decimals(things, "exact", 24, 4) == expected


@pytest.mark.parametrize(
    ("value", "type"),
    [
        ("0.12345", "decimal128(20, 4)"),
        ("1000", "decimal128(3, 0)"),
        ("-1000", "decimal128(3,0)"),
        ("1.5", "decimal128(38, 0)"),
        ("12345678901234567890", "decimal128(38, 20)"),
        ("0.1", "decimal128(38,0)"),
    ],
)
def test_a_decimal_is_never_rounded(context: groot.Context, value: str, type: str) -> None:
    things = context.load("Thing", [{"exact": "1"}, {"exact": value}])
    words = rf"Thing\.exact: the value {value} is not a decimal128.*leave the type out"
    with pytest.raises(groot.Error, match=words) as found:
        _read(things, "exact", type)
    assert found.value.code == Status.OUT_OF_RANGE


def test_the_longest_decimals(context: groot.Context) -> None:
    text = "9" * 38
    things = context.load("Thing", [{"exact": text}, {"exact": "-" + text}])
    assert _decimals(things, "exact", 38, 0) == [Decimal(text), Decimal("-" + text)]


def test_uuids_of_16_bytes(context: groot.Context) -> None:
    things = context.load("Thing", [{"key": UUIDS[0]}, {}, {"key": UUIDS[1]}])
    first, last = (bytes.fromhex(one.replace("-", "")) for one in UUIDS)
    assert _read(things, "key", "uuid") == ("FIXED_SIZE_BINARY", [first, None, last])


def test_no_values_and_no_objects(context: groot.Context) -> None:
    types = {
        "small": "int16",
        "large": "int32",
        "exact": "decimal128(5, 2)",
        "ratio": "float32",
        "key": "uuid",
    }
    things = context.load("Thing", [{}] * 9)
    for objects in (things, things[:0]):
        table = objects.table(*types, types=types)
        rows = list(nanoarrow.ArrayStream(table).read_all().iter_py())
        assert rows == [dict.fromkeys(types)] * len(objects)


def test_types_of_the_items_of_lists_and_of_keys(context: groot.Context) -> None:
    things = context.load("Thing", [{"exact": "0.5", "small": 3}, {"exact": "2"}])
    things[0].parts = list(things)
    types = {"parts.exact": "decimal128(9, 1)", "parts.small": "int16", "_id": "int32"}
    stream = nanoarrow.ArrayStream(things.table(*types, types=types))
    lists = [stream.schema.field(number).value_type.type.name for number in range(2)]
    assert lists == ["DECIMAL128", "INT16"]
    assert list(stream.read_all().iter_py()) == [
        {"parts.exact": [Decimal("0.5"), Decimal(2)], "parts.small": [3, None], "_id": None},
        {"parts.exact": [], "parts.small": [], "_id": None},
    ]
    things[1].exact = Decimal("0.25")
    with pytest.raises(groot.Error, match=r"Thing\.exact: the value 0\.25"):
        things.table(*types, types=types).__arrow_c_stream__()


def test_rows_keep_the_values_of_the_objects(context: groot.Context) -> None:
    things = context.load("Thing", [{"exact": "0.5", "key": UUIDS[0]}])
    table = things.table("exact", "key", types={"exact": "decimal128(9, 1)", "key": "uuid"})
    assert list(table) == [{"exact": things[0].exact, "key": things[0].key}]


def test_the_type_without_a_request_may_be_requested(context: groot.Context) -> None:
    things = context.load("Thing", [{"large": 5}])
    usual = {"large": "int64", "ratio": "float64", "exact": "large_string", "key": "large_string"}
    table = nanoarrow.ArrayStream(things.table(*usual, types=usual))
    types = [one.type.name for one in table.schema.fields]
    assert types == ["INT64", "DOUBLE", "LARGE_STRING", "LARGE_STRING"]


@pytest.mark.parametrize(
    ("types", "words"),
    [
        ({"small": "int8"}, r"Thing\.small: the type 'int8'.*int16 and int32"),
        ({"small": "float32"}, r"integer16; it can have int16"),
        ({"small": None}, "the type None"),
        ({"small": 16}, "the type 16"),
        ({"exact": "decimal128"}, r"decimal128\(precision, scale\), and has large_string"),
        ({"exact": "decimal128(39, 2)"}, "precision, scale"),
        ({"exact": "decimal128(0, 0)"}, "precision, scale"),
        ({"exact": "decimal128(4, 5)"}, "precision, scale"),
        ({"exact": "decimal128(4, -1)"}, "precision, scale"),
        ({"exact": "int32"}, "precision, scale"),
        ({"ratio": "int32"}, "double; it can have float32"),
        ({"half": "float16"}, "float; it can have float32"),
        ({"key": "binary"}, "it can have uuid, and has large_string otherwise"),
        ({"text": "uuid"}, "type string; types on request are for integers"),
        ({"place": "int16"}, "type composite; types on request"),
        ({"parts": "int16"}, "is a relationship; types on request"),
    ],
)
def test_a_type_that_the_property_cannot_have(
    context: groot.Context, types: dict[str, Any], words: str
) -> None:
    things = context.fetch("Thing")
    for use in (things.table, things.to_pandas):
        with pytest.raises(groot.Error, match=words) as found:
            use(*types, types=types)
        assert found.value.code == Status.WRONG_TYPE


def test_a_type_for_no_column_is_refused(context: groot.Context) -> None:
    things = context.fetch("Thing")
    with pytest.raises(groot.Error, match=r"'small', which is not a column.*are large, ratio"):
        things.table("large", "ratio", types={"small": "int16"})
    with pytest.raises(groot.Error, match="no property 'smal'"):
        things.table(types={"smal": "int16"})
    with pytest.raises(groot.Error, match="not a dict of types"):
        things.table(types=["int16"])  # type: ignore[arg-type]


def test_polars_and_pyarrow_read_the_types(context: groot.Context) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    things = context.load("Thing", [{"exact": "0.5", "key": UUIDS[0], "small": 3}, {}])
    types = {"exact": "decimal128(9, 1)", "key": "uuid", "small": "int16"}
    read = pyarrow.table(things.table(*types, types=types))
    read.validate(full=True)
    assert read.column("exact").to_pylist() == [Decimal("0.5"), None]
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(things.table(*types, types=types))
    assert frame["exact"].to_list() == [Decimal("0.5"), None]
