"""Exports: objects to JSON.

The functions that take a `HasSession` are methods of `Context`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any, Literal, overload

from groot import _exporting
from groot._exporting import Exported
from groot._json import decode
from groot._options import Dumping, DumpKeywords, FilePath, PlainDumpKeywords
from groot._requests import Names, Where
from groot._session import HasSession
from groot.objects import Object

if TYPE_CHECKING:
    from typing_extensions import Unpack

_PIECE = 1 << 20


@overload
def dump(
    self: HasSession, exported: Object | None, **options: Unpack[DumpKeywords]
) -> dict[str, Any]: ...


@overload
def dump(
    self: HasSession,
    exported: Iterable[Object],
    *,
    form: Literal["keyed", "grouped"],
    **options: Unpack[PlainDumpKeywords],
) -> dict[str, Any]: ...


@overload
def dump(
    self: HasSession,
    exported: Iterable[Object],
    *,
    form: Literal["array"] = "array",
    **options: Unpack[PlainDumpKeywords],
) -> list[dict[str, Any]]: ...


def dump(self: HasSession, exported: Exported, **options: Any) -> Any:
    """Export an object as a dict, or several as a list of dicts.

    Args:
        exported: An object, or several. None exports all objects at the `roots` of the mapping as
            one document.
        **options: Keywords, all optional:

            `form`: The arrangement of several objects: "array", "keyed" or "grouped". "keyed" gives
            a dict with an object under each key, "grouped" a dict with a list under each key.

            `properties`: The names of the properties to write for the given objects; all by
            default.

            `exclude`: The JSON keys to leave out of the given objects; "a.b" is b inside a.

            `depth`: The number of steps along relationships within which objects are written in
            full, unlimited by default. Objects beyond are written as their identity. If they have
            none, the relationship is left out.

            `relationships`: The style of relationships in naming conventions: "none", "array" or
            "nested".

            `inflection`: The style of names in naming conventions: "snake" or "camel".

            `dates`: "iso8601", "unixSeconds", "unixMillis", or a pattern such as "yyyy-MM-dd".

            `nulls`: "write", or "omit" to leave out properties without a value.

            `to_many`: Whether rules write to-many relationships that they give as foreign keys.

            `subobjects`: Whether rules write nested objects.

            `mapping`: Another mapping of the same model.

    Returns:
        A dict for one object, for a document, and for a keyed or grouped form; otherwise a list of
        dicts. With positional rules an object is a list.

    Raises:
        groot.Error: For a deleted object, an object of another context, and JSON that nests too
            deep. An exception of a reverse transformer is raised unchanged.
    """
    asked = Dumping(**options)._replace(lines=False)
    if exported is None or isinstance(exported, Object) or asked.form != "array":
        return decode(_exporting.text(self._session, exported, asked))
    return _read_lines(_exporting.text(self._session, exported, asked._replace(lines=True)))


def _read_lines(text: str) -> list[Any]:
    """Read JSON values, one on each line.

    They are read piece by piece: Python's JSON reader ignores Ctrl-C until it has read its text.
    """
    values: list[Any] = []
    start = 0
    while start < len(text):
        end = text.find("\n", start + _PIECE)
        if end < 0:
            end = len(text) - 1
        piece = text[start:end].replace("\n", ",")
        values += decode(f"[{piece}]")
        start = end + 1
    return values


def dumps(self: HasSession, exported: Exported, **options: Unpack[DumpKeywords]) -> str:
    """Export as `dump` does, as the text of a JSON object or array.

    Args:
        exported: As for `dump`.
        **options: The keywords of `dump`, and `lines`: whether several objects are written one a
            line, each followed by a newline.

    Returns:
        The JSON text.

    Raises:
        groot.Error: As `dump`.
    """
    return _exporting.text(self._session, exported, Dumping(**options))


def dump_file(
    self: HasSession,
    exported: Exported,
    target: FilePath | IO[bytes],
    **options: Unpack[DumpKeywords],
) -> None:
    """Export as `dumps` does, into a file: a path, or a file object opened for bytes.

    Args:
        exported: As for `dump`.
        target: A path, or a file object. The file at a path appears, or is replaced, only when it
            is complete. A file object gets the text of several objects or of a document in pieces,
            so memory does not grow with it.
        **options: The keywords of `dumps`.

    Raises:
        groot.Error: As `dump`. It is a `groot.FileError` if the file cannot be written. An
            exception of the file object is raised unchanged.
    """
    _exporting.to_file(self._session, exported, target, Dumping(**options))


def dump_fetched(
    self: HasSession,
    entity: str | None,
    target: FilePath | IO[bytes],
    where: Where | None = None,
    *,
    sort: Names | None = None,
    limit: int | None = None,
    offset: int | None = None,
    **options: Unpack[DumpKeywords],
) -> int:
    """Export the objects that `fetch` would give into a file, as `dump_file` does.

    On a store the objects are read in portions, so memory does not grow with their number.

    Args:
        entity: The entity of the objects. None exports all objects at the `roots` of the mapping,
            and excludes `where`, `sort`, `limit` and `offset`.
        target: As for `dump_file`.
        where: As for `fetch`.
        sort: As for `fetch`.
        limit: As for `fetch`.
        offset: As for `fetch`.
        **options: The keywords of `dumps`.

    Returns:
        The number of objects written.

    Raises:
        groot.Error: As `fetch` and `dump_file`.
    """
    parts = {"where": where, "sort": sort, "limit": limit, "offset": offset}
    return _exporting.fetched(self._session, entity, target, parts, Dumping(**options))
