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

    With the `form` "keyed" or "grouped" several are a dict, which has each of them, or a list of
    them, under its key. None is everything at the `roots` of the mapping, as one document.

    `properties` are the names of those to write of the objects given, all unless told, and
    `exclude` the JSON keys to leave out of them, where "a.b" is b inside a. `depth` is how
    many steps along relationships objects are written in full, without a limit unless told;
    those after are written as their identity; where one has none, the relationship
    is left out.

    How the mapping writes can be told otherwise: `relationships` is "none", "array" or
    "nested"; `inflection` of names is "snake" or "camel"; `dates` are "iso8601",
    "unixSeconds", "unixMillis", or as a pattern such as "yyyy-MM-dd" says; `nulls` is "write" or
    "omit", which leaves out what has no value. Rules leave out
    to-many relationships given as foreign keys and nested objects, without `to_many=True` and
    `subobjects=True`; an object of positional rules is a list. `mapping` is another mapping of
    the same model.
    """
    asked = Dumping(**options)._replace(lines=False)
    if exported is None or isinstance(exported, Object) or asked.form != "array":
        return decode(_exporting.text(self._session, exported, asked))
    return _read_lines(_exporting.text(self._session, exported, asked._replace(lines=True)))


def _read_lines(text: str) -> list[Any]:
    """Read JSON values that stand on lines of their own.

    Piece by piece: Python's reader of JSON does not hear Ctrl-C before it has read all.
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

    With `lines=True` several objects are an object a line, each followed by a newline.
    """
    return _exporting.text(self._session, exported, Dumping(**options))


def dump_file(
    self: HasSession,
    exported: Exported,
    target: FilePath | IO[bytes],
    **options: Unpack[DumpKeywords],
) -> None:
    """Export as `dumps` does, into a file: a path, or a file object open for bytes.

    A file at a path appears, or is replaced, only when it is complete. A file object gets the
    text in pieces: memory does not grow with it.
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
    """Export what `fetch` would give, into a file as `dump_file` does; count the objects.

    Without an `entity`, None, it is all at the `roots` of the mapping, and nothing is chosen.
    On a store the objects are read portion by portion: neither they nor the text take memory
    that grows with their number.
    """
    parts = {"where": where, "sort": sort, "limit": limit, "offset": offset}
    return _exporting.fetched(self._session, entity, target, parts, Dumping(**options))
