"""Imports from file objects and iterators, which give their text or records piece by piece."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from weakref import ref

from groot import _importing
from groot._input import encode_input
from groot._options import Loading
from groot._session import Session
from groot._text import MARK, encode_path
from groot.errors import Error
from groot.streams import ImportStream

_PIECE = 1 << 16


def load(session: Session, entity: str | None, data: Any, asked: Loading) -> Any:
    """Import a value, a text, a file object, or the records of an iterator."""
    if callable(getattr(data, "read", None)):
        return _import(session, entity, asked, _pieces(data))
    if isinstance(data, Iterator):
        lines = asked._replace(lines=True)
        return _import(session, entity, lines, _lines(data), has_text=False)
    return _importing.load(session, entity, data, asked)


def load_file(session: Session, entity: str | None, path: Any, asked: Loading) -> Any:
    """Import a file. Python reads a file with a byte order mark, which the library refuses."""
    name = encode_path(path)
    if asked.batch is not None or not os.path.isfile(name) or not _is_marked(name):
        return _importing.load_file(session, entity, path, asked)
    with open(name, "rb") as file:
        file.seek(len(MARK))
        is_list = _importing.rest_begins_list(file)
        file.seek(0)
        found = _import(session, entity, asked, _pieces(file))
    return _importing.given(found, is_list, entity, asked)


def _is_marked(name: bytes) -> bool:
    """Whether a file begins with a byte order mark; False for an unreadable file."""
    try:
        with open(name, "rb") as file:
            return file.read(len(MARK)) == MARK
    except OSError:
        return False


def _import(
    session: Session,
    entity: str | None,
    asked: Loading,
    pieces: Iterator[Any],
    *,
    has_text: bool = True,
) -> Any:
    """Write all pieces to an import; an exception of their iterator cancels it."""
    with ImportStream(session, entity, asked, has_text=has_text) as stream:
        session.read_with(ref(stream._import))
        for piece in pieces:
            stream.write(piece)
    return stream.result


def _pieces(file: Any) -> Iterator[Any]:
    """Read a file object, of bytes or of text, to its end."""
    while piece := file.read(_PIECE):
        yield piece


def _lines(records: Iterator[Any]) -> Iterator[bytes]:
    """Write each record as a line of JSON."""
    for index, record in enumerate(records):
        try:
            line = encode_input(record)
        except Error as wrong:
            raise _at(wrong, index) from None
        yield line + b"\n"


def _at(wrong: Error, index: int) -> Error:
    """Return an error of one record with paths that begin with the number of the record."""
    issues = tuple(
        replace(one, path=f"$[{index}]{(one.path or '$').removeprefix('$')}")
        for one in wrong.issues
    )
    return Error(wrong.code, issues)
