"""The log of a store.

The library gets the number of a `Log`, which lives as long as its session. So a function that
refers to its own context does not keep the context alive, and gets no messages after the
context is freed.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Union

from groot import _ffi
from groot._core import callbacks
from groot._core.callbacks import _calls
from groot._core.text import refusal

if TYPE_CHECKING:
    import logging

Writer = Union[Callable[[str, str], Any], "logging.Logger", "logging.LoggerAdapter[Any]"]
"""A function of a level and a message, or a logger."""

# The levels of `logging`, whose import would take longer than that of groot.
_SEVERITIES = {"error": 40, "warning": 30, "event": 20, "statement": 10}


class Log:
    """The receiver of the messages of one store."""

    __slots__ = ("__weakref__", "_write", "level", "number")

    def __init__(self, writer: Any) -> None:
        """Take a logger, or a function, which gets all messages."""
        is_logger = hasattr(writer, "isEnabledFor")
        wants_all = not is_logger or writer.isEnabledFor(_SEVERITIES["statement"])
        self.level = _ffi.LOG_STATEMENTS if wants_all else _ffi.LOG_EVENTS
        self._write = _to_logger(writer) if is_logger else writer
        self.number = next(_numbers)
        _logs[self.number] = self

    def tell(self, level: int, message: bytes) -> None:
        """Pass a message to the receiver."""
        self._write(_ffi.LOG_LEVELS[level], message.decode("utf-8", "replace"))


_logs: weakref.WeakValueDictionary[int, Log] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def _to_logger(logger: Any) -> Callable[[str, str], Any]:
    """Make a function that writes to a logger."""
    return lambda level, message: logger.log(_SEVERITIES[level], message)


def _write(number: int, level: int, message: bytes, _: int) -> None:
    """Pass a message to the log with a number.

    A finished step is not undone because its message fails. So ctypes passes an exception to
    `sys.unraisablehook`. An exception that should end the program, such as that of Ctrl-C, is
    raised by the running call, if that call can raise it.
    """
    try:
        log = _logs.get(number)
        if log is not None:
            log.tell(level, message)
    except BaseException as exception:
        frames = _calls.frames
        if frames and not isinstance(exception, Exception):
            frames[-1].keep(exception)
            return
        for frame in frames:  # the hook of an inner call passes it to the outer one
            frame.reported = exception
        raise


# The C function for the library. It lives as long as the process.
write = _ffi.LogFunction(_write)


def log_to(writer: Writer | None) -> Log | None:
    """Make the log of a store; None without a writer."""
    if writer is None:
        return None
    if not callable(writer) and not hasattr(writer, "isEnabledFor"):
        raise refusal("log", writer, "a function or a logger")
    return Log(writer)


def store_options(log: Log | None) -> Any:
    """Return the library's options of a store with its callbacks."""
    options = _ffi.StoreOptions(progress=callbacks.progress)
    if log is not None:
        options.log, options.log_userdata = write, log.number
        options.log_level = log.level
    return options
