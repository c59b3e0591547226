"""Buffers for text that the library makes."""

from __future__ import annotations

from typing import Any

from groot import _ffi
from groot._ffi import byref, lib
from groot._handle import Handle


def room() -> tuple[Any, Handle]:
    """Return an empty buffer for text of the library, and the owner that frees the text."""
    buffer = _ffi.Text()
    return buffer, Handle(lib.buffer_free, byref(buffer))
