"""Values of every attribute type, written and read, and values that do not fit."""

from __future__ import annotations

import sys
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from conftest import one_attribute, transformed

import groot
from groot import Status

UTC = timezone.utc
SOME_UUID = uuid4()

FITTING: list[tuple[str, Any]] = [
    ("small", 32767),
    ("small", -32768),
    ("medium", 2**31 - 1),
    ("medium", -(2**31)),
    ("large", 2**63 - 1),
    ("large", -(2**63)),
    ("large", 0),
    ("price", Decimal("12.50")),
    ("price", Decimal("-0.000001")),
    ("price", Decimal("12345678901234567890.123456789")),
    ("price", Decimal("1E+20")),
    ("ratio", 0.1),
    ("ratio", -1.7976931348623157e308),
    ("ratio", 5e-324),
    ("weight", 0.5),
    ("name", ""),
    ("name", "Ünïcödé 🦇"),
    ("name", "a\0b"),
    ("active", True),
    ("active", False),
    ("made", datetime(2024, 2, 29, 12, 30, 15, 123456, UTC)),
    ("made", datetime(1, 1, 1, tzinfo=UTC)),
    ("made", datetime(9999, 12, 31, 23, 59, 59, 999999, UTC)),
    ("made", datetime(1969, 12, 31, 23, 59, 59, 999999, UTC)),
    ("born", date(1968, 3, 1)),
    ("born", date.min),
    ("born", date.max),
    ("data", b""),
    ("data", bytes(range(256))),
    ("uuid", SOME_UUID),
    ("link", "https://example.com/a?b=c#d"),
    ("extra", {"a": [1, 2.5, None, True, "x"], "b": {}}),
    ("extra", []),
    ("extra", 5),
    ("extra", "text"),
]


@pytest.fixture
def thing(types: groot.Context) -> groot.Object:
    """Return a thing without values."""
    return types.insert("Thing", id=1)


@pytest.mark.parametrize(("name", "value"), FITTING, ids=lambda one: str(one)[:30])
def test_a_value_comes_back(
    types: groot.Context, thing: groot.Object, name: str, value: Any
) -> None:
    assert thing[name] is None
    thing[name] = value
    assert thing[name] == value
    assert getattr(thing, name) == value
    assert type(thing[name]) is type(value)
    thing[name] = None
    assert thing[name] is None


@pytest.mark.parametrize(
    ("name", "value"),
    [one for one in FITTING if one[1] != "a\0b"],
    ids=lambda one: str(one)[:30],
)
def test_a_value_survives_json(
    types: groot.Context, thing: groot.Object, name: str, value: Any
) -> None:
    thing[name] = value
    other = groot.Context(types.mapping)
    again = other.load("Thing", types.dumps(thing))
    assert again[name] == value


