"""Text of the library as Python's text."""

from __future__ import annotations

import ctypes
import sys
from ctypes import byref, c_char_p, c_size_t, c_ssize_t, c_uint32, c_void_p
from typing import Any

from groot._ffi.binding import lib
from groot._ffi.types import Text

_LARGE = 1 << 16
"""The size from which on the library writes the characters."""


def text_of(text: Text) -> str:
    """Copy the characters of `text`; invalid UTF-8 is replaced."""
    if text.size >= _LARGE and _beginnings:
        found = _large(text)
        if found is not None:
            return found
    decoded: str = _decode(text.data, text.size, b"replace")
    return decoded


def _large(text: Text) -> str | None:
    """Copy a large text, unless it is not UTF-8.

    The library writes the characters into a new text: Python reads byte by byte from the first
    character on that is not ASCII, and fills its memory page by page.
    """
    size, count = text.size, c_size_t()
    width = lib.text_units(text.data, size, None, byref(count))
    kind = 0 if count.value == size else width
    if kind not in _beginnings:
        return None
    made: str = _new(count.value, _greatest[kind])
    written = lib.text_units(text.data, size, id(made) + _beginnings[kind], byref(count))
    return made if written > 0 else None


def _find_beginnings() -> dict[int, int]:
    """Find where the characters of a text begin, by their width, 0 for ASCII.

    It is where the texts of this Python have theirs; nowhere if that is not certain.
    """
    found = {}
    for kind, character in _greatest.items():
        width, sample = max(kind, 1), chr(character) * 3
        begin = sys.getsizeof(sample) - 4 * width
        encoding = {1: "latin-1", 2: "utf-16", 4: "utf-32"}[width]
        expected = sample.encode(encoding)[-3 * width :]
        if ctypes.string_at(id(sample) + begin, 3 * width) == expected:
            found[kind] = begin
    return found


_greatest = {0: 0x7F, 1: 0xFF, 2: 0xFFFF, 4: 0x10FFFF}
_beginnings = _find_beginnings() if sys.implementation.name == "cpython" else {}
_decode: Any = ctypes.pythonapi.PyUnicode_DecodeUTF8
_decode.argtypes = [c_void_p, c_ssize_t, c_char_p]
_decode.restype = ctypes.py_object
_new: Any = ctypes.pythonapi.PyUnicode_New
_new.argtypes = [c_ssize_t, c_uint32]
_new.restype = ctypes.py_object
