"""Streams of the Arrow C data interface, in the capsules that Python programs hand on."""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_void_p
from typing import Any

from groot._ffi.types import ArrowStream

_STREAM_NAME = b"arrow_array_stream"
_new_capsule: Any = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]
_inside_capsule: Any = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
streams: dict[int, ArrowStream] = {}


def _drop(capsule: int) -> None:
    """Release a stream that nobody took out of its capsule."""
    address = _inside_capsule(capsule, _STREAM_NAME)
    stream = streams.pop(address)
    if stream.release:
        stream.release(address)


_drop_stream: Any = ctypes.PYFUNCTYPE(None, c_void_p)(_drop)


def stream_capsule(stream: ArrowStream) -> Any:
    """Make the capsule in which Python programs hand streams of Arrow to each other."""
    address = ctypes.addressof(stream)
    streams[address] = stream
    return _new_capsule(address, _STREAM_NAME, ctypes.cast(_drop_stream, c_void_p))
