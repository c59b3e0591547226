"""Sequences of objects that imports and fetches give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from groot import _ffi
from groot._ffi import lib
from groot._handle import Handle, Unchanging
from groot.columns import Column, Table, read_column
from groot.errors import Status, error
from groot.objects import Object

if TYPE_CHECKING:
    from groot._session import Session
    from groot.report import Change, Pending, Report

_CHUNK = 1024


class Objects(Unchanging, Sequence[Object]):
    """A sequence of objects: a snapshot, that makes each object only when it is asked for.

    It stays the same whatever happens to the objects, and may be read from any thread; the objects
    in it are used on the thread that uses their context. A slice is a sequence of the same kind
    and copies nothing.
    """

    __slots__ = ("_class", "_data", "_entity", "_handle", "_range", "_report", "_session")

    def __init__(
        self,
        session: Session,
        handle: Handle,
        data: Any,
        made: type[Object] | None,
        range: range,
        *,
        entity: str | None,
    ) -> None:
        """Stand for the part `range` of a native sequence, all of whose objects have a class.

        `data` are its numbers, or a list of numbers that counts in their place. The objects of a
        batch have no `entity` in common.
        """
        self._entity = entity
        self._session = session
        self._handle = handle
        self._data = data
        self._class = made
        self._range = range
        self._report: Pending | None = None

    @property
    def report(self) -> Report | None:
        """What the import did that gave this sequence; None for all other sequences."""
        return None if self._report is None else self._report.get()

    def column(self, name: str) -> Column:
        """Read an attribute or a to-one relationship of all objects at once, as buffers."""
        return read_column(self, name)

    def table(self, *names: str) -> Table:
        """Choose properties, or all attributes, for those who read Arrow.

        `pyarrow.table(objects)` reads all attributes as well; `polars.DataFrame(objects.table())`
        needs the call, since for polars the objects alone are a list.
        """
        return Table(self, names)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Give all attributes of all objects as a stream of the Arrow C data interface."""
        return Table(self, None).__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        """Count the objects."""
        return len(self._range)

    @overload
    def __getitem__(self, index: int) -> Object: ...

    @overload
    def __getitem__(self, index: slice) -> Objects: ...

    def __getitem__(self, index: int | slice) -> Any:
        """Give the object at an index, or the sequence of those in a slice."""
        found = self._range[index]
        if isinstance(found, range):
            parts = self._session, self._handle, self._data, self._class
            return Objects(*parts, found, entity=self._entity)
        return self._object(self._data[found])

    def __iter__(self) -> Iterator[Object]:
        """Make one object after the other."""
        session, made = self._session, self._class
        for start in range(0, len(self._range), _CHUNK):
            for identifier in self._ids(start, start + _CHUNK):
                yield session._object(identifier) if made is None else made(session, identifier)

    def __contains__(self, member: object) -> bool:
        """Whether an object is in the sequence; linear."""
        if not isinstance(member, Object) or member._session is not self._session:
            return False
        return member._id in self._ids()

    def __eq__(self, other: object) -> bool:
        """Whether a sequence has the same objects in the same order."""
        if isinstance(other, Objects):
            return self._session is other._session and self._ids() == other._ids()
        if isinstance(other, Sequence) and not isinstance(other, (str, bytes)):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        """Refuse to be pickled: objects are nothing without their context."""
        raise TypeError("objects cannot be pickled; dump them as JSON")

    def __repr__(self) -> str:
        """Show the first objects and how many there are."""
        shown = ", ".join(map(repr, self[:3]))
        return f"<{len(self)} objects: {shown}{', ...' if len(self) > 3 else ''}>"

    def _ids(self, start: int | None = None, stop: int | None = None) -> list[int]:
        """Give the numbers of the objects in a part of the sequence."""
        part = self._range[start:stop]
        if not part:
            return []
        low, high = min(part[0], part[-1]), max(part[0], part[-1])
        ids: list[int] = self._data[low : high + 1]
        return ids[:: part.step] if part.step > 0 else ids[::-1][:: -part.step]

    def _one_entity(self) -> str:
        """Give the entity whose properties all objects have."""
        if self._entity is None:
            message = "the objects of a batch are of several entities; take those of one by fetch"
            raise error(Status.INVALID_ARGUMENT, message)
        return self._entity

    def _object(self, identifier: int) -> Object:
        session, made = self._session, self._class
        return session._object(identifier) if made is None else made(session, identifier)


def objects(session: Session, pointer: Any, entity: str | None) -> Objects:
    """Take over a native sequence of objects of `entity` and its sub-entities, or of any."""
    handle = Handle(pointer, lib.objects_free)
    count = lib.objects_count(pointer)
    data = lib.objects_data(pointer)
    only = None if entity is None else session._only_class(entity)
    return Objects(session, handle, data, only, range(count), entity=entity)


def without_inserted(sequence: Objects, changes: Iterable[Change]) -> Objects:
    """Give a sequence without the objects that a dry run would have inserted."""
    gone = {change.id for change in changes if change.change == "inserted"}
    ids = sequence._ids()
    left = [identifier for identifier in ids if identifier not in gone]
    if len(left) == len(ids):
        return sequence
    parts = sequence._session, sequence._handle, left, sequence._class
    return Objects(*parts, range(len(left)), entity=sequence._entity)


def address_of(sequence: Objects) -> tuple[int, int] | None:
    """Give address and length of the numbers when they lie in one piece."""
    part = sequence._range
    if not part or part.step != 1 or isinstance(sequence._data, list):
        return None
    return _ffi.address_of(sequence._data, part.start), len(part)
