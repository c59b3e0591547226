"""Synchronization: makes the objects of an entity equal to a JSON array.

The functions that take a `HasSession` are methods of `Context`.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from groot import _callbacks, _ffi
from groot._buffers import room
from groot._callbacks import Frame
from groot._ffi import byref, lib
from groot._importing import is_text, issue_limit, read, source_text
from groot._options import (
    FilePath,
    JSONText,
    Syncing,
    SyncKeywords,
    choice,
    flags,
    mapping_handle,
    pointer_text,
    policies_text,
    refusal,
)
from groot._reports import PendingReport
from groot._requests import predicate
from groot._session import HasSession, Session
from groot._text import encode_path
from groot.objects import Report, identifier_of
from groot.sequence import without_inserted

if TYPE_CHECKING:
    from typing_extensions import Unpack


def sync(
    self: HasSession,
    entity: str,
    data: list[Any] | tuple[Any, ...] | dict[str, Any] | JSONText,
    **options: Unpack[SyncKeywords],
) -> Report:
    """Make the objects of `entity` equal to a JSON array: insert, update and delete.

    Objects are found by their identity. Objects that are not listed are deleted by the delete rules
    of the model; an empty array deletes all. A listed object stays even if a cascade reaches it. If
    the call fails, the graph is unchanged.

    An entry without a usable identity is left out and becomes one of `report.issues`. In that case
    nothing is deleted, since any object that is not listed may be that entry's. `report.withheld`
    has the objects that stay for this reason.

    Args:
        entity: The entity of the objects, which needs an identity.
        data: A list, or the text of a JSON array. An entry may be an identifier. A single object
            counts as the only entry, and needs a usable identity.
        **options: Keywords, all optional:

            `insert`, `update`: Whether objects are inserted, and updated; True by default.

            `delete`: Whether objects that are not listed are deleted; True by default. "mark"
            instead sets the attribute that the annotation `groot.deletionMark` names.

            `members`: The same three options for objects nested in an entry under a to-many
            relationship, as in `{"delete": False}`. A missing key has the option of the entries.
            Members that are not listed leave the relationship in any case.

            `withhold`: Whether nothing is deleted while an entry has no usable identity; True by
            default.

            `where`: The scope, a predicate as for `fetch`. Only objects that meet it are deleted.

            `parent`: An object whose members of this entity are the scope. Inserted objects become
            its members.

            `root`, `form`, `policies`, `dry_run`, `changes`, `max_issues`, `progress`,
            `jansson_only`, `mapping`: As for `load`.

    Returns:
        The report, which has the objects of the entries in order as `objects`.

    Raises:
        groot.Error: As `load`, and for an entity without identity.
    """
    asked, has_text = Syncing(**options), is_text(data)
    return _sync(self._session, lib.sync_text, entity, source_text(data), asked, has_text=has_text)


def sync_file(
    self: HasSession, entity: str, path: FilePath, **options: Unpack[SyncKeywords]
) -> Report:
    """Synchronize with the JSON file at `path`, piece by piece; otherwise as `sync`.

    Args:
        entity: As for `sync`.
        path: The path of the file.
        **options: The keywords of `sync`.

    Returns:
        As `sync`.

    Raises:
        groot.Error: As `sync`. It is a `groot.FileError` if the file cannot be read.
    """
    asked = Syncing(**options)
    return _sync(self._session, lib.sync_file, entity, (encode_path(path),), asked)


def _sync(
    session: Session,
    function: Any,
    entity: str,
    source: tuple[Any, ...],
    asked: Syncing,
    *,
    has_text: bool = True,
) -> Report:
    if not isinstance(entity, str):
        raise refusal("entity", entity, "the name of an entity")
    report_text, _owner = room()
    options = _native(session, asked, report_text)
    arguments = (*source, byref(options))
    frame = Frame(progress=asked.progress, has_text=has_text)
    found = read(session, function, entity, arguments, frame)
    text = _ffi.bytes_of(report_text)
    report = PendingReport(session, text, asked.dry_run, has_text)()
    if asked.dry_run:
        found = without_inserted(found, report.changes)
    return dataclasses.replace(report, objects=found)


def _native(session: Session, asked: Syncing, report: Any) -> Any:
    """Return the library's form of the options, with the place for the report."""
    return _ffi.SyncOptions(
        flags=_flags(asked),
        progress=_callbacks.progress,
        max_issues=issue_limit(asked.max_issues),
        parent=0 if asked.parent is None else identifier_of(asked.parent, session),
        mapping=mapping_handle(asked.mapping),
        report=_ffi.pointer(report),
        where=predicate(asked.where),
        form=choice("form", asked.form, _ffi.FORMS),
        policies=policies_text(asked.policies),
        root_path=pointer_text(asked.root),
    )


def _flags(asked: Syncing) -> int:
    flag = _ffi.SYNC_FLAGS
    if asked.delete not in (True, False, "mark"):
        raise refusal("delete", asked.delete, "True, False or 'mark'")
    entries = {"insert": asked.insert, "update": asked.update, "delete": asked.delete}
    total = flags(
        {
            **{flag[name]: not is_done for name, is_done in entries.items()},
            flag["mark"]: asked.delete == "mark",
            flag["withhold"]: not asked.withhold,
            _ffi.JANSSON_ONLY: asked.jansson_only,
            _ffi.DRY_RUN: asked.dry_run,
            _ffi.CHANGES: asked.changes,
        }
    )
    if asked.members is None:
        return total
    if not isinstance(asked.members, dict) or not asked.members.keys() <= entries.keys():
        raise refusal("members", asked.members, "a dict with insert, update and delete")
    members = {**entries, **asked.members}  # a missing key has the option of the entries
    off = {flag[f"members_{name}"]: not is_done for name, is_done in members.items()}
    return total | flag["members"] | flags(off)
