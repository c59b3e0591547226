"""Calls of the library for imports."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from typing import IO, Any

from groot import _callbacks, _ffi
from groot._buffers import room
from groot._callbacks import Frame
from groot._ffi import byref, lib
from groot._handle import Handle
from groot._input import encode_input
from groot._options import (
    Loading,
    choice,
    flags,
    mapping_handle,
    number,
    pointer_text,
    policies_text,
)
from groot._reports import PendingReport
from groot._session import Session
from groot._text import MARK, encode_name, encode_path, encode_text, shorten
from groot.errors import Status, error
from groot.objects import Object, Report
from groot.sequence import Objects, objects, without_inserted

_LIST = re.compile(rb"[ \t\r\n]*\[")
_PEEK = 4096


def load(session: Session, entity: str | None, data: Any, asked: Loading) -> Any:
    """Import a Python value or JSON text."""
    source = source_text(data)
    is_list = isinstance(data, (list, tuple)) or _begins_list(source[0])
    found = _import(session, lib.import_text, entity, source, asked, has_text=is_text(data))
    return given(found, is_list, entity, asked)


def given(found: Objects, is_list: bool, entity: str | None, asked: Loading) -> Any:
    """Return the result of an import: the sequence, or the object of a single JSON object."""
    return found if is_list or _gives_list(entity, asked) else _single(found, asked)


def _gives_list(entity: str | None, asked: Loading) -> bool:
    """Whether an import gives a sequence even if the text is one JSON object."""
    is_elsewhere = asked.lines or asked.root is not None or asked.form != "array"
    return entity is None or is_elsewhere or asked.batch is not None


def load_file(
    session: Session, entity: str | None, path: str | os.PathLike[str], asked: Loading
) -> Any:
    """Import a file."""
    name = encode_path(path)
    is_list = not os.path.isfile(name) or _file_begins_list(name)
    found = _import(session, lib.import_file, entity, (name,), asked)
    return given(found, is_list, entity, asked)


def fill(session: Session, number: int, data: Any, asked: Loading) -> Report:
    """Set the attributes of an object."""
    frame = Frame(has_text=is_text(data))
    report, _owner = room()
    arguments = (number, *source_text(data), byref(native(asked, report)))
    session.run(lib.object_fill_text, *arguments, frame=frame)
    text = _ffi.bytes_of(report)
    return PendingReport(session, text, has_text=is_text(data))()


def _single(found: Objects, asked: Loading) -> Object | Objects | None:
    """Return the object of an import of one JSON object; the sequence or None without one."""
    if len(found) == 1:
        one = found[0]
        if found._report is not None:
            one._report = found._report
        return one
    is_missing = not asked.create and found.report is not None and not found.report.skipped
    return None if is_missing else found


def _import(
    session: Session,
    function: Any,
    entity: str | None,
    source: tuple[Any, ...],
    asked: Loading,
    *,
    has_text: bool = True,
) -> Objects:
    """Make the call into the library."""
    frame = Frame(asked.progress, gathers=asked.errors != "abort", has_text=has_text)
    report, _owner = room()
    arguments = (*source, byref(native(asked, report)))
    found = read(session, function, entity, arguments, frame)
    text = _ffi.bytes_of(report)
    return reported(session, found, text, asked, has_text)


def reported(
    session: Session, found: Objects, report: bytes, asked: Loading, has_text: bool = True
) -> Objects:
    """Return the objects of an import with its report."""
    pending = PendingReport(session, report, asked.dry_run, has_text)
    if asked.changes or asked.access or asked.dry_run:
        changes = pending().changes  # made now, before the objects change
        if asked.dry_run:
            found = without_inserted(found, changes)
    found._report = pending
    return found


def read(
    session: Session, function: Any, entity: str | None, arguments: tuple[Any, ...], frame: Frame
) -> Objects:
    """Call a function of the library that reads JSON into `entity` and gives objects."""
    pointer = _ffi.ObjectsHandle()
    found = Handle(lib.objects_free, pointer)
    session.run(function, entity_name(entity), *arguments, byref(pointer), frame=frame)
    return objects(session, found, entity)


def entity_name(entity: str | None) -> bytes | None:
    """Return the library's form of an entity; NULL means a document of several."""
    return None if entity is None else encode_name(entity)


def native(asked: Loading, report: Any) -> Any:
    """Return the library's form of the options, with the place for the report."""
    return _ffi.ImportOptions(
        flags=flags(
            {
                _ffi.JANSSON_ONLY: asked.jansson_only,
                _ffi.DRY_RUN: asked.dry_run,
                _ffi.CHANGES: asked.changes,
                _ffi.NO_CREATE: not asked.create,
                _ffi.ACCESS: asked.access,
                _ffi.LINES: asked.lines,
            }
        ),
        errors=choice("errors", asked.errors, _ffi.ERROR_MODES),
        progress=_callbacks.progress,
        max_issues=issue_limit(asked.max_issues),
        mapping=mapping_handle(asked.mapping),
        report=_ffi.pointer(report),
        root_path=pointer_text(asked.root),
        batch_size=number("batch", asked.batch, 1, 0),
        commits=choice("commits", asked.commits, _ffi.COMMITS),
        form=choice("form", asked.form, _ffi.FORMS),
        policies=policies_text(asked.policies),
    )


def issue_limit(given: float | None) -> int:
    """Return the library's form of a number of issues; None and infinity mean any number."""
    is_unlimited = given is None or given == math.inf
    return _ffi.UNLIMITED if is_unlimited else number("max_issues", given, 1, 0)


def is_text(data: Any) -> bool:
    """Whether data is JSON text, which has lines and columns."""
    return isinstance(data, (str, bytes, bytearray, memoryview))


def source_text(data: Any) -> tuple[Any, int]:
    """Return the text for the library, and its size in bytes."""
    if isinstance(data, str):
        data = encode_text(data).removeprefix(MARK)
    elif isinstance(data, bytes):
        data = data.removeprefix(MARK)
    elif isinstance(data, (bytearray, memoryview)):
        view = memoryview(data)
        is_plain = view.contiguous and view.nbytes and not view.readonly
        if not is_plain or bytes(view.cast("B")[: len(MARK)]) == MARK:
            data = bytes(view).removeprefix(MARK)
        else:
            return _ffi.characters(view), view.nbytes
    else:
        if not isinstance(data, (Mapping, list, tuple)):
            message = f"{type(data).__name__} {shorten(data)} is not a dict, a list or a text"
            raise error(Status.WRONG_SHAPE, message)
        data = encode_input(data)
    return data, len(data)


def _begins_list(text: Any) -> bool:
    """Tell a JSON array from a JSON object by its first character."""
    return _LIST.match(text) is not None


def _file_begins_list(name: bytes) -> bool:
    """As `rest_begins_list`; False for an unreadable file, whose error the import raises."""
    try:
        with open(name, "rb") as file:
            return rest_begins_list(file)
    except OSError:
        return False


def rest_begins_list(file: IO[bytes]) -> bool:
    """As `_begins_list`, for the rest of an open file."""
    piece = b" "
    while piece and not piece.lstrip(b" \t\r\n"):
        piece = file.read(_PEEK)
    return piece.lstrip(b" \t\r\n").startswith(b"[")
