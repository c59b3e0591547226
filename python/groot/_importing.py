"""Imports: JSON to objects."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping as Dictionary
from typing import TYPE_CHECKING, Any, NamedTuple

from groot import _callbacks, _ffi
from groot._callbacks import Frame
from groot._ffi import byref, lib
from groot._jansson import release, take_text, to_json
from groot._json import encode
from groot._text import encode_path, encode_text, shorten
from groot.errors import Status, error
from groot.report import Pending
from groot.sequence import Objects, objects, without

if TYPE_CHECKING:
    from groot._session import Session
    from groot.objects import Object

_LIST = re.compile(rb"[ \t\r\n]*\[")
_PEEK = 4096
_MOST = 2**31 - 1


class Options(NamedTuple):
    """What an import was asked for."""

    errors: str
    dry_run: bool
    max_issues: int | None
    changes: bool
    policies: Dictionary[str, str] | None
    progress: _callbacks.Watcher | None
    jansson_only: bool


def load(session: Session, entity: str, data: Any, asked: Options) -> Object | Objects:
    """Import a Python value or JSON text."""
    text, size = _text(data)
    is_list = isinstance(data, (list, tuple)) or _begins_list(text)
    found = _import(session, lib.import_text, entity, (text, size), asked)
    return found if is_list else _single(found)


def load_file(
    session: Session, entity: str, path: str | os.PathLike[str], asked: Options
) -> Object | Objects:
    """Import a file."""
    name = encode_path(path)
    is_list = not os.path.isfile(name) or _file_begins_list(name)
    found = _import(session, lib.import_file, entity, (name,), asked)
    return found if is_list else _single(found)


def _single(found: Objects) -> Object | Objects:
    """Give the object that an import of one gave, if it gave one."""
    if len(found) != 1:
        return found
    one = found[0]
    if found._report is not None:
        one._report = found._report
    return one


def _import(
    session: Session, function: Any, entity: str, source: tuple[Any, ...], asked: Options
) -> Objects:
    """Make the one call into the library."""
    name = encode_text(entity)
    objects_at, report_at = _ffi.ObjectsHandle(), _ffi.JsonHandle()
    options = _native(asked, report_at)
    frame = Frame(progress=asked.progress, gathers=asked.errors != "abort")
    arguments = (*source, byref(options), byref(objects_at))
    try:
        session._run(function, name, len(name), *arguments, frame=frame)
    except BaseException:  # it may have come when the import was made already
        lib.objects_free(objects_at)
        release(report_at.value)
        raise
    finally:
        release(options.policies)
    found = objects(session, objects_at, entity)
    pending = Pending(session, take_text(report_at.value), asked.dry_run)
    if asked.changes or asked.dry_run:
        changes = pending.get().changes  # with the objects of this moment
        if asked.dry_run:
            found = without(found, {one.id for one in changes if one.change == "inserted"})
    found._report = pending
    return found


def _native(asked: Options, report: Any) -> Any:
    """Give what the library reads of options, with a place for the report."""
    mode = _ffi.ERROR_MODES.get(asked.errors)
    if mode is None:
        message = f"errors is {shorten(asked.errors)}, not one of {', '.join(_ffi.ERROR_MODES)}"
        raise error(Status.INVALID_ARGUMENT, message)
    limit = asked.max_issues
    if limit is None:
        limit = 0
    elif isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        message = f"max_issues is {shorten(limit)}, not a number from 1"
        raise error(Status.INVALID_ARGUMENT, message)
    flags = _ffi.JANSSON_ONLY if asked.jansson_only else 0
    flags |= _ffi.DRY_RUN if asked.dry_run else 0
    flags |= _ffi.CHANGES if asked.changes else 0
    policies = to_json(dict(asked.policies)) if asked.policies else None
    return _ffi.ImportOptions(
        struct_size=_ffi.sizeof(_ffi.ImportOptions),
        flags=flags,
        errors=mode,
        progress=_callbacks.progress,
        max_issues=min(limit, _MOST),
        policies=policies,
        report=_ffi.pointer(report),
    )


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
