"""Exports: objects to JSON."""

from __future__ import annotations

import contextlib
import os
import tempfile
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Union

from groot import _callbacks, _ffi
from groot._callbacks import Frame
from groot._ffi import byref, lib
from groot._text import encode_path, file_error, shorten
from groot.errors import Status, error
from groot.objects import Object
from groot.sequence import Objects, address_of

if TYPE_CHECKING:
    from groot._session import Session

Exported = Union[Object, Iterable[Object]]


def text(session: Session, exported: Exported) -> str:
    """Write one object as a JSON object, several as an array."""
    buffer = _ffi.Text()
    if isinstance(exported, Object):
        number = identifier(session, exported)
        session._run(lib.export_object_text, number, None, byref(buffer))
    else:
        ids = _Ids(session, exported)
        session._run(lib.export_text, *ids.arguments, None, byref(buffer))
    try:
        return _ffi.text_of(buffer)
    finally:
        lib.buffer_free(byref(buffer))


def to_file(session: Session, exported: Exported, target: Any) -> None:
    """Write to a path, or to something that has a `write` for bytes."""
    if hasattr(target, "write"):
        _to_writer(session, exported, target.write)
    elif isinstance(exported, Object):
        _to_path(text(session, exported), encode_path(target))
    else:
        ids = _Ids(session, exported)
        session._run(lib.export_file, *ids.arguments, None, encode_path(target))


def _to_writer(session: Session, exported: Exported, write: Any) -> None:
    if isinstance(exported, Object):
        write(text(session, exported).encode())
        return
    ids = _Ids(session, exported)
    frame = Frame(write=write)
    session._run(lib.export_write, *ids.arguments, None, _callbacks.write, None, frame=frame)


def _to_path(exported: str, path: bytes) -> None:
    """Write a file that appears, or is replaced, only when it is complete."""
    try:
        with tempfile.NamedTemporaryFile(dir=os.path.dirname(path) or b".", delete=False) as file:
            try:
                file.write(exported.encode())
                file.close()
                os.replace(file.name, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(file.name)
                raise
    except OSError as cause:
        raise file_error(path.decode(errors="replace"), "written", cause) from cause


class _Ids:
    """The numbers of objects in one piece, for as long as this lives."""

    __slots__ = ("_block", "arguments")

    def __init__(self, session: Session, exported: Iterable[Object]) -> None:
        """Take the numbers as they lie in the library, or copy them."""
        if isinstance(exported, Objects):
            if exported._session is not session:
                raise _foreign(exported)
            piece = address_of(exported)
            if piece is not None:
                self._block: Any = exported
                self.arguments = piece
                return
            self._block = array("Q", exported._ids())
        elif isinstance(exported, Iterable):
            self._block = array("Q", [identifier(session, one) for one in exported])
        else:
            raise _no_object(exported)
        self.arguments = self._block.buffer_info()


def identifier(session: Session, exported: Any) -> int:
    """Give the number of an object of this context."""
    if not isinstance(exported, Object):
        raise _no_object(exported)
    if exported._session is not session:
        raise _foreign(exported)
    return exported._id


def _no_object(found: Any) -> Exception:
    message = f"{type(found).__name__} {shorten(found)} where objects of a context are expected"
    return error(Status.INVALID_ARGUMENT, message)


def _foreign(found: Any) -> Exception:
    return error(Status.INVALID_ARGUMENT, f"{shorten(found)} belongs to another context")
