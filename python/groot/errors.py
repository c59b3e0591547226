"""Errors: a status and its issues."""

from __future__ import annotations

import enum
import errno
import os
from dataclasses import dataclass, replace
from typing import Any

from groot import _ffi
from groot._core.handle import Handle
from groot._ffi import byref, lib


class Status(enum.IntEnum):
    """The kind of failure, by the same number as in C and Swift."""

    INVALID_ARGUMENT = 1
    BUSY = 2
    UNSUPPORTED = 3
    CANCELLED = 4
    LIMIT_EXCEEDED = 5
    FILE_ERROR = 6
    OUT_OF_MEMORY = 7
    INVALID_JSON = 20
    INVALID_UTF8 = 21
    INVALID_MODEL = 40
    INVALID_MAPPING = 41
    UNKNOWN_ENTITY = 42
    UNKNOWN_PROPERTY = 43
    UNKNOWN_TRANSFORMER = 44
    ABSTRACT_ENTITY = 45
    WRONG_SHAPE = 60
    WRONG_TYPE = 61
    OUT_OF_RANGE = 62
    MISSING_VALUE = 63
    MAPPER_FAILED = 64
    TRANSFORM_FAILED = 65
    UNKNOWN_IDENTIFIER = 66
    UNKNOWN_KEY = 67
    IDENTITY_CONFLICT = 68
    TOO_FEW = 80
    TOO_MANY = 81
    TOO_LARGE = 82
    TOO_SMALL = 83
    TOO_LONG = 84
    TOO_SHORT = 85
    PATTERN_MISMATCH = 86
    UNLISTED_VALUE = 87
    OBJECT_DELETED = 100
    UNKNOWN_OBJECT = 101
    DELETE_DENIED = 102
    TOO_MANY_DELETIONS = 103
    CALLBACK_FAILED = 120
    STORE_INVALID = 140
    STORE_TOO_NEW = 141
    STORE_MODEL = 142
    STORE_READ_ONLY = 143
    STORE_FULL = 144
    STORE_LOCKED = 145
    STORE_CONFLICT = 146
    STORE_DUPLICATE = 147
    STORE_FAILED = 148
    STORE_DISCONNECTED = 149
    STORE_VALUE_INVALID = 150


@dataclass(frozen=True)
class Issue:
    """One problem: its kind, its location, and the entity and the property concerned."""

    status: int
    """The kind of failure, a `Status`."""
    message: str
    """The problem in words, with the value that was found and the expected one."""
    severity: int = 2
    """1 for a warning, 2 for an error."""
    path: str | None = None
    """The path in the JSON, such as `$.powers[2].id`."""
    entity: str | None = None
    """The entity concerned."""
    property: str | None = None
    """The property concerned."""
    line: int | None = None
    """The line in the text, from 1."""
    column: int | None = None
    """The column in that line in characters, from 1."""
    offset: int | None = None
    """The byte offset in the text, from 0."""

    def __str__(self) -> str:
        """Write the issue on one line, with its location."""
        subject = ".".join(part for part in (self.entity, self.property) if part)
        location = [self.path] if self.path else []
        if self.line:
            location.append(f"line {self.line}")
            if self.column:
                location.append(f"column {self.column}")
        text = f"{subject}: {self.message}" if subject else self.message
        return f"{text} - at {', '.join(location)}" if location else text


class Error(Exception):
    """The failure of a call. `str(error)` has all issues, one a line."""

    code: int
    """The status: a `Status`, or an int from a library that is newer than this package."""
    issues: tuple[Issue, ...]
    """The issues in the order in which they were found; at least one."""

    def __init__(self, code: int, issues: tuple[Issue, ...]) -> None:
        """Make an error of a status and its issues.

        Args:
            code: The status.
            issues: The issues; at least one.
        """
        super().__init__(code, issues)
        self.code = known_status(code)
        self.issues = issues

    @property
    def name(self) -> str:
        """The status in words, such as "invalid JSON"."""
        words: bytes = lib.status_name(self.code)
        return words.decode()

    def __str__(self) -> str:
        """Write all issues, one a line."""
        return "\n".join(map(str, self.issues))


class FileError(Error, OSError):
    """The failure to read or write a file; `errno` is the system's reason, or None."""

    def __init__(self, code: int, issues: tuple[Issue, ...]) -> None:
        """Make an error of a status and its issues.

        Args:
            code: The status.
            issues: The issues; at least one.
        """
        super().__init__(code, issues)
        self.errno = _errno_of(issues[0].message)
        self.strerror = None if self.errno is None else os.strerror(self.errno)

    def __reduce__(self) -> Any:
        """Pickle the status and the issues; OSError would add arguments to them."""
        return type(self), (self.code, self.issues)


