"""The native context of a `Context`, and the calls into it.

A context belongs to one thread at a time. That is not checked where it would cost something, but
as long as a call runs that releases the interpreter's lock, or that may call back, the session has
no pointer to hand out: every other use meanwhile fails with `Status.BUSY`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from groot import _callbacks, _ffi
from groot._callbacks import Frame, Watcher
from groot._ffi import byref, lib
from groot._handle import Handle
from groot._log import Log
from groot._schema import Entity, Schema
from groot.errors import Error, Status, add_location, call, error, failure, note_place
from groot.mapping import Mapping


class Session:
    """Holds the native context and everything that reading a property needs at hand.

    It knows no class of objects: it is given the function that makes one for an entity.
    """

    __slots__ = (
        "_by_entity_text",
        "_closing",
        "_handle",
        "_lock",
        "_log",
        "_make_class",
        "_pointer",
        "argument",
        "mapping",
        "progress",
    )

    def __init__(
        self,
        mapping: Mapping,
        store: bytes | None,
        options: Any,
        make_class: Callable[[Session, Entity], type[Any]],
        progress: Watcher | None,
        log: Log | None,
    ) -> None:
        """Make a native context: an empty one, or one that the file at `store` keeps."""
        pointer = _ffi.ContextHandle()
        if store is None:
            call(lib.context_create, mapping._handle.pointer, byref(pointer))
            self._handle = Handle(pointer, lib.context_free)
        else:
            frame, handle = Frame(progress), _ffi.ErrorHandle()
            with frame:
                given = mapping._handle.pointer, store, options, byref(pointer), byref(handle)
                status = lib.context_open(*given)
            # Now: what a callback raised may have come when all was done already.
            self._handle = Handle(pointer, lib.context_free)
            try:
                _settle(status, handle, frame)
            except BaseException:
                self._handle.close()
                raise
        self.mapping = mapping
        self.progress = progress
        self._log = log  # which the library knows by its number only
        self._make_class = make_class
        self._lock = threading.Lock()
        # Held while the native context is freed, and while it is told to end a call.
        self._closing = threading.Lock()
        self._pointer: Any = pointer
        # The context for the calls that do not check their arguments.
        self.argument: Any = _ffi.address_argument(pointer.value)
        self._by_entity_text: dict[int, type[Any]] = {}

    @property
    def schema(self) -> Schema:
        """What there is to know of the model."""
        return self.mapping._schema

    @contextmanager
    def idle(self) -> Iterator[None]:
        """Keep everything else from the native context for a block; not while a call runs."""
        if not self._lock.acquire(blocking=False):
            raise self._unusable()
        try:
            yield
        finally:
            self._lock.release()

    def follow(self, progress: Watcher | None) -> None:
        """Have calls from now on tell of their progress; not while one runs."""
        with self.idle():
            if self._pointer is None:
                raise self._unusable()
            self.progress = progress

    def close(self) -> None:
        """Free the native context; not while a call runs."""
        with self.idle():
            self._pointer = self.argument = None
            with self._closing:
                self._handle.close()

    def cancel(self) -> None:
        """End the call that is running, if one is."""
        with self._closing:
            if self._handle.pointer is not None:
                lib.context_cancel(self._handle.pointer)

    def call(self, function: Any, *arguments: Any) -> None:
        """Make a short call that never calls back; raise when it fails."""
        handle = _ffi.ErrorHandle()
        place = byref(handle)
        # Another thread may take the context before and after, but not between these two.
        pointer = self._pointer
        status = function(pointer, *arguments, place)
        if status:
            raise self._failure(status, handle, pointer)

    def use(self, function: Any, identifier: int, *arguments: Any) -> None:
        """Make a short call about an object, whose arguments are not checked (`_ffi.table`).

        The place for an error costs more than many a call. So it is made only when the call has
        failed, which it then does again, with the reason.
        """
        target = _ffi.c_uint64(identifier)
        if function(self.argument, target, *arguments, None):
            handle = _ffi.ErrorHandle()
            place = byref(handle)
            argument = self.argument
            status = function(argument, target, *arguments, place)
            if status:
                raise self._failure(status, handle, argument)

    def run(
        self,
        function: Any,
        *arguments: Any,
        frame: Frame | None = None,
        subject: Handle | None = None,
    ) -> None:
        """Make a call that may take long or call back; what a callback raised comes out of it.

        It is a call on the context, or on a `subject`, an import that uses the context.
        """
        if not self._lock.acquire(blocking=False):
            raise self._unusable()
        pointer, argument = self._pointer, self.argument
        current = Frame() if frame is None else frame
        follows = current.follows = self.progress
        handle = _ffi.ErrorHandle()
        try:
            if pointer is None:
                raise self._unusable()
            first = pointer if subject is None else subject.pointer
            if first is None:
                raise error(Status.INVALID_ARGUMENT, "the import is over")
            self._pointer = self.argument = None
            with current:
                # Not for good: what is raised in a short call, by Ctrl-C, would come out of none.
                if follows is not None:
                    lib.context_set_progress(pointer, _callbacks.progress, 1, None)
                status = function(first, *arguments, byref(handle))
                if follows is not None:
                    lib.context_set_progress(pointer, _ffi.NO_PROGRESS, None, None)
        finally:
            self._pointer, self.argument = pointer, argument
            self._lock.release()
        _settle(status, handle, current)

    def _failure(self, status: int, handle: Any, pointer: Any) -> Error:
        """Make the error of a failed short call, for which there was a pointer or none."""
        found = failure(status, handle)
        return self._unusable() if pointer is None else found

    def _unusable(self) -> Error:
        """Make the error of a context that cannot be used now, or no more."""
        if self._handle.pointer is None:
            return error(Status.INVALID_ARGUMENT, "the context is closed")
        message = "the context is in use: by a call that is calling back, or by another thread"
        return error(Status.BUSY, message)

    def read(self, identifier: int, number: int) -> Any:
        """Read any property as a native value; None when it has no value."""
        low, high = identifier, identifier >> 32
        if not lib.object_kind(self.argument, low, high, number):
            return None
        native = _ffi.Value()
        self.use(lib.object_get, identifier, number, byref(native))
        return native if native.kind else None

    def status(self, identifier: int) -> int:
        """Give the status of an object."""
        argument = self.argument
        status: int = lib.object_status(argument, _ffi.c_uint64(identifier))
        if argument is None:
            raise self._unusable()
        return status

    def number(self, entity: str, name: str) -> int:
        """Look up the number of a property; the same in all contexts of a mapping."""
        number = _ffi.c_int32()
        self.call(lib.context_property, entity.encode(), name.encode(), byref(number))
        found: int = number.value
        return found

    def class_of(self, entity: str) -> type[Any]:
        """Give the class of the objects of `entity`."""
        classes = self.mapping._classes
        found: type[Any] | None = classes.get(entity)
        if found is None:
            found = classes.setdefault(entity, self._make_class(self, self.schema.entity(entity)))
        return found

    def only_class(self, entity: str) -> type[Any] | None:
        """Give the class that all objects fetched as `entity` have; None when they may differ."""
        return self.class_of(entity) if self.schema.entity(entity).is_leaf else None

    def object(self, identifier: int) -> Any:
        """Make the Python object for a native one of any entity."""
        text = _ffi.Text()
        self.use(lib.object_entity, identifier, byref(text))
        # The library keeps an entity's name in one place as long as the context lives.
        found = self._by_entity_text.get(text.address)
        if found is None:
            found = self._by_entity_text[text.address] = self.class_of(_ffi.text_of(text))
        return found(self, identifier)


def _settle(status: int, handle: Any, frame: Frame) -> None:
    """Raise what came of a call: what a callback raised, or the error of the library."""
    found = failure(status, handle, frame.has_text) if status else None
    if found is not None:
        found.__cause__ = frame.cause
        note_place(frame.exception or frame.cause, found)
        add_location(frame.exception, found)
    exception = frame.exception or found
    frame.exception = None
    if found is not None:
        frame.cause = None
    try:
        if exception is not None:
            raise exception
    finally:
        del exception, found  # else the traceback would keep this frame, which keeps it


class HasSession(Protocol):
    """A context, for the functions that are its methods."""

    @property
    def _session(self) -> Session:
        """The native context."""
