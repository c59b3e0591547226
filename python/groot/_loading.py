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

    `data` is a dict or another mapping, a list, or JSON text as str or bytes; among the values
    may be decimals, dates, times with a zone and scalars of numpy. A file object, of bytes or
    of text, is read piece by piece, and an iterator, such as a generator, gives one record after
    the other; both give an `Objects`, keep the context busy meanwhile, and go without `batch`. A
    byte order mark at the beginning is passed over. The result is an `Object` for a
    JSON object and an `Objects` for an array, with one object for each element that is not
    null. `groot.report` of it says what was done. Objects are found by their identity and
    updated, or made. The import happens whole or not at all: on failure the graph is as it was.

    Without an `entity`, None, `data` is a document of several: the records at the `roots` of the
    mapping, or an envelope for a mapping with rules, which is a dict with lists of records, or
    single ones, by their external names. It gives an `Objects`.

    `form` says how the records are arranged: in an "array", "keyed", with each under a key of an
    object, or "grouped", with an array of them under each key. The result is then always an
    `Objects`.

    `errors="abort"` says what happens when something is wrong with a record, which is an
    element of the array, or the one object. With "abort" the first issue is raised. With
    "collect" all issues are raised, as one `groot.Error`. With "skip" the record is left
    out, whole, and `report.issues` says why; a single object that is left out gives an empty
    `Objects`. More than `max_issues=100` issues end the import in each mode; None
    allows any number. What is no JSON fails as a whole in each.

    With `create=False` nothing is made: what is not there is left out. A single object that is
    not there gives None.

    With `dry_run=True` nothing is done, and the report says what would be. The result has
    those objects only that are there; for a JSON object that is an empty `Objects` when there
    is none. `changes=True` asks for `report.changes`, which a dry run has anyway, and
    `access=True` for `report.accessed` and `report.unaccessed`.

    `policies` holds for all properties that have no annotation of their own, in the words of
    the annotations: `{"null": "keep", "assignment": "union"}`. `mapping` is another mapping of
    the same model to import by.

    `progress` is called now and then with a `Progress`; when it gives False the import ends
    with `Status.CANCELLED`. An exception that it raises comes out as it is, and with "abort"
    so does one of a function of the registry, with a `groot.Error` that has the location as its
    `__cause__`; with "collect" and "skip" that is an issue of the record, and the `__cause__`
    of the `groot.Error`, if there comes to be one.
    `jansson_only=True` reads text more slowly, with the same result.

    `lines=True` takes text whose lines are records; blank lines are passed over. `root`, a
    JSON Pointer such as "/data/items", says where in the JSON the object or array is;
    what is around it is only checked. The result is then always an `Objects`.

    With `batch=10_000` the import goes straight into the context's store, in bounded memory:
    after so many records their objects are checked, written and given up in memory. It is then
    saved already, and the result is an `Objects` without any, with its `report`. With
    `commits="whole"` that is one transaction: it happens whole or not at all. With "each"
    every batch is one of its own, and those before a failure stay. It needs a store and no
    unsaved changes, and goes with neither `dry_run`, `changes` nor `access`, nor with
    `importing`. A record finds what batches before its own brought; an identifier that names
    what only a later one brings names nothing yet. "collect" gathers the issues of one batch.
    An object that several batches come across counts in each of them.
    """
    return _sources.load(self._session, entity, data, Loading(**options))


def load_file(
    self: HasSession, entity: str | None, path: FilePath, **options: Unpack[AnyLoadKeywords]
) -> Any:
    """Import the JSON file at `path`, piece by piece; otherwise as `load`.

    What is no regular file, such as a pipe, always gives an `Objects`.
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

    The options are those of `load`, and so are result and errors; `result` is always an
    `Objects`. The context is busy until the end of the block. When an exception leaves the
    block nothing has happened.
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

    Relationships are not touched. The options are those of `load`. On failure the object is as
    it was.
    """
    asked = Loading(
        policies=policies, max_issues=max_issues, jansson_only=jansson_only, mapping=mapping
    )
    return _importing.fill(self._session, identifier_of(filled, self._session), data, asked)
