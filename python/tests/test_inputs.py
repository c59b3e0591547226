"""Input of imports: file objects, iterators, mappings, values that JSON lacks."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

import groot
from groot import Status

TYPES = {"n": "integer64", "made": "date", "born": "day", "price": "decimal", "ok": "boolean"}
TEXT = '[{"n": 1}, {"n": 2}]'
MARK = "\ufeff"


@pytest.fixture
def things() -> groot.Context:
    attributes = {
        name: {"type": type, "optional": True, "userInfo": {"JSONKeyPath": name}}
        for name, type in TYPES.items()
    }
    entity = {"userInfo": {"identityAttributes": "n"}, "attributes": attributes}
    return groot.Context(groot.Mapping(groot.Model({"entities": {"Thing": entity}})))


class Scalar:
    """A scalar like those of numpy, which the tests do not need."""

    def __init__(self, value: Any, kind: str) -> None:
        self.shape, self.dtype, self.value = (), SimpleNamespace(kind=kind), value

    def item(self) -> Any:
        return self.value


class Masked(Scalar):
    """A scalar like `numpy.ma.masked`, whose value is 0.0."""

    mask = True


def test_values_that_json_lacks(things: groot.Context) -> None:
    made = datetime(2020, 1, 1, 12, tzinfo=timezone(timedelta(hours=1)))
    price = Decimal("1.10000000000000000000001")
    data = {"n": Scalar(1, "i"), "made": made, "born": date(1968, 3, 1), "price": price}
    thing = things.load("Thing", MappingProxyType({**data, "ok": Scalar(True, "b")}))
    assert dict(thing) == {**data, "n": 1, "ok": True}
    things.load("Thing", [MappingProxyType({"n": 1, "made": date(2020, 5, 1)})])
    assert thing.made == datetime(2020, 5, 1, tzinfo=timezone.utc)
    assert list(things.fetch("Thing", {"made": {">": date(2020, 4, 30)}})) == [thing]
    assert len(things.fetch("Thing", {"made": {">": date(2020, 5, 1)}})) == 0
    assert things.sync("Thing", [{"n": 1, "price": Decimal(2)}]).updated == 1
    assert things.fill(thing, {"price": Decimal(3)}).updated == 1


def test_decimals_are_whole_numbers_by_their_digits(things: groot.Context) -> None:
    digits = ("9007199254740993.0", "9007199254740993", "3E+3", "-0.0", "0E+400")
    loaded = things.load("Thing", [{"n": Decimal(text)} for text in digits])
    assert [thing.n for thing in loaded] == [2**53 + 1, 2**53 + 1, 3000, 0, 0]
    assert things.count("Thing") == 3
    for wrong in ("9007199254740992.5", "2.99999999999999999999", "1E-400"):
        with pytest.raises(groot.Error, match=f"{wrong} is not a whole number"):
            things.load("Thing", {"n": Decimal(wrong)})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (datetime(2020, 1, 1), "has no time zone; give it one"),
        (Decimal("NaN"), "Decimal('NaN')"),
        ({1}, "set {1}"),
        (Scalar(5, "M"), "Scalar"),
        (Scalar(float("nan"), "f"), "nan"),
        (Masked(0.0, "f"), "Masked is masked"),
    ],
)
def test_errors_name_their_place(things: groot.Context, wrong: Any, said: str) -> None:
    good = MappingProxyType({"n": Decimal(1), "made": date(2020, 1, 1)})
    records = [good, {"n": 2, "price": wrong}]
    for data in (records, iter(records)):
        with pytest.raises(groot.Error) as raised:
            things.load("Thing", data)
        assert raised.value.issues[0].path == "$[1].price"
        assert said in str(raised.value)
    assert things.count("Thing") == 0


def test_file_objects(things: groot.Context, tmp_path: Path) -> None:
    packed = tmp_path / "things.json.gz"
    packed.write_bytes(gzip.compress(TEXT.encode()))
    with gzip.open(packed) as bytes_file, gzip.open(packed, "rt", encoding="utf-8") as text_file:
        for file in (io.BytesIO(TEXT.encode()), io.StringIO(TEXT), bytes_file, text_file):
            loaded = things.load("Thing", file)
            assert [thing.n for thing in loaded] == [1, 2]
    one = things.load("Thing", io.StringIO('{"n": 3}'))
    assert isinstance(one, groot.Objects)
    assert groot.report(one).inserted == 1
    with pytest.raises(groot.Error) as raised:
        things.load("Thing", io.StringIO('[{"n": 4},\n{"n": "x"}]'))
    assert (raised.value.issues[0].path, raised.value.issues[0].line) == ("$[1].n", 2)


def test_records_of_a_generator_are_not_collected(things: groot.Context) -> None:
    alive: list[int] = []

    def records() -> Iterator[Any]:
        for n in range(50):
            with pytest.raises(groot.Error, match="in use"):
                things.count("Thing")
            alive.append(n)
            yield {"n": n}

    assert len(things.load("Thing", records())) == things.count("Thing") == len(alive) == 50
    loaded = things.load("Thing", ({"n": n} for n in (50, "x", 51)), errors="skip")
    assert [thing.n for thing in loaded] == [50, 51]
    (issue,) = groot.report(loaded).issues
    assert (issue.path, issue.line, issue.column) == ("$[1].n", None, None)
    assert len(things.load("Thing", iter(()))) == 0


def test_a_generator_that_fails_changes_nothing(things: groot.Context) -> None:
    def records() -> Iterator[Any]:
        yield {"n": 1}
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        things.load("Thing", records())
    assert things.count("Thing") == 0


def test_byte_order_marks(things: groot.Context, tmp_path: Path) -> None:
    data = (MARK + TEXT).encode()
    texts = (MARK + TEXT, data, bytearray(data), memoryview(data), io.BytesIO(data))
    for text in (*texts, io.StringIO(MARK + TEXT)):
        assert [thing.n for thing in things.load("Thing", text)] == [1, 2]
    file = tmp_path / "things.json"
    file.write_bytes(data)
    assert [thing.n for thing in things.load_file("Thing", file)] == [1, 2]
    file.write_bytes((MARK + ' {"n": 2}').encode())
    assert things.load_file("Thing", file).n == 2
    with things.importing("Thing") as stream:
        for piece in range(len(data)):
            stream.write(data[piece : piece + 1])
    assert stream.result is not None
    assert len(stream.result) == 2


def test_half_a_mark_is_not_json(things: groot.Context) -> None:
    for data in (MARK.encode()[:2], MARK.encode()[:2] + b"[]", MARK + MARK + "[]"):
        with pytest.raises(groot.Error) as raised:
            things.load("Thing", io.BytesIO(data) if isinstance(data, bytes) else data)
        assert raised.value.code in (Status.INVALID_JSON, Status.INVALID_UTF8)


class _Closing(io.BytesIO):
    """A file that closes a context when it is read."""

    def __init__(self, text: bytes, context: groot.Context) -> None:
        super().__init__(text)
        self.context = context
        self.codes: list[int] = []

    def read(self, size: int | None = -1, /) -> bytes:
        with pytest.raises(groot.Error) as raised:
            self.context.close()
        self.codes.append(raised.value.code)
        return super().read(size)


def test_a_source_must_not_close_the_context(comics_mapping: groot.Mapping) -> None:
    comics = groot.Context(comics_mapping)
    file = _Closing(b'[{"id": "1", "name": "x"}]', comics)
    assert comics.load("Power", file)[0].name == "x"
    assert set(file.codes) == {groot.Status.BUSY}

    def records() -> Iterator[dict[str, str]]:
        yield {"id": "2", "name": "y"}
        comics.close()

    with pytest.raises(groot.Error, match="in use") as raised:
        comics.load("Power", records())
    assert raised.value.code == groot.Status.BUSY
    assert comics.count("Power") == 1
    comics.close()
    comics.close()
