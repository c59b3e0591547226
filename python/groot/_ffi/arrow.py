"""Streams of the Arrow C data interface, in capsules of Python.

A stream is always the library's, which copies the columns that Python has. A consumer may release
a struct on any thread, while an exception is raised, and after the interpreter has ended: no
function of Python could be its release.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import c_char_p, c_void_p
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple

from groot._ffi.memory import address_in
from groot._ffi.steps import Step, run
from groot._ffi.types import ArrowColumn, ArrowStream

_STREAM_NAME = b"arrow_array_stream"
_new_capsule: Any = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]
_set_destructor: Any = ctypes.pythonapi.PyCapsule_SetDestructor
_set_destructor.restype = ctypes.c_int
_set_destructor.argtypes = [ctypes.py_object, c_void_p]
streams: dict[int, object] = {}
"""The owners of the streams in capsules, by the addresses of the capsules."""

# Called when a capsule is freed. It is a C function, since Ctrl-C could end a Python function.
_drop_stream: Any = ctypes.PYFUNCTYPE(None, c_void_p)(streams.pop)


def releasing(stream: ArrowStream) -> Iterator[Any]:
    """Return an iterator that releases a stream when it is run, unless it was moved."""
    release = methodcaller("__call__", ctypes.addressof(stream))
    return map(release, filter(None, map(attrgetter("release"), [stream])))


def stream_capsule(stream: ArrowStream, owner: object) -> Any:
    """Make the capsule of a stream, as the Arrow PyCapsule interface defines it."""
    capsule = _new_capsule(ctypes.addressof(stream), _STREAM_NAME, None)
    drop = ctypes.cast(_drop_stream, c_void_p)
    keep = Step(streams.__setitem__, id(capsule), owner)
    run((keep, Step(_set_destructor, capsule, drop)))
    return capsule


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
