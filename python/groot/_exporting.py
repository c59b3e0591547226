"""Exports: objects to JSON."""

from __future__ import annotations

import contextlib
import os
import tempfile
from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from groot import _callbacks, _ffi
from groot._callbacks import Frame
from groot._ffi import byref, lib
from groot._jansson import release, to_json
from groot._text import encode_path, file_error, shorten
from groot.errors import Status, error
from groot.objects import Object
from groot.sequence import Objects, address_of

if TYPE_CHECKING:
    from groot._session import Session

Exported = Union[Object, Iterable[Object]]
_DEEPEST = 2**31 - 1


class Options(NamedTuple):
    """What an export was asked for."""

    properties: Iterable[str] | None
    depth: int | None


def text(session: Session, exported: Exported, asked: Options) -> str:
    """Write one object as a JSON object, several as an array."""
    buffer = _ffi.Text()
    with _native(asked) as options:
        if isinstance(exported, Object):
            number = identifier(session, exported)
            session._run(lib.export_object_text, number, options, byref(buffer))
        else:
            ids = _Ids(session, exported)
            session._run(lib.export_text, *ids.arguments, options, byref(buffer))
    try:
        return _ffi.text_of(buffer)
    finally:
        lib.buffer_free(byref(buffer))


def to_file(session: Session, exported: Exported, target: Any, asked: Options) -> None:
    """Write to a path, or to something that has a `write` for bytes."""
    if isinstance(exported, Object):
        written = text(session, exported, asked)
        if hasattr(target, "write"):
            target.write(written.encode())
        else:
            _to_path(written, encode_path(target))
        return
    ids = _Ids(session, exported)
    with _native(asked) as options:
        if hasattr(target, "write"):
            frame = Frame(write=target.write)
            callback = _callbacks.write, None
            session._run(lib.export_write, *ids.arguments, options, *callback, frame=frame)
        else:
            session._run(lib.export_file, *ids.arguments, options, encode_path(target))


@contextlib.contextmanager
def _native(asked: Options) -> Iterator[Any]:
    """Give what the library reads of options; None when nothing was asked for."""
    properties, depth = asked
    if properties is None and depth is None:
        yield None
        return
    if depth is None:
        depth = -1
    elif isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise error(Status.INVALID_ARGUMENT, f"depth is {shorten(depth)}, not a number from 0")
    names = None if properties is None else to_json(_names(properties))
    try:
        size = _ffi.sizeof(_ffi.ExportOptions)
        yield byref(_ffi.ExportOptions(size, 0, min(depth, _DEEPEST), names))
    finally:
        release(names)


def _names(properties: Any) -> list[Any]:
    if isinstance(properties, (str, bytes)) or not isinstance(properties, Iterable):
        message = f"properties is {shorten(properties)}, not a list of names"
        raise error(Status.INVALID_ARGUMENT, message)
    return list(properties)


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
