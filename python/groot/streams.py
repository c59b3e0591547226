"""Imports whose text comes in pieces."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from groot import _ffi, _importing
from groot._callbacks import Frame
from groot._ffi import byref, lib
from groot._handle import Handle
from groot._options import JSONText, Loading
from groot._session import Session
from groot._text import MARK, encode_text, shorten
from groot.errors import Status, error
from groot.sequence import Objects, objects


class ImportStream:
    """An import whose text comes in pieces of any size, as `Context.importing` begins it.

    Results and errors are those of the whole text. From the beginning to the end the context is
    busy. As a context manager it finishes at the end of the block, and gives the import up, with
    nothing done, when an exception leaves the block.
    """

    __slots__ = (
        "_asked",
        "_entity",
        "_frame",
        "_handle",
        "_has_text",
        "_head",
        "_options",
        "_report",
        "_session",
        "result",
    )

    def __init__(
        self, session: Session, entity: str | None, asked: Loading, *, has_text: bool = True
    ) -> None:
        """Begin the import; lines and columns mean something when it `has_text`."""
        self.result: Objects | None = None
        """The objects of the import, with their `report`, once it is finished."""
        self._session = session
        self._entity = entity
        self._asked = asked
        # The library calls back until the end, and then writes the report.
        self._report = _ffi.Text()
        self._options = _importing.native(asked, self._report)
        gathers = asked.errors != "abort"
        self._frame = Frame(progress=asked.progress, gathers=gathers, has_text=has_text)
        self._has_text = has_text
        self._head: bytes | None = b""  # what may be the beginning of a mark; None behind that
        pointer = _ffi.StreamHandle()
        target = _importing.entity_name(entity)
        session.run(lib.stream_begin, target, byref(self._options), byref(pointer))
        self._handle = Handle(pointer, lib.stream_cancel)

    def write(self, data: JSONText) -> None:
        """Take the next piece of the text, which may end anywhere, also inside of a character.

        Raises `groot.Error` for what is no JSON, perhaps some pieces later. A record that is wrong
        is raised by `finish`, since text that is no JSON is called that first.
        """
        if isinstance(data, str):
            data = encode_text(data)
        elif not isinstance(data, bytes):
            if not isinstance(data, (bytearray, memoryview)):
                message = f"{type(data).__name__} {shorten(data)} is no piece of a text"
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
        """End the text, accept what was imported, and give its objects."""
        head, self._head = self._head, None
        if head:
            self._run(lib.stream_write, head, len(head))
        objects_at = _ffi.ObjectsHandle()

        def finish(*arguments: Any) -> Any:
            self._handle.give_up()  # it is freed whatever comes
            return lib.stream_finish(*arguments)

        try:
            self._run(finish, byref(objects_at))
            report = _ffi.bytes_of(self._report)
        except BaseException:  # it may have come when all was done already
            lib.objects_free(objects_at)
            raise
        finally:
            lib.buffer_free(byref(self._report))
        found = objects(self._session, objects_at, self._entity)
        self.result = _importing.reported(self._session, found, report, self._asked, self._has_text)
        return self.result

    def cancel(self) -> None:
        """Give the import up: nothing has happened. Does nothing when it is over."""
        with self._session.idle():
            self._handle.close()

    def __enter__(self) -> ImportStream:
        """Finish at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Finish, or give up when an exception leaves the block."""
        if exception is not None:
            self.cancel()
        elif self._handle.pointer is not None:
            self.finish()

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: there is one native import."""
        raise TypeError("an import cannot be copied or pickled; keep its text")

    def _run(self, function: Any, *arguments: Any) -> None:
        """Make a call on the native import."""
        self._session.run(function, *arguments, frame=self._frame, subject=self._handle)
