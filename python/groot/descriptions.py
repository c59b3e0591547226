"""Descriptions of stores, which need no mapping."""

from __future__ import annotations

import os
from typing import Any

from groot import _ffi
from groot._core import text as texts
from groot._core.handle import room
from groot._core.json import decode
from groot._ffi import byref, lib
from groot.errors import call

__all__ = ["describe_store", "is_store_url"]


def describe_store(path: str | os.PathLike[str], *, counts: bool = False) -> dict[str, Any]:
    """Read the facts about a store, which is not changed.

        groot.describe_store("heroes.sqlite")["model"]["entities"]

    Args:
        path: The path of the file, or the URL of a database of PostgreSQL.
        counts: Whether to count the objects, which reads the whole store.

    Returns:
        The members "format", "size" in bytes, "views", "model", "notes", "statements", "counts" by
        entity, and "faults", as `groot_store_describe` of groot.h has them.

    Raises:
        groot.Error: With `Status.FILE_ERROR` if there is no store; else if it cannot be read.
    """
    text, _owner = room()
    flags = _ffi.DESCRIBE_COUNTS if counts else 0
    call(lib.store_describe, texts.encode_path(path), flags, byref(text))
    found: dict[str, Any] = decode(_ffi.bytes_of(text))
    return found


def is_store_url(path: str | os.PathLike[str]) -> bool:
    """Tell whether the path of a store is the URL of a database of PostgreSQL.

    Args:
        path: The path.

    Returns:
        Whether it is one.
    """
    return texts.is_store_url(os.fsencode(path))
