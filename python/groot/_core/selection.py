"""The objects of a sequence as their numbers, in memory of the library."""

from __future__ import annotations

from array import array
from typing import Any

from groot import _ffi
from groot._core.handle import Handle, Unchanging
from groot._core.session import Session
from groot._ffi import lib
from groot.errors import Status, error


class Selection(Unchanging):
    """Some objects of a context, by their numbers; it never changes."""

    __slots__ = ("_handle", "data", "entity", "range", "session")

    def __init__(
        self, session: Session, handle: Handle | None, data: Any, range: range, entity: str | None
    ) -> None:
        """Choose the positions `range` in `data`.

        `data` is a native array of numbers, kept by its `handle`, or a list of numbers. The objects
        of an envelope, which may be of several entities, have the `entity` None.
        """
        self.session = session
        self.range = range
        self._handle = handle
        self.data = data
        self.entity = entity

    @classmethod
    def taken(cls, session: Session, handle: Handle, entity: str | None) -> Selection:
        """Take over a native sequence of objects of `entity` and its sub-entities; None for any."""
        pointer = handle.pointer
        count = lib.objects_count(pointer)
        return cls(session, handle, lib.objects_data(pointer), range(count), entity)

    @classmethod
    def of_numbers(cls, session: Session, ids: list[int], entity: str | None = None) -> Selection:
        """Choose objects by their numbers."""
        return cls(session, None, ids, range(len(ids)), entity)

    def part(self, range: range) -> Selection:
        """Return the part at the positions `range`; nothing is copied."""
        return Selection(self.session, self._handle, self.data, range, self.entity)

    def of(self, ids: list[int]) -> Selection:
        """Return a selection of other objects of the same entity."""
        return Selection.of_numbers(self.session, ids, self.entity)

    def ids(self, start: int | None = None, stop: int | None = None) -> list[int]:
        """Return the numbers from position `start` up to `stop`."""
        part = self.range[start:stop]
        if not part:
            return []
        low, high = min(part[0], part[-1]), max(part[0], part[-1])
        ids: list[int] = self.data[low : high + 1]
        return ids[:: part.step] if part.step > 0 else ids[::-1][:: -part.step]

    def block(self) -> tuple[int, int, object]:
        """Return the address and length of an array of the numbers, and the owner of the array."""
        part = self.range
        if part and part.step == 1 and not isinstance(self.data, list):
            return _ffi.address_of(self.data, part.start), len(part), self
        copied = array("Q", self.ids())
        return *copied.buffer_info(), copied

    def one_entity(self) -> str:
        """Return the entity of all objects; raise `groot.Error` if they may be of several."""
        if self.entity is None:
            message = "the objects may be of several entities; fetch those of one entity"
            raise error(Status.INVALID_ARGUMENT, message)
        return self.entity

    def __reduce__(self) -> Any:
        """Refuse to be pickled: the values of objects are in their context."""
        raise TypeError("objects cannot be pickled; dump them as JSON")


class Selected:
    """An owner of a selection: the base of `groot.Objects`."""

    __slots__ = ("_selection",)

    _selection: Selection
