"""Contexts: graphs of objects."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from collections.abc import Mapping as Dictionary
from types import TracebackType
from typing import IO, Any, Literal, Union, overload

from groot import _exporting, _fetching, _ffi, _importing
from groot._callbacks import Watcher
from groot._fetching import Names, Values, Where
from groot._ffi import byref, lib
from groot._jansson import take
from groot._session import Session
from groot._text import encode_text, shorten
from groot.errors import Status, error
from groot.mapping import Mapping
from groot.objects import Object
from groot.sequence import Objects

JSONText = Union[str, bytes, bytearray, memoryview]
FilePath = Union[str, "os.PathLike[str]"]
Errors = Literal["abort", "collect", "skip"]
Policies = Dictionary[str, str]
Sort = Names


class Context(Session):
    """A graph of objects, and what goes in and out of it.

    A context belongs to one thread at a time, and so do its objects. Many contexts may share a
    mapping, each on its own thread. While a call runs that may take long, every use from another
    thread fails with `Status.BUSY`, as does every use by the call's own callbacks. All methods
    raise `groot.Error` once the context is closed.
    """

    __slots__ = ()

    def __init__(self, mapping: Mapping, store: FilePath | None = None) -> None:
        """Make an empty context in memory; `store` must be None, there are no stores yet."""
        if store is not None:
            raise error(Status.UNSUPPORTED, f"no store yet: {shorten(store)}")
        super().__init__(mapping)

    @property
    def mapping(self) -> Mapping:
        """The mapping that the context was made with."""
        return self._mapping

    def close(self) -> None:
        """Free the graph now rather than when nothing uses it any more; twice is fine."""
        self._close()

    def __enter__(self) -> Context:
        """Close at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the context."""
        self.close()

    @overload
    def load(
        self,
        entity: str,
        data: dict[str, Any],
        *,
        errors: Literal["abort", "collect"] = "abort",
        dry_run: Literal[False] = False,
        max_issues: int | None = None,
        changes: bool = False,
        policies: Policies | None = None,
        progress: Watcher | None = None,
        jansson_only: bool = False,
    ) -> Object: ...

    @overload
    def load(
        self,
        entity: str,
        data: list[Any] | tuple[Any, ...],
        *,
        errors: Errors = "abort",
        dry_run: bool = False,
        max_issues: int | None = None,
        changes: bool = False,
        policies: Policies | None = None,
        progress: Watcher | None = None,
        jansson_only: bool = False,
    ) -> Objects: ...

    @overload
    def load(
        self,
        entity: str,
        data: dict[str, Any] | JSONText,
        *,
        errors: Errors = "abort",
        dry_run: bool = False,
        max_issues: int | None = None,
        changes: bool = False,
        policies: Policies | None = None,
        progress: Watcher | None = None,
        jansson_only: bool = False,
    ) -> Any: ...

    def load(
        self,
        entity: str,
        data: Any,
        *,
        errors: str = "abort",
        dry_run: bool = False,
        max_issues: int | None = None,
        changes: bool = False,
        policies: Policies | None = None,
        progress: Watcher | None = None,
        jansson_only: bool = False,
    ) -> Any:
        """Import JSON into `entity`: one object, or an array of objects, identifiers or both.

        `data` is a dict, a list, or JSON text as str or bytes. The result is an `Object` for a
        JSON object and an `Objects` for an array, with one object for each element that is not
        null. Its `report` says what was done. Objects are found by their identity and updated, or
        made. The import happens whole or not at all: on failure the graph is as it was.

        `errors` says what happens when something is wrong with a record, which is an element of
        the array, or the one object. With "abort" the first problem is raised. With "collect" all
        problems are raised, as one `groot.Error`. With "skip" the record is left out, whole, and
        `report.issues` says why; a single object that is left out gives an empty `Objects`. More
        than `max_issues` problems, 100 unless told, end the import in each mode. What is no JSON
        fails as a whole in each.

        With `dry_run` nothing is done, and the report says what would be. The result has those
        objects only that are there; for a JSON object that is an empty `Objects` when there is
        none. `changes` asks for `report.changes`, which a dry run has anyway.

        `policies` holds for all properties that have no annotation of their own, in the words of
        the annotations: `{"null": "keep", "assignment": "union"}`.

        `progress` is called now and then with a `Progress`; when it gives False the import ends
        with `Status.CANCELLED`. An exception that it raises comes out as it is, and with "abort"
        so does one of a function of the registry; with "collect" and "skip" that is a problem of
        the record, and the `__cause__` of the `groot.Error`, if there comes to be one.
        `jansson_only` reads text more slowly, with the same result.
        """
        asked = _importing.Options(
            errors, dry_run, max_issues, changes, policies, progress, jansson_only
        )
        return _importing.load(self, entity, data, asked)

    def load_file(
        self,
        entity: str,
        path: FilePath,
        *,
        errors: Errors = "abort",
        dry_run: bool = False,
        max_issues: int | None = None,
        changes: bool = False,
        policies: Policies | None = None,
        progress: Watcher | None = None,
        jansson_only: bool = False,
    ) -> Any:
        """Import the JSON file at `path`, piece by piece; otherwise as `load`.

        What is no regular file, such as a pipe, always gives an `Objects`.
        """
        asked = _importing.Options(
            errors, dry_run, max_issues, changes, policies, progress, jansson_only
        )
        return _importing.load_file(self, entity, path, asked)

    @overload
    def dump(
        self,
        exported: Object,
        *,
        properties: Iterable[str] | None = None,
        depth: int | None = None,
    ) -> dict[str, Any]: ...

    @overload
    def dump(
        self,
        exported: Iterable[Object],
        *,
        properties: Iterable[str] | None = None,
        depth: int | None = None,
    ) -> list[dict[str, Any]]: ...

    def dump(
        self,
        exported: _exporting.Exported,
        *,
        properties: Iterable[str] | None = None,
        depth: int | None = None,
    ) -> Any:
        """Export an object as a dict, or several as a list of dicts.

        `properties` are the names of those to write of the objects given, all unless told.
        `depth` is how many steps along relationships objects are written in full, without a limit
        unless told; those behind are written as their identity, or left out when they have none.
        """
        return json.loads(_exporting.text(self, exported, _exporting.Options(properties, depth)))

    def dumps(
        self,
        exported: _exporting.Exported,
        *,
        properties: Iterable[str] | None = None,
        depth: int | None = None,
    ) -> str:
        """Export as `dump` does, as the text of a JSON object or array."""
        return _exporting.text(self, exported, _exporting.Options(properties, depth))

    def dump_file(
        self,
        exported: _exporting.Exported,
        target: FilePath | IO[bytes],
        *,
        properties: Iterable[str] | None = None,
        depth: int | None = None,
    ) -> None:
        """Export as `dumps` does, into a file: a path, or a file object open for bytes.

        A file at a path appears, or is replaced, only when it is complete. A file object gets the
        text in pieces: memory does not grow with it.
        """
        asked = _exporting.Options(properties, depth)
        _exporting.to_file(self, exported, target, asked)

    def fetch(
        self,
        entity: str,
        where: Where | None = None,
        sort: Sort | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Objects:
        """Fetch objects of `entity` and its sub-entities.

        `where` is a predicate, such as `{"publisher.name": {"beginsWith": "DC"}, "rating": 5}`:
        paths to properties, with a value that must be equal, None for no value, or with operators;
        docs/fetching.md has them all. Dates, decimals, UUIDs and bytes are given as themselves.
        `sort` is a list of attribute names or paths, with "-" in front for descending; without it,
        and among equals, the order is that of insertion. A `where` with values for the whole
        identity takes constant time. Raises `groot.Error` with the path of what is wrong in it.
        """
        return _fetching.fetch(self, entity, where=where, sort=sort, limit=limit, offset=offset)

    def count(self, entity: str, where: Where | None = None) -> int:
        """Count the objects that `fetch` would give."""
        return _fetching.count(self, entity, where=where)

    def distinct(
        self,
        entity: str,
        path: str,
        where: Where | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> list[Any]:
        """Give the distinct values of the attribute at `path`, in order.

        No value is None and comes first. With "-" in front of `path` the order is descending.
        """
        return _fetching.distinct(self, entity, path, where=where, limit=limit, offset=offset)

    @overload
    def aggregate(
        self, entity: str, values: Values, by: None = None, where: Where | None = None
    ) -> dict[str, Any]: ...

    @overload
    def aggregate(
        self, entity: str, values: Values, by: Names, where: Where | None = None
    ) -> list[dict[str, Any]]: ...

    def aggregate(
        self,
        entity: str,
        values: Values,
        by: Names | None = None,
        where: Where | None = None,
    ) -> Any:
        """Compute values over objects: `{"number": "count", "best": {"max": "rating"}}`.

        There are "count" for objects, and "count", "sum", "min", "max" and "average" of an
        attribute. The result is a dict; with attributes in `by` a list with a dict for each
        combination of their values, in order, which has these values too.
        """
        return _fetching.aggregate(self, entity, values, by, where)

    def insert(self, entity: str, /, **values: Any) -> Object:
        """Insert an object with its defaults and the given property values.

        When a value does not fit, nothing is inserted.
        """
        name = encode_text(entity)
        identifier = _ffi.c_uint64()
        self._call(lib.object_insert, name, len(name), byref(identifier))
        inserted = self._object(identifier.value)
        try:
            for key, value in values.items():
                inserted[key] = value
        except BaseException:
            self.delete(inserted)
            raise
        return inserted

    def delete(self, deleted: Object) -> None:
        """Delete an object by the delete rules of its relationships, everything or nothing."""
        self._run(lib.object_delete, _exporting.identifier(self, deleted))

    def save(self) -> None:
        """Accept all changes since the last save: they cannot be rolled back any more.

        Raises `groot.Error` with one issue for each fault when the objects inserted or changed
        are not as the model wants them: a required property without a value, a limit that is
        passed, too few or too many members. An object that only an identifier named so far counts
        too. Then nothing is accepted.
        """
        self._run(lib.context_save)

    def rollback(self) -> None:
        """Undo all changes since the last save, exactly; objects inserted since are deleted."""
        self._run(lib.context_rollback)

    @property
    def changes(self) -> dict[str, int]:
        """How many objects were `inserted`, `updated` and `deleted` since the last save."""
        pointer = _ffi.JsonHandle()
        self._run(lib.context_changes, byref(pointer))
        counts: dict[str, int] = take(pointer.value)
        return counts

    def check(self) -> None:
        """Check every invariant of the graph, for tests; raise `groot.Error` if one is broken."""
        self._run(lib.context_check)
