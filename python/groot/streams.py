"""Imports whose text comes in pieces."""

from __future__ import annotations

from operator import attrgetter, methodcaller
from types import TracebackType
from typing import TYPE_CHECKING, Any
from weakref import ref

from groot import _ffi, _importing
from groot._buffers import room
from groot._callbacks import Frame
from groot._ffi import byref, lib
from groot._handle import Handle, moving
from groot._options import JSONText, Loading
from groot._session import Session
from groot._steps import Step
from groot._text import MARK, encode_text, shorten
from groot.errors import Status, error
from groot.sequence import Objects, objects

if TYPE_CHECKING:
    from typing_extensions import Self


class _Import:
    """The native import of a stream."""

    __slots__ = (
        "__weakref__",
        "_asked",
        "_entity",
        "_frame",
        "_has_text",
        "_head",
        "_options",
        "_owner",
        "_pointer",
        "_report",
        "_report_owner",
        "_session",
        "result",
    )

    def __init__(
        self, session: Session, entity: str | None, asked: Loading, has_text: bool
    ) -> None:
        """Make an import that has not begun."""
        self.result: Objects | None = None
        self._session = session
        self._entity = entity
        self._asked = asked
        # The library calls back until the end, and then writes the report.
        self._report, self._report_owner = room()
        self._options = _importing.native(asked, self._report)
        gathers = asked.errors != "abort"
        self._frame = Frame(progress=asked.progress, gathers=gathers, has_text=has_text)
        self._has_text = has_text
        self._head: bytes | None = b""  # the possible start of a byte order mark; None after it
        self._pointer = _ffi.StreamHandle()
        # Clearing the list cancels the import. An empty list means that the import is over.
        self._owner = [Handle(lib.stream_cancel, self._pointer)]

    def begin(self) -> None:
        """Begin the import."""
        target, at = _importing.entity_name(self._entity), byref(self._pointer)
        try:
            self._session.run(lib.stream_begin, target, byref(self._options), at)
        except BaseException:  # its traceback would keep the import
            self._owner.clear()
            raise

    @property
    def is_over(self) -> bool:
        """Whether the import was finished or cancelled."""
        return not self._owner

    def write(self, data: JSONText) -> None:
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

    def finish(self) -> Objects:
        """End the text, accept the import, and return its objects."""
        head, self._head = self._head, None
        if head:
            self._run(lib.stream_write, head, len(head))
        self._require_more()
        pointer = _ffi.ObjectsHandle()
        done = Handle(lib.objects_free, pointer)
        # The library frees the import in any case.
        subject, move = moving(self._pointer)
        more: dict[str, Any] = {"before": move, "after": (Step(self._owner.clear),)}
        self._session.run(
            lib.stream_finish, byref(pointer), frame=self._frame, subject=subject, **more
        )
        report = _ffi.bytes_of(self._report)
        found = objects(self._session, done, self._entity)
        self.result = _importing.reported(self._session, found, report, self._asked, self._has_text)
        return self.result

    def cancel(self) -> None:
        """Cancel the import."""
        self._session.alone(Step(self._owner.clear))

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


class ImportStream:
    """An import whose text comes in pieces of any size, begun by `Context.importing`.

    The result and the errors are those of an import of the whole text. The context is busy from the
    beginning to the end. As a context manager, the stream finishes at the end of the block. If an
    exception leaves the block, the import is cancelled and has changed nothing.
    """

    __slots__ = ("__weakref__", "_import", "_leave", "_self")

    def __init__(
        self, session: Session, entity: str | None, asked: Loading, *, has_text: bool = True
    ) -> None:
        """Begin the import; issues have lines and columns only if it `has_text`."""
        self._import = _Import(session, entity, asked, has_text)
        self._self = ref(self)
        self._leave = Step(_Leaving, self._import.leave)
        self._import.begin()

    @property
    def result(self) -> Objects | None:
        """The objects of the import, with their `report`; None until it is finished."""
        return self._import.result

    def write(self, data: JSONText) -> None:
        """Take the next piece of the text, which may end anywhere, even within a character.

        Args:
            data: The piece, as str or bytes.

        Raises:
            groot.Error: For invalid JSON, perhaps some pieces later, and after the import is over.
                The issues of wrong records are raised by `finish`, since invalid JSON is reported
                first.
        """
        self._import.write(data)

    def finish(self) -> Objects:
        """End the text, accept the import, and return its objects.

        Returns:
            The objects, with their `report`.

        Raises:
            groot.Error: As `Context.load`, and after the import is over.
        """
        return self._import.finish()

    def cancel(self) -> None:
        """Cancel the import, which has then changed nothing; nothing happens if it is over.

        Raises:
            groot.Error: With `Status.BUSY` while a call is running.
        """
        self._import.cancel()

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
