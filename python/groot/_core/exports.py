"""Calls of the library for exports."""

from __future__ import annotations

import contextlib
import os
from array import array
from collections.abc import Iterable
from typing import Any, Union

from groot import _ffi
from groot._core import callbacks
from groot._core.callbacks import Frame
from groot._core.handle import room
from groot._core.json import decode
from groot._core.options import Given, truth
from groot._core.references import Reference, foreign, identifier_of
from groot._core.selection import Selected
from groot._core.session import Session
from groot._core.text import encode_name, encode_path, refusal
from groot._ffi import byref, lib
from groot.errors import file_error

_PIECE = 1 << 20
_FEW = 64
"""The number of objects up to which calls for pieces would cost more than copying their text."""
_PATHS = (str, bytes, os.PathLike)
Exported = Union[Reference, Iterable[Any], None]


def values(session: Session, exported: Exported, options: Given) -> Any:
    """Return one object as a dict, several as a list of dicts, and None as the whole document."""
    truth("lines", options.get("lines"))
    is_text = exported is None or isinstance(exported, Reference)
    if is_text or options.get("form", "array") != "array":
        return decode(text(session, exported, options.having("lines", False)))
    return _read_lines(text(session, exported, options.having("lines", True)))


def _read_lines(text: str) -> list[Any]:
    """Read JSON values, one on each line.

    They are read piece by piece: Python's JSON reader ignores Ctrl-C until it has read its text.
    """
    values: list[Any] = []
    start = 0
    while start < len(text):
        end = text.find("\n", start + _PIECE)
        if end < 0:
            end = len(text) - 1
        piece = text[start:end].replace("\n", ",")
        values += decode(f"[{piece}]")
        start = end + 1
    return values


def text(session: Session, exported: Exported, options: Given) -> str:
    """Write one object as a JSON object, several as an array, and None as the whole document."""
    memory = _ffi.GrowingText if _ffi.can_grow() else _ffi.GrowingBytes
    written = _into(memory, session, exported, options)
    return written if isinstance(written, str) else written.decode()


def data(session: Session, exported: Exported, options: Given) -> bytes:
    """Write as `text` does, as bytes of UTF-8, which are not copied once they are whole."""
    written = _into(_ffi.GrowingBytes, session, exported, options)
    return written if isinstance(written, bytes) else written.encode()


def _into(memory: Any, session: Session, exported: Any, options: Given) -> str | bytes:
    """Write one object or a few as a text that is copied, others into memory that grows."""
    if isinstance(exported, Reference):
        return _at_once(session, exported, options)
    if exported is not None:
        exported = _Ids(session, exported)
        if exported.arguments[1] <= _FEW:
            return _at_once(session, exported, options)
    made = memory()
    try:
        _in_pieces(session, exported, made, options)
        written: str | bytes = made.value()
        return written
    finally:
        made.release()


def _at_once(session: Session, exported: Any, options: Given) -> str:
    """Write one object or a few as a text that is then copied."""
    buffer, _owner = room()
    asked = _native(options)
    if isinstance(exported, _Ids):
        session.run(lib.export_objects_text, *exported.arguments, asked, byref(buffer))
    else:
        one = identifier_of(exported, session)
        session.run(lib.export_object_text, one, asked, byref(buffer))
    return _ffi.text_of(buffer)


def to_file(session: Session, exported: Exported, target: Any, options: Given) -> None:
    """Write to a path, or to a file object with a `write` for bytes."""
    if isinstance(exported, _PATHS):
        expected = "an object, or several; they come before the path: dump_file(objects, path)"
        raise refusal("exported", exported, expected)
    if not hasattr(target, "write"):
        encode_path(target, "target")
    if isinstance(exported, Reference):
        written = data(session, exported, options)
        if hasattr(target, "write"):
            target.write(written)
        else:
            _to_path(written, encode_path(target))
        return
    _in_pieces(session, exported, target, options)


def _in_pieces(session: Session, exported: Any, target: Any, options: Given) -> None:
    """Write several objects, or None as the whole document, to a path or a file object."""
    if exported is None:
        document(session, target, options)
        return
    ids = exported if isinstance(exported, _Ids) else _Ids(session, exported)
    asked = *ids.arguments, _native(options)
    _write(session, lib.export_objects_write, lib.export_objects_file, asked, target)


def document(session: Session, target: Any, options: Given) -> int:
    """Write all objects at the roots of the mapping, and return their number."""
    count = _ffi.c_size_t()
    asked = (_native(options, count),)
    _write(session, lib.export_document_write, lib.export_document_file, asked, target)
    written: int = count.value
    return written


def fetched(
    session: Session, entity: Any, target: Any, parts: dict[str, Any], options: Given
) -> int:
    """Write the result of a fetch, or the whole document, and return the number of objects."""
    if entity is None:
        for name, part in parts.items():
            if part is not None:
                raise refusal(name, part, "None; an export without an entity writes all objects")
        return document(session, target, options)
    count = _ffi.c_size_t()
    about = session.about(entity)
    asked = encode_name(about.entity), about.request(**parts), _native(options, count)
    _write(session, lib.export_fetch_write, lib.export_fetch_file, asked, target)
    written: int = count.value
    return written


def _write(
    session: Session, to_sink: Any, to_file: Any, arguments: tuple[Any, ...], target: Any
) -> None:
    """Export to a file object with a `write` for bytes, to the file at a path, or to memory."""
    if isinstance(target, (_ffi.GrowingBytes, _ffi.GrowingText)):
        session.run(to_sink, *arguments, callbacks.write, None, frame=Frame(write=target.add))
    elif hasattr(target, "write"):
        write = target.write
        frame = Frame(write=lambda data, size: write(data[:size]))
        session.run(to_sink, *arguments, callbacks.write, None, frame=frame)
    else:
        session.run(to_file, *arguments, encode_path(target, "target"))


def _native(options: Given, count: Any = None) -> Any:
    """Return the library's form of the options; None if all are defaults.

    The library writes the number of objects to `count`.
    """
    if not options.values and count is None:
        return None
    struct = _ffi.ExportOptions(count=None if count is None else _ffi.pointer(count))
    return byref(options.native(struct))


def _to_path(exported: bytes, path: bytes) -> None:
    """Write a file that appears, or is replaced, only when it is complete."""
    import tempfile  # noqa: PLC0415 (it imports random numbers and archives)

    try:
        # Not NamedTemporaryFile: Ctrl-C would be lost in its `__del__`, which is Python code.
        descriptor, name = tempfile.mkstemp(dir=os.path.dirname(path) or b".")
        try:
            with open(descriptor, "wb") as file:
                file.write(exported)
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as cause:
        raise file_error(path.decode(errors="replace"), "written", cause) from cause


class _Ids:
    """An array of the numbers of objects, which lives as long as this."""

    __slots__ = ("_block", "arguments")

    def __init__(self, session: Session, exported: Any) -> None:
        """Use the library's array of the numbers, or copy them."""
        if isinstance(exported, Selected):
            selection = exported._selection
            if selection.session is not session:
                raise foreign(exported)
            address, count, self._block = selection.block()
            self.arguments = address, count
        elif isinstance(exported, Iterable) and not isinstance(exported, _PATHS):
            block = array("Q", [identifier_of(one, session) for one in exported])
            self._block = block
            self.arguments = block.buffer_info()
        else:
            expected = 'an object, or several, such as context.fetch("Hero")'
            raise refusal("exported", exported, expected)
