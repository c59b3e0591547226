"""One property of many objects, as buffers that NumPy, Arrow and `memoryview` read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, overload
from uuid import UUID

from groot import _ffi
from groot._core.handle import Handle, Unchanging
from groot._core.json import decode, encode
from groot._core.selection import Selection
from groot._core.session import Session
from groot._core.text import encode_name
from groot._ffi import byref, lib

_KINDS = {
    1: "integer",
    2: "real",
    3: "boolean",
    4: "string",
    5: "decimal",
    6: "date",
    7: "binary",
    8: "uuid",
    9: "uri",
    10: "json",
    11: "object",
    12: "day",
}
_FORMATS = {"integer": "q", "real": "d", "boolean": "?", "date": "q", "object": "Q", "day": "i"}
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_EPOCH_DAY = _EPOCH.date()


class Column(Unchanging, Sequence[Any]):
    """An attribute or a to-one relationship of many objects: a snapshot in a few buffers.

    As a sequence it has the same values as the objects, with None for "no value". The buffers are
    memory of the library, without a Python object for each value:

    - `values`: 64-bit integers, doubles, or bytes that are 0 or 1. Dates are microseconds since
      1970-01-01T00:00:00Z, days are 32-bit numbers of days since 1970-01-01, and to-one
      relationships are numbers of objects as in `groot.object_id`. Texts are their bytes, joined.
    - `offsets`: the start of each text in `values`, followed by the end of the last text; None for
      other kinds.
    - `validity`: a bit for each object, 1 if it has a value, from the lowest bit of each byte
      upwards; None if all objects have one.

    `memoryview(column.values)`, `array.array` and `numpy.asarray(column)` copy at most the bytes.
    """

    __slots__ = ("_session", "kind", "null_count", "offsets", "validity", "values")

    def __init__(self, session: Session, native: Any, owner: Handle) -> None:
        """Take over a native column from its owner."""
        count: int = native.count
        self._session = session
        self.kind: str = _KINDS[native.kind]
        self.null_count: int = native.null_count
        format = _FORMATS.get(self.kind, "B")
        self.values = _ffi.view(native.values, native.size, format, owner)
        self.offsets: memoryview | None = None
        self.validity: memoryview | None = None
        if native.offsets:
            self.offsets = _ffi.view(native.offsets, (count + 1) * 8, "q", owner)
        if native.validity:
            self.validity = _ffi.view(native.validity, (count + 7) // 8, "B", owner)

    def __reduce__(self) -> Any:
        """Refuse to be pickled: the buffers are the library's."""
        raise TypeError("a column cannot be pickled; pickle list(column), or its buffers as bytes")

    def __len__(self) -> int:
        """Count the objects."""
        return len(self.values) if self.offsets is None else len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        """Return the value at an index, or the list of values in a slice.

        Args:
            index: The position, from the end if it is negative, or a slice.

        Returns:
            The value, or the list of values.

        Raises:
            IndexError: If there is no such position.
            groot.Error: As `tolist`.
            OverflowError: As `tolist`.
        """
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        position = range(len(self))[index]
        if self.validity is not None and not self.validity[position >> 3] >> (position & 7) & 1:
            return None
        if self.offsets is None:
            return self._made(self.values[position])
        return self._made(
            self.values[self.offsets[position] : self.offsets[position + 1]].tobytes()
        )

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the values."""
        return iter(self.tolist())

    def __repr__(self) -> str:
        """Show the first values and the number of all."""
        shown = ", ".join(map(repr, self[:3]))
        return f"<{len(self)} values: {shown}{', ...' if len(self) > 3 else ''}>"

    def __buffer__(self, flags: int, /) -> memoryview:
        """Return the buffer of the values; Python 3.12 and later call this."""
        return memoryview(self.values)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """The values for NumPy, which does not copy them; the bytes in the case of texts."""
        types = {"q": "<i8", "d": "<f8", "?": "|b1", "B": "|u1", "Q": "<u8", "i": "<i4"}
        type = types[self.values.format]
        return {"version": 3, "typestr": type, "shape": self.values.shape, "data": self.values}

    def tolist(self) -> list[Any]:
        """Return the values as a list, with None for "no value".

        Returns:
            The values, as the objects' properties give them.

        Raises:
            groot.Error: For a relationship to an object that was deleted since, and for a
                relationship after the context is closed.
            OverflowError: For a date or a day outside the years of `datetime`.
        """
        found = self._texts() if self.offsets is not None else list(self.values)
        read = self._reader()
        if self.validity is None:
            return found if read is None else list(map(read, found))
        bits = "".join(f"{byte:08b}"[::-1] for byte in self.validity)
        pairs = zip(found, bits)
        return [None if bit == "0" else one if read is None else read(one) for one, bit in pairs]

    def _texts(self) -> list[Any]:
        """Cut the bytes at the offsets, and decode them unless the kind is "binary"."""
        data = self.values.tobytes()
        offsets = [] if self.offsets is None else self.offsets.tolist()
        pairs = zip(offsets, offsets[1:])
        if self.kind == "binary":
            return [data[start:end] for start, end in pairs]
        if data.isascii():  # each character is one byte
            text = data.decode()
            return [text[start:end] for start, end in pairs]
        return [data[start:end].decode() for start, end in pairs]

    def _reader(self) -> Callable[[Any], Any] | None:
        """Return the function from a number or text to the value; None if they are the same."""
        return self._session.object if self.kind == "object" else _READERS.get(self.kind)

    def _made(self, found: Any) -> Any:
        if isinstance(found, bytes) and self.kind != "binary":
            found = found.decode()
        read = self._reader()
        return found if read is None else read(found)


_READERS: dict[str, Callable[[Any], Any]] = {
    "decimal": Decimal,
    "date": lambda microseconds: _EPOCH + timedelta(microseconds=microseconds),
    "day": lambda days: _EPOCH_DAY + timedelta(days),
    "uuid": UUID,
    "json": decode,
}


class Table:
    """Some properties of many objects, for readers of the Arrow C data interface.

    `pyarrow.table(table)`, `polars.DataFrame(table)` and `pandas.DataFrame.from_arrow(table)` read
    it without a Python object for each value. Each call reads the current values.
    """

    __slots__ = ("_names", "_objects")

    def __init__(self, objects: Selection, names: tuple[str, ...] | None) -> None:
        """Choose the properties of objects; None means all attributes."""
        self._objects = objects
        self._names = names or None

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the columns as a stream, always with the library's schema.

        Args:
            requested_schema: Ignored; the protocol allows that.

        Returns:
            The capsule of the stream.

        Raises:
            groot.Error: As `Objects.column`.
        """
        entity = encode_name(self._objects.one_entity())
        names = None if self._names is None else encode(list(self._names))
        stream = _ffi.ArrowStream()
        owner = Handle(tuple, _ffi.releasing(stream))
        address, count, _keeper = self._objects.block()
        arguments = entity, names, address, count, byref(stream)
        self._objects.session.run(lib.context_arrow_stream, *arguments)
        return _ffi.stream_capsule(stream, owner)


def read_column(objects: Selection, name: str) -> Column:
    """Read one property of many objects."""
    entity, property = encode_name(objects.one_entity()), encode_name(name)
    native = _ffi.Column()
    address, count, _keeper = objects.block()
    owner = Handle(lib.column_free, byref(native))
    objects.session.run(lib.context_column, entity, property, address, count, byref(native))
    return Column(objects.session, native, owner)
