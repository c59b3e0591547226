"""Imports and synchronizations: the calls of the library that read JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any
from weakref import ref

from groot import _ffi
from groot._core import callbacks
from groot._core.handle import Handle, room
from groot._core.input import (
    MARK,
    begins_list,
    file_begins_list,
    is_marked,
    is_text,
    lines,
    looks_like_path,
    mistaken,
    rest_begins_list,
    source_text,
)
from groot._core.options import Given
from groot._core.selection import Selection
from groot._core.session import Session
from groot._core.stream import Imported, Stream, frame_of, name_of, native
from groot._core.text import encode_path
from groot._ffi import byref, lib
from groot.errors import Error, Status
from groot.progress import expect

_PIECE = 1 << 16


def load(session: Session, entity: Any, data: Any, options: Given) -> Imported:
    """Import a value, a text, a file object, or the records of an iterator."""
    entity = session.named(entity)
    if callable(getattr(data, "read", None)):
        return _load_pieces(session, entity, _pieces(data), options)
    if isinstance(data, Iterator):
        records = options.having("lines", True)
        return _load_pieces(session, entity, lines(data), records, has_text=False)
    source = source_text(data, "load_file")
    is_list = isinstance(data, (list, tuple)) or begins_list(source[0])
    asked = native(options)
    try:
        found = _read(session, lib.import_text, entity, source, asked, options, is_text(data))
    except Error as wrong:
        _advise(data, wrong, "load_file")
        raise
    return found._replace(is_one=not is_list and _may_be_one(entity, options))


def load_file(session: Session, entity: Any, path: Any, options: Given) -> Imported:
    """Import a file. Python reads a file with a byte order mark, which the library refuses."""
    entity = session.named(entity)
    name = encode_path(path)
    if options.get("batch") is None and os.path.isfile(name) and is_marked(name):
        with open(name, "rb") as file:
            file.seek(len(MARK))
            is_list = rest_begins_list(file)
            file.seek(0)
            imported = _load_pieces(session, entity, _pieces(file), options)
    else:
        is_list = not os.path.isfile(name) or file_begins_list(name)
        asked = native(options)
        imported = _read(session, lib.import_file, entity, (name,), asked, options)
    return imported._replace(is_one=not is_list and _may_be_one(entity, options))


def _read(
    session: Session,
    function: Any,
    entity: str | None,
    source: tuple[Any, ...],
    asked: Any,
    options: Given,
    has_text: bool = True,
) -> Imported:
    """Call a function of the library that reads JSON, and return its objects and its report."""
    report, _owner = room()
    asked.report = _ffi.pointer(report)
    pointer = _ffi.ObjectsHandle()
    found = Handle(lib.objects_free, pointer)
    arguments = name_of(entity), *source, byref(asked), byref(pointer)
    frame = frame_of(options, has_text)
    for watcher in (frame.progress, session.progress):
        if watcher is not None:
            expect(watcher, _size(source))
    session.run(function, *arguments, frame=frame)
    objects = Selection.taken(session, found, entity)
    return Imported(objects, _ffi.bytes_of(report), options, has_text)


def _size(source: tuple[Any, ...]) -> int | None:
    """Return the number of bytes of a text, or of the file at a path; None if it is unknown."""
    if len(source) > 1:
        size: int = source[1]
        return size
    try:
        return os.path.getsize(source[0])
    except OSError:
        return None


def _may_be_one(entity: str | None, options: Given) -> bool:
    """Whether the import of one JSON object gives an object, and not a sequence."""
    is_elsewhere = options.get("lines") or options.get("root") is not None
    is_array = options.get("form", "array") == "array" and options.get("batch") is None
    return entity is not None and is_array and not is_elsewhere


def _load_pieces(
    session: Session,
    entity: str | None,
    pieces: Iterator[Any],
    options: Given,
    *,
    has_text: bool = True,
) -> Imported:
    """Write all pieces to an import; an exception of their iterator cancels it."""
    with Stream(session, entity, options, _unchanged, has_text=has_text) as stream:
        session.read_with(ref(stream._import))
        for piece in pieces:
            stream._import.write(piece)
    imported: Imported = stream._import.result
    return imported


def _unchanged(imported: Imported) -> Imported:
    return imported


def _pieces(file: Any) -> Iterator[Any]:
    """Read a file object, of bytes or of text, to its end."""
    while piece := file.read(_PIECE):
        yield piece


def fill(session: Session, identifier: int, data: Any, options: Given) -> Imported:
    """Set the attributes of an object."""
    report, _owner = room()
    frame = frame_of(options, has_text=is_text(data))
    asked = native(options)
    asked.report = _ffi.pointer(report)
    arguments = identifier, *source_text(data, "json.load"), byref(asked)
    session.run(lib.object_fill_text, *arguments, frame=frame)
    filled = Selection.of_numbers(session, [identifier])
    return Imported(filled, _ffi.bytes_of(report), options, frame.has_text)


def sync(session: Session, entity: Any, data: Any, options: Given) -> Imported:
    """Synchronize with a value or a text."""
    source, has_text = source_text(data, "sync_file"), is_text(data)
    try:
        return _sync(session, lib.sync_text, entity, source, options, has_text=has_text)
    except Error as wrong:
        _advise(data, wrong, "sync_file")
        raise


def _advise(data: Any, wrong: Error, file_call: str) -> None:
    """Raise an error with the right call if the data was probably the path of a file."""
    if wrong.code == Status.INVALID_JSON and looks_like_path(data):
        raise mistaken(data, wrong, file_call) from None


def sync_file(session: Session, entity: Any, path: Any, options: Given) -> Imported:
    """Synchronize with a file."""
    return _sync(session, lib.sync_file, entity, (encode_path(path),), options)


def _sync(
    session: Session,
    function: Any,
    entity: Any,
    source: tuple[Any, ...],
    options: Given,
    *,
    has_text: bool = True,
) -> Imported:
    entity = session.required(entity)
    asked = options.native(_ffi.SyncOptions(progress=callbacks.progress), session)
    return _read(session, function, entity, source, asked, options, has_text)
