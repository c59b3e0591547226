"""Streams of the Arrow C data interface, in the capsules that Python programs hand on."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import c_char_p, c_void_p
from operator import attrgetter, methodcaller
from typing import Any

from groot._ffi.types import ArrowStream
from groot._steps import Step, run

_STREAM_NAME = b"arrow_array_stream"
_new_capsule: Any = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]
_set_destructor: Any = ctypes.pythonapi.PyCapsule_SetDestructor
_set_destructor.restype = ctypes.c_int
_set_destructor.argtypes = [ctypes.py_object, c_void_p]
streams: dict[int, object] = {}
"""The owners of those in capsules, by the addresses of these."""

# Called as the capsule goes, be it by Ctrl-C: no function of Python, which cannot bear that.
_drop_stream: Any = ctypes.PYFUNCTYPE(None, c_void_p)(streams.pop)


def releasing(stream: ArrowStream) -> Iterator[Any]:
    """Give an iterator that releases a stream when it is run through, unless it was taken over."""
    release = methodcaller("__call__", ctypes.addressof(stream))
    return map(release, filter(None, map(attrgetter("release"), [stream])))


def stream_capsule(stream: ArrowStream, owner: object) -> Any:
    """Make the capsule in which Python programs hand streams of Arrow to each other."""
    capsule = _new_capsule(ctypes.addressof(stream), _STREAM_NAME, None)
    drop = ctypes.cast(_drop_stream, c_void_p)
    keep = Step(streams.__setitem__, id(capsule), owner)
    run((keep, Step(_set_destructor, capsule, drop)))
    return capsule
