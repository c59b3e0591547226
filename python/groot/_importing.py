"""Imports: JSON to objects."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from groot import _callbacks, _ffi
from groot._callbacks import Frame
from groot._ffi import byref, lib
from groot._json import encode
from groot._text import encode_path, encode_text, shorten
from groot.errors import Status, error
from groot.sequence import Objects, objects

if TYPE_CHECKING:
    from groot._session import Session
    from groot.objects import Object

_LIST = re.compile(rb"[ \t\r\n]*\[")
_PEEK = 4096


def load(
    session: Session, entity: str, data: Any, progress: _callbacks.Report | None
) -> Object | Objects:
    """Import a Python value or JSON text."""
    text, size = _text(data)
    is_list = isinstance(data, (list, tuple)) or _begins_list(text)
    found = _import(session, lib.import_text, entity, (text, size), progress)
    return found if is_list or len(found) != 1 else found[0]


def load_file(
    session: Session,
    entity: str,
    path: str | os.PathLike[str],
    progress: _callbacks.Report | None,
) -> Object | Objects:
    """Import a file."""
    name = encode_path(path)
    is_list = not os.path.isfile(name) or _file_begins_list(name)
    found = _import(session, lib.import_file, entity, (name,), progress)
    return found if is_list or len(found) != 1 else found[0]


def _import(
    session: Session,
    function: Any,
    entity: str,
    source: tuple[Any, ...],
    progress: _callbacks.Report | None,
) -> Objects:
    """Make the one call into the library."""
    name = encode_text(entity)
    options = _ffi.ImportOptions(_ffi.sizeof(_ffi.ImportOptions), 0, 0, _callbacks.progress)
    pointer = _ffi.ObjectsHandle()
    session._run(
        function,
        name,
        len(name),
        *source,
        byref(options),
        byref(pointer),
        frame=Frame(progress=progress),
    )
    return objects(session, pointer, entity)


def _text(data: Any) -> tuple[Any, int]:
    """Give what the library reads, and its size in bytes."""
    if isinstance(data, str):
        data = encode_text(data)
    elif isinstance(data, (bytearray, memoryview)):
        view = memoryview(data)
        if view.readonly or not view.contiguous or not view.nbytes:
            data = bytes(view)
        else:
            return _ffi.characters(view), view.nbytes
    elif not isinstance(data, bytes):
        if not isinstance(data, (dict, list, tuple)):
            message = f"{type(data).__name__} {shorten(data)} is neither a dict, a list nor text"
            raise error(Status.WRONG_SHAPE, message)
        data = encode(data)
    return data, len(data)


def _begins_list(text: Any) -> bool:
    """Tell a JSON array from a JSON object by its first character."""
    return _LIST.match(text) is not None


def _file_begins_list(name: bytes) -> bool:
    """As `_begins_list`; False for a file that cannot be read, which the import will tell."""
    try:
        with open(name, "rb") as file:
            piece = b" "
            while piece and not piece.lstrip(b" \t\r\n"):
                piece = file.read(_PEEK)
            return piece.lstrip(b" \t\r\n").startswith(b"[")
    except OSError:
        return False
