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
    """A graph of objects, with its imports, exports, fetches and saves.

    A context belongs to one thread at a time, and so do its objects. Many contexts may share a
    mapping, each on its own thread. While a call that may take long is running, every use from
    another thread fails with `Status.BUSY`. So does every use by the call's own callbacks. Only
    `cancel` may be called at any time and on any thread.

    Once the context is closed, all methods except `close` and `cancel` raise `groot.Error` with
    `Status.INVALID_ARGUMENT`.
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
        """Make an empty context in memory, or open a context on the store at `store`.

        Args:
            mapping: The mapping of imports and exports, with the model.
            store: The path of an SQLite database (docs/reference/store.md). Objects are read on
                demand, and `save` writes to it. ":memory:" is the name of a file.
            durability: "full" for saves that survive a loss of power, "normal" for saves that
                survive the end of the process.
            conflicts: The policy of a save for an object that another process has written to since
                it was read. "error" fails, "mine" writes the values changed here, and "theirs"
                drops them.
            busy_timeout: The number of seconds that a save waits for another process that is
                writing.
            create: Whether a missing file is created.
            migrate: Whether a store of another model is migrated to this one. A migration that
                loses objects, values or links is refused unless this is "destructive".
            backup: The path of a copy that is made before a migration.
            triggers: Whether a file with triggers is accepted. They would run in saves.
            views: Whether the file has a view of each entity for people, such as `Hero_view`.
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
        """The mapping of imports and exports, as given to the context."""
        return self._session.mapping

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
