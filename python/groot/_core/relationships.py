"""The members of relationships: their reading, their assignment, and its checks."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any, NamedTuple

from groot import _ffi
from groot._core.handle import Handle
from groot._core.references import Reference
from groot._core.schema import Property
from groot._core.session import Session
from groot._core.text import shorten
from groot._ffi import byref, lib
from groot.errors import Error, Status, error


class Relationship(NamedTuple):
    """A relationship of one entity."""

    entity: str
    property: Property
    number: int
    """The number of the relationship in the library."""

    def member(self, owner: Reference, value: Any) -> int:
        """Return the number of a new member of this relationship of `owner`."""
        if not isinstance(value, Reference):
            raise self._wrong_type(
                f"{_shown(value)} where an object of {self.property.destination} is expected"
            )
        if value._session is not owner._session:
            raise self._wrong_type(f"{value!r} belongs to another context")
        return value._number

    def members(self, owner: Reference, value: Any) -> list[int]:
        """Return the numbers of the new members of this relationship of `owner`."""
        if not isinstance(value, Iterable) or isinstance(value, (str, bytes, Reference)):
            raise self._wrong_type(
                f"{_shown(value)} where a list of {self.property.destination} is expected"
            )
        return [self.member(owner, one) for one in value]

    def assign(self, owner: Reference, ids: list[int]) -> None:
        """Set the members of this relationship by their numbers."""
        block = array("Q", ids)  # kept until the call is over
        address, count = block.buffer_info()
        where = _ffi.c_void_p(address), _ffi.c_size_t(count)
        owner._session.use(lib.object_set_members, owner._number, self.number, *where)

    def _wrong_type(self, message: str) -> Error:
        return error(Status.WRONG_TYPE, message, self.entity, self.property.name)


def member_numbers(session: Session, owner: int, relationship: int) -> list[int]:
    """Return the numbers of the members of a to-many relationship, a snapshot.

    Args:
        session: The context.
        owner: The number of the object that has the relationship.
        relationship: The number of the relationship.

    """
    pointer = _ffi.ObjectsHandle()
    _owner = Handle(lib.objects_free, pointer)
    session.use(lib.object_members, owner, relationship, byref(pointer))
    numbers: list[int] = lib.objects_data(pointer)[: lib.objects_count(pointer)]
    return numbers


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {shorten(value)}"
