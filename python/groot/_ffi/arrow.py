"""Streams of the Arrow C data interface, in capsules of Python."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import c_char_p, c_void_p
from operator import attrgetter, methodcaller
from typing import Any

from groot._ffi.steps import Step, run
from groot._ffi.types import ArrowStream

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
