"""Which objects a sequence has: their numbers, as they lie in the library."""

from __future__ import annotations

from array import array
from typing import Any

from groot import _ffi
from groot._ffi import lib
from groot._handle import Handle, Unchanging
from groot._session import Session
from groot.errors import Status, error


class Selection(Unchanging):
    """Some objects of a context, by their numbers; it never changes."""

    __slots__ = ("_entity", "_handle", "data", "range", "session")

    def __init__(
        self, session: Session, handle: Handle, data: Any, range: range, entity: str | None
    ) -> None:
        """Choose the part `range` of a native sequence, which has positions in `data`.

        `data` are its numbers, or a list of numbers that counts instead. The objects of an envelope
        have no `entity` in common.
        """
        self.session = session
        self.range = range
        self._handle = handle
        self.data = data
        self._entity = entity

    @classmethod
    def taken(cls, session: Session, handle: Handle, entity: str | None) -> Selection:
        """Take over a native sequence of objects of `entity` and its sub-entities, or of any."""
        pointer = handle.pointer
        count = lib.objects_count(pointer)
        return cls(session, handle, lib.objects_data(pointer), range(count), entity)

    def part(self, range: range) -> Selection:
        """Return the part of it that `range` is; nothing is copied."""
        return Selection(self.session, self._handle, self.data, range, self._entity)

    def of(self, ids: list[int]) -> Selection:
        """Return other objects of the same entity."""
        return Selection(self.session, self._handle, ids, range(len(ids)), self._entity)

    def ids(self, start: int | None = None, stop: int | None = None) -> list[int]:
        """Return the numbers of a part."""
        part = self.range[start:stop]
        if not part:
            return []
        low, high = min(part[0], part[-1]), max(part[0], part[-1])
        ids: list[int] = self.data[low : high + 1]
        return ids[:: part.step] if part.step > 0 else ids[::-1][:: -part.step]

    def block(self) -> tuple[int, int, object]:
        """Return address and length of the numbers in one piece, and what keeps them there."""
        part = self.range
        if part and part.step == 1 and not isinstance(self.data, list):
            return _ffi.address_of(self.data, part.start), len(part), self
        copied = array("Q", self.ids())
        return *copied.buffer_info(), copied

    def one_entity(self) -> str:
        """Return the entity whose properties all objects have."""
        if self._entity is None:
            message = "the objects of a batch are of several entities; take those of one by fetch"
            raise error(Status.INVALID_ARGUMENT, message)
        return self._entity

    def __reduce__(self) -> Any:
        """Refuse to be pickled: objects are nothing without their context."""
        raise TypeError("objects cannot be pickled; dump them as JSON")
