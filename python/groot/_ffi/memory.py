"""Native memory, read and written by Python."""

from __future__ import annotations

import ctypes
from ctypes import c_char, c_int64, c_uint64, c_void_p, sizeof
from typing import Any

from groot._ffi.types import DestroyFunction, ProgressFunction, Text, TransformFunction

pointer = ctypes.pointer
address_argument = c_void_p.from_param
NO_PROGRESS = ProgressFunction()
NO_TRANSFORM = TransformFunction()
NO_DESTROY = DestroyFunction()


def characters(view: memoryview) -> Any:
    """Return the bytes of a writable buffer without a copy."""
    return (c_char * view.nbytes).from_buffer(view)


def view(address: int, size: int, format: Any, owner: object) -> memoryview:
    """Return a read-only view of native memory; all views of it keep `owner` alive."""
    block: Any = (c_char * size).from_address(address)
    block.owner = owner
    found: memoryview = memoryview(block).cast("B").cast(format).toreadonly()
    return found


def address_of(ids: Any, start: int) -> int:
    """Return the address of an element of an array of object ids."""
    first: int = ctypes.cast(ids, c_void_p).value or 0
    return first + start * sizeof(c_uint64)


def numbers_at(address: int, count: int) -> list[int]:
    """Copy an array of object ids."""
    numbers: list[int] = (c_uint64 * count).from_address(address)[:] if count else []
    return numbers


def integers(buffer: Any) -> Any:
    """Return the 64-bit integers of a writable buffer without a copy."""
    return (c_int64 * len(buffer)).from_buffer(buffer)


def bytes_of(text: Text) -> bytes:
    """Copy the bytes of `text`."""
    data: bytes = text.data[: text.size]
    return data


def block_of(numbers: memoryview) -> tuple[int, int]:
    """Return the address and the length of a view of 64-bit numbers, which stays where it is."""
    return address_in(numbers), len(numbers)


def address_in(buffer: Any) -> int:
    """Return the address of the bytes of a buffer, which must outlive its use."""
    found = _Buffer()
    _get_buffer(buffer, ctypes.byref(found), 0)
    address: int | None = found.address
    _release_buffer(ctypes.byref(found))
    return address or 0


class _Buffer(ctypes.Structure):
    """The begin of `Py_buffer`, with room for the rest."""

    _fields_ = [("address", c_void_p), ("rest", c_char * 256)]


_get_buffer: Any = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [ctypes.py_object, c_void_p, ctypes.c_int]
_release_buffer: Any = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes = [c_void_p]
_release_buffer.restype = None
