"""Ctrl-C and the like, which count until the commit and no longer."""

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


UNCHANGED = "nothing was changed"
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupts:
    """The handler of Ctrl-C during a command, and of the signals that end a process.

    Before `committing` it raises KeyboardInterrupt. Python drops an exception that is raised in a
    callback of its own, so the beginning of the block raises it again. Within the block Ctrl-C only
    cancels the call that commits: it either fails, and has changed nothing, or it has committed.
    Afterwards Ctrl-C has no effect.
    """

    def __init__(self, *, is_last: bool) -> None:
        """Make a handler that is not in use yet; `is_last` if the process ends with the command."""
        self.is_committed = False
        self.outcome = UNCHANGED
        """The state of the store after an interruption, in words."""
        self.number: int = signal.SIGINT
        """The number of the signal that came."""
        self._is_last = is_last
        self._cancel: Callable[[], None] | None = None
        self._is_pending = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interrupts:
        """Take over the signals that nothing else handles; only the main thread can."""
        if threading.current_thread() is not threading.main_thread():
            return self
        for number in _SIGNALS:
            before = signal.getsignal(number)
            if before in (signal.SIG_DFL, signal.default_int_handler):
                self._before[number] = before
                signal.signal(number, self._handle)
        if self._is_last:
            sys.unraisablehook = _drop
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the signals back; after a commit they stay without effect until the end."""
        is_done = self.is_committed and self._is_last
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_IGN if is_done else before)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.is_committed:
            return
        self.number = number
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
