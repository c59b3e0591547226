"""Calls of a context in worker threads, for tasks of asyncio.

Only the calls themselves import this module, since asyncio takes long to import.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import AsyncIterable, Callable
from functools import partial
from typing import Any

from groot._core.callbacks import stopping
from groot._core.text import encode_text

_PIECE = 1 << 16
_SECONDS = 0.01
"""The time between two requests to end a call, since a request before the call begins is lost."""


class _Call:
    """A call in a worker thread, which its task may stop."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self._function = function
        self._first = threading.Lock()  # for the one that comes first: the thread, or a stop
        self._is_stopped = False

    def run(self) -> Any:
        """Make the call, on the worker thread; it ends early after a stop."""
        if not self._first.acquire(blocking=False):
            return None
        try:
            with stopping(lambda: self._is_stopped):
                return self._function()
        except StopIteration as raised:  # a future before Python 3.12 would never be done
            raise RuntimeError("a callback raised StopIteration") from raised

    def stop(self) -> bool:
        """Stop the call at its next progress; return whether it had not begun and never will."""
        self._is_stopped = True
        return self._first.acquire(blocking=False)


async def in_thread(context: Any, function: Callable[[], Any]) -> Any:
    """Make a call of a context in a worker thread; a cancellation waits for its end."""
    call = _Call(function)
    run = partial(contextvars.copy_context().run, call.run)
    future = asyncio.get_running_loop().run_in_executor(None, run)
    try:
        await asyncio.wait([future])
    except asyncio.CancelledError:
        if call.stop():
            future.cancel()
        else:
            await _ended(context, future)
        raise
    except GeneratorExit:  # the event loop has ended; nobody can wait
        call.stop()
        raise
    return future.result()


async def _ended(context: Any, future: asyncio.Future[Any]) -> None:
    """Cancel the call of a context until its thread is at its end."""
    while not future.done():
        context.cancel()
        try:
            await asyncio.wait([future], timeout=_SECONDS)
        except asyncio.CancelledError:  # another one, while the first is under way
            continue
    if not future.cancelled():
        future.exception()  # otherwise asyncio would report that nobody took it


async def load_pieces(context: Any, entity: Any, pieces: AsyncIterable[Any], options: Any) -> Any:
    """Import the pieces of an asynchronous iterator; short ones are joined first."""
    stream = context.importing(entity, **options)
    joined = bytearray()
    try:
        async for piece in pieces:
            if isinstance(piece, str):
                joined += encode_text(piece)
            elif isinstance(piece, (bytes, bytearray, memoryview)):
                joined += piece
            else:
                stream.write(piece)  # raises the error for its type
            if len(joined) >= _PIECE:
                text, joined = bytes(joined), bytearray()
                await in_thread(context, partial(stream.write, text))
        if joined:
            await in_thread(context, partial(stream.write, bytes(joined)))
        return await in_thread(context, stream.finish)
    except BaseException:
        stream.cancel()
        raise
