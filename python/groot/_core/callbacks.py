"""Python functions that the library calls, and the exceptions that they raise.

The library gets the same few C functions for every registration. `userdata` is a number that leads
to the Python functions. Registries and mappings own these functions. So a function that refers to
its own context is part of a reference cycle that Python's garbage collector can see.
"""

from __future__ import annotations

import inspect
import itertools
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from groot import _ffi
from groot._core.exchange import to_python, to_text
from groot._core.handle import Handle
from groot._ffi import lib
from groot._ffi.steps import Step, run_all
from groot.calls import Call, Function, Progress, Watcher
from groot.errors import Status
from groot.progress import end


class Frame:
    """One call into the library: the needs of its callbacks and the exceptions that they raised."""

    __slots__ = (
        "_hook",
        "cause",
        "exception",
        "follows",
        "gathers",
        "has_text",
        "progress",
        "reported",
        "write",
    )

    def __init__(
        self,
        progress: Watcher | None = None,
        write: Callable[[Any, int], Any] | None = None,
        gathers: bool = False,
        has_text: bool = True,
    ) -> None:
        """Begin without a failure.

        If the call `gathers` the issues of records, an exception of a transformer or mapper is such
        an issue and does not end the call. Issues have lines and columns only if the call
        `has_text`.
        """
        self.exception: BaseException | None = None
        """The exception that the call raises."""
        self.cause: Exception | None = None
        """The first exception that was gathered."""
        self.progress = progress
        self.follows: Watcher | None = None
        """The progress function of the context, for calls that have none."""
        self.write = write
        self.gathers = gathers
        self.has_text = has_text
        self.reported: BaseException | None = None
        """An exception that no call can raise, only the hook."""

    def keep(self, exception: BaseException) -> None:
        """Keep an exception for the end of the call."""
        if self.exception is None:
            self.exception = exception

    def keep_of_record(self, exception: BaseException) -> None:
        """Keep an exception of a function that was called with a part of a record."""
        if not self.gathers or not isinstance(exception, Exception):
            self.keep(exception)
        elif self.cause is None:
            self.cause = exception

    def end(self) -> None:
        """Tell the bars that follow the call its end."""
        if self.progress is not None or self.follows is not None:
            end(self.progress)
            end(self.follows)

    def run(self, function: Any, before: Sequence[Any] = (), after: Sequence[Any] = ()) -> Any:
        """Make a call whose callbacks on this thread report to this frame; return its result.

        `function` and the elements of `before` and `after` are steps, as for `_steps.run`. None is
        the result if the first step finds the context in use; then nothing has happened.
        """
        frames = _calls.frames
        enter, leave = Step(frames.append, self), _calls.leave
        if threading.get_ident() != _main_thread:  # signals interrupt only this thread
            steps = (*before, enter, function, leave, *after)
            return run_all(steps, len(before) + 1)
        hook = self._hook = sys.unraisablehook
        catch, restore = Step(_set_hook, self._caught), Step(_set_hook, hook)
        steps = (*before, enter, catch, function, restore, leave, *after)
        return run_all(steps, len(before) + 2)

    def _caught(self, lost: Any) -> None:
        """Keep an exception that no `try` could catch.

        Python may run a signal handler, such as that of Ctrl-C, before the first statement of a
        callback, outside its `try`. Then ctypes drops the exception, and the library gets an
        arbitrary status. The import still fails, because the library reports progress before it
        accepts an import.
        """
        is_of_callback = lost.object in _entries or "ctypes callback" in (lost.err_msg or "")
        is_of_signal = lost.exc_value is not self.reported
        # All threads share the hook, but signals interrupt only the main thread.
        if is_of_callback and is_of_signal and threading.get_ident() == _main_thread:
            self.exception = lost.exc_value
        else:
            self._hook(lost)


class _Calls(threading.local):
    """The calls into the library that are running on this thread, innermost last.

    A callback runs on the thread of its call.
    """

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.is_stopped: Callable[[], bool] | None = None
        self.leave = Step(self.frames.pop)


_calls = _Calls()


@contextmanager
def stopping(is_stopped: Callable[[], bool]) -> Iterator[None]:
    """Cancel the calls of this thread in the block once a function returns True.

    Unlike a request to cancel, it also ends a call that begins later, such as the next piece of an
    import.
    """
    _calls.is_stopped = is_stopped
    try:
        yield
    finally:
        _calls.is_stopped = None


_main_thread = threading.main_thread().ident
_set_hook = Step(setattr, sys, "unraisablehook")
_registered: dict[int, weakref.ref[Registered]] = {}
_numbers = itertools.count(1)
set_result = lib.call_set_result


class _Called(NamedTuple):
    """A registered function."""

    function: Any
    takes_call: bool

    @classmethod
    def of(cls, function: Function) -> _Called:
        """Find out whether a function takes a `Call` as its second argument."""
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):  # functions of C may have no signature
            return cls(function, False)
        by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        wanted = [one for one in parameters if one.kind in by_place and one.default is one.empty]
        return cls(function, len(wanted) == 2)


