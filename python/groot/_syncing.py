"""Synchronization: objects become what JSON lists."""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Any

from groot import _callbacks, _fetching, _ffi
from groot._callbacks import Frame
from groot._exporting import identifier
from groot._ffi import byref, lib
from groot._importing import is_text, issue_limit, json_text, owning, read
from groot._jansson import take_text
from groot._options import Syncing, flags, mapping_handle, refusal
from groot._text import encode_path
from groot.report import Pending, Report
from groot.sequence import without_inserted

if TYPE_CHECKING:
    from groot._session import Session


def sync(session: Session, entity: str, data: Any, asked: Syncing) -> Report:
    """Synchronize with a Python value or JSON text."""
    return _sync(session, lib.sync_text, entity, json_text(data), asked, has_text=is_text(data))


def sync_file(
    session: Session, entity: str, path: str | os.PathLike[str], asked: Syncing
) -> Report:
    """Synchronize with a file."""
    return _sync(session, lib.sync_file, entity, (encode_path(path),), asked)


def _sync(
    session: Session,
    function: Any,
    entity: str,
    source: tuple[Any, ...],
    asked: Syncing,
    *,
    has_text: bool = True,
) -> Report:
    report_at = _ffi.JsonHandle()
    options = _native(session, asked, report_at)
    with owning(report_at, options.where):
        arguments = (*source, byref(options))
        frame = Frame(progress=asked.progress, has_text=has_text)
        found = read(session, function, entity, arguments, frame)
    report = Pending(session, take_text(report_at.value), asked.dry_run, has_text).get()
    if asked.dry_run:
        found = without_inserted(found, report.changes)
    return dataclasses.replace(report, objects=found)


def _native(session: Session, asked: Syncing, report: Any) -> Any:
    """Give what the library reads of options, with a place for the report."""
    return _ffi.SyncOptions(
        struct_size=_ffi.sizeof(_ffi.SyncOptions),
        flags=_flags(asked),
        progress=_callbacks.progress,
        max_issues=issue_limit(asked.max_issues),
        parent=0 if asked.parent is None else identifier(session, asked.parent),
        mapping=mapping_handle(asked.mapping),
        report=_ffi.pointer(report),
        where=_fetching.predicate(asked.where),
    )


def _flags(asked: Syncing) -> int:
    flag = _ffi.SYNC_FLAGS
    entries = {"insert": asked.insert, "update": asked.update, "delete": asked.delete}
    total = flags(
        {
            **{flag[name]: not is_done for name, is_done in entries.items()},
            flag["jansson_only"]: asked.jansson_only,
            flag["dry_run"]: asked.dry_run,
            flag["changes"]: asked.changes,
        }
    )
    if asked.members is None:
        return total
    if not isinstance(asked.members, dict) or not asked.members.keys() <= entries.keys():
        raise refusal("members", asked.members, "a dict with insert, update and delete")
    members = {**entries, **asked.members}  # what is not said of members is said of entries
    off = {flag[f"members_{name}"]: not is_done for name, is_done in members.items()}
    return total | flag["members"] | flags(off)
