"""Text of Python that the library writes."""

from __future__ import annotations

import ctypes
import sys
from bisect import bisect_left
from ctypes import byref, c_size_t, c_ssize_t, c_uint32, c_void_p
from typing import Any

from groot._ffi.binding import lib


def can_grow() -> bool:
    """Whether `GrowingText` knows the texts of this Python."""
    return bool(_beginnings)


class Growing:
    """An object of Python that grows before others have it; `release` must be the last call."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made = c_void_p()

    def release(self) -> None:
        """Release the object, which lives on if `value` has returned it."""
        if self._made:
            _release(self._made)
            self._made = c_void_p()

    def _grown(self) -> Any:
        return ctypes.cast(self._made, ctypes.py_object).value


class GrowingText(Growing):
    """Text that grows at its end by pieces of UTF-8.

    It is a text of Python from the beginning, with room for its greatest character so far. The
    library writes the characters: Python reads byte by byte from the first one on that is not
    ASCII, and fills its memory page by page. Needs `can_grow`.
    """

    __slots__ = ("_capacity", "_count", "_kind", "_used")

    def __init__(self) -> None:
        super().__init__()
        self._kind = self._used = self._capacity = 0
        self._count = c_size_t()

    def add(self, data: Any, size: int) -> None:
        """Add whole characters, a number of bytes at a pointer; invalid UTF-8 is replaced."""
        address = ctypes.cast(data, c_void_p).value or 0
        read = 0
        while True:
            address, size = address + read, size - read
            if self._used + size > self._capacity:
                self._move(self._kind, max(2 * self._capacity, self._used + size))
            width, greatest = _WIDTHS[self._kind], _GREATEST[self._kind]
            end = (self._made.value or 0) + _beginnings[self._kind] + self._used * width
            read = lib.text_units(address, size, greatest, end, byref(self._count))
            self._used += self._count.value
            if read == size:
                break
            kind = _kind_of(address + read, size - read)
            if kind is None:
                rest = ctypes.string_at(address + read, size - read)
                valid = rest.decode(errors="replace").encode()
                self.add(valid, len(valid))
                break
            self._move(kind, self._capacity)

    def value(self) -> str:
        """Return the whole text; nothing can be added afterwards."""
        if not self._used:
            return ""
        _resize(byref(self._made), self._used)
        found: str = self._grown()
        return found

    def _move(self, kind: int, capacity: int) -> None:
        """Give the text room for more characters, or for greater ones."""
        if self._made and kind == self._kind:
            _resize(byref(self._made), capacity)
        else:
            before, self._made = self._made, c_void_p(_new(capacity, _GREATEST[kind]))
            if before:
                _copy(self._made, 0, before, 0, self._used)
                _release(before)
        self._kind, self._capacity = kind, capacity


def _kind_of(address: int, size: int) -> int | None:
    """Return the kind of text that the character at an address needs; None if it is not UTF-8."""
    units, count = (c_uint32 * 4)(), c_size_t()
    if not lib.text_units(address, min(size, 4), _GREATEST[-1], units, byref(count)):
        return None
    return bisect_left(_GREATEST, units[0])


def _find_beginnings() -> list[int]:
    """Find where the characters of a text of each kind begin.

    It is where the texts of this Python have theirs; nowhere if that is not certain.
    """
    found = []
    for width, greatest in zip(_WIDTHS, _GREATEST):
        sample = chr(greatest) * 3
        begin = sys.getsizeof(sample) - 4 * width
        encoding = {1: "latin-1", 2: "utf-16", 4: "utf-32"}[width]
        expected = sample.encode(encoding, "surrogatepass")[-3 * width :]
        if ctypes.string_at(id(sample) + begin, 3 * width) != expected:
            return []
        found.append(begin)
    return found


_GREATEST = 0x7F, 0xFF, 0xFFFF, 0x10FFFF
"""The greatest character of each kind of text of Python."""
_WIDTHS = 1, 1, 2, 4
"""The bytes of a character of each kind."""
_beginnings = _find_beginnings() if sys.implementation.name == "cpython" else []
_new: Any = ctypes.pythonapi.PyUnicode_New
_new.argtypes = [c_ssize_t, c_uint32]
_new.restype = c_void_p
_copy: Any = ctypes.pythonapi.PyUnicode_CopyCharacters
_copy.argtypes = [c_void_p, c_ssize_t, c_void_p, c_ssize_t, c_ssize_t]
_copy.restype = c_ssize_t
_resize: Any = ctypes.pythonapi.PyUnicode_Resize
_resize.argtypes = [c_void_p, c_ssize_t]
_release: Any = ctypes.pythonapi.Py_DecRef
_release.argtypes = [c_void_p]
_release.restype = None
