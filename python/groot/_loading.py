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

    Objects are found by their identity and updated, or made. The import happens whole or not at
    all: on failure the graph is as it was. Values of `data` may be decimals, dates, times with a
    zone and scalars of numpy. A byte order mark at the beginning is passed over.

        heroes = context.load("Hero", [{"id": 1, "name": "Batman"}])
        groot.report(heroes).inserted

    Args:
        entity: The entity of the objects. None imports a document of several entities: the records
            at the `roots` of the mapping. With rules it is an envelope, a dict with lists of
            records, or single ones, by their external names.
        data: A dict or another mapping, a list, or JSON text as str or bytes. A file object, of
            bytes or of text, is read piece by piece. An iterator, such as a generator, gives one
            record after the other. Both keep the context busy meanwhile and go without `batch`.
        **options: Keywords, all optional:

            `errors`: The effect of a wrong record, which is an element of the array, or the one
            object. "abort", the default, raises the first issue. "collect" raises all issues as
            one `groot.Error`. "skip" leaves out the record, whole, and `report.issues` says why.
            Invalid JSON always fails the whole import.

            `max_issues`: More issues than this, 100 by default, end the import; None allows any
            number.

            `form`: The arrangement of the records: in an "array", "keyed", each under a key of an
            object, or "grouped", an array of them under each key.

            `root`: A JSON Pointer such as "/data/items" to the object or array in the JSON. The
            text around it is only checked.

            `lines`: Whether each line of a text is a record; blank lines are passed over.

            `create`: Whether missing objects are made, True by default. False leaves them out.

            `dry_run`: Whether nothing is changed, and the report says the changes to come. The
            result then has existing objects only.

            `changes`: Whether the report has `changes`; a dry run always has them.

            `access`: Whether the report has `accessed` and `unaccessed`.

            `policies`: Policies for all properties without an annotation of their own, in the
            words of the annotations: `{"null": "keep", "assignment": "union"}`.

            `mapping`: Another mapping of the same model to import by.

            `progress`: A function that is called now and then with a `Progress`. False cancels
            the import with `Status.CANCELLED`.

            `jansson_only`: Whether the reference reader reads text: slower, with the same result.

            `batch`: A number of records, such as 10_000, after which objects are checked, written
            to the context's store and freed: an import in bounded memory. It needs a store and no
            unsaved changes, and excludes `dry_run`, `changes` and `access`. It is saved already,
            and its `Objects` is empty, with a `report`. A record finds the objects of earlier
            batches; an identifier of an object that only a later batch brings names nothing yet.
            "collect" gathers the issues of one batch. An object in several batches counts in each.

            `commits`: With "whole", the default, all batches are one transaction. With "each"
            every batch is one of its own, and those before a failure stay.

    Returns:
        The `Object` of a JSON object; None for a missing one with `create=False`. Otherwise an
        `Objects`, with one object for each element that is not null: for an array, a file object,
        an iterator or a document, and with `root`, `lines`, `form` or `batch`. So does a JSON
        object that "skip" or a dry run leaves out, with none. `groot.report` of it says the
        changes.

    Raises:
        groot.Error: With each issue's path, line and column. An exception of `progress` comes out
            as it is. With "abort" an exception of a function of the registry does so too, with a
            `groot.Error` of the location as its `__cause__`. With "collect" and "skip" it is an
            issue of the record, and the `__cause__` of a `groot.Error` that is raised.
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
        groot.Error: As `load`; `groot.FileError` when the file cannot be read.
    """
    return _sources.load_file(self._session, entity, path, Loading(**options))


def importing(
    self: HasSession, entity: str | None, **options: Unpack[AnyLoadKeywords]
) -> ImportStream:
    """Begin an import whose text comes in pieces of any size, from a network for example.

        with context.importing("Character") as stream:
            for piece in response:
                stream.write(piece)
        characters = stream.result

    The context is busy until the end of the block. When an exception leaves the block nothing has
    happened.

    Args:
        entity: As for `load`.
        **options: The keywords of `load`, but for `batch` and `commits`.

    Returns:
        A stream, whose `result` is always an `Objects`.

    Raises:
        groot.Error: As `load`, at the end of the block.
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
    """Set the attributes of an object from a JSON object, whatever its identity says.

    Relationships are not touched. On failure the object is as it was.

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
        groot.Error: As `load`; for an object that was deleted.
    """
    asked = Loading(
        policies=policies, max_issues=max_issues, jansson_only=jansson_only, mapping=mapping
    )
    return _importing.fill(self._session, identifier_of(filled, self._session), data, asked)
