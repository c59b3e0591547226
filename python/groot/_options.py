"""The options of calls: the keywords of `Context`'s methods, and the library's form of them.

The keywords are declared twice: in a `TypedDict` for type checkers, and with their defaults in a
`NamedTuple` for the call. A test compares the two.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from collections.abc import Mapping as Dictionary
from typing import Any, Literal, NamedTuple, TypedDict, Union

from groot import _ffi
from groot._callbacks import Watcher
from groot._callbacks import progress as progress_function
from groot._json import encode
from groot._log import Log, Writer
from groot._log import write as log_function
from groot._requests import Where
from groot._text import encode_name, encode_path, shorten
from groot.errors import Error, Status, error
from groot.mapping import Mapping
from groot.objects import Object

JSONText = Union[str, bytes, bytearray, memoryview]
FilePath = Union[str, "os.PathLike[str]"]
Errors = Literal["abort", "collect", "skip"]
Commits = Literal["whole", "each"]
Form = Literal["array", "keyed", "grouped"]
Nulls = Literal["write", "omit"]
Policies = Dictionary[str, str]
Members = Dictionary[Literal["insert", "update", "delete"], bool]
Relationships = Literal["none", "array", "nested"]
Inflection = Literal["snake", "camel"]

_MOST = 2**31 - 1
_NO_WAIT = -1


class _Keywords(TypedDict, total=False):
    """The keywords of all calls that read many objects."""

    max_issues: float | None
    changes: bool
    progress: Watcher | None
    jansson_only: bool
    mapping: Mapping | None
    policies: Policies | None


class _LoadKeywords(_Keywords, total=False):
    """The keywords of `load` that do not change the type of its result."""

    access: bool


class LoadKeywords(_LoadKeywords, total=False):
    """The keywords of `load` with which one JSON object gives one object."""

    errors: Literal["abort", "collect"]


class AnyLoadKeywords(_LoadKeywords, total=False):
    """All keywords of `load`."""

    errors: Errors
    dry_run: bool
    create: bool
    lines: bool
    root: str | None
    form: Form
    batch: int | None
    commits: Commits


class Loading(NamedTuple):
    """The options of an import or a fill."""

    errors: str = "abort"
    dry_run: bool = False
    create: bool = True
    max_issues: float | None = 100
    changes: bool = False
    access: bool = False
    policies: Policies | None = None
    progress: Watcher | None = None
    jansson_only: bool = False
    mapping: Mapping | None = None
    lines: bool = False
    root: str | None = None
    form: str = "array"
    batch: int | None = None
    commits: str = "whole"


class SyncKeywords(_Keywords, total=False):
    """The keywords of `sync`."""

    insert: bool
    update: bool
    delete: bool | Literal["mark"]
    withhold: bool
    members: Members | None
    where: Where | None
    parent: Object | None
    root: str | None
    form: Form
    dry_run: bool


class Syncing(NamedTuple):
    """The options of a synchronization."""

    insert: bool = True
    update: bool = True
    delete: bool | Literal["mark"] = True
    withhold: bool = True
    members: Members | None = None
    where: Where | None = None
    parent: Object | None = None
    root: str | None = None
    form: str = "array"
    dry_run: bool = False
    max_issues: float | None = 100
    changes: bool = False
    policies: Policies | None = None
    progress: Watcher | None = None
    jansson_only: bool = False
    mapping: Mapping | None = None


class PlainDumpKeywords(TypedDict, total=False):
    """The keywords of `dump` that do not change the type of its result."""

    properties: Iterable[str] | None
    depth: int | None
    relationships: Relationships | None
    inflection: Inflection | None
    exclude: Iterable[str] | None
    dates: str | None
    nulls: Nulls | None
    to_many: bool
    subobjects: bool
    mapping: Mapping | None
    lines: bool


class DumpKeywords(PlainDumpKeywords, total=False):
    """All keywords of `dump`."""

    form: Form


class Dumping(NamedTuple):
    """The options of an export."""

    properties: Iterable[str] | None = None
    depth: int | None = None
    relationships: str | None = None
    inflection: str | None = None
    exclude: Iterable[str] | None = None
    dates: str | None = None
    nulls: str | None = None
    form: str = "array"
    to_many: bool = False
    subobjects: bool = False
    mapping: Mapping | None = None
    lines: bool = False


def refusal(name: str, value: Any, expected: str) -> Error:
    """Make the error for an invalid value of a keyword."""
    return error(Status.INVALID_ARGUMENT, f"{name} is {shorten(value)}, not {expected}")


def memory_limit_in_bytes(limit: int | None) -> int:
    """Check a memory limit, and return 0 for None."""
    if limit is None:
        return 0
    if not isinstance(limit, int) or not 0 < limit < 1 << 64:
        raise refusal("memory_limit", limit, "a number of bytes from 1, or None")
    return limit


def flags(asked: Dictionary[int, Any]) -> int:
    """Return the sum of the flags that are set."""
    return sum(flag for flag, is_asked in asked.items() if is_asked)


def choice(name: str, value: Any, choices: Dictionary[str, int]) -> int:
    """Look up the number of a choice by name."""
    if not isinstance(value, str) or value not in choices:
        raise refusal(name, value, f"one of {', '.join(choices)}")
    return choices[value]


def number(name: str, value: Any, least: int, default: int) -> int:
    """Check that a number is at least `least`, and return `default` for None."""
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise refusal(name, value, f"a number from {least}")
    return min(value, _MOST)


def function(name: str, value: Any) -> Any:
    """Check that a value is a function or None."""
    if value is not None and not callable(value):
        raise refusal(name, value, "a function")
    return value


def log_to(writer: Writer | None) -> Log | None:
    """Make the log of a store; None without a writer."""
    if writer is None:
        return None
    if not callable(writer) and not hasattr(writer, "isEnabledFor"):
        raise refusal("log", writer, "a function or a logger")
    return Log(writer)


def names(name: str, value: Any) -> list[Any] | None:
    """Return names as a list; None for None."""
    if value is None:
        return None
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise refusal(name, value, "a list of names")
    return list(value)


def store_options(
    durability: Any,
    conflicts: Any,
    busy_timeout: float,
    create: bool,
    migrate: Any,
    backup: FilePath | None,
    triggers: bool,
    views: bool,
    log: Log | None,
) -> Any:
    """Return the library's form of the options of a store."""
    milliseconds = round(busy_timeout * 1000)
    if milliseconds < 0:
        raise refusal("busy_timeout", busy_timeout, "a number of seconds from 0")
    flag = _ffi.STORE_FLAGS
    if migrate not in (True, False, "destructive"):
        raise refusal("migrate", migrate, "True, False or 'destructive'")
    options = _ffi.StoreOptions(
        flags=flags(
            {
                flag["no_create"]: not create,
                flag["no_migrate"]: not migrate,
                flag["destructive"]: migrate == "destructive",
                flag["triggers"]: triggers,
                flag["views"]: views,
            }
        ),
        durability=choice("durability", durability, _ffi.DURABILITIES),
        conflicts=choice("conflicts", conflicts, _ffi.CONFLICTS),
        busy_timeout=min(milliseconds, _MOST) or _NO_WAIT,
        backup=None if backup is None else encode_path(backup),
        progress=progress_function,
    )
    if log is not None:
        options.log, options.log_userdata = log_function, log.number
        options.log_level = log.level
    return _ffi.byref(options)


def pointer_text(root: Any) -> bytes | None:
    """Return the library's form of a JSON Pointer; None for None."""
    if root is None:
        return None
    if not isinstance(root, str) or "\0" in root:
        raise refusal("root", root, "a JSON Pointer such as /data/items")
    return encode_name(root)


def policies_text(policies: Policies | None) -> bytes | None:
    """Return the library's form of policies; None without any."""
    return encode(dict(policies)) if policies else None


def mapping_handle(mapping: Any) -> Any:
    """Return the native mapping; None for None."""
    if mapping is None:
        return None
    if not isinstance(mapping, Mapping):
        raise refusal("mapping", mapping, "a groot.Mapping")
    return mapping._handle.pointer
