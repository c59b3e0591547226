"""One property of many objects, as buffers that NumPy, Arrow and `memoryview` read."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, NamedTuple, overload
from uuid import UUID

from groot import _ffi
from groot._core.attributes import outside_years
from groot._core.buffers import Buffer, Buffers, bits, flags, spread, texts
from groot._core.handle import Handle, Unchanging
from groot._core.json import decode
from groot._core.paths import ENTITY, KEY, Way, way_of
from groot._core.relationships import member_numbers
from groot._core.schema import Property
from groot._core.selection import Selection
from groot._core.session import Session
from groot._core.text import encode_name
from groot._ffi import byref, lib
from groot.errors import Error

Block = tuple[int, int]
"""The address and the length of an array of numbers of objects."""

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
_NAN = float("nan")


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

    `memoryview(column.values)`, `array.array` and `numpy.asarray(column.values)` copy at most the
    bytes, and have 0 where an object has no value. `numpy.asarray(column)` is the same as long as
    all objects have a value. Otherwise it has NaN among reals, and is a ValueError for all other
    numbers.
    """

    __slots__ = ("_place", "_session", "kind", "null_count", "offsets", "validity", "values")

    def __init__(
        self, session: Session, kind: str, buffers: Buffers, place: tuple[str, Property]
    ) -> None:
        """Make a column of buffers that never change; `place` is the entity and the property."""
        self._session = session
        self._place = place
        self.kind: str = kind
        self.null_count: int = buffers.null_count
        self.values: memoryview = _unchanging(buffers.values)
        self.offsets: memoryview | None = None
        self.validity: memoryview | None = None
        if buffers.offsets is not None:
            self.offsets = _unchanging(buffers.offsets)
        if buffers.validity is not None:
            self.validity = _unchanging(buffers.validity)

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
        """Return the buffer that NumPy reads; Python 3.12 and later call this.

        Raises:
            BufferError: For numbers without a place for "no value", as NumPy's interface.
        """
        try:
            return memoryview(self._dense())
        except ValueError as refused:
            raise BufferError(str(refused)) from None

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """The values for NumPy, which does not copy them; the bytes in the case of texts.

        Where objects have no value, reals are a copy with NaN.

        Raises:
            ValueError: If objects have no value, for numbers that are not reals.
        """
        types = {"q": "<i8", "d": "<f8", "?": "|b1", "B": "|u1", "Q": "<u8", "i": "<i4"}
        values = self._dense()
        type = types[values.format]
        return {"version": 3, "typestr": type, "shape": values.shape, "data": values}

    def _dense(self) -> memoryview:
        """Return the values with NaN for "no value"; raise ValueError for types without a NaN."""
        if self.validity is None or self.offsets is not None:
            return self.values
        if self.kind != "real":
            entity, property = self._place
            raise ValueError(
                f"{entity}.{property.name}: {self.null_count} of {len(self)} objects have no "
                "value, which an array of numbers cannot show; take column.tolist(), which has "
                "None, or column.values, which has 0, with column.validity"
            )
        pairs = zip(self.values, flags(self.validity, len(self)))
        return _unchanging(array("d", (one if has else _NAN for one, has in pairs)))

    def tolist(self) -> list[Any]:
        """Return the values as a list, with None for "no value".

        Returns:
            The values, as the objects' properties give them.

        Raises:
            groot.Error: With `Status.OUT_OF_RANGE` for a date or a day outside the years of
                `datetime`. For a relationship to an object that was deleted since, and for a
                relationship after the context is closed.
        """
        found = self.texts() if self.offsets is not None else self.values.tolist()
        read = self._reader()
        if read is None and self.validity is None:
            return found
        pairs = zip(found, flags(self.validity, len(found)))
        try:
            if self.validity is None:
                return list(map(read or _same, found))
            return [None if not has else one if read is None else read(one) for one, has in pairs]
        except OverflowError:
            raise self._outside_years() from None

    def texts(self) -> list[Any]:
        """Return the texts between the offsets as they are; an empty one for "no value".

        Returns:
            The texts, as bytes if the kind is "binary".
        """
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
        try:
            return found if read is None else read(found)
        except OverflowError:
            raise self._outside_years() from None

    def _outside_years(self) -> Error:
        """Make the error for a date that Python cannot hold; the buffers have it."""
        entity, property = self._place
        return outside_years(self.kind, entity, property.name)


_READERS: dict[str, Callable[[Any], Any]] = {
    "decimal": Decimal,
    "date": lambda microseconds: _EPOCH + timedelta(microseconds=microseconds),
    "day": lambda days: _EPOCH_DAY + timedelta(days),
    "uuid": UUID,
    "json": decode,
}


