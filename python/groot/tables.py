"""Tables: several properties of many objects, for libraries that read Arrow data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from groot import _ffi
from groot._core.arrow_types import Requested, requested
from groot._core.buffers import bits
from groot._core.elements import composite, struct
from groot._core.handle import Unchanging
from groot._core.json import encode
from groot._core.paths import ENTITY, KEY, Way, fact_of
from groot._core.schema import Property
from groot._core.selection import Selection
from groot._core.text import encode_name, refusal, shorten
from groot._ffi import Arrow, byref, lib
from groot.columns import Column, Columns
from groot.errors import Status, call, error

_FORMATS = {
    "integer": "l",
    "real": "g",
    "boolean": "b",
    "date": "tsu:UTC",
    "day": "tdD",
    "object": "L",
    "binary": "Z",
}
_TEXT = "U"


class Table(Unchanging):
    """Some properties of many objects, for readers of the Arrow C data interface.

    `pyarrow.table(table)`, `polars.DataFrame(table)` and `pandas.DataFrame.from_arrow(table)` read
    it. Each call reads the current values. `pandas.DataFrame(table)` reads the rows one by one.

    A to-one relationship is the identity of its object, with several properties a struct. For an
    entity without identity, and where an identity leads to its own entity again, it is the number
    of `groot.object_id`. A to-many relationship is a list of these. A composite with `elements` is
    a struct of them. A transformable, whose values have no common type, is JSON text. All other
    values come without an object of Python for each.
    """

    __slots__ = ("_columns", "_requested", "_selection", "_ways")

    def __init__(
        self,
        objects: Selection,
        paths: tuple[Any, ...],
        *,
        ids: bool = False,
        entity: bool = False,
        types: Mapping[str, str] | None = None,
    ) -> None:
        """Choose the properties of objects; nothing means all attributes.

        Args:
            objects: The objects.
            paths: The names, paths and expressions of the columns.
            ids: Whether there are columns of keys.
            entity: Whether there is a column of entities.
            types: Types of Arrow by the paths of columns.

        """
        self._selection = objects
        columns = self._columns = Columns(objects)
        ways = [columns.way(one, lists=True) for one in paths] or self._attributes()
        self._ways = self._with_facts(ways, ids=ids, entity=entity)
        self._requested = self._types({} if types is None else types)

    def __repr__(self) -> str:
        """Show the number of objects and the names."""
        return f"<a table of {len(self._selection.range)} objects: {', '.join(self.names)}>"

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [one.name for one in self._ways]

    def __len__(self) -> int:
        """Count the objects."""
        return len(self._selection.range)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Iterate over the rows as dicts, which have the values that the objects have."""
        columns, names = Columns(self._selection), self.names
        values = [columns.rows(one) for one in self._ways]
        return (dict(zip(names, row)) for row in zip(*values))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the columns as a stream, always with the library's schema.

        Args:
            requested_schema: Ignored; the protocol allows that.

        Returns:
            The capsule of the stream.

        Raises:
            groot.Error: As `Objects.column`. With `Status.OUT_OF_RANGE` for a composite with a date
                outside the years of `datetime`, and for a value that is not of the type on request.
        """
        ways = self._ways
        capsule, stream = _ffi.new_stream()
        if not self._requested and all(map(_is_plain, ways)):
            address, count, _keeper = self._selection.block()
            names = encode([one.last.name for one in ways])
            arguments = encode_name(self._columns.entity), names, address, count, byref(stream)
            self._selection.session.run(lib.context_arrow_stream, *arguments)
        else:
            columns, _kept = _ffi.described(self._read(ways))
            call(lib.arrow_table, columns, len(columns), byref(stream))
        return capsule

    def _attributes(self) -> list[Way]:
        """Return the paths to all attributes."""
        entity = self._columns.entity
        properties = self._selection.session.schema.entity(entity).properties.values()
        return [Way(one.name, ((entity, one),)) for one in properties if one.type]

    def _with_facts(self, ways: list[Way], *, ids: bool, entity: bool) -> list[Way]:
        """Add the columns of keys and entities, unless they are chosen already."""
        session = self._selection.session
        chosen = {one.name for one in ways}
        found = []

        def add(before: tuple[tuple[str, Property], ...], of: str, fact: Property) -> None:
            step = fact_of(session, of, fact)
            name = ".".join([*(one.name for _, one in before), fact.name])
            if name not in chosen:
                found.append(Way(name, (*before, step)))

        for fact, is_asked in ((KEY, ids), (ENTITY, entity)):
            if is_asked:
                add((), self._columns.entity, fact)
        for way in ways:
            found.append(way)
            if ids and not way.last.type:
                add(way.steps, way.last.destination, KEY)
        return found

    def _types(self, types: Mapping[str, str]) -> dict[str, Requested]:
        """Look up the types on request by the names of columns."""
        if not isinstance(types, Mapping):
            raise refusal("types", types, "a dict of types by the paths of columns")
        ways = {one.name: one for one in self._ways}
        found = {}
        for path, type in types.items():
            name = self._columns.way(path, lists=True).name
            if name not in ways:
                message = (
                    f"a type for {shorten(name)}, which is not a column of the table; "
                    f"the columns are {', '.join(ways)}"
                )
                raise error(Status.INVALID_ARGUMENT, message, self._columns.entity)
            one = requested(ways[name], type)
            if one:
                found[name] = one
        return found

    def _read(self, ways: list[Way]) -> Arrow:
        """Read all columns."""
        columns = Columns(self._selection)
        parts = [self._column(columns, one, self._requested.get(one.name), ()) for one in ways]
        return struct("", len(self._selection.range), 0, None, parts)

    def _column(
        self, columns: Columns, way: Way, asked: Requested | None, seen: tuple[str, ...]
    ) -> Arrow:
        """Read a column; `seen` are the entities whose identity it is a part of."""
        parts = way.parted()
        if parts is not None:
            return self._list(columns, parts, asked)
        property = way.last
        if not property.type:
            return self._identity(columns, way, property.destination, seen)
        found = columns.read(way)
        if asked is not None:
            return asked.arrow(found, way)
        if property.elements:
            return composite(way.name, found.texts(), way.steps[-1])
        return _leaf(way.name, found)

    def _list(self, columns: Columns, parts: tuple[Way, Way], asked: Requested | None) -> Arrow:
        """Read a to-many relationship: the members, or a property of theirs, as lists."""
        before, after = parts
        lists = columns.lists(before)
        if after.steps:
            inner = self._column(lists.members, after, asked, ())
        else:
            inner = self._identity(lists.members, after, lists.members.entity, (), lists.objects)
        buffers = lists.validity, lists.offsets
        count = len(lists.offsets) - 1
        return Arrow(before.name, "+L", count, lists.null_count, buffers, (inner,))

    def _identity(
        self,
        columns: Columns,
        way: Way,
        destination: str,
        seen: tuple[str, ...],
        objects: Column | None = None,
    ) -> Arrow:
        """Return what identifies the objects at the end of a path, or the `objects` themselves."""
        links = columns.links(way) if objects is None else objects
        known = self._selection.session.schema.entity(destination)
        if not known.identity or destination in seen:
            return _leaf(way.name, links)
        ways = [way.then(destination, known.properties[one]) for one in known.identity]
        parts = [self._column(columns, one, None, (*seen, destination)) for one in ways]
        if len(parts) == 1:
            return parts[0]._replace(name=way.name)
        return struct(way.name, len(links), links.null_count, links.validity, parts)


def _is_plain(way: Way) -> bool:
    """Whether the library can write a column itself."""
    property: Property = way.last
    return len(way.steps) == 1 and bool(property.type) and not property.elements and not way.is_fact


def _leaf(name: str, column: Column) -> Arrow:
    """Return a column of values."""
    values: Any = column.values
    if column.kind == "boolean":
        values = bits(values.tobytes())
    buffers = [column.validity, values]
    if column.offsets is not None:
        buffers.insert(1, column.offsets)
    format = _FORMATS.get(column.kind, _TEXT)
    return Arrow(name, format, len(column), column.null_count, tuple(buffers))
