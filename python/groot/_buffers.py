"""Text that the library makes for its caller."""

from __future__ import annotations

from typing import Any

from groot import _ffi
from groot._ffi import byref, lib
from groot._handle import Handle


def room() -> tuple[Any, Handle]:
    """Return a place for text that the library makes, and what frees that when it goes."""
    buffer = _ffi.Text()
    return buffer, Handle(lib.buffer_free, byref(buffer))