def read_column(session: Session, place: tuple[str, Property], block: Block) -> Column:
    """Read one property of many objects, whose numbers are in memory at an address."""
    entity, property = place
    if property == KEY:
        return _read_keys(session, place, block)
    if property == ENTITY:
        return _read_entities(session, place, block)
    native = _ffi.Column()
    owner = Handle(lib.column_free, byref(native))
    names = encode_name(entity), encode_name(property.name)
    session.run(lib.context_column, *names, *block, byref(native))
    count, kind = native.count, _KINDS[native.kind]
    offsets = validity = None
    if native.offsets:
        offsets = _ffi.view(native.offsets, (count + 1) * 8, "q", owner)
    if native.validity:
        validity = _ffi.view(native.validity, (count + 7) // 8, "B", owner)
    values = _ffi.view(native.values, native.size, _FORMATS.get(kind, "B"), owner)
    return Column(session, kind, Buffers(native.null_count, values, offsets, validity), place)


def _keys(session: Session, block: Block) -> array[int]:
    """Read the keys of objects in the store, with 0 for none; raise for a deleted object."""
    keys = array("q", bytes(8 * block[1]))
    session.run(lib.context_row_keys, *block, _ffi.integers(keys))
    return keys


def _read_keys(session: Session, place: tuple[str, Property], block: Block) -> Column:
    """Read the keys of objects in the store."""
    keys = _keys(session, block)
    missing = keys.count(0)
    validity = bits(bytes(map(bool, keys))) if missing else None
    return Column(session, "integer", Buffers(missing, keys, None, validity), place)


def _read_entities(session: Session, place: tuple[str, Property], block: Block) -> Column:
    """Read the names of the entities that objects are of."""
    address, count = block
    if session.schema.entity(place[0]).is_leaf:
        _keys(session, block)  # refuses deleted objects
        names = [place[0].encode()] * count
    else:
        numbers = _ffi.numbers_at(address, count)
        names = [session.entity_of(one).encode() for one in numbers]
    return Column(session, "string", texts(names), place)


class Lists(NamedTuple):
    """The members of a to-many relationship of many objects, in the order of the objects."""

    objects: Column
    """The members of all objects, as numbers of objects."""
    members: Columns
    """The columns of the members."""
    offsets: array[int]
    """The start of each object's members, followed by the end of the last one's."""
    validity: Buffer | None
    """A bit for each object, 0 if the path to it has no member."""
    null_count: int

    def divide(self, values: list[Any]) -> list[Any]:
        """Divide values of the members into a list for each object."""
        bounds = zip(self.offsets, self.offsets[1:], flags(self.validity, len(self.offsets) - 1))
        return [values[start:end] if has else None for start, end, has in bounds]


class Columns:
    """The columns of some objects and of those that they are related to.

    Each relationship on the way is read once. Nothing takes an object of Python for each value,
    unless objects on the way have no member. A to-many relationship is one call for each object.
    """

    __slots__ = ("_links", "_lists", "_selection", "entity")

    def __init__(self, selection: Selection) -> None:
        """Choose the objects; raise `groot.Error` if they may be of several entities."""
        self._selection = selection
        self._links: dict[tuple[tuple[str, Property], ...], Column] = {}
        self._lists: dict[tuple[tuple[str, Property], ...], Lists] = {}
        self.entity = selection.one_entity()

    def way(self, given: Any, *, lists: bool = False) -> Way:
        """Resolve a path from the objects; `lists` permits a to-many relationship in it."""
        return way_of(self._selection.session, self.entity, given, lists=lists)

    def read(self, way: Way) -> Column:
        """Read the property at the end of a path."""
        session = self._selection.session
        *before, place = way.steps
        if not before:
            address, count, _keeper = self._selection.block()
            return read_column(session, place, (address, count))
        links = self.links(Way(way.name, tuple(before)))
        if not links.null_count:
            return read_column(session, place, _ffi.block_of(links.values))
        numbers = array("Q", filter(None, links.values))
        found = read_column(session, place, numbers.buffer_info())
        return Column(session, found.kind, spread(found, links), place)

    def rows(self, way: Way) -> list[Any]:
        """Read the values that the objects have; a list of them through a to-many relationship."""
        parts = way.parted()
        if parts is None:
            return self.read(way).tolist()
        lists, rest = self.lists(parts[0]), parts[1]
        return lists.divide(lists.members.rows(rest) if rest.steps else lists.objects.tolist())

    def lists(self, way: Way) -> Lists:
        """Read the members of a to-many relationship, once for all paths through it."""
        found = self._lists.get(way.steps)
        if found is None:
            found = self._lists[way.steps] = self._read_lists(way)
        return found

    def _read_lists(self, way: Way) -> Lists:
        *before, place = way.steps
        session = self._selection.session
        owners, validity, null_count = self._selection.ids(), None, 0
        if before:
            links = self.links(Way(way.name, tuple(before)))
            owners, validity, null_count = links.values.tolist(), links.validity, links.null_count
        number = session.number(place[0], place[1].name)
        numbers, offsets = array("Q"), array("q", [0])
        for owner in owners:
            if owner:
                numbers.extend(member_numbers(session, owner, number))
            offsets.append(len(numbers))
        members = Selection.of_numbers(session, numbers.tolist(), place[1].destination)
        objects = Column(session, "object", Buffers(0, numbers, None, None), place)
        return Lists(objects, Columns(members), offsets, validity, null_count)

    def links(self, way: Way) -> Column:
        """Read a to-one relationship as the numbers of objects, once for all paths through it."""
        found = self._links.get(way.steps)
        if found is None:
            found = self._links[way.steps] = self.read(way)
        return found


def _unchanging(buffer: Buffer) -> memoryview:
    return memoryview(buffer).toreadonly()


def _same(found: Any) -> Any:
    return found
