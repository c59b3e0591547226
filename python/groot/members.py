"""To-many relationships as live collections."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any, overload

from groot import _ffi
from groot._ffi import byref, lib
from groot._handle import Handle
from groot._relationships import Relationship
from groot._session import Session
from groot.errors import Error
from groot.objects import Object, is_deleted


class Members(Collection[Object]):
    """The members of a to-many relationship, in its order: always as they are now.

    Iterating and indexing go over a snapshot, so that the relationship may change meanwhile; each
    index or slice takes one, which is linear. Everything else takes constant time. Changes reach
    the other direction of the relationship too. It is used on the thread that uses the context.
    """

    __slots__ = ("_owner", "_relationship")

    def __init__(self, owner: Object, relationship: Relationship) -> None:
        """Make the collection of the members of `owner`."""
        self._owner = owner
        self._relationship = relationship

    def add(self, member: Object) -> None:
        """Add an object at the end; nothing happens when it is a member already.

        Args:
            member: The object.

        Raises:
            groot.Error: For a deleted object, one of another context or of another entity.
        """
        self._call(lib.object_add, self._member(member))

    def discard(self, member: Object) -> None:
        """Remove an object; nothing happens when it is not a member.

        Args:
            member: The object, which stays in the context.

        Raises:
            groot.Error: For a deleted owner.
        """
        if member in self:
            self._call(lib.object_remove, self._member(member))

    def remove(self, member: Object) -> None:
        """Remove an object that is a member.

        Args:
            member: The object, which stays in the context.

        Raises:
            KeyError: When it is not a member.
            groot.Error: For a deleted owner.
        """
        if member not in self:
            raise KeyError(member)
        self._call(lib.object_remove, self._member(member))

    def update(self, members: Iterable[Object]) -> None:
        """Add objects, each at the end.

        Args:
            members: The objects. A failure leaves those before it added.

        Raises:
            groot.Error: As `add`.
        """
        for member in list(members):
            self.add(member)

    def clear(self) -> None:
        """Remove all members; they are not deleted."""
        self._relationship.assign(self._owner, [])

    def __len__(self) -> int:
        """Count the members."""
        count = _ffi.c_size_t()
        self._call(lib.object_member_count, byref(count))
        size: int = count.value
        return size

    def __contains__(self, member: object) -> bool:
        """Whether an object is a member."""
        if not isinstance(member, Object) or member._session is not self._session:
            return False
        contains = _ffi.c_int32()
        try:
            self._call(lib.object_contains, _ffi.c_uint64(member._number), byref(contains))
        except Error:
            if is_deleted(self._owner) or not is_deleted(member):
                raise
        return bool(contains.value)

    def __iter__(self) -> Iterator[Object]:
        """Go over the members as they are now."""
        return self._objects(self._ids())

    @overload
    def __getitem__(self, index: int) -> Object: ...

    @overload
    def __getitem__(self, index: slice) -> list[Object]: ...

    def __getitem__(self, index: int | slice) -> Any:
        """Give the member at an index, or the list of those in a slice."""
        found = self._ids()[index]
        if isinstance(found, list):
            return list(self._objects(found))
        return next(self._objects([found]))

    def __eq__(self, other: object) -> bool:
        """Whether the members are those of a sequence, in its order, or those of a set."""
        if isinstance(other, Members):
            return self._session is other._session and self._ids() == other._ids()
        if isinstance(other, AbstractSet):
            return set(self) == other
        if isinstance(other, Iterable):
            return list(self) == list(other)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show the relationship and how many members it has."""
        return f"<{self._owner!r}.{self._relationship.property.name}: {len(self)} members>"

    @property
    def _session(self) -> Session:
        return self._owner._session

    def _member(self, member: Object) -> Any:
        """Give the argument for an object that may be a member."""
        return _ffi.c_uint64(self._relationship.member(self._owner, member))

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: they are always those of now, of one object."""
        raise TypeError("members cannot be copied or pickled; take list(members), or dump them")

    def _call(self, function: Any, *arguments: Any) -> None:
        """Make a call about this relationship."""
        owner = self._owner
        owner._session.use(function, owner._number, self._relationship.number, *arguments)

    def _ids(self) -> list[int]:
        """Take a snapshot."""
        pointer = _ffi.ObjectsHandle()
        _owner = Handle(lib.objects_free, pointer)
        self._call(lib.object_members, byref(pointer))
        ids: list[int] = lib.objects_data(pointer)[: lib.objects_count(pointer)]
        return ids

    def _objects(self, ids: list[int]) -> Iterator[Object]:
        """Make objects of numbers, one at a time."""
        session = self._session
        destination = self._relationship.property.destination
        made = session.only_class(destination)
        if made is None:
            return map(session.object, ids)
        return (made(session, one) for one in ids)