class MissingFileError(FileError, FileNotFoundError):
    """The failure to open a file that is missing; `errno` is always ENOENT."""

    def __init__(self, code: int, issues: tuple[Issue, ...]) -> None:
        """Make an error of a status and its issues.

        Args:
            code: The status.
            issues: The issues; at least one.
        """
        super().__init__(code, issues)
        self.errno = errno.ENOENT
        self.strerror = os.strerror(errno.ENOENT)


def _errno_of(message: str) -> int | None:
    """Return the number of the system error whose text ends a message; None without one."""
    reason = message.rpartition(": ")[2]
    return next((number for number in errno.errorcode if os.strerror(number) == reason), None)


def made_of(status: int, issues: tuple[Issue, ...]) -> Error:
    """Make the error of a status, as an instance of the class for that status."""
    if status != Status.FILE_ERROR or not issues:
        return Error(status, issues)
    is_missing = _errno_of(issues[0].message) == errno.ENOENT
    return (MissingFileError if is_missing else FileError)(status, issues)


def known_status(code: int) -> int:
    """Return the `Status` of a number, or the number itself if it is unknown."""
    try:
        return Status(code)
    except ValueError:
        return code


def error(
    status: int, message: str, entity: str | None = None, property: str | None = None
) -> Error:
    """Make an error that Python found, not the library."""
    return made_of(status, (Issue(status, message, entity=entity, property=property),))


def file_error(path: str | os.PathLike[str], action: str, cause: OSError) -> Error:
    """Make the error for a file that cannot be read or written.

    Args:
        path: The path of the file.
        action: "read" or "written".
        cause: The system's error.

    Returns:
        A `FileError`, for the caller to raise.
    """
    return error(Status.FILE_ERROR, f"{os.fspath(path)} cannot be {action}: {cause.strerror}")


def failure(status: int, handle: Any, has_text: bool = True) -> Error:
    """Make the error that a failed call left in `handle`, and free the handle.

    The issues have lines and columns only if the data `has_text`.
    """
    if not handle:
        words: bytes = lib.status_name(status)
        return error(status, words.decode())
    owned = Handle(lib.error_free, handle)
    issues = []
    for index in range(lib.error_issue_count(owned.pointer)):
        found = _ffi.Issue()
        if not lib.error_issue(owned.pointer, index, byref(found)):
            issues.append(_issue(found) if has_text else without_location(_issue(found)))
    return made_of(status, tuple(issues))


def add_location(exception: BaseException | None, found: Error) -> None:
    """Add the place in the JSON to the exception of a registered function.

    The library's error becomes the cause of the exception, unless it already has one.
    """
    if isinstance(exception, Exception) and exception.__cause__ is None and found.issues[0].path:
        exception.__cause__ = found


def note_place(exception: BaseException | None, found: Error) -> None:
    """Add a note to the exception of a registered function: the place that it was called for."""
    failed = (one for one in found.issues if one.status == Status.CALLBACK_FAILED and one.path)
    issue = next(failed, None)
    if issue is None or not isinstance(exception, Exception):
        return
    subject = ".".join(part for part in (issue.entity, issue.property) if part)
    line = f", line {issue.line}" if issue.line else ""
    note = f"called for {subject or 'a record'} at {issue.path}{line}"
    notes = getattr(exception, "__notes__", [])
    if note not in notes:  # the same exception may be raised several times
        exception.__notes__ = [*notes, note]


def _issue(found: Any) -> Issue:
    """Copy an issue; an absent field becomes None."""
    return Issue(
        status=known_status(found.status),
        message=_ffi.text_of(found.message),
        severity=found.severity,
        path=_ffi.text_of(found.path) or None,
        entity=_ffi.text_of(found.entity) or None,
        property=_ffi.text_of(found.property) or None,
        line=found.line or None,
        column=found.column or None,
        offset=None if found.offset < 0 else found.offset,
    )


def without_location(issue: Issue) -> Issue:
    """Return the issue without line, column and offset."""
    return replace(issue, line=None, column=None, offset=None)


def issue_of(given: dict[str, Any]) -> Issue:
    """Make an issue from the library's JSON for it; an absent field becomes None."""
    return Issue(
        status=known_status(given["status"]),
        message=given["message"],
        severity=given["severity"],
        **{name: given[name] or None for name in ("path", "entity", "property", "line", "column")},
        offset=None if given["offset"] < 0 else given["offset"],
    )


def call(function: Any, *arguments: Any) -> None:
    """Call a library function whose last parameter is the error; raise if it fails."""
    handle = _ffi.ErrorHandle()
    status = function(*arguments, byref(handle))
    if status:
        raise failure(status, handle)
