"""Functions of the program that the library calls: the purpose and the progress of a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Union

from groot import _ffi
from groot._ffi import lib
from groot.errors import Status, error


class Call:
    """The purpose of a call of a registered function; valid until the function returns.

    A function with two required parameters receives it as the second argument.
    """

    __slots__ = ("_handle",)

    def __init__(self, handle: Any) -> None:
        """Make the second argument of a function."""
        self._handle = handle

    @property
    def path(self) -> str | None:
        """The path of the value in the JSON, such as `$[3].id`.

        An export, and a call with the values of many records, have None.

        Finding it takes time in proportion to the record.

        Raises:
            groot.Error: After the function has returned.
        """
        return self._text(lib.call_path)

    @property
    def entity(self) -> str | None:
        """The name of the entity that the function is called for.

        For the values of many records it is the first one whose annotations name the function, and
        `property` is the first property.

        Raises:
            groot.Error: After the function has returned.
        """
        return self._text(lib.call_entity)

    @property  # the last property, since its name hides the decorator
    def property(self) -> str | None:
        """The name of the property; None if the function is called for an object.

        Raises:
            groot.Error: After the function has returned.
        """
        return self._text(lib.call_property)

    def _end(self) -> None:
        """Forget the handle, which is invalid after the call."""
        self._handle = None

    def _text(self, function: Any) -> str | None:
        if self._handle is None:
            message = "the call is over; read its properties before the function returns"
            raise error(Status.INVALID_ARGUMENT, message)
        return _ffi.text_of(function(self._handle)) or None


Function = Union[Callable[[Any], Any], Callable[[Any, Call], Any]]
"""A function of a registry."""


class Progress(NamedTuple):
    """The progress of a call that takes long."""

    bytes: int
    """The number of bytes of text read or written; 0 if there is no text."""
    records: int
    """The number of records imported, or of objects written or examined.

    It is 0 while only the store is working.
    """
    inserted: int
    """The number of objects that the import has inserted."""
    updated: int
    """The number of objects that the import has found and changed."""
    unchanged: int
    """The number of objects that the import has found and not changed."""
    operation: str = "import"
    """The operation: "import", "export", "fetch", "save", "refresh", "migrate" or
    "copy".

    A synchronization and `fill` are imports. A count, distinct values and an aggregate are fetches.
    """


Watcher = Callable[[Progress], Any]
"""A function that is called with the progress of a call; if it returns False, the call ends."""
