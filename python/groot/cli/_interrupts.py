"""Ctrl-C, which counts until the commit and no longer."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType, TracebackType
    from typing import Any


class Interrupts:
    """The handler of Ctrl-C during a command.

    Before `committing` it raises KeyboardInterrupt. Python drops an exception that is raised in a
    callback of its own, so the beginning of the block raises it again. Within the block Ctrl-C only
    cancels the call that commits: it either fails, and has changed nothing, or it has committed.
    Afterwards Ctrl-C has no effect.
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
                if self._is_last:
                    sys.unraisablehook = _drop
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
        self._is_pending = True
        if self._cancel is None:
            raise KeyboardInterrupt
        self._cancel()

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C came before the last step of a commit."""
        if self._is_pending:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def deferring(self) -> Iterator[None]:
        """Let Ctrl-C wait for the end of the block, which cleans up.

        Raises:
            KeyboardInterrupt: If Ctrl-C came within the block, unless all is committed.
        """
        before, self._cancel = self._cancel, _nothing
        try:
            yield
        finally:
            self._cancel = before
        if self._is_pending and not self.is_committed:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def committing(self, cancel: Callable[[], None]) -> Iterator[None]:
        """Mark the block at whose end the changes are committed.

        Args:
            cancel: The function that cancels the call within the block.

        Raises:
            KeyboardInterrupt: If Ctrl-C came before, or the block failed for it.
        """
        self._cancel = cancel
        try:
            self.check()
            yield
            self.is_committed = True
        except Exception as failure:
            from groot.errors import Error, Status  # noqa: PLC0415, Ctrl-C counts before they load

            is_cancelled = isinstance(failure, Error) and failure.code == Status.CANCELLED
            if self._is_pending and is_cancelled:
                raise KeyboardInterrupt from failure
            raise
        finally:
            self._cancel = None


def _nothing() -> None:
    """Cancel nothing."""


def _drop(found: sys.UnraisableHookArgs) -> None:
    """Report an exception that Python drops, but for Ctrl-C, which a commit raises again."""
    if found.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(found)
