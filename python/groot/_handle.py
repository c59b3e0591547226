"""Owned pointers into the library."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self


class Handle:
    """A pointer that is freed when nothing uses it any more, or when it is closed.

    At interpreter exit nothing is freed: the process ends anyway, and what other exit handlers
    still use stays whole.
    """

    __slots__ = ("__weakref__", "_finalizer", "pointer")

    def __init__(self, pointer: Any, free: Callable[[Any], None]) -> None:
        """Take ownership of `pointer`."""
        self.pointer = pointer
        self._finalizer = weakref.finalize(self, free, pointer)
        self._finalizer.atexit = False

    def close(self) -> None:
        """Free the pointer now; later calls do nothing."""
        self.pointer = None
        self._finalizer()

    def give_up(self) -> None:
        """Forget the pointer, which is freed already."""
        self.pointer = None
        self._finalizer.detach()

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled: two owners would free one pointer twice."""
        raise TypeError("what the library owns cannot be copied or pickled")


class Unchanging:
    """What never changes, and so is its own copy."""

    __slots__ = ()

    def __copy__(self) -> Self:
        """Give the same."""
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        """Give the same, as `__copy__`."""
        return self
