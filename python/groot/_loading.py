"""Imports: JSON to objects.

The functions that take a `HasSession` are methods of `Context`.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Dictionary
from typing import IO, TYPE_CHECKING, Any, overload

from groot import _importing, _sources
from groot._options import (
    AnyLoadKeywords,
    FilePath,
    JSONText,
    Loading,
    LoadKeywords,
    Policies,
)
from groot._session import HasSession
from groot.mapping import Mapping
from groot.objects import Object, Report, identifier_of
from groot.sequence import Objects
from groot.streams import ImportStream

if TYPE_CHECKING:
    from typing_extensions import Unpack


@overload
def load(
    self: HasSession, entity: str, data: dict[str, Any], **options: Unpack[LoadKeywords]
) -> Object: ...


@overload
def load(
    self: HasSession,
    entity: str,
    data: list[Any] | tuple[Any, ...],
    **options: Unpack[AnyLoadKeywords],
) -> Objects: ...


@overload
def load(
    self: HasSession,
    entity: None,
    data: dict[str, Any] | JSONText,
    **options: Unpack[AnyLoadKeywords],
) -> Objects: ...


@overload
def load(
    self: HasSession,
    entity: str | None,
    data: Dictionary[str, Any] | Iterator[Any] | IO[Any] | JSONText,
    **options: Unpack[AnyLoadKeywords],
) -> Any: ...


def load(self: HasSession, entity: str | None, data: Any, **options: Any) -> Any:
    """Import JSON into `entity`: one object, or an array of objects, identifiers or both.

    Objects are found by their identity and updated; missing ones are made. If the import fails, the
    graph is unchanged. Values in `data` may be decimals, dates, datetimes with a time zone, and
    scalars of numpy. A byte order mark at the beginning of a text is skipped.

        heroes = context.load("Hero", [{"id": 1, "name": "Batman"}])
        groot.report(heroes).inserted

    Args:
        entity: The entity of the objects. None imports a document of several entities: the records
            at the `roots` of the mapping. With rules the document is an envelope: a dict with lists
            of records, or single records, under their external names.
        data: A dict or another mapping, a list, or JSON text as str or bytes. A file object of
            bytes or text is read piece by piece. An iterator, such as a generator, yields one
            record at a time. File objects and iterators keep the context busy during the import,
            and exclude `batch`.
        **options: Keywords, all optional:

            `errors`: The effect of a wrong record: an element of the array, or the single object.
            "abort", the default, raises the first issue. "collect" raises all issues as one
            `groot.Error`. "skip" leaves out the whole record, and `report.issues` says why. Invalid
            JSON always fails the whole import.

            `max_issues`: More issues than this, 100 by default, end the import; None allows any
            number.

            `form`: The arrangement of the records: "array", "keyed" with each under a key of an
            object, or "grouped" with an array of them under each key.

            `root`: A JSON Pointer such as "/data/items" to the object or array to import. The rest
            of the text is only checked for syntax.

            `lines`: Whether each line of a text is a record; blank lines are skipped.

            `create`: Whether missing objects are made, True by default. False leaves them out.

            `dry_run`: Whether the import only reports the changes that it would make. The result
            then has existing objects only.

            `changes`: Whether the report has `changes`; a dry run always has them.

            `access`: Whether the report has `accessed` and `unaccessed`.

            `policies`: Policies for all properties that have no annotation for it, in the words of
            the annotations: `{"null": "keep", "assignment": "union"}`.

            `mapping`: Another mapping of the same model to import with.

            `progress`: A function that is called now and then with a `Progress`. If it returns
            False, the import fails with `Status.CANCELLED`.

            `jansson_only`: Whether the reference reader reads text: slower, with the same result.

            `batch`: A number of records, such as 10_000, for an import in bounded memory. After so
            many records, their objects are checked, written to the store and freed. The context
            needs a store and no unsaved changes; `dry_run`, `changes` and `access` are excluded.
            The import is then already saved, and gives an empty `Objects` with a `report`. A record
            finds the objects of earlier batches. An identifier of an object that first appears in a
            later batch names nothing yet. "collect" gathers the issues of one batch. An object in
            several batches counts in each.

            `commits`: "whole", the default, for one transaction around all batches. "each" for one
            transaction per batch; the batches before a failure stay.

    Returns:
        The `Object` of a JSON object, or None if it is missing and `create` is False. All other
        data gives an `Objects`, with one object for each element that is not null: an array, a file
        object, an iterator or a document, and any data with `root`, `lines`, `form` or `batch`. A
        JSON object that "skip" or a dry run leaves out gives an empty `Objects`. `groot.report` of
        the result has the changes.

    Raises:
        groot.Error: With the path, line and column of each issue. An exception of `progress` is
            raised unchanged. With "abort" so is an exception of a registered function, with a
            `groot.Error` of the location as its `__cause__`. With "collect" and "skip" that
            exception is an issue of its record, and the `__cause__` of the `groot.Error` if one is
            raised.
    """
    return _sources.load(self._session, entity, data, Loading(**options))


def load_file(
    self: HasSession, entity: str | None, path: FilePath, **options: Unpack[AnyLoadKeywords]
) -> Any:
    """Import the JSON file at `path`, piece by piece; otherwise as `load`.

    Args:
        entity: As for `load`.
        path: The path of the file. A pipe or a device always gives an `Objects`.
        **options: The keywords of `load`.

    Returns:
        As `load`.

    Raises:
        groot.Error: As `load`. It is a `groot.FileError` if the file cannot be read.
    """
    return _sources.load_file(self._session, entity, path, Loading(**options))


def importing(
    self: HasSession, entity: str | None, **options: Unpack[AnyLoadKeywords]
) -> ImportStream:
    """Begin an import whose text comes in pieces of any size, such as from a network.

        with context.importing("Character") as stream:
            for piece in response:
                stream.write(piece)
        characters = stream.result

    The context is busy until the end of the block. If an exception leaves the block, the import is
    cancelled and has changed nothing.

    Args:
        entity: As for `load`.
        **options: The keywords of `load` except `batch` and `commits`.

    Returns:
        The stream. Its `result` is always an `Objects`.

    Raises:
        groot.Error: For an unknown entity and invalid options. The stream's methods and the end of
            the block raise the errors of the import.
    """
    return ImportStream(self._session, entity, Loading(**options))


def fill(
    self: HasSession,
    filled: Object,
    data: dict[str, Any] | JSONText,
    *,
    policies: Policies | None = None,
    max_issues: float | None = 100,
    jansson_only: bool = False,
    mapping: Mapping | None = None,
) -> Report:
    """Set the attributes of an object from a JSON object, whatever identity the JSON has.

    Relationships are not touched. If the call fails, the object is unchanged.

    Args:
        filled: The object.
        data: A dict, or the text of a JSON object.
        policies: As for `load`.
        max_issues: As for `load`.
        jansson_only: As for `load`.
        mapping: As for `load`.

    Returns:
        The report of the changes.

    Raises:
        groot.Error: As `load`, and for a deleted object or one of another context.
    """
    asked = Loading(
        policies=policies, max_issues=max_issues, jansson_only=jansson_only, mapping=mapping
    )
    return _importing.fill(self._session, identifier_of(filled, self._session), data, asked)
