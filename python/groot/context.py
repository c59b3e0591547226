"""Contexts: graphs of objects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Dictionary
from functools import partial
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, cast, overload

from groot import _ffi
from groot._core import exports, imports, queries
from groot._core.classes import make_class
from groot._core.handle import room
from groot._core.json import decode
from groot._core.log import Writer, log_to, store_options
from groot._core.options import Given, explained, function, memory_limit_in_bytes
from groot._core.references import identifier_of
from groot._core.requests import Names, Values, Where
from groot._core.session import Session
from groot._core.text import encode_name, encode_path, shorten
from groot._ffi import byref, lib
from groot.calls import Watcher
from groot.errors import FileError, Issue, MissingFileError, Status, error, issue_of
from groot.mapping import Mapping
from groot.members import Members
from groot.objects import Object
from groot.options import (
    DumpOptions,
    FilePath,
    FillOptions,
    JSONText,
    LoadOptions,
    OneLoadOptions,
    PlainDumpOptions,
    StoreOptions,
    SyncOptions,
)
from groot.reports import Report, read
from groot.sequence import Objects, loaded, loaded_objects, objects_of, synchronized
from groot.streams import ImportStream

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Context:
    """A graph of objects, with its imports, exports, fetches and saves.

    A context belongs to one thread at a time, and so do its objects. Many contexts may share a
    mapping, each on its own thread. While a call that may take long is running, every use from
    another thread fails with `Status.BUSY`. So does every use by the call's own callbacks. Only
    `cancel` may be called at any time and on any thread.

    Once the context is closed, all methods except `close` and `cancel` raise `groot.Error` with
    `Status.INVALID_ARGUMENT`.
    """

    __slots__ = ("__weakref__", "_memory_limit", "_session")

    @explained(StoreOptions)
    def __init__(
        self,
        mapping: Mapping,
        store: FilePath | None = None,
        *,
        progress: Watcher | None = None,
        log: Writer | None = None,
        memory_limit: int | None = None,
        **options: Unpack[StoreOptions],
    ) -> None:
        """Make an empty context in memory, or open a context on the store at `store`.

        Args:
            mapping: The mapping of imports and exports, with the model.
            store: The path of an SQLite database (docs/reference/store.md). Objects are read on
                demand, and `save` writes to it. ":memory:" is the name of a file.
            progress: The initial value of `self.progress`. With a store the function is also called
                during a migration. If it returns False or raises, the migration is undone.
            log: The receiver of the store's log: a `logging.Logger`, or a function of two texts, a
                level and a message. The levels are "error" for failures, "warning" for probable
                mistakes, "event" for stores opened, copied and migrated, and "statement" for the
                SQL of each statement, without its values. A function gets all of them. A logger
                gets them at its levels ERROR, WARNING, INFO and DEBUG. It gets statements only if
                it is enabled for DEBUG when the context is made. The receiver is called on the
                thread that uses the context, and must not use the context. An exception that it
                raises changes nothing and goes to `sys.unraisablehook`. A KeyboardInterrupt or the
                like is raised at the end of a call that may take long.
            memory_limit: The initial value of `self.memory_limit`, in bytes.
            **options: The options of the store, in `groot.options.StoreOptions`.

        Raises:
            groot.Error: For an argument with an invalid value, for a file that is not a store or is
                of a newer version, and for a store that cannot be migrated. It is a
                `groot.FileError` if the file cannot be opened, and a `groot.MissingFileError` if
                the file is missing and `create` is False.
        """
        if not isinstance(mapping, Mapping):
            message = f"mapping is {shorten(mapping)}, not a groot.Mapping of a model"
            raise error(Status.INVALID_ARGUMENT, message)
        memory_limit_in_bytes(memory_limit)
        told = log_to(log)
        path = None if store is None else encode_path(store)
        native = Given(StoreOptions, options).native(store_options(told))
        watcher = function("progress", progress)
        make = partial(make_class, base=Object, collect=Members)
        try:
            self._session = Session(mapping, path, byref(native), make, watcher, told)
        except FileError as failed:
            if path is None or options.get("create", True) or os.path.exists(path):
                raise
            raise MissingFileError(failed.code, failed.issues) from None
        self.memory_limit = memory_limit

    @property
    def mapping(self) -> Mapping:
        """The mapping of imports and exports, as given to the context."""
        return cast(Mapping, self._session.mapping)

    @property
    def progress(self) -> Watcher | None:
        """The function that receives the progress of calls, or None; it may be set.

        Exports, fetches, counts, distinct values, aggregates, `save` and `refresh` call it now and
        then with a `Progress`. So do imports without their own `progress`. If it returns False, the
        call fails with `Status.CANCELLED` and has changed nothing. If it raises an exception, the
        call ends and raises that exception. It must not use the context. Ctrl-C ends such calls
        with and without a function.

        Raises:
            groot.Error: When it is set to a value that cannot be called, while a call is running,
                or after the context is closed.
        """
        return self._session.progress

    @progress.setter
    def progress(self, progress: Watcher | None) -> None:
        self._session.follow(function("progress", progress))

    @property
    def memory_limit(self) -> int | None:
        """The number of bytes that the context may hold; None means no limit.

        A call that would exceed the limit fails with `Status.LIMIT_EXCEEDED` and has changed
        nothing. A context that already holds more is not an error: only growth is refused.

        Raises:
            groot.Error: When it is set to anything but a positive number of 64 bits or None, while
                a call is running, or after the context is closed.
        """
        return self._memory_limit

    @memory_limit.setter
    def memory_limit(self, limit: int | None) -> None:
        self._session.call(lib.context_set_memory_limit, memory_limit_in_bytes(limit))
        self._memory_limit = limit

    @property
    def memory_in_use(self) -> int:
        """The number of bytes that the context holds.

        It covers tables, links, texts, indexes and the undo log. During an import it also covers
        the record that is being read.

        Raises:
            groot.Error: If the context is closed or in use.
        """
        held = _ffi.c_uint64()
        self._session.call(lib.context_memory, byref(held))
        return held.value

    def close(self) -> None:
        """Free the graph now instead of when the last reference goes; closing twice is fine.

        Raises:
            groot.Error: With `Status.BUSY` while a call is running.
        """
        self._session.close()

    def __enter__(self) -> Context:
        """Return the context, which is closed at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the context."""
        self.close()

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: the native context exists once."""
        raise TypeError("a context cannot be copied or pickled; dump its objects as JSON")

    @overload
    def load(
        self, entity: str, data: dict[str, Any], **options: Unpack[OneLoadOptions]
    ) -> Object: ...

    @overload
    def load(
        self, entity: str, data: list[Any] | tuple[Any, ...], **options: Unpack[LoadOptions]
    ) -> Objects: ...

    @overload
    def load(
        self, entity: None, data: dict[str, Any] | JSONText, **options: Unpack[LoadOptions]
    ) -> Objects: ...

    @overload
    def load(
        self,
        entity: str | None,
        data: Dictionary[str, Any] | Iterator[Any] | IO[Any] | JSONText,
        **options: Unpack[LoadOptions],
    ) -> Any: ...

    @explained(LoadOptions)
    def load(self, entity: str | None, data: Any, **options: Any) -> Any:
        """Import JSON into `entity`: one object, or an array of objects, identifiers or both.

        Objects are found by their identity and updated; missing ones are made. If the import fails,
        the graph is unchanged. Values in `data` may be decimals, dates, datetimes with a time zone,
        and scalars of numpy. A byte order mark at the beginning of a text is skipped.

            heroes = context.load("Hero", [{"id": 1, "name": "Batman"}])
            groot.report(heroes).inserted

        Args:
            entity: The entity of the objects. None imports a document of several entities: the
                records at the `roots` of the mapping. With rules the document is an envelope: a
                dict with lists of records, or single records, under their external names.
            data: A dict or another mapping, a list, or JSON text as str or bytes. A file object of
                bytes or text is read piece by piece. An iterator, such as a generator, yields one
                record at a time. File objects and iterators keep the context busy during the
                import, and exclude `batch`.
            **options: The options in `groot.options.LoadOptions`.

        Returns:
            The `Object` of a JSON object, or None if it is missing and `create` is False. All other
            data gives an `Objects`, with one object for each element that is not null: an array, a
            file object, an iterator or a document, and any data with `root`, `lines`, `form` or
            `batch`. A JSON object that "skip" or a dry run leaves out gives an empty `Objects`.
            `groot.report` of the result has the changes.

        Raises:
            groot.Error: With the path, line and column of each issue. An exception of `progress` is
                raised unchanged. With "abort" so is an exception of a registered function, with a
                `groot.Error` of the location as its `__cause__`. With "collect" and "skip" that
                exception is an issue of its record, and the `__cause__` of the `groot.Error` if one
                is raised.
        """
        given = Given(LoadOptions, options)
        return loaded(imports.load(self._session, entity, data, given))

    def load_file(self, entity: str | None, path: FilePath, **options: Unpack[LoadOptions]) -> Any:
        """Import the JSON file at `path`, piece by piece; otherwise as `load`.

        Args:
            entity: As for `load`.
            path: The path of the file. A pipe or a device always gives an `Objects`.
            **options: The options in `groot.options.LoadOptions`.

        Returns:
            As `load`.

        Raises:
            groot.Error: As `load`. It is a `groot.FileError` if the file cannot be read.
        """
        given = Given(LoadOptions, options)
        return loaded(imports.load_file(self._session, entity, path, given))

    def importing(self, entity: str | None, **options: Unpack[LoadOptions]) -> ImportStream:
        """Begin an import whose text comes in pieces of any size, such as from a network.

            with context.importing("Character") as stream:
                for piece in response:
                    stream.write(piece)
            characters = stream.result

        The context is busy until the end of the block. If an exception leaves the block, the import
        is cancelled and has changed nothing.

        Args:
            entity: As for `load`.
            **options: The options in `groot.options.LoadOptions`.

        Returns:
            The stream. Its `result` is always an `Objects`.

        Raises:
            groot.Error: For an unknown entity and invalid options. The stream's methods and the end
                of the block raise the errors of the import.
        """
        return ImportStream(self._session, entity, Given(LoadOptions, options), loaded_objects)

    @explained(FillOptions)
    def fill(
        self, filled: Object, data: dict[str, Any] | JSONText, **options: Unpack[FillOptions]
    ) -> Report:
        """Set the attributes of an object from a JSON object, whatever identity the JSON has.

        Relationships are not touched. If the call fails, the object is unchanged.

        Args:
            filled: The object.
            data: A dict, or the text of a JSON object.
            **options: The options in `groot.options.FillOptions`.

        Returns:
            The report of the changes.

        Raises:
            groot.Error: As `load`, and for a deleted object or one of another context.
        """
        given = Given(FillOptions, options)
        identifier = identifier_of(filled, self._session)
        return read(imports.fill(self._session, identifier, data, given))

    @explained(SyncOptions)
    def sync(
        self,
        entity: str,
        data: list[Any] | tuple[Any, ...] | dict[str, Any] | JSONText,
        **options: Unpack[SyncOptions],
    ) -> Report:
        """Make the objects of `entity` equal to a JSON array: insert, update and delete.

        Objects are found by their identity. Objects that are not listed are deleted by the delete
        rules of the model; an empty array deletes all. A listed object stays even if a cascade
        reaches it. If the call fails, the graph is unchanged.

        An entry without a usable identity is left out and becomes one of `report.issues`. In that
        case nothing is deleted, since any object that is not listed may be that entry's.
        `report.withheld` has the objects that stay for this reason.

        Args:
            entity: The entity of the objects, which needs an identity.
            data: A list, or the text of a JSON array. An entry may be an identifier. A single
                object counts as the only entry, and needs a usable identity.
            **options: The options in `groot.options.SyncOptions`.

        Returns:
            The report, which has the objects of the entries in order as `objects`.

        Raises:
            groot.Error: As `load`, and for an entity without identity.
        """
        given = Given(SyncOptions, options)
        return synchronized(imports.sync(self._session, entity, data, given))

    def sync_file(self, entity: str, path: FilePath, **options: Unpack[SyncOptions]) -> Report:
        """Synchronize with the JSON file at `path`, piece by piece; otherwise as `sync`.

        Args:
            entity: As for `sync`.
            path: The path of the file.
            **options: The options in `groot.options.SyncOptions`.

        Returns:
            As `sync`.

        Raises:
            groot.Error: As `sync`. It is a `groot.FileError` if the file cannot be read.
        """
        given = Given(SyncOptions, options)
        return synchronized(imports.sync_file(self._session, entity, path, given))

    @overload
    def dump(self, exported: Object | None, **options: Unpack[DumpOptions]) -> dict[str, Any]: ...

    @overload
    def dump(
        self,
        exported: Iterable[Object],
        *,
        form: Literal["keyed", "grouped"],
        **options: Unpack[PlainDumpOptions],
    ) -> dict[str, Any]: ...

    @overload
    def dump(
        self,
        exported: Iterable[Object],
        *,
        form: Literal["array"] = "array",
        **options: Unpack[PlainDumpOptions],
    ) -> list[dict[str, Any]]: ...

    @explained(DumpOptions)
    def dump(self, exported: Any, **options: Any) -> Any:
        """Export an object as a dict, or several as a list of dicts.

        Args:
            exported: An object, or several. None exports all objects at the `roots` of the mapping
                as one document.
            **options: The options in `groot.options.DumpOptions`.

        Returns:
            A dict for one object, for a document, and for a keyed or grouped form; otherwise a list
            of dicts. With positional rules an object is a list.

        Raises:
            groot.Error: For a deleted object, an object of another context, and JSON that nests too
                deep. An exception of a reverse transformer is raised unchanged.
        """
        return exports.values(self._session, exported, Given(DumpOptions, options))

    def dumps(
        self, exported: Object | Iterable[Object] | None, **options: Unpack[DumpOptions]
    ) -> str:
        """Export as `dump` does, as the text of a JSON object or array.

        Args:
            exported: As for `dump`.
            **options: The options in `groot.options.DumpOptions`.

        Returns:
            The JSON text.

        Raises:
            groot.Error: As `dump`.
        """
        return exports.text(self._session, exported, Given(DumpOptions, options))

    def dump_file(
        self,
        exported: Object | Iterable[Object] | None,
        target: FilePath | IO[bytes],
        **options: Unpack[DumpOptions],
    ) -> None:
        """Export as `dumps` does, into a file: a path, or a file object opened for bytes.

        Args:
            exported: As for `dump`.
            target: A path, or a file object. The file at a path appears, or is replaced, only when
                it is complete. A file object gets the text of several objects or of a document in
                pieces, so memory does not grow with it.
            **options: The options in `groot.options.DumpOptions`.

        Raises:
            groot.Error: As `dump`. It is a `groot.FileError` if the file cannot be written. An
                exception of the file object is raised unchanged.
        """
        exports.to_file(self._session, exported, target, Given(DumpOptions, options))

    def dump_fetched(
        self,
        entity: str | None,
        target: FilePath | IO[bytes],
        where: Where | None = None,
        *,
        sort: Names | None = None,
        limit: int | None = None,
        offset: int | None = None,
        **options: Unpack[DumpOptions],
    ) -> int:
        """Export the objects that `fetch` would give into a file, as `dump_file` does.

        On a store the objects are read in portions, so memory does not grow with their number.

        Args:
            entity: The entity of the objects. None exports all objects at the `roots` of the
                mapping, and excludes `where`, `sort`, `limit` and `offset`.
            target: As for `dump_file`.
            where: As for `fetch`.
            sort: As for `fetch`.
            limit: As for `fetch`.
            offset: As for `fetch`.
            **options: The options in `groot.options.DumpOptions`.

        Returns:
            The number of objects written.

        Raises:
            groot.Error: As `fetch` and `dump_file`.
        """
        parts = {"where": where, "sort": sort, "limit": limit, "offset": offset}
        given = Given(DumpOptions, options)
        return exports.fetched(self._session, entity, target, parts, given)

    def get(self, entity: str, identity: Any) -> Object | None:
        """Return the object of `entity` with an identity, or None if there is none.

        It looks in memory first and then in the store. Without a relationship in the identity it
        takes constant time. It is called on the thread that uses the context.

            context.get("Hero", 1699)
            context.get("Page", {"book": dune, "number": 3})

        Args:
            entity: The entity, including its sub-entities.
            identity: The value of the property that identifies the objects. For several properties
                it is a tuple in their order, or a dict by name. The value of a to-one relationship
                is an object.

        Returns:
            The object. If several have the identity, it is the one inserted first.

        Raises:
            groot.Error: With `Status.UNKNOWN_ENTITY` for an unknown entity. With
                `Status.INVALID_ARGUMENT` for an entity without identity, for parts that are not
                those of the identity, and for an object of another context. As `fetch` for a value
                of the wrong type.
        """
        found: Object | None = queries.get(self._session, entity, identity)
        return found

    def fetch(
        self,
        entity: str,
        where: Where | None = None,
        sort: Names | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Objects:
        """Fetch objects of `entity` and its sub-entities.

        A `where` with values for the whole identity takes constant time.

        Args:
            entity: The entity.
            where: A predicate, such as `{"publisher.name": {"beginsWith": "DC"}, "rating": 5}`. It
                has paths to properties, each with a value to equal, None for "no value", or
                operators; docs/reference/fetching.md lists them. Dates, days, decimals, UUIDs and
                bytes are written as Python values.
            sort: Names of attributes, or paths to them, with "-" in front for descending. Objects
                that are equal in these, and all objects without `sort`, are in the order of
                insertion.
            limit: The maximum number of objects.
            offset: The number of objects to skip.

        Returns:
            The objects.

        Raises:
            groot.Error: For an unknown entity and an invalid request, with the path of the issue in
                the request. With `Status.CANCELLED` if the call is cancelled.
        """
        return objects_of(queries.fetch(self._session, entity, where, sort, limit, offset))

    def count(self, entity: str, where: Where | None = None) -> int:
        """Count the objects that `fetch` would give.

        Args:
            entity: As for `fetch`.
            where: As for `fetch`.

        Returns:
            The number of objects.

        Raises:
            groot.Error: As `fetch`.
        """
        return queries.count(self._session, entity, where)

    def distinct(
        self,
        entity: str,
        path: str,
        where: Where | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> list[Any]:
        """Return the distinct values of the attribute at `path`, in order.

        Args:
            entity: As for `fetch`.
            path: The attribute, or a path to one, with "-" in front for descending.
            where: As for `fetch`.
            limit: The maximum number of values.
            offset: The number of values to skip.

        Returns:
            The values. If some objects have no value, None is the first.

        Raises:
            groot.Error: As `fetch`.
        """
        return queries.distinct(self._session, entity, path, where, limit, offset)

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

        Args:
            entity: As for `fetch`.
            values: The aggregates by their names in the result: "count" for the number of objects,
                and `{"max": "rating"}` and the like with "count", "sum", "min", "max" or "average"
                of an attribute.
            by: The attributes to group by.
            where: As for `fetch`.

        Returns:
            A dict. With `by` it is a list with a dict for each group, which also has the values of
            the attributes in `by` and is sorted by them.

        Raises:
            groot.Error: As `fetch`.
        """
        return queries.aggregate(self._session, entity, values, by, where)

    def insert(self, entity: str, /, **values: Any) -> Object:
        """Insert an object with its defaults and the given property values.

        Args:
            entity: The entity of the object.
            **values: Values by the names of properties. If one does not fit, nothing is inserted.

        Returns:
            The object.

        Raises:
            groot.Error: For an unknown or abstract entity, an unknown property, and a wrong value.
        """
        identifier = _ffi.c_uint64()
        try:
            self._session.call(lib.object_insert, encode_name(entity), byref(identifier))
            inserted: Object = self._session.object(identifier.value)
            for key, value in values.items():
                inserted[key] = value
        except BaseException:
            if identifier.value:
                self._session.run(lib.object_delete, identifier.value)
            raise
        return inserted

    def delete(self, deleted: Object) -> None:
        """Delete an object by the delete rules of its relationships: entirely, or not at all.

        Args:
            deleted: The object.

        Raises:
            groot.Error: With `Status.DELETE_DENIED` where a rule denies it, for a deleted object,
                and for an object of another context.
        """
        self._session.run(lib.object_delete, identifier_of(deleted, self._session))

    def save(self) -> None:
        """Accept all changes since the last save, which can then no longer be rolled back.

        With a store the changes are written to it, all or none. Without a store they stay in
        memory. After a failure the changes are still pending, and the save may be repeated.

        Raises:
            groot.Error: With at most 100 issues if inserted or changed objects, placeholders
                included, break a rule of the model. Examples are a required property without a
                value, a value outside its limits, and too few or too many members. With
                `Status.STORE_CONFLICT` if another process has changed an object since it was read,
                unless `conflicts` is "mine" or "theirs". With another status of stores if the
                changes cannot be written.
        """
        self._session.run(lib.context_save)

    @property
    def conflicts(self) -> tuple[Issue, ...]:
        """The conflicts that the last save resolved by the store's policy, one issue each.

        Raises:
            groot.Error: If the context is closed or in use.
        """
        text, _owner = room()
        self._session.run(lib.context_conflicts, byref(text))
        return tuple(map(issue_of, decode(_ffi.bytes_of(text))))

    def rollback(self) -> None:
        """Undo all changes since the last save exactly; objects inserted since then are deleted.

        Raises:
            groot.Error: If the context is closed or in use.
        """
        self._session.run(lib.context_rollback)

    def refresh(self) -> None:
        """Undo all changes since the last save, and read the changes of others from the store.

        Objects that still exist in the store stay the same; those that others deleted are deleted.
        In memory this is the same as `rollback`.

        Raises:
            groot.Error: If the store cannot be read. Objects then are as after the last save.
        """
        self._session.run(lib.context_refresh)

    def cancel(self) -> None:
        """Cancel the call that this context is carrying out; any thread may call this.

        An import, an export, a fetch, a count, distinct values, an aggregate, `save` or `refresh`
        then fails with `Status.CANCELLED` at its next check, and has changed nothing. Without such
        a call, and on a closed context, nothing happens.
        """
        self._session.cancel()

    @property
    def changes(self) -> dict[str, int]:
        """The numbers of objects `inserted`, `updated` and `deleted` since the last save.

        Raises:
            groot.Error: If the context is closed or in use.
        """
        text, _owner = room()
        self._session.run(lib.context_changes, byref(text))
        counts: dict[str, int] = decode(_ffi.bytes_of(text))
        return counts

    def check(self) -> None:
        """Check every invariant of the graph, for tests.

        Raises:
            groot.Error: If an invariant is broken.
        """
        self._session.run(lib.context_check)
