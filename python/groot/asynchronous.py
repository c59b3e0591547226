"""Imports that tasks of asyncio await: each runs in a worker thread."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Iterator
from collections.abc import Mapping as Dictionary
from contextlib import contextmanager
from functools import partial
from typing import IO, TYPE_CHECKING, Any, Union, overload

from groot._core.options import explained
from groot.errors import Status, error
from groot.objects import E, EntityName, Object
from groot.options import FilePath, JSONText, LoadOptions, OneLoadOptions, SyncOptions
from groot.reports import Report
from groot.sequence import Objects

if TYPE_CHECKING:
    from typing_extensions import Unpack

Several = Union[list[Any], tuple[Any, ...], AsyncIterable[JSONText]]
"""Data whose import always gives an `Objects`."""


class AsyncCalls:
    """The methods of a context for asyncio.

    Each runs the method of the same name without `_async` in a worker thread, so the event loop
    goes on. One task at a time uses a context: a call while another task awaits one fails at once
    with `Status.BUSY`. The functions of a registry and `progress` are called on the worker thread.

    If the task is cancelled, the call is cancelled, and the task waits for the end of the thread.
    The context is then as it was, and CancelledError is raised. The exceptions are batches that
    `commits="each"` has already committed, and a cancellation that comes after the call is over,
    before the task has its result: the changes then stay.
    """

    __slots__ = ("_is_awaited",)

    _is_awaited: bool
    """Whether a task awaits a call; missing before the first."""

    @overload
    async def load_async(
        self, entity: type[E], data: dict[str, Any], **options: Unpack[OneLoadOptions]
    ) -> E: ...

    @overload
    async def load_async(
        self, entity: type[E], data: Several, **options: Unpack[LoadOptions]
    ) -> Objects[E]: ...

    @overload
    async def load_async(
        self, entity: str, data: dict[str, Any], **options: Unpack[OneLoadOptions]
    ) -> Object: ...

    @overload
    async def load_async(
        self, entity: str | None, data: Several, **options: Unpack[LoadOptions]
    ) -> Objects: ...

    @overload
    async def load_async(
        self,
        entity: EntityName | None,
        data: Dictionary[str, Any] | Iterator[Any] | IO[Any] | JSONText,
        **options: Unpack[LoadOptions],
    ) -> Any: ...

    @explained(LoadOptions)
    async def load_async(self, entity: EntityName | None, data: Any, **options: Any) -> Any:
        """Import JSON in a worker thread; otherwise as `load`.

            heroes = await context.load_async("Hero", response.aiter_bytes())

        The functions of a registry and `progress` are called on the worker thread. If the task is
        cancelled, the import is cancelled and has changed nothing.

        Args:
            entity: As for `load`.
            data: As for `load`, and not to be changed until the call is over; or an asynchronous
                iterator of pieces of JSON text, as str or bytes, which may end anywhere. The
                iterator runs in the event loop and excludes `batch`. The context is busy until it
                ends. If it raises an exception, the import has changed nothing.
            **options: The options in `groot.options.LoadOptions`.

        Returns:
            As `load`. An asynchronous iterator always gives an `Objects`.

        Raises:
            groot.Error: As `load`; with `Status.BUSY` if another task awaits a call of the context.
                An exception of the iterator is raised unchanged.
        """
        context: Any = self
        if not isinstance(data, AsyncIterable):
            return await self._in_thread(context.load, entity, data, options)
        from groot._core.workers import load_pieces  # noqa: PLC0415 (it imports asyncio)

        with self._awaited():
            return await load_pieces(context, entity, data, options)

    @explained(LoadOptions)
    async def load_file_async(
        self, entity: EntityName | None, path: FilePath, **options: Unpack[LoadOptions]
    ) -> Any:
        """Import the JSON file at `path` in a worker thread; otherwise as `load_file`.

        The functions of a registry and `progress` are called on the worker thread. If the task is
        cancelled, the import is cancelled and has changed nothing.

        Args:
            entity: As for `load`.
            path: As for `load_file`.
            **options: The options in `groot.options.LoadOptions`.

        Returns:
            As `load_file`.

        Raises:
            groot.Error: As `load_file`; with `Status.BUSY` if another task awaits a call of the
                context.
        """
        context: Any = self
        return await self._in_thread(context.load_file, entity, path, options)

    @explained(SyncOptions)
    async def sync_async(
        self,
        entity: EntityName,
        data: list[Any] | tuple[Any, ...] | dict[str, Any] | JSONText,
        **options: Unpack[SyncOptions],
    ) -> Report:
        """Synchronize in a worker thread; otherwise as `sync`.

        The functions of a registry and `progress` are called on the worker thread. If the task is
        cancelled, the call is cancelled and has changed nothing.

        Args:
            entity: As for `sync`.
            data: As for `sync`; not to be changed until the call is over.
            **options: The options in `groot.options.SyncOptions`.

        Returns:
            As `sync`.

        Raises:
            groot.Error: As `sync`; with `Status.BUSY` if another task awaits a call of the context.
        """
        context: Any = self
        report: Report = await self._in_thread(context.sync, entity, data, options)
        return report

    @explained(SyncOptions)
    async def sync_file_async(
        self, entity: EntityName, path: FilePath, **options: Unpack[SyncOptions]
    ) -> Report:
        """Synchronize with the JSON file at `path` in a worker thread; otherwise as `sync_file`.

        The functions of a registry and `progress` are called on the worker thread. If the task is
        cancelled, the call is cancelled and has changed nothing.

        Args:
            entity: As for `sync`.
            path: As for `sync_file`.
            **options: The options in `groot.options.SyncOptions`.

        Returns:
            As `sync_file`.

        Raises:
            groot.Error: As `sync_file`; with `Status.BUSY` if another task awaits a call of the
                context.
        """
        context: Any = self
        report: Report = await self._in_thread(context.sync_file, entity, path, options)
        return report

    async def _in_thread(
        self, method: Callable[..., Any], entity: Any, given: Any, options: Any
    ) -> Any:
        """Call a method of this context in a worker thread."""
        from groot._core.workers import in_thread  # noqa: PLC0415 (it imports asyncio)

        with self._awaited():
            return await in_thread(self, partial(method, entity, given, **options))

    @contextmanager
    def _awaited(self) -> Iterator[None]:
        """Refuse the calls of other tasks while this one awaits the call in the block."""
        if getattr(self, "_is_awaited", False):
            message = (
                "another task awaits a call of this context; await that call first, "
                "or give each task a context of its own"
            )
            raise error(Status.BUSY, message)
        self._is_awaited = True
        try:
            yield
        finally:
            self._is_awaited = False
