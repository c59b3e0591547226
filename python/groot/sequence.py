"""Sequences of objects, the results of imports and fetches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from groot._handle import Handle, Unchanging
from groot._selection import Selection
from groot._session import Session
from groot.columns import Column, Table, read_column
from groot.objects import Change, Object, Report, no_object

_CHUNK = 1024


class Objects(Unchanging, Sequence[Object]):
    """A sequence of objects: a snapshot that makes its `Object`s on demand.

    Later changes to the objects do not change the sequence, and any thread may read it. Its objects
    are used on the thread that uses their context. A slice is another `Objects` and copies nothing.
    """

    __slots__ = ("_class", "_report", "_selection")

    def __init__(self, selection: Selection, made: type[Object] | None) -> None:
        """Make a sequence of objects; `made` is the class of all of them, if they share one."""
        self._selection = selection
        self._class = made
        self._report: Callable[[], Report] | None = None

    @property
    def report(self) -> Report | None:
        """The report of the import that returned this sequence; None for any other sequence."""
        return None if self._report is None else self._report()

    def column(self, name: str) -> Column:
        """Read an attribute or a to-one relationship of all objects into buffers.

        Args:
            name: The name of the property.

        Returns:
            The column, a snapshot.

        Raises:
            groot.Error: For an unknown property, for a to-many relationship, for a deleted object,
                and for the objects of an import of several entities.
        """
        return read_column(self._selection, name)

    def table(self, *names: str) -> Table:
        """Choose properties for libraries that read Arrow data.

            polars.DataFrame(objects.table("id", "name"))

        `pyarrow.table(objects)` reads all attributes without this call. Polars needs the call: it
        reads the sequence itself as a list.

        Args:
            *names: The names of attributes and to-one relationships; by default all attributes.

        Returns:
            A table with the Arrow C data interface. Reading it raises `groot.Error` as `column`
            does.
        """
        return Table(self._selection, names)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return all attributes of the objects as a stream of the Arrow C data interface."""
        return Table(self._selection, None).__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        """Count the objects."""
        return len(self._selection.range)

    @overload
    def __getitem__(self, index: int) -> Object: ...

    @overload
    def __getitem__(self, index: slice) -> Objects: ...

    def __getitem__(self, index: int | slice) -> Any:
        """Return the object at an index, or the sequence of objects in a slice.

        Args:
            index: The position, from the end if it is negative, or a slice.

        Returns:
            The object, or another `Objects`.

        Raises:
            IndexError: If there is no such position.
            groot.Error: For an object of an entity with sub-entities, if it was deleted or the
                context is closed.
        """
        selection, made = self._selection, self._class
        found = selection.range[index]
        if isinstance(found, range):
            return Objects(selection.part(found), made)
        identifier = selection.data[found]
        session = selection.session
        return session.object(identifier) if made is None else made(session, identifier)

    def __iter__(self) -> Iterator[Object]:
        """Iterate over the objects, making one at a time."""
        selection, made = self._selection, self._class
        session = selection.session
        for start in range(0, len(selection.range), _CHUNK):
            for identifier in selection.ids(start, start + _CHUNK):
                yield session.object(identifier) if made is None else made(session, identifier)

    def __contains__(self, member: object) -> bool:
        """Whether an object is in the sequence, in linear time."""
        selection = self._selection
        if not isinstance(member, Object) or member._session is not selection.session:
            return False
        return member._number in selection.ids()

    def __eq__(self, other: object) -> bool:
        """Whether a sequence has the same objects in the same order."""
        if isinstance(other, Objects):
            mine, others = self._selection, other._selection
            return mine.session is others.session and mine.ids() == others.ids()
        if isinstance(other, Sequence) and not isinstance(other, (str, bytes)):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        """Refuse to be pickled: the values of objects are in their context."""
        raise TypeError("objects cannot be pickled; dump them as JSON")

    def __repr__(self) -> str:
        """Show the first objects and the number of all."""
        shown = ", ".join(map(repr, self[:3]))
        return f"<{len(self)} objects: {shown}{', ...' if len(self) > 3 else ''}>"


def report(loaded: Object | Objects) -> Report | None:
    """Return the report of the import that returned `loaded`.

    A later import of the same object returns another `Object`, with another report. It is called on
    the thread that uses the context.

    Args:
        loaded: An object or a sequence.

    Returns:
        The report; None if `loaded` is not the result of an import.

    Raises:
        groot.Error: For any other value.
    """
    if isinstance(loaded, Objects):
        return loaded.report
    if not isinstance(loaded, Object):
        raise no_object(loaded)
    pending: Callable[[], Report] | None = getattr(loaded, "_report", None)
    return None if pending is None else pending()


def objects(session: Session, handle: Handle, entity: str | None) -> Objects:
    """Take over a native sequence of objects of `entity` and its sub-entities; None for any."""
    selection = Selection.taken(session, handle, entity)
    return Objects(selection, None if entity is None else session.only_class(entity))


def without_inserted(sequence: Objects, changes: Iterable[Change]) -> Objects:
    """Return a sequence without the objects that a dry run would have inserted."""
    gone = {change.id for change in changes if change.change == "inserted"}
    ids = sequence._selection.ids()
    left = [identifier for identifier in ids if identifier not in gone]
    if len(left) == len(ids):
        return sequence
    return Objects(sequence._selection.of(left), sequence._class)
