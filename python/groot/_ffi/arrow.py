"""Streams of the Arrow C data interface, in capsules of Python.

A stream is always the library's, which copies the columns that Python has. A consumer may release
a struct on any thread, while an exception is raised, and after the interpreter has ended: no
function of Python could be its release.
"""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_size_t, c_void_p
from typing import Any, NamedTuple

from groot._ffi.binding import lib
from groot._ffi.memory import address_in
from groot._ffi.types import ArrowColumn, ArrowStream

_STREAM_NAME = b"arrow_array_stream"
_new_capsule: Any = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]
_zeros: Any = ctypes.pythonapi.PyMem_RawCalloc
_zeros.restype = c_void_p
_zeros.argtypes = [c_size_t, c_size_t]
# A consumer may drop a capsule while an exception is raised, which a function of Python would lose.
_drop_stream: int | None = lib.arrow_capsule_destructor()


def new_stream() -> tuple[Any, ArrowStream]:
    """Make a capsule with an empty stream, as the Arrow PyCapsule interface defines it."""
    address = _zeros(1, ctypes.sizeof(ArrowStream))
    if not address:
        raise MemoryError
    return _new_capsule(address, _STREAM_NAME, _drop_stream), ArrowStream.from_address(address)


class Arrow(NamedTuple):
    """A column for Arrow, or a struct of several."""

    name: str
    format: str
    """The type, as Arrow writes it: "+s" is a struct."""
    length: int
    null_count: int
    buffers: tuple[Any, ...]
    """The validity and the values, as objects with a buffer; None for an absent one."""
    children: tuple[Arrow, ...] = ()


def described(table: Arrow) -> tuple[Any, list[Any]]:
    """Describe a table for the library, which copies its buffers; return what they need as well."""
    columns: list[Arrow] = []
    _list_columns(table, columns)
    block = (ArrowColumn * len(columns))()
    kept: list[Any] = []
    for target, column in zip(block, columns):
        target.format, target.name = column.format.encode(), column.name.encode()
        target.length, target.null_count = column.length, column.null_count
        target.children, target.buffer_count = len(column.children), len(column.buffers)
        for position, buffer in enumerate(column.buffers):
            if buffer is not None:
                view = memoryview(buffer)
                target.buffers[position] = address_in(view)
                target.sizes[position] = view.nbytes
                kept.append(view)
    return block, kept


def _list_columns(table: Arrow, columns: list[Arrow]) -> None:
    """List a table and its columns, each before its own."""
    columns.append(table)
    for child in table.children:
        _list_columns(child, columns)
