"""Calls of the library for exports."""

from __future__ import annotations

import contextlib
import os
import tempfile
from array import array
from collections.abc import Iterable
from typing import Any, Union

from groot import _callbacks, _ffi
from groot._buffers import room
from groot._callbacks import Frame
from groot._ffi import byref, lib
from groot._json import encode
from groot._options import Dumping, choice, flags, mapping_handle, names, number, refusal
from groot._requests import request
from groot._session import Session
from groot._text import encode_name, encode_path, file_error
from groot.objects import Object, foreign, identifier_of, no_object
from groot.sequence import Objects

Exported = Union[Object, Iterable[Object], None]
_NOTHING = Dumping()


def text(session: Session, exported: Exported, asked: Dumping) -> str:
    """Write one object as a JSON object, several as an array, and None as the whole document."""
    options = _native(asked)
    buffer, _owner = room()
    if exported is None:
        session.run(lib.export_document_text, options, byref(buffer))
    elif isinstance(exported, Object):
        one = identifier_of(exported, session)
        session.run(lib.export_object_text, one, options, byref(buffer))
    else:
        ids = _Ids(session, exported)
        session.run(lib.export_text, *ids.arguments, options, byref(buffer))
    return _ffi.text_of(buffer)


def to_file(session: Session, exported: Exported, target: Any, asked: Dumping) -> None:
    """Write to a path, or to a file object with a `write` for bytes."""
    if isinstance(exported, Object):
        written = text(session, exported, asked)
        if hasattr(target, "write"):
            target.write(written.encode())
        else:
            _to_path(written, encode_path(target))
        return
    if exported is None:
        document(session, target, asked)
        return
    ids = _Ids(session, exported)
    options = _native(asked)
    _write(session, lib.export_write, lib.export_file, (*ids.arguments, options), target)


def document(session: Session, target: Any, asked: Dumping) -> int:
    """Write all objects at the roots of the mapping, and return their number."""
    count = _ffi.c_size_t()
    options = (_native(asked, count),)
    _write(session, lib.export_document_write, lib.export_document_file, options, target)
    written: int = count.value
    return written


def fetched(
    session: Session, entity: str | None, target: Any, parts: dict[str, Any], asked: Dumping
) -> int:
    """Write the result of a fetch, or the whole document, and return the number of objects."""
    if entity is None:
        for name, part in parts.items():
            if part is not None:
                raise refusal(name, part, "None; an export without an entity writes all objects")
        return document(session, target, asked)
    count = _ffi.c_size_t()
    asked_for = encode_name(entity), request(**parts), _native(asked, count)
    _write(session, lib.export_fetch_write, lib.export_fetch_file, asked_for, target)
    written: int = count.value
    return written


def _write(
    session: Session, to_sink: Any, to_file: Any, arguments: tuple[Any, ...], target: Any
) -> None:
    """Export to a file object with a `write` for bytes, or to the file at a path."""
    if hasattr(target, "write"):
        sink = _callbacks.write, None
        session.run(to_sink, *arguments, *sink, frame=Frame(write=target.write))
    else:
        session.run(to_file, *arguments, encode_path(target))


def _native(asked: Dumping, count: Any = None) -> Any:
    """Return the library's form of the options; None if all are defaults.

    The library writes the number of objects to `count`.
    """
    if asked == _NOTHING and count is None:
        return None
    dates = None
    if asked.dates is not None:
        if not isinstance(asked.dates, str) or "\0" in asked.dates:
            raise refusal("dates", asked.dates, "a pattern")
        dates = encode_name(asked.dates)
    options = _ffi.ExportOptions(
        flags=flags(
            {
                _ffi.DEPTH: asked.depth is not None,
                _ffi.TO_MANY: asked.to_many,
                _ffi.SUBOBJECTS: asked.subobjects,
                _ffi.LINES: asked.lines,
            }
        ),
        depth=number("depth", asked.depth, 0, 0),
        relationships=_choice("relationships", asked.relationships, _ffi.RELATIONSHIPS),
        inflection=_choice("inflection", asked.inflection, _ffi.INFLECTIONS),
        form=choice("form", asked.form, _ffi.FORMS),
        nulls=_choice("nulls", asked.nulls, _ffi.NULLS),
        properties=_names("properties", asked.properties),
        exclude=_names("exclude", asked.exclude),
        dates=dates,
        mapping=mapping_handle(asked.mapping),
        count=None if count is None else _ffi.pointer(count),
    )
    return byref(options)


def _choice(name: str, value: Any, choices: dict[str, int]) -> int:
    return 0 if value is None else choice(name, value, choices)


def _names(name: str, value: Any) -> bytes | None:
    given = names(name, value)
    return None if given is None else encode(given)


def _to_path(exported: str, path: bytes) -> None:
    """Write a file that appears, or is replaced, only when it is complete."""
    try:
        # Not NamedTemporaryFile: Ctrl-C would be lost in its `__del__`, which is Python code.
        descriptor, name = tempfile.mkstemp(dir=os.path.dirname(path) or b".")
        try:
            with open(descriptor, "wb") as file:
                file.write(exported.encode())
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

    def __init__(self, session: Session, exported: Iterable[Object]) -> None:
        """Use the library's array of the numbers, or copy them."""
        if isinstance(exported, Objects):
            selection = exported._selection
            if selection.session is not session:
                raise foreign(exported)
            address, count, self._block = selection.block()
            self.arguments = address, count
        elif isinstance(exported, Iterable):
            block = array("Q", [identifier_of(one, session) for one in exported])
            self._block = block
            self.arguments = block.buffer_info()
        else:
            raise no_object(exported)
