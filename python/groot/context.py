"""Contexts: graphs of objects."""

from __future__ import annotations

import os
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast, overload

from groot import _ffi
from groot._core.classes import make_class
from groot._core.declared import is_declared
from groot._core.handle import room
from groot._core.insertions import fitting
from groot._core.json import decode
from groot._core.log import Writer, log_to, store_options
from groot._core.options import Given, explained, function, memory_limit_in_bytes
from groot._core.references import Reference, identifier_of
from groot._core.session import Session
from groot._core.text import encode_name, encode_path, refusal, shorten, shown_store
from groot._ffi import byref, lib
from groot.asynchronous import AsyncCalls
from groot.calls import Watcher
from groot.errors import FileError, Issue, MissingFileError, Status, error, issue_of
from groot.exporting import Exporting
from groot.fetching import Fetching
from groot.importing import Importing
from groot.mapping import Mapping, mapping_of
from groot.members import Members
from groot.objects import BaseObject, E, EntityName, Object
from groot.options import FilePath, StoreOptions
from groot.progress import DELAY, watcher_of
from groot.registry import Registry

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Context(Importing, AsyncCalls, Exporting, Fetching):
    """A graph of objects, with its imports, exports, fetches and saves.

        heroes = groot.Context(Hero, Power, store="heroes.sqlite")
        heroes = groot.Context(groot.Mapping(groot.Model.load("heroes.json")))

    A context belongs to one thread at a time, and so do its objects. Many contexts may share a
    mapping, each on its own thread. While a call that may take long is running, every use from
    another thread fails with `Status.BUSY`. So does every use by the call's own callbacks. Only
    `cancel` may be called at any time and on any thread.

    Once the context is closed, all methods except `close` and `cancel` raise `groot.Error` with
    `Status.INVALID_ARGUMENT`.
    """

    __slots__ = ("__weakref__", "_memory_limit", "_place", "_session")

    @overload
    def __init__(
        self,
        mapping: Mapping,
        store: FilePath | None = None,
        *,
        progress: Watcher | bool | None = None,
        log: Writer | None = None,
        memory_limit: int | None = None,
        **options: Unpack[StoreOptions],
    ) -> None: ...

    @overload
    def __init__(
        self,
        entity: type[BaseObject],
        /,
        *entities: type[BaseObject],
        store: FilePath | None = None,
        registry: Registry | None = None,
        progress: Watcher | bool | None = None,
        log: Writer | None = None,
        memory_limit: int | None = None,
        **options: Unpack[StoreOptions],
    ) -> None: ...

    @explained(StoreOptions)
    def __init__(
        self,
        mapping: Any,
        *more: Any,
        store: FilePath | None = None,
        registry: Registry | None = None,
        progress: Watcher | bool | None = None,
        log: Writer | None = None,
        memory_limit: int | None = None,
        **options: Unpack[StoreOptions],
    ) -> None:
        """Make an empty context in memory, or open a context on the store at `store`.

        Args:
            mapping: The mapping of imports and exports, with the model; or a class of an entity.
            *more: The store; or the classes of the other entities. Classes that relationships lead
                to may be left out.
            registry: The functions that the classes name; not with a mapping, which has them.
            store: The path of an SQLite database (docs/reference/store.md). Objects are read on
                demand, and `save` writes to it. ":memory:" is the name of a file.
            progress: The initial value of `self.progress`. With a store the function is also called
                during a migration. If it returns False or raises, the migration is undone. True
                shows a bar on standard error for each call that takes longer than half a second.
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
        if is_declared(mapping):
            mapping = mapping_of((mapping, *more), registry)
        elif not isinstance(mapping, Mapping):
            message = f"mapping is {shorten(mapping)}, not a groot.Mapping of a model, or a class"
            raise error(Status.INVALID_ARGUMENT, message)
        elif registry is not None:
            raise refusal("registry", registry, "None; a mapping has its functions already")
        elif more:
            (store,) = more if store is None and len(more) == 1 else _too_many(more)
        memory_limit_in_bytes(memory_limit)
        told = log_to(log)
        path = None if store is None else encode_path(store, "store")
        native = Given(StoreOptions, options).native(store_options(told))
        watcher = function("progress", watcher_of(progress, delay=DELAY))
        make = partial(make_class, base=Object, collect=Members)
        try:
            self._session = Session(mapping, path, byref(native), make, watcher, told)
        except FileError as failed:
            may_create = options.get("create", True) and not options.get("read_only")
            if path is None or may_create or os.path.exists(path):
                raise
            raise MissingFileError(failed.code, failed.issues) from None
        self.memory_limit = memory_limit
        self._place = "memory" if path is None else shown_store(path)

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
    def progress(self, progress: Watcher | bool | None) -> None:
        self._session.follow(function("progress", watcher_of(progress, delay=DELAY)))

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

    def __repr__(self) -> str:
        """Show the entities and the store."""
        names = ", ".join(self._session.schema.entities)
        closed = ", closed" if self._session.argument is None else ""
        return f"<groot.Context of {names} in {self._place}{closed}>"

    def _repr_html_(self) -> str:
        """Show the number of objects of each entity in notebooks."""
        from groot._core.notebooks import context_page  # noqa: PLC0415 (only notebooks need it)

        return context_page(self._session)

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: the native context exists once."""
        raise TypeError("a context cannot be copied or pickled; dump its objects as JSON")

    @overload
    def insert(self, entity: type[E], /, **values: Any) -> E: ...

    @overload
    def insert(self, entity: str, /, **values: Any) -> Object: ...

    def insert(self, entity: EntityName, /, **values: Any) -> Any:
        """Insert an object with its defaults and the given property values.

        Args:
            entity: The entity of the object: its name, or its class. With a class the required
                properties without a default must be given.
            **values: Values by the names of properties. If one does not fit, nothing is inserted.

        Returns:
            The object.

        Raises:
            groot.Error: For an unknown or abstract entity, an unknown property, a missing and a
                wrong value.
        """
        name = encode_name(self._session.required(entity))
        if self._session.mapping._declared:
            values = fitting(self._session, entity, values)
        identifier = _ffi.c_uint64()
        try:
            self._session.call(lib.object_insert, name, byref(identifier))
            inserted: Object = self._session.object(identifier.value)
            for key, value in values.items():
                inserted[key] = value
        except BaseException:
            if identifier.value:
                self._session.run(lib.object_delete, identifier.value)
            raise
        return inserted

    def delete(self, deleted: BaseObject) -> None:
        """Delete an object by the delete rules of its relationships: entirely, or not at all.

        Args:
            deleted: The object.

        Raises:
            groot.Error: With `Status.DELETE_DENIED` where a rule denies it, for a deleted object,
                and for an object of another context.
        """
        if not isinstance(deleted, Reference):
            expected = "one object, such as context.get gives; delete several one by one"
            raise refusal("deleted", deleted, expected)
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

    def note(self, name: str) -> str | None:
        """Return a note: a text that the store keeps for a program, such as the cursor of a feed.

        Args:
            name: The name, of 1 to 200 bytes.

        Returns:
            The text with its unsaved change; None without one.

        Raises:
            groot.Error: For another name, with a status of stores if the note cannot be read, or
                if the context is closed or in use.
        """
        text, _owner = room()
        self._session.run(lib.context_note, encode_name(name), byref(text))
        return _ffi.text_of(text) if text.data else None

    def set_note(self, name: str, text: str | None) -> None:
        """Set a note; the next save writes it in one transaction with the objects.

        `rollback` discards the change. When two contexts save the same note, the last save counts.

        Args:
            name: The name, of 1 to 200 bytes.
            text: The text, without a NUL; None removes the note.

        Raises:
            groot.Error: For another name or text, or if the context is closed or in use.
        """
        encoded = None if text is None else encode_name(text)
        self._session.call(lib.context_set_note, encode_name(name), encoded)

    def copy_store(self, target: Context) -> None:
        """Copy the store into the empty store of another context, of whichever kind each is.

        The copy has all objects, links, lists in their order and notes, with their keys and
        versions. It is one transaction of the other store, in bounded memory::

            with groot.Context(mapping, store="heroes.sqlite") as heroes:
                with groot.Context(mapping, store="postgresql:///heroes") as copy:
                    heroes.copy_store(copy)

        Args:
            target: A context of the same model whose store has no objects. Its progress function
                and its `cancel` count.

        Raises:
            groot.Error: With `Status.INVALID_ARGUMENT` for a context without a store, with unsaved
                changes or of another model, and for a store with objects. With
                `Status.OUT_OF_RANGE` for a value that the other store cannot hold. With a status
                of stores if one cannot be read or written. The other store is then unchanged.
        """
        if not isinstance(target, Context) or target is self:
            raise refusal("target", target, "another context")
        self._session.copy_store(target._session)

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
        """Check every invariant of the graph, and the whole store.

        Raises:
            groot.Error: If an invariant is broken. With `Status.STORE_VALUE_INVALID` for values
                that are not of their property's type, which other programs wrote, and with
                `Status.STORE_INVALID` for links to missing objects: an issue for each, up to 100.
        """
        self._session.run(lib.context_check)


def _too_many(more: tuple[Any, ...]) -> Any:
    """Raise for more arguments than a store."""
    raise refusal("store", more, "one path; classes of entities come without a mapping")
