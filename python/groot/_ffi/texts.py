"""Text of the library as Python's text and bytes."""

from __future__ import annotations

import ctypes
import sys
from ctypes import byref, c_char_p, c_int, c_size_t, c_ssize_t, c_void_p
from typing import Any

from groot._ffi.growing_text import Growing, GrowingText, can_grow
from groot._ffi.types import Text

_LARGE = 1 << 16
"""The size from which on the library writes the characters."""


def text_of(text: Text) -> str:
    """Copy the characters of `text`; invalid UTF-8 is replaced."""
    if text.size >= _LARGE and can_grow():
        made = GrowingText()
        try:
            made.add(text.data, text.size)
            return made.value()
        finally:
            made.release()
    decoded: str = _decode(text.data, text.size, b"replace")
    return decoded


class GrowingBytes(Growing):
    """Bytes that grow at their end.

    They are those of Python from the beginning, so no piece is copied twice. Their pages come by
    the megabyte where the system can do that.
    """

    __slots__ = ("_capacity", "_present", "_start", "_used")

    def __init__(self) -> None:
        super().__init__()
        self._used = self._present = 0
        self._capacity = _STEP
        self._made = c_void_p(_new_bytes(None, _STEP))
        self._start: int = _start_of(self._made)

    def add(self, data: Any, size: int) -> None:
        """Add a number of bytes at a pointer."""
        end = self._used + size
        if end > self._capacity:
            self._resize(max(2 * self._capacity, end))
        if end > self._present:
            self._present = min(max(end, self._used + _STEP), self._capacity)
            _populate(self._start + self._used, self._present - self._used)
        ctypes.memmove(self._start + self._used, data, size)
        self._used = end

    def value(self) -> bytes:
        """Return all bytes; nothing can be added afterwards."""
        self._resize(self._used)
        found: bytes = self._grown()
        return found

    def _resize(self, capacity: int) -> None:
        _resize_bytes(byref(self._made), capacity)
        self._capacity = capacity
        self._start = _start_of(self._made)


def _populate(address: int, size: int) -> None:
    """Ask the system for the pages of a block that is filled soon."""
    begin = -(-address // _PAGE) * _PAGE
    if _advise is not None and address + size > begin:
        _advise(begin, (address + size - begin) // _PAGE * _PAGE, _POPULATE_WRITE)


_STEP = 1 << 20
_PAGE = 4096
_POPULATE_WRITE = 23
"""Of Linux from 5.14; others refuse it, and nothing changes."""
_advise: Any = getattr(ctypes.CDLL(None), "madvise", None) if sys.platform == "linux" else None
if _advise is not None:
    _advise.argtypes = [c_void_p, c_size_t, c_int]
_new_bytes: Any = ctypes.pythonapi.PyBytes_FromStringAndSize
_new_bytes.argtypes = [c_char_p, c_ssize_t]
_new_bytes.restype = c_void_p
_start_of: Any = ctypes.pythonapi.PyBytes_AsString
_start_of.argtypes = [c_void_p]
_start_of.restype = c_void_p
_resize_bytes: Any = ctypes.pythonapi._PyBytes_Resize
_resize_bytes.argtypes = [c_void_p, c_ssize_t]
_decode: Any = ctypes.pythonapi.PyUnicode_DecodeUTF8
_decode.argtypes = [c_void_p, c_ssize_t, c_char_p]
_decode.restype = ctypes.py_object
