"""The bar that `progress=True` shows on standard error."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from typing import IO, Any

from groot.calls import Progress, Watcher

_WIDTH = 24
_TERMINAL_SECONDS = 0.1
_FILE_SECONDS = 10.0
_RATE_SECONDS = 1.0
DELAY = 0.5
"""The number of seconds from which on a context shows a call: it makes many that are short."""
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


class ProgressBar:
    """A progress function that shows each call on one line, which it writes again and again.

    The line has the operation, and the last numbers of records and of bytes of text that the call
    has reported. After a second the rate follows. The line has a bar with the share and the time
    left if the size of the text is known: for a value, a text or a file. A newline ends it. On a
    stream that is not a terminal the bar writes the end of each call, and lines at growing
    intervals before. A stream that cannot be written to does not fail the call.
    """

    last: Progress | None
    """The last progress of the running call; None before it."""
    _lines: int

    def __init__(
        self,
        stream: IO[str] | None = None,
        *,
        delay: float = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make a bar.

        Args:
            stream: The stream to write to; by default standard error, as it is at that time.
            delay: The number of seconds from which on a call is shown.
            clock: The function that returns the time in seconds.
        """
        self.total: int | None = None
        """The number of bytes of text of the running call, if it is known."""
        self._stream = stream
        self._delay = delay
        self._clock = clock
        self._clear()

    def __call__(self, at: Progress) -> None:
        """Take the progress of a call, and write it now and then."""
        now = self._clock()
        if self.last is None:
            self._start = now
            self._next = now + self._delay
            if not self._is_terminal():
                self._next = now + max(self._delay, self._interval())
        self.last = at
        if now >= self._next:
            self._next = now + self._interval()
            self._lines += 1
            self.show(end="")

    def end(self) -> None:
        """Write the end of the call with a newline, unless it was shorter than the delay."""
        if self.last is not None and (self._lines or self._clock() - self._start >= self._delay):
            self.show(end="\n")
        self._clear()

    def _clear(self) -> None:
        """Be ready for the next call."""
        self.total = None
        self.last = None
        self._start = self._next = 0.0
        self._lines = 0
        self._length = 0

    def _interval(self) -> float:
        """Return the time until the next line; without a terminal it doubles."""
        return _TERMINAL_SECONDS if self._is_terminal() else _FILE_SECONDS * 2**self._lines

    def _target(self) -> Any:
        return sys.stderr if self._stream is None else self._stream

    def _is_terminal(self) -> bool:
        try:
            return bool(self._target().isatty())
        except (AttributeError, OSError, ValueError):  # None, or a closed stream
            return False

    def show(self, end: str) -> None:
        """Write the line again, over the last one on a terminal."""
        line = self._line()
        try:
            if self._is_terminal():
                line = line[: max(_columns(self._target()) - 1, 1)]
                text, self._length = f"\r{line:<{self._length}}{end}", len(line)
            else:
                text = f"{line}\n"
            stream = self._target()
            stream.write(text)
            stream.flush()
        except (AttributeError, OSError, ValueError):  # a call does not fail for want of a bar
            return

    def _line(self) -> str:
        """Write the progress as text."""
        at = self.last
        if at is None:
            return ""
        parts = [at.operation]
        if self.total and at.bytes:
            share = min(at.bytes / self.total, 1)
            done = int(share * _WIDTH)
            parts.append(f"[{'#' * done}{'.' * (_WIDTH - done)}] {int(share * 100):3}%")
        return " ".join([*parts, self.counts()]).rstrip()

    def counts(self) -> str:
        """Write the numbers of records and bytes, the bytes in a second, and the time left."""
        at = self.last
        counts = []
        if at is not None and at.records:
            noun = "record" if at.operation == "import" else "object"
            counts.append(f"{at.records:,} {noun}{'' if at.records == 1 else 's'}")
        if at is not None and at.bytes:
            counts.append(_size(at.bytes))
            past = self._clock() - self._start
            if past >= _RATE_SECONDS:
                counts.append(f"{_size(at.bytes / past)}/s")
                if self.total and self.total > at.bytes:
                    counts.append(f"{_time(past * (self.total - at.bytes) / at.bytes)} left")
        return ", ".join(counts)


def _columns(stream: Any) -> int:
    """Return the width of the terminal of a stream."""
    import shutil  # noqa: PLC0415 (it imports the modules of archives)

    with contextlib.suppress(AttributeError, OSError, ValueError):
        if not os.environ.get("COLUMNS") and (width := os.get_terminal_size(stream.fileno())[0]):
            return width
    return shutil.get_terminal_size().columns


def _time(seconds: float) -> str:
    """Write a time as minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _size(count: float) -> str:
    """Write a number of bytes with a unit."""
    unit = 0
    while count >= 1000 and unit < len(_UNITS) - 1:
        count, unit = count / 1000, unit + 1
    return f"{count:.1f} {_UNITS[unit]}" if unit else f"{count:,.0f} {_UNITS[0]}"


def watcher_of(progress: Any, *, delay: float = 0) -> Watcher | None:
    """Return the progress function for an option, for which True means a bar."""
    if isinstance(progress, bool):
        return ProgressBar(delay=delay) if progress else None
    watcher: Watcher | None = progress
    return watcher


def expect(watcher: Watcher | None, total: int | None) -> None:
    """Tell a bar the number of bytes of the call that begins."""
    if isinstance(watcher, ProgressBar):
        watcher.total = total


def end(watcher: Watcher | None) -> None:
    """Tell a bar the end of the call."""
    if isinstance(watcher, ProgressBar):
        watcher.end()
