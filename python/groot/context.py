"""Contexts: graphs of objects."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any, Literal

from groot import _dumping, _fetching, _ffi, _loading, _syncing
from groot._buffers import room
from groot._callbacks import Watcher
from groot._classes import make_class
from groot._ffi import byref, lib
from groot._json import decode
from groot._log import Writer
from groot._options import FilePath, function, log_to, memory_limit_in_bytes, store_options
from groot._session import Session
from groot._text import encode_name, encode_path, shorten
from groot.errors import FileError, Issue, MissingFileError, Status, error, issue_of
from groot.mapping import Mapping
from groot.objects import Object, identifier_of


class Context:
    """A graph of objects, and what goes in and out of it.

    A context belongs to one thread at a time, and so do its objects. Many contexts may share a
    mapping, each on its own thread. While a call runs that may take long, every use from another
    thread fails with `Status.BUSY`, as does every use by the call's own callbacks. All methods
    raise `groot.Error` once the context is closed.
    """

    __slots__ = ("__weakref__", "_memory_limit", "_session")

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
        views: bool = False,
        progress: Watcher | None = None,
        log: Writer | None = None,
        memory_limit: int | None = None,
    ) -> None:
        """Make an empty context in memory, or one that the file at `store` keeps.

        Args:
            mapping: The mapping of imports and exports, with the model.
            store: The path of an SQLite database (docs/reference/store.md). Objects are read when
                they are needed, and `save` writes to it. ":memory:" is the name of a file.
            durability: With "full" saves survive a loss of power, with "normal" the end of the
                process.
            conflicts: The answer of a save where another process has written to the same object
                since it was read. "error" fails, "mine" writes over it, "theirs" drops the changes
                made here.
            busy_timeout: The seconds that a save waits for another process that is writing.
            create: Whether a missing file is made.
            migrate: Whether a store of another model is brought to this one. A loss of objects,
                values or links is refused unless it is "destructive".
            backup: The path of a copy that is made before a migration.
            triggers: Whether a file with triggers is accepted, which would run in saves.
            views: Whether the file gets a view of each entity for people, such as `Hero_view`.
            progress: The function that `self.progress` begins with. With a store it is called
                during a migration, too, which ends whole when it gives False or raises.
            log: A receiver of the store's log: a function of two texts, a level and a message, or a
                `logging.Logger`. The levels are "error" for failures, "warning" for probable
                mistakes, "event" for stores opened, copied and migrated, and "statement" for the
                SQL of each statement, without its values. A function gets all of them. A logger
                gets them at its levels ERROR, WARNING, INFO and DEBUG, statements only when it is
                enabled for DEBUG as the context is made. It is called on the thread that uses the
                context, and must not use it. An exception that it raises changes nothing and goes
                to `sys.unraisablehook`. KeyboardInterrupt and its like come out at the end of a
                call that takes long.
            memory_limit: The limit that `self.memory_limit` begins with, in bytes.

        Raises:
            groot.Error: For a file that is not a store or is of a newer version, and for a store
                that cannot be migrated. `groot.FileError` when the file cannot be opened,
                `groot.MissingFileError` when it is missing and `create` is False.
        """
        if not isinstance(mapping, Mapping):
            message = f"mapping is {shorten(mapping)}, not a groot.Mapping of a model"
            raise error(Status.INVALID_ARGUMENT, message)
        memory_limit_in_bytes(memory_limit)
        told = log_to(log)
        path = None if store is None else encode_path(store)
        options = store_options(
            durability=durability,
            conflicts=conflicts,
            busy_timeout=busy_timeout,
            create=create,
            migrate=migrate,
            backup=backup,
            triggers=triggers,
            views=views,
            log=told,
        )
        watcher = function("progress", progress)
        try:
            self._session = Session(mapping, path, options, make_class, watcher, told)
        except FileError as failed:
            if path is None or create or os.path.exists(path):
                raise
            raise MissingFileError(failed.code, failed.issues) from None
        self.memory_limit = memory_limit

    @property
    def mapping(self) -> Mapping:
        """The mapping that the context was made with."""
        return self._session.mapping

    @property
    def progress(self) -> Watcher | None:
        """The function that is told how far calls are, or None; it may be set.

        It is called now and then with a `Progress` by exports, fetches, counts, distinct values,
        aggregates, `save` and `refresh`, and by imports without a `progress` of their own. When it
        gives False the call ends with `Status.CANCELLED`, and has changed nothing; an exception
        that it raises ends the call and comes out of it. It must not use the context. Ctrl-C ends
        such calls with and without a function.
        """
        return self._session.progress

    @progress.setter
    def progress(self, progress: Watcher | None) -> None:
        self._session.follow(function("progress", progress))

    @property
    def memory_limit(self) -> int | None:
        """The number of bytes that the context may hold; None means no limit.

        A call that would pass the limit fails with `Status.LIMIT_EXCEEDED`, and nothing has
        changed. A context that already holds more is not an error: only growth is refused.
        """
        return self._memory_limit

    @memory_limit.setter
    def memory_limit(self, limit: int | None) -> None:
        self._session.call(lib.context_set_memory_limit, memory_limit_in_bytes(limit))
        self._memory_limit = limit

    @property
    def memory_in_use(self) -> int:
        """How many bytes the context holds in tables, links, texts, indexes, and to undo changes.

        During an import also the record that is being read.
        """
        held = _ffi.c_uint64()
        self._session.call(lib.context_memory, byref(held))
        return held.value

    def close(self) -> None:
        """Free the graph now rather than when nothing uses it any more; twice is fine."""
        self._session.close()

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

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: there is one native context."""
        raise TypeError("a context cannot be copied or pickled; dump its objects as JSON")

    load = _loading.load
    load_file = _loading.load_file
    importing = _loading.importing
    fill = _loading.fill

    sync = _syncing.sync
    sync_file = _syncing.sync_file

    dump = _dumping.dump
    dumps = _dumping.dumps
    dump_file = _dumping.dump_file
    dump_fetched = _dumping.dump_fetched

    get = _fetching.get
    fetch = _fetching.fetch
    count = _fetching.count
    distinct = _fetching.distinct
    aggregate = _fetching.aggregate

    def insert(self, entity: str, /, **values: Any) -> Object:
        """Insert an object with its defaults and the given property values.

        Args:
            entity: The entity of the object.
            **values: Values by the names of properties. When one does not fit, nothing is inserted.

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
        """Delete an object by the delete rules of its relationships, everything or nothing.

        Args:
            deleted: The object.

        Raises:
            groot.Error: With `Status.DELETE_DENIED` where a rule denies it; for a deleted object.
        """
        self._session.run(lib.object_delete, identifier_of(deleted, self._session))

    def save(self) -> None:
        """Accept all changes since the last save: they cannot be rolled back any more.

        With a store they are written to it, all of them or none. Without one, they stay in memory.
        After a failure the context is as it was, and may be saved again.

        Raises:
            groot.Error: With all issues when the objects inserted or changed break a rule of the
                model: a required property without a value, a limit that is passed, too few or too
                many members. An object that only an identifier named so far counts too. With
                `Status.STORE_CONFLICT` when another process has changed an object since it was
                read, unless the context has another policy for `conflicts`. With other statuses of
                stores.
        """
        self._session.run(lib.context_save)

    @property
    def conflicts(self) -> tuple[Issue, ...]:
        """The conflicts that the last save resolved by the store's policy, an issue each."""
        text, _owner = room()
        self._session.run(lib.context_conflicts, byref(text))
        return tuple(map(issue_of, decode(_ffi.bytes_of(text))))

    def rollback(self) -> None:
        """Undo all changes since the last save, exactly; objects inserted since are deleted."""
        self._session.run(lib.context_rollback)

    def refresh(self) -> None:
        """Undo all changes since the last save, and read what others wrote to the store since.

        Objects that are still there stay the same; those that others deleted are deleted. In memory
        this is the same as `rollback`.
        """
        self._session.run(lib.context_refresh)

    def cancel(self) -> None:
        """End the call that this context is carrying out; any thread may call this.

        An import, an export, a fetch, an aggregate, `save` or `refresh` then fails with
        `Status.CANCELLED` as soon as it looks, and has changed nothing. When no call is running,
        nothing happens.
        """
        self._session.cancel()

    @property
    def changes(self) -> dict[str, int]:
        """How many objects are `inserted`, `updated` and `deleted`, compared with the last save."""
        text, _owner = room()
        self._session.run(lib.context_changes, byref(text))
        counts: dict[str, int] = decode(_ffi.bytes_of(text))
        return counts

    def check(self) -> None:
        """Check every invariant of the graph, for tests; raise `groot.Error` if one is broken."""
        self._session.run(lib.context_check)
