"""Text that the library makes for its caller."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from groot import _ffi
from groot._ffi import byref, lib


@contextmanager
def room() -> Iterator[Any]:
    """Give a place for text that the library makes; it is freed at the end of the block."""
    buffer = _ffi.Text()
    try:
        yield buffer
    finally:
        lib.buffer_free(byref(buffer))
