"""Sequences of objects, the results of imports and fetches."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import GenericAlias
from typing import TYPE_CHECKING, Any, overload

from groot._core.handle import Unchanging
from groot._core.requests import Path
from groot._core.selection import Selected, Selection
from groot._core.stream import Imported
from groot.changes import Change
from groot.columns import Column, Columns
from groot.objects import BaseObject, E
from groot.reports import Report, Reported, pending, read
from groot.tables import Table

_CHUNK = 1024

if TYPE_CHECKING:
    Ordered = Sequence
else:

    class Ordered:
        """The methods of a sequence.

        Polars takes an instance of `collections.abc.Sequence` for a list of values, before it looks
        for Arrow data.
        """

        __slots__ = ()
        __class_getitem__ = classmethod(GenericAlias)
        __reversed__ = Sequence.__reversed__
        index = Sequence.index
        count = Sequence.count


class Objects(Selected, Reported, Unchanging, Ordered[E]):
    """A sequence of objects: a snapshot that makes its `Object`s on demand.

    Later changes to the objects do not change the sequence, and any thread may read it. Its objects
    are used on the thread that uses their context. A slice is another `Objects` and copies nothing.
    It has all methods of a sequence, without being a `collections.abc.Sequence`: `pyarrow.table`
    and `polars.DataFrame` read its attributes.
    """

    __slots__ = ("_class", "_report")

    def __init__(self, selection: Selection, made: type[E] | None) -> None:
        """Make a sequence of objects; `made` is the class of all of them, if they share one."""
        self._selection = selection
        self._class = made

    def column(self, path: Path) -> Column:
        """Read an attribute or a to-one relationship of all objects into buffers.

            heroes.column("publisher.name")
            heroes.column(Hero.publisher.name)

        Args:
            path: The name of the property, or a path through to-one relationships; also as an
                expression of a class. Objects without a member on the way have no value. It may
                end with `_id` and `_entity`, as for `table`.

        Returns:
            The column, a snapshot.

        Raises:
            groot.Error: With `Status.UNKNOWN_PROPERTY` for an unknown property, and with
                `Status.WRONG_TYPE` for a to-many relationship and for an attribute within a path.
                For a deleted object, and for the objects of an import of several entities.
        """
        columns = Columns(self._selection)
        return columns.read(columns.way(path))

    def table(
        self,
        *paths: Path,
        ids: bool = False,
        entity: bool = False,
        types: Mapping[str, str] | None = None,
    ) -> Table:
        """Choose properties for libraries that read Arrow data.

            polars.DataFrame(objects.table("id", "name", "publisher.name", "powers.name"))
            objects.table("name", "publisher", ids=True)  # _id, name, publisher, publisher._id

        `pyarrow.table(objects)` and `polars.DataFrame(objects)` read all attributes without it.

        Args:
            *paths: The columns, as for `column`; by default all attributes. One step of a path may
                be a to-many relationship, whose column has lists. A path may end with `_id`, the
                key of an object in its store, and with `_entity`, the name of its entity.
            ids: Whether the first column is `_id`, and each relationship is followed by a column
                with the keys of its members. Objects that were not saved have none.
            entity: Whether there is a column `_entity`.
            types: Types by paths as texts: "int16" or "int32" for integers, "float32" for reals,
                "uuid" for UUIDs, "decimal128(20, 4)" for decimals. "float32" rounds; else no value
                changes.

        Returns:
            A table with the Arrow C data interface, whose columns have the names and paths.

        Raises:
            groot.Error: As `column`, also for a path with two to-many relationships. With
                `Status.INVALID_ARGUMENT` for an attribute with the name of an added column. With
                `Status.WRONG_TYPE` for a type that the property cannot have. Reading the table
                raises it for a deleted object, and with `Status.OUT_OF_RANGE` for a value that
                does not fit the type on request.
        """
        return Table(self._selection, paths, ids=ids, entity=entity, types=types)

    def to_pandas(
        self,
        *paths: Path,
        ids: bool = False,
        entity: bool = False,
        types: Mapping[str, str] | None = None,
    ) -> Any:
        """Read properties of all objects into a frame of pandas.

            objects.to_pandas("id", "name", "publisher.name")

        Args:
            *paths: The columns, as for `table`; by default all attributes.
            ids: Whether there are columns of keys, as for `table`.
            entity: Whether there is a column `_entity`.
            types: Types by paths, as for `table`. Without Arrow they change nothing.

        Returns:
            A `pandas.DataFrame`, a snapshot. With pandas 3, or with pyarrow, no value becomes an
            object of Python on the way.

        Raises:
            ImportError: Without pandas.
            groot.Error: As `table`.
        """
        from groot._core.frames import frame  # noqa: PLC0415 (pandas is optional)

        return frame(self.table(*paths, ids=ids, entity=entity, types=types))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return all attributes of the objects as a stream of the Arrow C data interface."""
        return Table(self._selection, ()).__arrow_c_stream__(requested_schema)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Refuse to be an array: pandas would take each property of an object for a value.

        Raises:
            TypeError: Always, with the calls that read properties.
        """
        raise TypeError(
            "objects are not values of an array; read properties with pandas.DataFrame("
            "objects.table()), pandas.DataFrame.from_arrow(objects) or objects.column(name)"
        )

    def __len__(self) -> int:
        """Count the objects."""
        return len(self._selection.range)

    @overload
    def __getitem__(self, index: int) -> E: ...

    @overload
    def __getitem__(self, index: slice) -> Objects[E]: ...

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

    def __iter__(self) -> Iterator[E]:
        """Iterate over the objects, making one at a time."""
        selection, made = self._selection, self._class
        session = selection.session
        for start in range(0, len(selection.range), _CHUNK):
            for identifier in selection.ids(start, start + _CHUNK):
                yield session.object(identifier) if made is None else made(session, identifier)

    def __contains__(self, member: object) -> bool:
        """Whether an object is in the sequence, in linear time."""
        selection = self._selection
        if not isinstance(member, BaseObject) or member._session is not selection.session:
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

    def _repr_html_(self) -> str:
        """Show the first objects as a table in notebooks."""
        from groot._core.notebooks import objects_page  # noqa: PLC0415 (only notebooks need it)

        return objects_page(self._selection)

    def __repr__(self) -> str:
        """Show the first objects and the number of all."""
        shown = ", ".join(map(repr, self[:3]))
        return f"<{len(self)} objects: {shown}{', ...' if len(self) > 3 else ''}>"


def objects_of(selection: Selection) -> Objects:
    """Return selected objects as a sequence."""
    entity = selection.entity
    return Objects(selection, None if entity is None else selection.session.only_class(entity))


def loaded_objects(imported: Imported) -> Objects:
    """Return the objects of an import, with its report."""
    found, reading = objects_of(imported.objects), pending(imported)
    asked = imported.options
    if asked.get("changes") or asked.get("access") or asked.get("dry_run"):
        report = reading()  # made now, before the objects change
        if asked.get("dry_run"):
            found = without_inserted(found, report.changes)
    found._report = reading
    return found


def loaded(imported: Imported) -> Any:
    """Return the result of `load`: the object of one JSON object, or a sequence."""
    found = loaded_objects(imported)
    if not imported.is_one:
        return found
    if len(found) == 1:
        one = found[0]
        one._report = found._report
        return one
    is_missing = not imported.options.get("create", True) and not found._report().skipped
    return None if is_missing else found


def synchronized(imported: Imported) -> Report:
    """Return the report of a synchronization, with the objects of its entries."""
    report, found = read(imported), objects_of(imported.objects)
    if imported.options.get("dry_run"):
        found = without_inserted(found, report.changes)
    return dataclasses.replace(report, objects=found)


def without_inserted(sequence: Objects[E], changes: Iterable[Change]) -> Objects[E]:
    """Return a sequence without the objects that a dry run would have inserted."""
    gone = {change.id for change in changes if change.change == "inserted"}
    ids = sequence._selection.ids()
    left = [identifier for identifier in ids if identifier not in gone]
    if len(left) == len(ids):
        return sequence
    return Objects(sequence._selection.of(left), sequence._class)
