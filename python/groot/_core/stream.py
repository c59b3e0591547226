"""Imports whose text comes in pieces."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter, methodcaller
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import ref

from groot import _ffi
from groot._core import callbacks
from groot._core.callbacks import Frame
from groot._core.handle import Handle, moving, room
from groot._core.input import MARK
from groot._core.options import Given
from groot._core.selection import Selection
from groot._core.session import Session
from groot._core.text import encode_name, encode_text, shorten
from groot._ffi import byref, lib
from groot._ffi.steps import Step
from groot.errors import Status, error
from groot.progress import watcher_of

if TYPE_CHECKING:
    from typing_extensions import Self


class Imported(NamedTuple):
    """The objects of an import, with the JSON text of its report."""

    objects: Selection
    report: bytes
    options: Given
    has_text: bool = True
    """Whether the data was a text, in which issues have lines and columns."""
    is_one: bool = False
    """Whether the data was one JSON object, and no option makes it one of several records."""


Make = Callable[[Imported], Any]
"""A function that makes the result of an import."""


def native(options: Given) -> Any:
    """Return the library's form of the options of an import."""
    return options.native(_ffi.ImportOptions(progress=callbacks.progress))


def frame_of(options: Given, has_text: bool = True) -> Frame:
    """Make the frame of an import."""
    gathers = options.get("errors", "abort") != "abort"
    return Frame(watcher_of(options.get("progress")), gathers=gathers, has_text=has_text)


def name_of(entity: str | None) -> bytes | None:
    """Return the library's form of an entity; NULL means a document of several."""
    return None if entity is None else encode_name(entity)


class Import:
    """The native import of a stream."""

    __slots__ = (
        "__weakref__",
        "_entity",
        "_frame",
        "_head",
        "_make",
        "_native",
        "_options",
        "_owner",
        "_pointer",
        "_report",
        "_report_owner",
        "_session",
        "result",
    )

    def __init__(
        self, session: Session, entity: Any, options: Given, make: Make, has_text: bool
    ) -> None:
        """Make an import that has not begun."""
        self.result: Any = None
        self._make = make
        self._session = session
        self._entity = session.named(entity)
        self._options = options
        # The library calls back until the end, and then writes the report.
        self._report, self._report_owner = room()
        self._native = native(options)
        self._native.report = _ffi.pointer(self._report)
        self._frame = frame_of(options, has_text)
        self._head: bytes | None = b""  # the possible start of a byte order mark; None after it
        self._pointer = _ffi.StreamHandle()
        # Clearing the list cancels the import. An empty list means that the import is over.
        self._owner = [Handle(lib.stream_cancel, self._pointer)]

    def begin(self) -> None:
        """Begin the import."""
        target, at = name_of(self._entity), byref(self._pointer)
        try:
            self._session.run(lib.stream_begin, target, byref(self._native), at)
        except BaseException:  # its traceback would keep the import
            self._owner.clear()
            raise

    @property
    def is_over(self) -> bool:
        """Whether the import was finished or cancelled."""
        return not self._owner

    def write(self, data: Any) -> None:
        """Take the next piece of the text."""
        if isinstance(data, str):
            data = encode_text(data)
        elif not isinstance(data, bytes):
            if not isinstance(data, (bytearray, memoryview)):
                message = f"{type(data).__name__} {shorten(data)} where str or bytes are expected"
                raise error(Status.WRONG_TYPE, message)
            data = bytes(data)
        if self._head is not None:
            data = self._head + data
            if len(data) < len(MARK) and MARK.startswith(data):
                self._head = data
                return
            self._head = None
            data = data.removeprefix(MARK)
        self._run(lib.stream_write, data, len(data))

    def finish(self) -> None:
        """End the text, and accept the import."""
        head, self._head = self._head, None
        if head:
            self._run(lib.stream_write, head, len(head))
        self._require_more()
        pointer = _ffi.ObjectsHandle()
        done = Handle(lib.objects_free, pointer)
        # The library frees the import in any case.
        subject, move = moving(self._pointer)
        more: dict[str, Any] = {"before": move, "after": (Step(self._owner.clear),)}
        try:
            self._session.run(
                lib.stream_finish, byref(pointer), frame=self._frame, subject=subject, **more
            )
        finally:
            self._frame.end()
        found = Selection.taken(self._session, done, self._entity)
        report = _ffi.bytes_of(self._report)
        imported = Imported(found, report, self._options, self._frame.has_text)
        self.result = self._make(imported)

    def cancel(self) -> None:
        """Cancel the import."""
        self._session.alone(Step(self._owner.clear))
        self._frame.end()

    def leave(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Finish, or cancel when an exception leaves the block."""
        if exception is not None:
            self.cancel()
        elif not self.is_over:
            self.finish()

    def _run(self, function: Any, *arguments: Any) -> None:
        """Make a call on the native import."""
        self._require_more()
        self._session.run(function, *arguments, frame=self._frame, subject=self._pointer)

    def _require_more(self) -> None:
        """Raise if the import is over or a call is running."""
        self._session.require_idle()
        if self.is_over:
            message = "the import is over: it was finished or cancelled; begin another"
            raise error(Status.INVALID_ARGUMENT, message)


class _Leaving(Step):
    """The function that a `with` statement calls at the end of its block: `_Leaving(import.leave)`.

    Only the statement holds it. If Ctrl-C comes at the start of the call, before any of its code
    runs, this object is freed, and that cancels the import.
    """

    __slots__ = ()

    __del__ = property(attrgetter("func.__self__._owner.clear"))


class _Method(property):
    """A method whose bound form is made by a C function."""

    def __call__(self, instance: Any, *arguments: Any) -> Any:
        """Call the method through the class, as `contextlib.ExitStack` does."""
        return self.__get__(instance)(*arguments)


class Stream:
    """An import as a context manager: an exception that leaves the block cancels it."""

    __slots__ = ("__weakref__", "_import", "_leave", "_self")

    def __init__(
        self,
        session: Session,
        entity: Any,
        options: Given,
        make: Make,
        *,
        has_text: bool = True,
    ) -> None:
        """Begin the import; issues have lines and columns only if it `has_text`."""
        self._import = Import(session, entity, options, make, has_text)
        self._self = ref(self)
        self._leave = Step(_Leaving, self._import.leave)
        self._import.begin()

    if TYPE_CHECKING:

        def __enter__(self) -> Self: ...

        def __exit__(
            self,
            kind: type[BaseException] | None,
            exception: BaseException | None,
            traceback: TracebackType | None,
        ) -> None: ...

    else:  # not functions of Python, at whose start Ctrl-C can come
        __enter__ = _Method(Step(Step, methodcaller("_self")))
        __exit__ = _Method(methodcaller("_leave"))

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: the native import exists once."""
        raise TypeError("an import cannot be copied or pickled; keep its text")
