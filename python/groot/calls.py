"""The call that a function of a registry may ask about."""

from __future__ import annotations

from typing import Any

from groot import _ffi
from groot._ffi import lib
from groot.errors import Status, error


class Call:
    """The purpose of a call of a registry's function; of use until the function returns.

    A function is given one if it needs a second argument.
    """

    __slots__ = ("_handle",)

    def __init__(self, handle: Any) -> None:
        """Make what a function is given."""
        self._handle = handle

    @property
    def path(self) -> str | None:
        """Where in the JSON the value is, such as `$[3].id`; None in an export.

        Finding it takes time in proportion to the record.
        """
        return self._text(lib.call_path)

    @property
    def entity(self) -> str | None:
        """The name of the entity that it is called for."""
        return self._text(lib.call_entity)

    @property  # the last one, since it hides the decorator
    def property(self) -> str | None:
        """The name of the property; None when it is called for an object."""
        return self._text(lib.call_property)

    def _end(self) -> None:
        """Forget the call, which is over."""
        self._handle = None

    def _text(self, function: Any) -> str | None:
        if self._handle is None:
            raise error(Status.INVALID_ARGUMENT, "the call is over")
        return _ffi.text_of(function(self._handle)) or None