def test_values_that_are_converted(thing: groot.Object) -> None:
    thing.ratio = 3
    assert thing.ratio == 3.0
    assert isinstance(thing.ratio, float)
    thing.price = 10**30
    assert thing.price == Decimal(10**30)
    thing.price = 5
    assert isinstance(thing.price, Decimal)
    thing.data = bytearray(b"abc")
    assert thing.data == b"abc"
    thing.data = memoryview(b"abcdef")[::2]
    assert thing.data == b"ace"
    thing.made = datetime(2024, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    assert thing.made == datetime(2024, 1, 1, 10, tzinfo=UTC)
    assert thing.made.tzinfo is UTC
    thing.extra = (1, 2)
    assert thing.extra == [1, 2]


UNFIT: list[tuple[str, Any, int]] = [
    ("large", "5", Status.WRONG_TYPE),
    ("large", 5.0, Status.WRONG_TYPE),
    ("large", True, Status.WRONG_TYPE),
    ("large", 2**63, Status.OUT_OF_RANGE),
    ("small", 32768, Status.OUT_OF_RANGE),
    ("medium", -(2**31) - 1, Status.OUT_OF_RANGE),
    ("ratio", "0.5", Status.WRONG_TYPE),
    ("ratio", Decimal("0.5"), Status.WRONG_TYPE),
    ("ratio", float("nan"), Status.OUT_OF_RANGE),
    ("ratio", float("inf"), Status.OUT_OF_RANGE),
    ("weight", True, Status.WRONG_TYPE),
    ("price", 0.5, Status.WRONG_TYPE),
    ("price", "0.5", Status.WRONG_TYPE),
    ("price", Decimal("NaN"), Status.OUT_OF_RANGE),
    ("price", Decimal("-Infinity"), Status.OUT_OF_RANGE),
    ("name", b"bytes", Status.WRONG_TYPE),
    ("name", 5, Status.WRONG_TYPE),
    ("active", 1, Status.WRONG_TYPE),
    ("active", "true", Status.WRONG_TYPE),
    ("made", datetime(2024, 1, 1), Status.WRONG_TYPE),
    ("made", date(2024, 1, 1), Status.WRONG_TYPE),
    ("made", "2024-01-01T00:00:00Z", Status.WRONG_TYPE),
    ("made", 0, Status.WRONG_TYPE),
    ("born", datetime(2024, 1, 1, tzinfo=UTC), Status.WRONG_TYPE),
    ("born", "2024-01-01", Status.WRONG_TYPE),
    ("born", 0, Status.WRONG_TYPE),
    ("data", "text", Status.WRONG_TYPE),
    ("data", [1, 2], Status.WRONG_TYPE),
    ("uuid", str(SOME_UUID), Status.WRONG_TYPE),
    ("uuid", SOME_UUID.bytes, Status.WRONG_TYPE),
    ("link", b"x", Status.WRONG_TYPE),
    ("extra", {1, 2}, Status.WRONG_TYPE),
    ("extra", float("nan"), Status.WRONG_TYPE),
    ("extra", datetime.now(UTC), Status.WRONG_TYPE),
]


@pytest.mark.parametrize(("name", "value", "status"), UNFIT, ids=lambda one: str(one)[:30])
def test_a_value_that_does_not_fit(thing: groot.Object, name: str, value: Any, status: int) -> None:
    with pytest.raises(groot.Error) as raised:
        thing[name] = value
    issue = raised.value.issues[0]
    assert issue.status == status
    if name != "extra":
        assert (issue.entity, issue.property) == ("Thing", name)
    assert thing[name] is None


def test_messages_say_what_is_expected(thing: groot.Object) -> None:
    with pytest.raises(groot.Error, match=r"Thing\.large: str 'five' where an int is expected"):
        thing.large = "five"
    with pytest.raises(groot.Error, match=r"Thing\.made: datetime .* has no time zone"):
        thing.made = datetime(2024, 1, 1)
    with pytest.raises(groot.Error) as raised:
        thing.name = b"x" * 10_000
    assert len(str(raised.value)) < 200


@pytest.mark.parametrize(
    ("name", "kind", "number"),
    [
        ("made", groot.values.DATE, 2**62),
        ("born", groot.values.DAY, date.max.toordinal() - date(1970, 1, 1).toordinal() + 1),
        ("born", groot.values.DAY, -106751992),
    ],
)
def test_dates_beyond_datetime(types: groot.Context, name: str, kind: int, number: int) -> None:
    thing = types.load("Thing", {"id": 1})
    native = groot._ffi.Value()
    native.kind = kind
    native.integer = number
    field = type(thing)._fields[name]
    types._session.use(
        groot._ffi.lib.object_set, groot.object_id(thing), field.number, groot._ffi.byref(native)
    )
    with pytest.raises(groot.Error) as raised:
        thing[name]
    assert raised.value.code == Status.OUT_OF_RANGE
    assert raised.value.issues[0].property == name
    assert thing["id"] == 1
    thing[name] = None


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels - 1):
        value = [value]
    return value


def levels_of(value: Any) -> int:
    """Count levels, even of values that Python cannot compare."""
    count = 1
    while isinstance(value, (list, dict)):
        value = value[0] if isinstance(value, list) else value['a \\ "b"']
        count += 1
    return count


