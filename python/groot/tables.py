"""Tables: several properties of many objects, for libraries that read Arrow data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from groot import _ffi
from groot._core.buffers import bits
from groot._core.elements import composite, struct
from groot._core.handle import Unchanging
from groot._core.json import encode
from groot._core.paths import Way
from groot._core.selection import Selection
from groot._core.text import encode_name
from groot._ffi import Arrow, byref, lib
from groot.columns import Column, Columns
from groot.errors import call

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
    of `groot.object_id`. A composite with `elements` is a struct of them. A transformable, whose
    values have no common type, is JSON text. All other values come without an object of Python for
    each.
    """

    __slots__ = ("_columns", "_selection", "_ways")

    def __init__(self, objects: Selection, paths: tuple[Any, ...]) -> None:
        """Choose the properties of objects; nothing means all attributes."""
        self._selection = objects
        columns = self._columns = Columns(objects)
        self._ways = [columns.way(one) for one in paths]

    def __repr__(self) -> str:
        """Show the number of objects and the names."""
        names = ", ".join(one.name for one in self._chosen())
        return f"<a table of {len(self._selection.range)} objects: {names}>"

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [one.name for one in self._chosen()]

    def __len__(self) -> int:
        """Count the objects."""
        return len(self._selection.range)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Iterate over the rows as dicts, which have the values that the objects have."""
        ways, columns = self._chosen(), Columns(self._selection)
        names = [one.name for one in ways]
        values = [columns.read(one).tolist() for one in ways]
        return (dict(zip(names, row)) for row in zip(*values))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the columns as a stream, always with the library's schema.

        Args:
            requested_schema: Ignored; the protocol allows that.

        Returns:
            The capsule of the stream.

        Raises:
            groot.Error: As `Objects.column`. With `Status.OUT_OF_RANGE` for a composite with a date
                outside the years of `datetime`.
        """
        ways = self._chosen()
        capsule, stream = _ffi.new_stream()
        if all(len(one.steps) == 1 and one.last.type and not one.last.elements for one in ways):
            address, count, _keeper = self._selection.block()
            names = encode([one.last.name for one in ways])
            arguments = encode_name(self._columns.entity), names, address, count, byref(stream)
            self._selection.session.run(lib.context_arrow_stream, *arguments)
        else:
            columns, _kept = _ffi.described(self._read(ways))
            call(lib.arrow_table, columns, len(columns), byref(stream))
        return capsule

    def _chosen(self) -> list[Way]:
        """Return the paths, or those to all attributes."""
        if self._ways:
            return self._ways
        entity = self._columns.entity
        properties = self._selection.session.schema.entity(entity).properties.values()
        return [Way(one.name, ((entity, one),)) for one in properties if one.type]

    def _read(self, ways: list[Way]) -> Arrow:
        """Read all columns."""
        columns = Columns(self._selection)
        schema = self._selection.session.schema

        def column(way: Way, seen: tuple[str, ...]) -> Arrow:
            property = way.last
            if property.type:
                found = columns.read(way)
                if not property.elements:
                    return _leaf(way.name, found)
                return composite(way.name, found.texts(), way.steps[-1])
            links, destination = columns.links(way), property.destination
            known = schema.entity(destination)
            if not known.identity or destination in seen:
                return _leaf(way.name, links)
            ways = [way.then(destination, known.properties[one]) for one in known.identity]
            parts = [column(one, (*seen, destination)) for one in ways]
            if len(parts) == 1:
                return parts[0]._replace(name=way.name)
            return struct(way.name, len(links), links.null_count, links.validity, parts)

        parts = [column(one, ()) for one in ways]
        return struct("", len(self._selection.range), 0, None, parts)


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
