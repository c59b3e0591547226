"""To-many relationships as live collections."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any, overload

from groot import _ffi
from groot._core.relationships import Relationship, member_numbers
from groot._core.session import Session
from groot._core.text import refusal
from groot._ffi import byref, lib
from groot.errors import Error
from groot.objects import BaseObject, E, is_deleted


class Members(Collection[E]):
    """The current members of a to-many relationship, in its order.

    Iteration, an index and a slice take a snapshot of the members, in linear time. The relationship
    may change during an iteration. Everything else takes constant time. Changes also update the
    inverse relationship. The collection is used on the thread that uses the context. After its
    owner is deleted, every use raises `groot.Error` with `Status.OBJECT_DELETED`.
    """

    __slots__ = ("_owner", "_relationship")

    def __init__(self, owner: BaseObject, relationship: Relationship) -> None:
        """Make the collection of the members of `owner`."""
        self._owner = owner
        self._relationship = relationship

    def add(self, member: E) -> None:
        """Add an object at the end; nothing happens if it is already a member.

        Args:
            member: The object.

        Raises:
            groot.Error: For a deleted object, for an object of another context, and for an object
                whose entity does not fit the relationship.
        """
        self._call(lib.object_add, self._member(member))

    def discard(self, member: E) -> None:
        """Remove an object; nothing happens if it is not a member.

        Args:
            member: The object. It stays in the context.

        Raises:
            groot.Error: If the owner is deleted.
        """
        if member in self:
            self._call(lib.object_remove, self._member(member))

    def remove(self, member: E) -> None:
        """Remove a member.

        Args:
            member: The object. It stays in the context.

        Raises:
            KeyError: If the object is not a member.
            groot.Error: If the owner is deleted.
        """
        if member not in self:
            raise KeyError(member)
        self._call(lib.object_remove, self._member(member))

    def update(self, members: Iterable[E]) -> None:
        """Add objects, each at the end.

        Args:
            members: The objects. If one cannot be added, those before it stay added.

        Raises:
            groot.Error: As `add`.
        """
        if not isinstance(members, Iterable):
            raise refusal("members", members, "a list of objects")
        for member in list(members):
            self.add(member)

    def clear(self) -> None:
        """Remove all members; they stay in the context.

        Raises:
            groot.Error: If the owner is deleted.
        """
        self._relationship.assign(self._owner, [])

    def __len__(self) -> int:
        """Count the members."""
        count = _ffi.c_size_t()
        self._call(lib.object_member_count, byref(count))
        size: int = count.value
        return size

    def __contains__(self, member: object) -> bool:
        """Whether an object is a member."""
        if not isinstance(member, BaseObject) or member._session is not self._session:
            return False
        contains = _ffi.c_int32()
        try:
            self._call(lib.object_contains, _ffi.c_uint64(member._number), byref(contains))
        except Error:
            if is_deleted(self._owner) or not is_deleted(member):
                raise
        return bool(contains.value)

    def __iter__(self) -> Iterator[E]:
        """Iterate over a snapshot of the members."""
        return self._objects(self._ids())

    @overload
    def __getitem__(self, index: int) -> E: ...

    @overload
    def __getitem__(self, index: slice) -> list[E]: ...

    def __getitem__(self, index: int | slice) -> Any:
        """Return the member at an index, or the list of members in a slice.

        Args:
            index: The position, from the end if it is negative, or a slice.

        Returns:
            The member, or the list of members.

        Raises:
            IndexError: If there is no such position.
            groot.Error: If the owner is deleted.
        """
        found = self._ids()[index]
        if isinstance(found, list):
            return list(self._objects(found))
        return next(self._objects([found]))

    def __eq__(self, other: object) -> bool:
        """Whether the members equal those of a sequence, in order, or those of a set."""
        if isinstance(other, Members):
            return self._session is other._session and self._ids() == other._ids()
        if isinstance(other, AbstractSet):
            return set(self) == other
        if isinstance(other, Iterable):
            return list(self) == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show the relationship and the number of members."""
        return f"<{self._owner!r}.{self._relationship.property.name}: {len(self)} members>"

    def _repr_html_(self) -> str:
        """Show the first members as a table in notebooks."""
        from groot._core.notebooks import members_page  # noqa: PLC0415 (only notebooks need it)

        return members_page(self._owner, self._relationship.property, self._ids)

    @property
    def _session(self) -> Session:
        return self._owner._session

    def _member(self, member: E) -> Any:
        """Return the argument of calls for an object that may be a member."""
        return _ffi.c_uint64(self._relationship.member(self._owner, member))

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: the members are the current ones of one object."""
        raise TypeError("members cannot be copied or pickled; take list(members), or dump them")

    def _call(self, function: Any, *arguments: Any) -> None:
        """Make a call about this relationship."""
        owner = self._owner
        owner._session.use(function, owner._number, self._relationship.number, *arguments)

    def _ids(self) -> list[int]:
        """Return the numbers of the members, a snapshot."""
        return member_numbers(self._session, self._owner._number, self._relationship.number)

    def _objects(self, ids: list[int]) -> Iterator[E]:
        """Make objects of numbers, one at a time."""
        session = self._session
        destination = self._relationship.property.destination
        made = session.only_class(destination)
        if made is None:
            return map(session.object, ids)
        return (made(session, one) for one in ids)
