"""JSON text from Python values, and what is wrong with a value that is no JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from groot._text import shorten
from groot.errors import Error, Issue, Status

_DEPTH = 2048
_PATH = 200
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode(value: Any) -> bytes:
    """Write `value` as JSON text.

    Takes what `json.dumps` takes, without NaN and infinities; everything else, also a `datetime`,
    a `Decimal` or a `UUID`, raises `groot.Error`, which says where it is.
    """
    try:
        return _encoder.encode(value).encode()
    except (TypeError, ValueError, RecursionError) as cause:
        raise _no_json(value, str(cause)) from None


def _no_json(value: Any, reason: str) -> Error:
    """Find the first fault in `value`; when none is found, give the encoder's reason."""
    status, path, message = next(_faults(value), (Status.WRONG_TYPE, "$", reason))
    if len(path) > _PATH:
        path = f"{path[:_PATH]}..."
    return Error(status, (Issue(status, f"no JSON: {message}", path=path),))


def _faults(value: Any) -> Iterator[tuple[int, str, str]]:
    """Walk through `value` without recursion and yield what is no JSON in it."""
    pending: list[Iterator[tuple[str, Any]]] = [iter([("$", value)])]
    parents: list[int] = []
    while pending:
        entry = next(pending[-1], None)
        if entry is None:
            pending.pop()
            if parents:
                parents.pop()
            continue
        path, current = entry
        if isinstance(current, (dict, list, tuple)):
            if id(current) in parents:
                yield Status.WRONG_SHAPE, path, "a container that contains itself"
                return
            if len(parents) >= _DEPTH:
                yield Status.LIMIT_EXCEEDED, path, f"more than {_DEPTH} levels"
                return
            parents.append(id(current))
            pending.append(_members(path, current))
        else:
            yield from _scalar_faults(path, current)


def _members(path: str, container: Any) -> Iterator[tuple[str, Any]]:
    """Yield path and value of each member; a key that is none as a value at the container."""
    if not isinstance(container, dict):
        for index, value in enumerate(container):
            yield f"{path}[{index}]", value
        return
    for key, value in container.items():
        if isinstance(key, str):
            if not _is_unicode(key):
                yield path, key
            plain = key.isidentifier() and key.isascii()
            yield (f"{path}.{key}" if plain else f"{path}[{json.dumps(key)}]"), value
        elif key is None or isinstance(key, (bool, int, float)):
            yield f"{path}[{key!r}]", value
        else:
            yield path, _Key(key)


class _Key:
    """A key that JSON cannot have, standing among the values."""

    def __init__(self, key: Any) -> None:
        self.key = key

    def __repr__(self) -> str:
        return f"a key that is a {type(self.key).__name__}: {shorten(self.key)}"


def _scalar_faults(path: str, value: Any) -> Iterator[tuple[int, str, str]]:
    """Yield what is wrong with a value that contains no others."""
    if value is None or isinstance(value, (bool, int)):
        return
    if isinstance(value, str):
        if not _is_unicode(value):
            yield Status.INVALID_UTF8, path, f"a surrogate without its pair in {shorten(value)}"
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield Status.WRONG_TYPE, path, f"{value!r} is no JSON number"
    elif isinstance(value, _Key):
        yield Status.WRONG_TYPE, path, repr(value)
    else:
        yield Status.WRONG_TYPE, path, f"{type(value).__name__} {shorten(value)}"


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
