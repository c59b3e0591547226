"""Python functions that the library calls, and the exceptions that come out of them.

The library gets the same few C functions for every registration; `userdata` is a number, by which
the Python functions are found. Registries and mappings own these, so that a function that refers
to its own context forms a circle that Python's garbage collector sees.
"""

from __future__ import annotations

import inspect
import itertools
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Union

from groot import _ffi
from groot._exchange import to_python, to_text
from groot._ffi import lib
from groot._handle import Handle
from groot._steps import Step, run_all
from groot.calls import Call
from groot.errors import Status

Function = Union[Callable[[Any], Any], Callable[[Any, Call], Any]]


class Progress(NamedTuple):
    """How far a call is that takes long."""

    bytes: int
    """Bytes of text read or written; 0 when there is no text."""
    records: int
    """Records imported, objects written or looked at; 0 while a store is at work on its own."""
    inserted: int
    """Of an import: objects inserted."""
    updated: int
    """Of an import: objects found and changed."""
    unchanged: int
    """Of an import: objects found that had all values already."""
    operation: str = "import"
    """What is being done: "import", "export", "fetch", "save", "refresh" or "migrate".

    Imports are synchronizations and `fill`, too, and fetches are counts, distinct values and
    aggregates.
    """


Watcher = Callable[[Progress], Any]
"""A function that is called with the progress of a call; False ends the call."""


class Frame:
    """One call into the library: the needs of its callbacks and the errors they leave behind."""

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
        write: Callable[[bytes], Any] | None = None,
        gathers: bool = False,
        has_text: bool = True,
    ) -> None:
        """Begin without a failure.

        When the call `gathers` what is wrong with records, an exception that a transformer or
        mapper raises is one of those things, and does not end the call. Lines and columns mean
        something when it `has_text`.
        """
        self.exception: BaseException | None = None
        """The exception that comes out of the call."""
        self.cause: Exception | None = None
        """The first exception that was gathered."""
        self.progress = progress
        self.follows: Watcher | None = None
        """The progress function of the context, for calls without one of their own."""
        self.write = write
        self.gathers = gathers
        self.has_text = has_text
        self.reported: BaseException | None = None
        """The exception of a function without a call that could raise it; for the hook alone."""

    def keep(self, exception: BaseException) -> None:
        """Keep an exception for the end of the call."""
        if self.exception is None:
            self.exception = exception

    def keep_of_record(self, exception: BaseException) -> None:
        """Keep an exception of a function that was given a part of a record."""
        if not self.gathers or not isinstance(exception, Exception):
            self.keep(exception)
        elif self.cause is None:
            self.cause = exception

    def run(self, function: Any, before: Sequence[Any] = (), after: Sequence[Any] = ()) -> Any:
        """Make a call, to which the callbacks of this thread report here; give what it gives.

        `function` and what is done `before` and `after` are steps, as for `_steps.run`. Gives None
        when the first one cannot be done, and then does nothing.
        """
        frames = _calls.frames
        enter, leave = Step(frames.append, self), _calls.leave
        if threading.get_ident() != _main_thread:  # the only one that signals interrupt
            steps = (*before, enter, function, leave, *after)
            return run_all(steps, len(before) + 1)
        hook = self._hook = sys.unraisablehook
        catch, restore = Step(_set_hook, self._caught), Step(_set_hook, hook)
        steps = (*before, enter, catch, function, restore, leave, *after)
        return run_all(steps, len(before) + 2)

    def _caught(self, lost: Any) -> None:
        """Keep an exception that no handler could catch.

        Python runs the handler of a signal, Ctrl-C most of all, when a function begins. That is
        before the first statement of a callback, outside its `try`. ctypes then drops the
        exception, and the library gets an arbitrary status. The import ends, because progress is
        reported before it is made good.
        """
        is_of_callback = lost.object in _entries or "ctypes callback" in (lost.err_msg or "")
        is_of_signal = lost.exc_value is not self.reported
        # The hook is that of all threads, of which no other is interrupted.
        if is_of_callback and is_of_signal and threading.get_ident() == _main_thread:
            self.exception = lost.exc_value
        else:
            self._hook(lost)


