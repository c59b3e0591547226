"""Owned pointers into the library."""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING, Any

from groot import _ffi
from groot._ffi.steps import Step

if TYPE_CHECKING:
    from typing_extensions import Self


class Handle(Step):
    """The owner of a pointer, which frees it when the last reference goes: `Handle(free, pointer)`.

    The pointer is a place that may still be empty. It has an owner before the library fills it, so
    Ctrl-C never leaves it without one. Freeing it runs no Python code, in which an exception of
    Ctrl-C would be lost.

    Nothing is freed when the interpreter exits, since other exit handlers may still use it.
    """

    __slots__ = ()

    __del__ = Step.__call__

    @property
    def pointer(self) -> Any:
        """The place with the pointer."""
        return self.args[0]

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: two owners would free one pointer twice."""
        raise TypeError("an object of the library cannot be copied or pickled")


atexit.register(Step(delattr, Handle, "__del__"))


def moving(pointer: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return a new place, and the steps that move a pointer there; its handle then frees nothing.

    The handle is not an argument, since a traceback would keep it.
    """
    place = type(pointer)()
    copy = Step(_ffi.memmove, _ffi.byref(place), _ffi.byref(pointer), _ffi.sizeof(pointer))
    return place, (copy, Step(setattr, pointer, "value", None))


def room() -> tuple[Any, Handle]:
    """Return an empty buffer for text of the library, and the owner that frees the text."""
    buffer = _ffi.Text()
    return buffer, Handle(_ffi.lib.buffer_free, _ffi.byref(buffer))


class Unchanging:
    """An object that never changes, and so is its own copy."""

    __slots__ = ()

    def __copy__(self) -> Self:
        """Return the same object."""
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        """Return the same object, as `__copy__`."""
        return self
