"""Owned pointers into the library."""

from __future__ import annotations

import atexit
from typing import TYPE_CHECKING, Any

from groot import _ffi
from groot._steps import Step

if TYPE_CHECKING:
    from typing_extensions import Self


class Handle(Step):
    """A call that frees a pointer, made when nothing uses this any more: `Handle(free, pointer)`.

    The pointer is a place that may be empty. It is owned before the library fills it, and so
    whenever Ctrl-C comes. No code of Python runs when it is freed: an exception of Ctrl-C there
    would be lost.

    At interpreter exit nothing is freed: the process ends anyway, and what other exit handlers
    still use stays whole.
    """

    __slots__ = ()

    __del__ = Step.__call__

    @property
    def pointer(self) -> Any:
        """The place of the pointer."""
        return self.args[0]

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: two owners would free one pointer twice."""
        raise TypeError("an object of the library cannot be copied or pickled")


atexit.register(Step(delattr, Handle, "__del__"))


def moving(pointer: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return another place, and the steps that move a pointer there: then its handle frees nothing.

    It is not given the handle, which a traceback would keep.
    """
    place = type(pointer)()
    copy = Step(_ffi.memmove, _ffi.byref(place), _ffi.byref(pointer), _ffi.sizeof(pointer))
    return place, (copy, Step(setattr, pointer, "value", None))


class Unchanging:
    """An object that never changes, and so is its own copy."""

    __slots__ = ()

    def __copy__(self) -> Self:
        """Return the same."""
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        """Return the same, as `__copy__`."""
        return self
