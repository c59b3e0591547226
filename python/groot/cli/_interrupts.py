"""Ctrl-C, which counts until the commit and no longer."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, Callable

from groot.errors import Error, Status


class Interrupts:
    """The handler of Ctrl-C during a command.

    Before and after `committing` it raises KeyboardInterrupt. Within the block it only cancels the
    call that commits: the call either fails, and has changed nothing, or it has committed.
    """

    def __init__(self, *, is_last: bool) -> None:
        """Make a handler that is not in use yet; `is_last` if the process ends with the command."""
        self.is_committed = False
        self._is_last = is_last
        self._cancel: Callable[[], None] | None = None
        self._is_pending = False
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        """Take over Ctrl-C; other threads than the main one cannot."""
        if threading.current_thread() is threading.main_thread():
            self._before = signal.getsignal(signal.SIGINT)
            if self._before is signal.default_int_handler:
                signal.signal(signal.SIGINT, self._handle)
            else:
                self._before = None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give Ctrl-C back; after a commit it stays without effect until the process ends."""
        is_done = self.is_committed and self._is_last
        if self._before is not None:
            signal.signal(signal.SIGINT, signal.SIG_IGN if is_done else self._before)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.is_committed:
            return
        if self._cancel is None:
            raise KeyboardInterrupt
        self._is_pending = True
        self._cancel()

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C came within the block, before its last step."""
        if self._is_pending:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def committing(self, cancel: Callable[[], None]) -> Iterator[None]:
        """Mark the block at whose end the changes are committed.

        Args:
            cancel: The function that cancels the call within the block.

        Raises:
            KeyboardInterrupt: If Ctrl-C came and the block failed for it.
        """
        self._cancel = cancel
        try:
            yield
            self.is_committed = True
        except Error as failure:
            if self._is_pending and failure.code == Status.CANCELLED:
                raise KeyboardInterrupt from failure
            raise
        finally:
            self._cancel = None
