"""Streams of the Arrow C data interface, in capsules of Python.

A stream is the library's, or one of columns that Python has. A consumer may move each struct of the
latter, and may release it on any thread and after all others. So each has an owner of its own, in
`_kept` until it is released. A release is made of C functions alone: Ctrl-C could end one in
Python, or be lost in it.
"""

from __future__ import annotations

import _thread
import ctypes
import errno
from collections.abc import Callable, Iterator
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_void_p
from itertools import chain, count
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple

from groot._ffi.memory import address_in
from groot._ffi.steps import Step, run
from groot._ffi.types import ArrowArray, ArrowSchema, ArrowSource, ArrowStream

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


class _Owner(Step):
    """The owner of a struct: the step that releases its children and then forgets it."""

    __slots__ = ("source",)

    source: _Source
    """The state of a stream."""
    free = property(Step.__call__)


_NULLABLE = 2
_keys = count()
_kept: dict[int, Any] = {}
"""By the key of its owner, everything that the consumer of a struct needs."""

_release = attrgetter("contents.private_data.free", "contents.released")
_release_child = attrgetter("private_data.free", "released")
_is_whole = attrgetter("release")


def _address(function: Any) -> int | None:
    return ctypes.cast(function, c_void_p).value


def _function(made: Any, function: Any) -> Any:
    """Make a C function that is never freed: a consumer may call it while the interpreter ends."""
    found = made(function)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(found))
    return found


_release_schema = _function(CFUNCTYPE(None, POINTER(ArrowSchema)), _release)
_release_array = _function(CFUNCTYPE(None, POINTER(ArrowArray)), _release)
_release_source = _function(CFUNCTYPE(None, POINTER(ArrowSource)), _release)


def _own(target: Any, release: Any, children: Any, *kept: Any) -> _Owner:
    """Give a struct its owner and its release; return the owner."""
    key = next(_keys)
    free = map(_release_child, filter(_is_whole, children))
    owner = _Owner([].extend, chain(free, map(_kept.pop, [key])))
    _kept[key] = owner, children, kept
    target.private_data = owner
    target.release = _address(release)
    return owner


def _block(struct: Any, write: Callable[[Any, Arrow], None], table: Arrow) -> tuple[Any, Any]:
    """Write the children of a struct; return them and the array of their addresses."""
    block = (struct * len(table.children))()
    start, size = ctypes.addressof(block), ctypes.sizeof(struct)
    for position, child in enumerate(table.children):
        write(struct.from_buffer(block, position * size), child)
    addresses = (c_void_p * len(block))(*(start + size * one for one in range(len(block))))
    return block, addresses


def _write_schema(schema: Any, table: Arrow) -> None:
    block, addresses = _block(ArrowSchema, _write_schema, table)
    schema.format, schema.name = texts = table.format.encode(), table.name.encode()
    schema.metadata = schema.dictionary = None
    schema.flags = _NULLABLE
    schema.n_children = len(block)
    schema.children = ctypes.addressof(addresses) if len(block) else None
    _own(schema, _release_schema, block, addresses, texts)


def _write_array(array: Any, table: Arrow) -> None:
    block, addresses = _block(ArrowArray, _write_array, table)
    places = [None if one is None else address_in(one) for one in table.buffers]
    buffers = (c_void_p * len(places))(*places)
    array.length, array.null_count, array.offset = table.length, table.null_count, 0
    array.n_buffers, array.n_children = len(buffers), len(block)
    array.buffers = ctypes.addressof(buffers)
    array.children = ctypes.addressof(addresses) if len(block) else None
    array.dictionary = None
    _own(array, _release_array, block, addresses, buffers, table.buffers)


class _Source:
    """The state of a stream: a table, which it gives once."""

    __slots__ = ("is_over", "table")

    def __init__(self, table: Arrow) -> None:
        self.table = table
        self.is_over = False


def _answering(struct: Any, answer: Callable[[_Source, Any], None]) -> Any:
    """Make the C function that fills a struct for a stream."""

    def respond(stream: Any, target: Any) -> int:
        try:
            answer(stream.contents.private_data.source, struct.from_address(target))
        except BaseException as wrong:
            if isinstance(wrong, KeyboardInterrupt):
                _thread.interrupt_main()  # for the consumer's caller
                return errno.EINTR
            return errno.EIO
        return 0

    return _function(CFUNCTYPE(c_int, POINTER(ArrowSource), c_void_p), respond)


def _give_schema(source: _Source, schema: Any) -> None:
    _write_schema(schema, source.table)


def _give_array(source: _Source, array: Any) -> None:
    if source.is_over:
        ctypes.memset(ctypes.addressof(array), 0, ctypes.sizeof(array))
    else:
        _write_array(array, source.table)
        source.is_over = True


_get_schema = _answering(ArrowSchema, _give_schema)
_get_next = _answering(ArrowArray, _give_array)
_get_last_error = _function(CFUNCTYPE(c_void_p, c_void_p), lambda stream: None)


def table_stream(table: Arrow) -> ArrowStream:
    """Make a stream of one record batch, a struct; its buffers live as long as a consumer needs."""
    source = ArrowSource(
        get_schema=_address(_get_schema),
        get_next=_address(_get_next),
        get_last_error=_address(_get_last_error),
    )
    _own(source, _release_source, ()).source = _Source(table)
    return ArrowStream.from_buffer(source)