class Registered:
    """The functions of one registration, which registries and mappings keep alive.

    A native mapping never outlives the Python mapping that has these functions. So the library need
    not report when it no longer uses the number.
    """

    __slots__ = ("__weakref__", "_entry", "forward", "number", "reverse")

    def __init__(self, function: Function, reverse: Function | None = None) -> None:
        """Take the functions, and enter them under a new number.

        Args:
            function: The function, or the forward function of a value transformer.
            reverse: The reverse function of a value transformer, if it has one.

        """
        self.forward = _Called.of(function)
        self.reverse = None if reverse is None else _Called.of(reverse)
        self.number = next(_numbers)
        self._entry = Handle(_registered.pop, self.number, None)
        _registered[self.number] = weakref.ref(self)


def _failed(exception: BaseException) -> int:
    """Keep an exception for the running call."""
    if _calls.frames:
        _calls.frames[-1].keep(exception)
    return Status.CALLBACK_FAILED


def _transform(called: Any, value: bytes, call: Any) -> int:
    """Run a Python function between two JSON texts."""
    try:
        function, takes_call = called
        given = to_python(value)
        answer = _told(function, given, call) if takes_call else function(given)
        if answer is not None:
            set_result(call, to_text(answer), _ffi.NTS)
    except BaseException as exception:
        if _calls.frames:
            _calls.frames[-1].keep_of_record(exception)
        reason = f"{type(exception).__name__}: {exception}".encode("utf-8", "replace")
        lib.call_set_message(call, reason, _ffi.c_size_t(len(reason)))
        return Status.CALLBACK_FAILED
    return 0


def _told(function: Any, value: Any, call: Any) -> Any:
    """Run a function that takes a `Call` as its second argument."""
    about = Call(call)
    try:
        return function(value, about)
    finally:
        about._end()


def _forward(userdata: int, value: bytes, _: int, call: Any) -> int:
    """Run a forward function, a mapper or a dictionary transformer."""
    registered: Any = _registered[userdata]()
    return _transform(registered.forward, value, call)


def _forward_batch(userdata: int, values: bytes, _: int, call: Any) -> int:
    """Run a forward function on many values; a call of a look-ahead has no path."""
    registered: Any = _registered[userdata]()
    return _transform_batch(
        registered.forward, values, call, lambda: not _ffi.text_of(lib.call_path(call))
    )


def _reverse(userdata: int, value: bytes, _: int, call: Any) -> int:
    """Run the reverse function."""
    registered: Any = _registered[userdata]()
    return _transform(registered.reverse, value, call)


def _reverse_batch(userdata: int, values: bytes, _: int, call: Any) -> int:
    """Run the reverse function on many values; a look-ahead has more than one."""
    registered: Any = _registered[userdata]()
    return _transform_batch(registered.reverse, values, call, lambda: len(to_python(values)) > 1)


def _transform_batch(called: Any, values: bytes, call: Any, is_ahead: Callable[[], bool]) -> int:
    """Run a function on many values.

    The library ignores the failure of a look-ahead, and passes the values one at a time. So only an
    exception that no value may have, such as Ctrl-C, is kept.
    """
    frame = _calls.frames[-1] if _calls.frames else None
    if frame is None:
        return _transform(called, values, call)
    kept = frame.exception, frame.cause
    status = _transform(called, values, call)
    if status and is_ahead():
        if isinstance(frame.exception, Exception):
            frame.exception = kept[0]
        frame.cause = kept[1]
    return status


def _progress(is_of_context: int | None, reached: Any) -> int:
    """Report progress; in a long call this is also where Ctrl-C arrives."""
    try:
        if not _calls.frames:  # a short call
            return 0
        frame = _calls.frames[-1]
        if frame.exception is not None:
            return Status.CALLBACK_FAILED
        if _calls.is_stopped is not None and _calls.is_stopped():
            return Status.CANCELLED
        report = frame.follows if frame.progress is None or is_of_context else frame.progress
        if report is not None and report(_reached(reached.contents)) is False:
            return Status.CANCELLED
    except BaseException as exception:
        return _failed(exception)
    return 0


def _reached(at: Any) -> Progress:
    """Return the library's figures as a `Progress`."""
    operation = _ffi.OPERATIONS.get(at.operation, str(at.operation))
    return Progress(at.bytes, at.records, at.inserted, at.updated, at.unchanged, operation)


def _write(_: Any, data: Any, size: int) -> int:
    """Hand a piece of exported text on."""
    try:
        take = _calls.frames[-1].write
        if take is not None:
            take(data, size)
    except BaseException as exception:
        return _failed(exception)
    return 0


_entries = (_forward, _forward_batch, _reverse, _reverse_batch, _progress, _write)

# The C functions for the library. They live as long as the process.
forward = _ffi.TransformFunction(_forward)
forward_batch = _ffi.TransformFunction(_forward_batch)
reverse = _ffi.TransformFunction(_reverse)
reverse_batch = _ffi.TransformFunction(_reverse_batch)
progress = _ffi.ProgressFunction(_progress)
write = _ffi.WriteFunction(_write)