@pytest.mark.parametrize("levels", [900, 1000, 1100, 2046])
@pytest.mark.parametrize("is_dict", [False, True])
def test_values_nest_as_deep_as_the_library_lets_them(
    types: groot.Context, levels: int, is_dict: bool
) -> None:
    value: Any = Decimal("1e400")
    for level in range(levels - 1):
        value = {'a \\ "b"': value} if is_dict else [value, *([{}, [], None] if level == 3 else [])]
    one = types.insert("Thing", id=1)
    one.extra = value
    assert levels_of(one.extra) == levels
    (two,) = types.load("Thing", [{"id": 2, "extra": value}])
    assert levels_of(two.extra) == levels
    (dumped,) = types.dump([two])
    assert levels_of(dumped["extra"]) == levels
    assert levels_of(types.dump(two)["extra"]) == levels
    (three,) = types.load("Thing", iter([{"id": 3, "extra": value}]))
    assert types.dumps(three) == types.dumps(two).replace('"id":2', '"id":3')
    assert all(levels_of(one) == levels for one in types.distinct("Thing", "extra"))


@pytest.mark.parametrize("levels", [2047, 2048, 2049, 3000])
def test_deeper_values_are_refused(types: groot.Context, levels: int) -> None:
    one = types.insert("Thing", id=1)
    with pytest.raises(groot.Error, match="more than 2046 levels") as raised:
        one.extra = nested(levels)
    assert raised.value.code == Status.LIMIT_EXCEEDED
    issue = raised.value.issues[0]
    assert (issue.entity, issue.property) == ("Thing", "extra")
    assert one.extra is None
    with pytest.raises(groot.Error) as raised:
        types.load("Thing", [{"id": 2, "extra": nested(levels)}])
    assert raised.value.code == Status.LIMIT_EXCEEDED
    assert types.count("Thing") == 1


def test_a_deep_value_of_a_transformer() -> None:
    deep = nested(1500)
    context = transformed(lambda value: deep, reverse=levels_of)
    one = context.load("Thing", {"value": nested(1800)})
    assert levels_of(one.value) == 1500
    assert context.dump(one) == {"value": 1500}


def test_assigned_values_can_be_imported_again(types: groot.Context) -> None:
    recursion = sys.getrecursionlimit()
    sys.setrecursionlimit(10000)
    try:
        (one,) = types.load("Thing", [{"id": 1}])
        one.extra = nested(2046)
        text = types.dumps([one])
        assert groot.report(types.load("Thing", text)).unchanged == 1
        with pytest.raises(groot.Error) as caught:
            one.extra = nested(2047)
        assert caught.value.code == Status.LIMIT_EXCEEDED
        assert types.dumps([one]) == text
    finally:
        sys.setrecursionlimit(recursion)


def test_transformable_values_are_copies(thing: groot.Object) -> None:
    value = {"list": [1]}
    thing.extra = value
    value["list"].append(2)
    assert thing.extra == {"list": [1]}
    thing.extra["list"].append(3)
    assert thing.extra == {"list": [1]}


def test_limits_of_the_model() -> None:
    model = groot.Model(one_attribute("integer16", min=1, max=10))
    thing = groot.Context(groot.Mapping(model)).insert("Thing")
    thing.value = 10
    with pytest.raises(groot.Error) as raised:
        thing.value = 40_000
    assert raised.value.code == Status.OUT_OF_RANGE


def test_fetching_by_values(types: groot.Context) -> None:
    made = datetime(2024, 2, 29, 12, 30, tzinfo=timezone(timedelta(hours=1)))
    values = {
        "small": 5,
        "price": Decimal("12.50"),
        "ratio": 0.5,
        "name": "x",
        "active": True,
        "made": made,
        "born": date(1968, 3, 1),
        "data": b"\x00\xff",
        "uuid": SOME_UUID,
        "link": "a:b",
    }
    thing = types.insert("Thing", **{"id": 1, **values})
    types.insert("Thing", id=2)
    for name, value in values.items():
        assert types.fetch("Thing", where={name: value}) == [thing], name
        assert types.count("Thing", where={name: None}) == 1
    with pytest.raises(groot.Error, match="time zone"):
        types.fetch("Thing", where={"made": datetime(2024, 1, 1)})


def test_uuid_type(thing: groot.Object) -> None:
    thing.uuid = UUID(int=0)
    assert thing.uuid == UUID(int=0)
