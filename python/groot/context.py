"""Contexts: graphs of objects."""

from __future__ import annotations

import os
from collections.abc import Iterable
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, overload

from groot import _exporting, _ffi, _importing, _syncing
from groot._ffi import byref, lib
from groot._jansson import take
from groot._json import decode
from groot._options import (
    AnyLoadKeywords,
    Dumping,
    DumpKeywords,
    FilePath,
    JSONText,
    Loading,
    LoadKeywords,
    Policies,
    Syncing,
    SyncKeywords,
)
from groot._queries import Queries
from groot._text import encode_path, encode_text
from groot.errors import Issue, issue_of
from groot.mapping import Mapping
from groot.objects import Object
from groot.report import Report
from groot.sequence import Objects
from groot.streams import ImportStream

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from groot._fetching import Names, Where


class Context(Queries):
    """A graph of objects, and what goes in and out of it.

    A context belongs to one thread at a time, and so do its objects. Many contexts may share a
    mapping, each on its own thread. While a call runs that may take long, every use from another
    thread fails with `Status.BUSY`, as does every use by the call's own callbacks. All methods
    raise `groot.Error` once the context is closed.
    """

    __slots__ = ()

    def __init__(
        self,
        mapping: Mapping,
        store: FilePath | None = None,
        *,
        durability: Literal["full", "normal"] = "full",
        conflicts: Literal["error", "mine", "theirs"] = "error",
        busy_timeout: float = 10.0,
        create: bool = True,
        migrate: bool | Literal["destructive"] = True,
        backup: FilePath | None = None,
        triggers: bool = False,
    ) -> None:
        """Make an empty context in memory, or one that the file at `store` keeps.

        The file is an SQLite database (docs/store.md); where there is none, one is made, unless
        `create` is False. Objects are read when they are needed, and `save` writes to it. With the
        `durability` "full" saves survive a loss of power. Where another process has written to the
        same object since it was read, a save fails, or with `conflicts` "mine" or "theirs" writes
        or drops what was changed here. `busy_timeout` is how many seconds a save waits for another
        process that is writing. A store that was made for another model is brought to this one,
        unless `migrate` is False, or objects, values or links would go, which "destructive" allows;
        before that a copy is made at `backup`. A file with triggers or views, which would run in
        saves, is refused unless `triggers` is True.
        """
        path = None if store is None else encode_path(store)
        milliseconds = round(busy_timeout * 1000)
        options = {
            "durability": durability,
            "conflicts": conflicts,
            "busyTimeout": milliseconds,
            "create": create,
            "migrate": migrate,
            "backup": None if backup is None else os.fspath(backup),
            "triggers": triggers,
        }
        super().__init__(mapping, path, options)

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
        self, entity: str, data: dict[str, Any], **options: Unpack[LoadKeywords]
    ) -> Object: ...

    @overload
    def load(
        self,
        entity: str,
        data: list[Any] | tuple[Any, ...],
        **options: Unpack[AnyLoadKeywords],
    ) -> Objects: ...

    @overload
    def load(
        self,
        entity: None,
        data: dict[str, Any] | JSONText,
        **options: Unpack[AnyLoadKeywords],
    ) -> Objects: ...

    @overload
    def load(
        self,
        entity: str | None,
        data: dict[str, Any] | JSONText,
        **options: Unpack[AnyLoadKeywords],
    ) -> Any: ...

    def load(self, entity: str | None, data: Any, **options: Any) -> Any:
        """Import JSON into `entity`: one object, or an array of objects, identifiers or both.

        `data` is a dict, a list, or JSON text as str or bytes. The result is an `Object` for a
        JSON object and an `Objects` for an array, with one object for each element that is not
        null. Its `report` says what was done. Objects are found by their identity and updated, or
        made. The import happens whole or not at all: on failure the graph is as it was.

        Without an `entity`, None, `data` is a batch for a mapping with rules: a dict with lists of
        records, or single ones, by their external names. It gives an `Objects`.

        `errors="abort"` says what happens when something is wrong with a record, which is an
        element of the array, or the one object. With "abort" the first problem is raised. With
        "collect" all problems are raised, as one `groot.Error`. With "skip" the record is left
        out, whole, and `report.issues` says why; a single object that is left out gives an empty
        `Objects`. More than `max_issues=100` problems end the import in each mode; `math.inf`
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
        so does one of a function of the registry, with a `groot.Error` that has the place as its
        `__cause__`; with "collect" and "skip" that is a problem of the record, and the `__cause__`
        of the `groot.Error`, if there comes to be one.
        `jansson_only=True` reads text more slowly, with the same result.

        `lines=True` takes text whose lines are records; blank lines are passed over. `root`, a
        JSON Pointer such as "/data/items", says where in the JSON the object or array stands;
        what is around it is only checked. The result is then always an `Objects`.

        With `batch=10_000` the import goes straight into the context's store, in bounded memory:
        after so many records their objects are checked, written and given up in memory. It is then
        saved already, and the result is an `Objects` without any, with its `report`. With
        `commits="whole"` that is one transaction: it happens whole or not at all. With "each"
        every batch is one of its own, and those before a failure stay. It needs a store and no
        unsaved changes, and goes with neither `dry_run`, `changes` nor `access`, nor with
        `importing`. A record finds what batches before its own brought; an identifier that names
        what only a later one brings names nothing yet. "collect" gathers the problems of one batch.
        An object that several batches come across counts in each of them.
        """
        return _importing.load(self, entity, data, Loading(**options))

    def load_file(
        self, entity: str | None, path: FilePath, **options: Unpack[AnyLoadKeywords]
    ) -> Any:
        """Import the JSON file at `path`, piece by piece; otherwise as `load`.

        What is no regular file, such as a pipe, always gives an `Objects`.
        """
        return _importing.load_file(self, entity, path, Loading(**options))

    def importing(self, entity: str | None, **options: Unpack[AnyLoadKeywords]) -> ImportStream:
        """Begin an import whose text comes in pieces of any size, from a network for example.

            with context.importing("Character") as stream:
                for piece in response:
                    stream.write(piece)
            characters = stream.result

        The options are those of `load`, and so are result and errors; `result` is always an
        `Objects`. The context is busy until the end of the block. When an exception leaves the
        block nothing has happened.
        """
        return ImportStream(self, entity, Loading(**options))

    def fill(
        self,
        filled: Object,
        data: dict[str, Any] | JSONText,
        *,
        policies: Policies | None = None,
        max_issues: float | None = None,
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
        return _importing.fill(self, _exporting.identifier(self, filled), data, asked)

    def sync(
        self,
        entity: str,
        data: list[Any] | tuple[Any, ...] | dict[str, Any] | JSONText,
        **options: Unpack[SyncKeywords],
    ) -> Report:
        """Make the objects of `entity` what a JSON array lists: insert, update and delete.

        Objects are found by their identity; an entity without one is a `groot.Error`. Those that
        are not listed are deleted, by the delete rules of the model; an empty array deletes all.
        An entry without a usable identity is left out and becomes one of `report.issues`. It all
        happens or nothing: on failure the graph is as it was. The report has the objects of the
        entries in order as `objects`.

        `insert=True`, `update=True` and `delete=True` say what is done. `members` says so of
        objects that stand in an entry under a to-many relationship, as in `{"delete": False}`;
        what it does not say is as for the entries. Members that are not listed are no members any
        more in any case.

        `where`, a predicate as for `fetch`, is the scope: only objects for which it holds are
        deleted. With a `parent`, an object, its members of this entity are the scope, and what is
        inserted becomes its member.

        `dry_run`, `changes`, `max_issues`, `progress`, `jansson_only` and `mapping` are as for
        `load`.
        """
        return _syncing.sync(self, entity, data, Syncing(**options))

    def sync_file(self, entity: str, path: FilePath, **options: Unpack[SyncKeywords]) -> Report:
        """Synchronize with the JSON file at `path`, piece by piece; otherwise as `sync`."""
        return _syncing.sync_file(self, entity, path, Syncing(**options))

    @overload
    def dump(self, exported: Object, **options: Unpack[DumpKeywords]) -> dict[str, Any]: ...

    @overload
    def dump(
        self, exported: Iterable[Object], **options: Unpack[DumpKeywords]
    ) -> list[dict[str, Any]]: ...

    def dump(self, exported: _exporting.Exported, **options: Any) -> Any:
        """Export an object as a dict, or several as a list of dicts.

        `properties` are the names of those to write of the objects given, all unless told, and
        `exclude` the JSON keys to leave out of them, where "a.b" is b inside a. `depth` is how
        many steps along relationships objects are written in full, without a limit unless told;
        those behind are written as their identity; where one has none, the relationship
        is left out.

        How the mapping writes can be told otherwise: `relationships` is "none", "array" or
        "nested"; `inflection` of names is "snake" or "camel"; `dates` are "iso8601",
        "unixSeconds", "unixMillis", or as a pattern such as "yyyy-MM-dd" says. Rules leave out
        to-many relationships given as foreign keys and nested objects, without `to_many=True` and
        `subobjects=True`; an object of positional rules is a list. `mapping` is another mapping of
        the same model.
        """
        asked = Dumping(**options)._replace(lines=False)
        return decode(_exporting.text(self, exported, asked))

    def dumps(self, exported: _exporting.Exported, **options: Unpack[DumpKeywords]) -> str:
        """Export as `dump` does, as the text of a JSON object or array.

        With `lines=True` several objects are an object a line, each with a newline behind it.
        """
        return _exporting.text(self, exported, Dumping(**options))

    def dump_file(
        self,
        exported: _exporting.Exported,
        target: FilePath | IO[bytes],
        **options: Unpack[DumpKeywords],
    ) -> None:
        """Export as `dumps` does, into a file: a path, or a file object open for bytes.

        A file at a path appears, or is replaced, only when it is complete. A file object gets the
        text in pieces: memory does not grow with it.
        """
        _exporting.to_file(self, exported, target, Dumping(**options))

    def dump_fetched(
        self,
        entity: str,
        target: FilePath | IO[bytes],
        where: Where | None = None,
        *,
        sort: Names | None = None,
        limit: int | None = None,
        offset: int | None = None,
        **options: Unpack[DumpKeywords],
    ) -> int:
        """Export what `fetch` would give, into a file as `dump_file` does; count the objects.

        On a store the objects are read portion by portion: neither they nor the text take memory
        that grows with their number.
        """
        parts = {"where": where, "sort": sort, "limit": limit, "offset": offset}
        return _exporting.fetched(self, entity, target, parts, Dumping(**options))

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

        With a store they are written to it, all of them or none. That fails with
        `Status.STORE_CONFLICT` when another process has changed an object since it was read, unless
        the context was opened with another policy for `conflicts`, and with other statuses of
        stores; the context is then as it was, and may be saved again.

        Raises `groot.Error` with one issue for each fault when the objects inserted or changed
        are not as the model wants them: a required property without a value, a limit that is
        passed, too few or too many members. An object that only an identifier named so far counts
        too. Then nothing is accepted.
        """
        self._run(lib.context_save)

    @property
    def conflicts(self) -> tuple[Issue, ...]:
        """What the last save resolved by the policy `conflicts` of the store, an issue each."""
        pointer = _ffi.JsonHandle()
        self._run(lib.context_conflicts, byref(pointer))
        return tuple(map(issue_of, take(pointer.value)))

    def rollback(self) -> None:
        """Undo all changes since the last save, exactly; objects inserted since are deleted."""
        self._run(lib.context_rollback)

    def refresh(self) -> None:
        """Undo all changes since the last save, and read what others wrote to the store since.

        Objects that are still there stay the same; those that others deleted are deleted. In memory
        this is the same as `rollback`.
        """
        self._run(lib.context_refresh)

    def cancel(self) -> None:
        """End the call that this context is carrying out; any thread may call this.

        An import, an export, a fetch, an aggregate, `save` or `refresh` then fails with
        `Status.CANCELLED` as soon as it looks, and has changed nothing. When no call is running,
        nothing happens.
        """
        self._cancel()

    @property
    def changes(self) -> dict[str, int]:
        """How many objects are `inserted`, `updated` and `deleted`, compared with the last save."""
        pointer = _ffi.JsonHandle()
        self._run(lib.context_changes, byref(pointer))
        counts: dict[str, int] = take(pointer.value)
        return counts

    def check(self) -> None:
        """Check every invariant of the graph, for tests; raise `groot.Error` if one is broken."""
        self._run(lib.context_check)