class _Calls(threading.local):
    """The calls into the library under way on this thread, innermost last.

    Callbacks run on the thread of the call that leads to them.
    """

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.leave = Step(self.frames.pop)


_calls = _Calls()
_main_thread = threading.main_thread().ident
_set_hook = Step(setattr, sys, "unraisablehook")
_registered: dict[int, weakref.ref[Registered]] = {}
_numbers = itertools.count(1)
set_result = lib.call_set_result


class _Called(NamedTuple):
    """A function that was registered."""

    function: Any
    takes_call: bool

    @classmethod
    def of(cls, function: Function) -> _Called:
        """Look whether a function wants to know what it is called for."""
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):  # functions of C need not say what they take
            return cls(function, False)
        by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        wanted = [one for one in parameters if one.kind in by_place and one.default is one.empty]
        return cls(function, len(wanted) == 2)


class Registered:
    """The functions of one registration; registries and mappings hold it as long as it is of use.

    A mapping of the library never outlives the Python mapping that holds these. So the library need
    not tell when it is done with the number.
    """

    __slots__ = ("__weakref__", "_entry", "forward", "number", "reverse")

    def __init__(self, function: Function, reverse: Function | None = None) -> None:
        """Take the functions, and have the library's calls find them.

        Args:
            function: The function registered first; of a value transformer, its forward function.
            reverse: The reverse function of a value transformer, if it has one.

        """
        self.forward = _Called.of(function)
        self.reverse = None if reverse is None else _Called.of(reverse)
        self.number = next(_numbers)
        self._entry = Handle(_registered.pop, self.number, None)
        _registered[self.number] = weakref.ref(self)


def _failed(exception: BaseException) -> int:
    """Keep an exception for the call under way."""
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
    """Run a function that wants to know what it is called for."""
    about = Call(call)
    try:
        return function(value, about)
    finally:
        about._end()


def _forward(userdata: int, value: bytes, _: int, call: Any) -> int:
    """Run the function that was registered first; also mappers and dictionary transformers."""
    registered: Any = _registered[userdata]()
    return _transform(registered.forward, value, call)


def _reverse(userdata: int, value: bytes, _: int, call: Any) -> int:
    """Run the reverse function."""
    registered: Any = _registered[userdata]()
    return _transform(registered.reverse, value, call)


def _progress(is_of_context: int | None, reached: Any) -> int:
    """Report progress; also where Ctrl-C reaches a long call."""
    try:
        if not _calls.frames:  # a short call
            return 0
        frame = _calls.frames[-1]
        if frame.exception is not None:
            return Status.CALLBACK_FAILED
        report = frame.follows if frame.progress is None or is_of_context else frame.progress
        if report is not None and report(_reached(reached.contents)) is False:
            return Status.CANCELLED
    except BaseException as exception:
        return _failed(exception)
    return 0


def _reached(at: Any) -> Progress:
    """Give what the library tells of a call."""
    operation = _ffi.OPERATIONS.get(at.operation, str(at.operation))
    return Progress(at.bytes, at.records, at.inserted, at.updated, at.unchanged, operation)


def _write(_: Any, data: Any, size: int) -> int:
    """Hand a piece of exported text on."""
    try:
        take = _calls.frames[-1].write
        if take is not None:
            take(data[:size])
    except BaseException as exception:
        return _failed(exception)
    return 0


_entries = (_forward, _reverse, _progress, _write)

# The functions that the library gets. They live as long as the process.
forward = _ffi.TransformFunction(_forward)
reverse = _ffi.TransformFunction(_reverse)
progress = _ffi.ProgressFunction(_progress)
write = _ffi.WriteFunction(_write)
