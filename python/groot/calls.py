"""The purpose of a call of a registered function."""

from __future__ import annotations

from typing import Any

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
        """The path of the value in the JSON, such as `$[3].id`; None in an export.

        Finding it takes time in proportion to the record.

        Raises:
            groot.Error: After the function has returned.
        """
        return self._text(lib.call_path)

    @property
    def entity(self) -> str | None:
        """The name of the entity that the function is called for.

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
