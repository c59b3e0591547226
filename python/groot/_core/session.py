"""The native context of a `Context`, and the calls into it.

A context belongs to one thread at a time. While a call that releases the interpreter's lock or may
call back is running, every other use fails with `Status.BUSY`. Another such call, and a call that
would free the context, fail since the session is taken. A short call fails since the library
refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from groot import _ffi
from groot._core import callbacks
from groot._core.callbacks import Frame
from groot._core.compiled import Compiled
from groot._core.declared import named
from groot._core.handle import Handle, moving
from groot._core.log import Log
from groot._core.requests import About
from groot._core.schema import Entity, Schema
from groot._core.text import is_store_url, refusal
from groot._ffi import byref, lib
from groot._ffi.steps import Step
from groot.calls import Watcher
from groot.errors import Error, Status, add_location, call, error, failure, note_place

_nothing = Step(bool)


class Session:
    """The native context, with everything that is needed to read a property.

    It does not import the classes of objects: it receives the function that makes them.
    """

    __slots__ = (
        "_begin",
        "_by_entity_text",
        "_end",
        "_give",
        "_handle",
        "_idle",
        "_is_remote",
        "_log",
        "_make_class",
        "_pointer",
        "_reading",
        "_take",
        "argument",
        "mapping",
        "progress",
    )

    def __init__(
        self,
        mapping: Compiled,
        store: bytes | None,
        options: Any,
        make_class: Callable[[Session, Entity], type[Any]],
        progress: Watcher | None,
        log: Log | None,
    ) -> None:
        """Make a native context: an empty one, or one on the store at `store`."""
        pointer = _ffi.ContextHandle()
        self._handle = Handle(lib.context_free, pointer)
        if store is None:
            call(lib.context_create, mapping._handle.pointer, byref(pointer))
        else:
            frame, handle = Frame(progress), _ffi.ErrorHandle()
            given = mapping._handle.pointer, store, options, byref(pointer), byref(handle)
            # Needed after success too: a callback may have raised an exception.
            status = frame.run(Step(lib.context_open, *given))
            frame.end()
            _settle(status, handle, frame)
        # Reading may wait for a server then, and other threads run meanwhile.
        self._is_remote = store is not None and is_store_url(store)
        self.mapping = mapping
        self.progress = progress
        self._log = log  # kept alive here: the library has only its number
        self._make_class = make_class
        # Empty while a call that may take long is running: a call must take the element first.
        self._idle = [None]
        self._take, self._give = Step(self._idle.pop), Step(self._idle.append, None)
        listen = Step(lib.context_set_progress, pointer)
        self._begin = self._take, Step(listen, callbacks.progress, _ffi.c_void_p(1), None)
        self._end = Step(listen, _ffi.NO_PROGRESS, None, None), self._give
        self._pointer: Any = pointer
        # The context for the calls that do not check their arguments.
        self.argument: Any = _ffi.address_argument(pointer.value)
        self._by_entity_text: dict[int, type[Any]] = {}
        self._reading: Callable[[], Any] = _nothing

    @property
    def schema(self) -> Schema:
        """The entities and properties of the model."""
        return self.mapping._schema

    def named(self, entity: Any) -> Any:
        """Return the name of an entity that is given by its name, or by its class."""
        return named(self.mapping, entity)

    def about(self, entity: Any) -> About:
        """Return an entity as the subject of a request."""
        return About(self.mapping, self.required(entity))

    def required(self, entity: Any) -> str:
        """Return the name of an entity, as `named`; raise `groot.Error` for None."""
        name: str | None = self.named(entity)
        if name is None:
            raise refusal("entity", entity, "the name of an entity or its class")
        return name

    def require_idle(self) -> None:
        """Raise if a call that may take long is running."""
        if not self._idle:
            raise self._unusable()

    def follow(self, progress: Watcher | None) -> None:
        """Set the progress function of later calls; raise while a call is running."""
        self.require_idle()
        if self.argument is None:
            raise self._unusable()
        self.progress = progress

    def read_with(self, reading: Callable[[], Any]) -> None:
        """Set the import that reads a file object or an iterator: it counts as one running call.

        Args:
            reading: A weak reference to the import. An import that ends early, such as by Ctrl-C,
                leaves nothing to clear.

        """
        self._reading = reading

    def close(self) -> None:
        """Free the native context.

        Raises:
            Error: With `Status.BUSY` while a call is running.

        """
        reading = self._reading()
        if reading and not reading.is_over:
            raise self._unusable()
        pointer, move = moving(self._pointer)
        forget = Step(setattr, self, "argument", None)
        self.alone(forget, *move, Step(lib.context_free, pointer))

    def alone(self, *steps: Any) -> None:
        """Run some steps; raise if a call is running."""
        frame = Frame()
        if frame.run(_nothing, (self._take, *steps), (self._give,)) is None:
            raise self._unusable()
        _settle(0, None, frame)

    def cancel(self) -> None:
        """Cancel the running call, if there is one."""
        # The interpreter's lock is held, so nothing frees the context meanwhile.
        lib.context_cancel(self._pointer)

    def call(self, function: Any, *arguments: Any) -> None:
        """Make a short call that never calls back; raise if it fails."""
        handle = _ffi.ErrorHandle()
        status = function(self._pointer, *arguments, byref(handle))
        if status:
            raise self._failure(status, handle)

    def use(self, function: Any, identifier: int, *arguments: Any) -> None:
        """Make a short call about an object, whose arguments are not checked (`_ffi.table`).

        An error handle costs more than many calls. So it is made only after a failure, for a second
        call that fails in the same way and gives the reason.
        """
        target = _ffi.c_uint64(identifier)
        if self._is_remote:
            self._use_far(function, target, *arguments)
        elif function(self.argument, target, *arguments, None):
            handle = _ffi.ErrorHandle()
            place = byref(handle)
            status = function(self.argument, target, *arguments, place)
            if status:
                raise self._failure(status, handle)

    def _use_far(self, function: Any, *arguments: Any) -> None:
        """Make a call as `use`, once, and without the interpreter's lock."""
        if self.argument is None:
            raise self._unusable()
        handle = _ffi.ErrorHandle()
        called = Step(_ffi.released(function), self.argument, *arguments, byref(handle))
        status = Frame().run(called, (self._take,), (self._give,))
        if status is None:
            raise self._unusable()
        if status:
            raise self._failure(status, handle)

    def copy_store(self, target: Session) -> None:
        """Copy the store into that of another session, whose progress function counts."""

        def copy() -> bool:
            frame = Frame()
            try:
                copied, into = lib.context_copy_store, target._pointer
                target.run(copied, into, frame=frame, subject=self._pointer)
            finally:
                frame.end()
            return True

        if Frame().run(Step(copy), (self._take,), (self._give,)) is None:
            raise self._unusable()

    def run(
        self,
        function: Any,
        *arguments: Any,
        frame: Frame | None = None,
        subject: Any = None,
        before: Sequence[Any] = (),
        after: Sequence[Any] = (),
    ) -> None:
        """Make a call that may take long or call back; raise the exception of a callback.

        The call is on the context, or on a `subject`: an import that uses the context. No signal
        comes between the call, the steps `before` and `after` it, and the steps of the session.
        """
        self.require_idle()
        if self.argument is None:
            raise self._unusable()
        current = Frame() if frame is None else frame
        current.exception = current.reported = None
        current.follows = self.progress
        handle = _ffi.ErrorHandle()
        first = self._pointer if subject is None else subject
        called = Step(function, first, *arguments, byref(handle))
        # Progress is reported during this call only: a short call could not raise the exception of
        # Ctrl-C.
        status = current.run(called, (*self._begin, *before), (*after, *self._end))
        if status is None:
            raise self._unusable()
        if subject is None:  # the calls on an import have one end
            current.end()
        if status or current.exception is not None:
            _settle(status, handle, current)

    def _failure(self, status: int, handle: Any) -> Error:
        """Make the error of a failed short call."""
        found = failure(status, handle)
        is_about_use = self.argument is None or status == Status.BUSY
        return self._unusable() if is_about_use else found

    def _unusable(self) -> Error:
        """Make the error of a context that is in use or closed."""
        if self.argument is None:
            return error(Status.INVALID_ARGUMENT, "the context is closed; make another")
        message = "the context is in use: by a call that is calling back, or by another thread"
        return error(Status.BUSY, message)

    def read(self, identifier: int, number: int) -> Any:
        """Read a property of any type as a native value; None if it has no value."""
        low, high = identifier, identifier >> 32
        if not lib.object_kind(self.argument, low, high, number):
            return None
        native = _ffi.Value()
        self.use(lib.object_get, identifier, number, byref(native))
        return native if native.kind else None

    def status(self, identifier: int) -> int:
        """Return the status of an object."""
        status: int = lib.object_status(self.argument, _ffi.c_uint64(identifier))
        if status in (Status.INVALID_ARGUMENT, Status.BUSY):
            raise self._unusable()
        return status

    def number(self, entity: str, name: str) -> int:
        """Look up the number of a property, which is the same in all contexts of a mapping."""
        number = _ffi.c_int32()
        self.call(lib.context_property, entity.encode(), name.encode(), byref(number))
        found: int = number.value
        return found

    def class_of(self, entity: str) -> type[Any]:
        """Return the class of the objects of `entity`."""
        classes = self.mapping._classes
        found: type[Any] | None = classes.get(entity)
        if found is None:
            found = classes.setdefault(entity, self._make_class(self, self.schema.entity(entity)))
        return found

    def only_class(self, entity: str) -> type[Any] | None:
        """Return the class of all objects fetched as `entity`; None if there may be several."""
        return self.class_of(entity) if self.schema.entity(entity).is_leaf else None

    def entity_of(self, identifier: int) -> str:
        """Return the name of the entity that an object is of."""
        text = _ffi.Text()
        self.use(lib.object_entity, identifier, byref(text))
        return _ffi.text_of(text)

    def object(self, identifier: int) -> Any:
        """Make the Python object for a native object of any entity."""
        text = _ffi.Text()
        self.use(lib.object_entity, identifier, byref(text))
        # The name of an entity has one address as long as the context lives.
        found = self._by_entity_text.get(text.address)
        if found is None:
            found = self._by_entity_text[text.address] = self.class_of(_ffi.text_of(text))
        return found(self, identifier)


def _settle(status: int, handle: Any, frame: Frame) -> None:
    """Raise the exception of a callback, or else the library's error, if there is one."""
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
        del exception, found  # otherwise this frame and the traceback keep each other
