"""References to the objects of a context, by their numbers."""

from __future__ import annotations

from typing import Any

from groot._core.session import Session
from groot._core.text import shorten
from groot.errors import Error, Status, error


class Reference:
    """A reference to an object: the base of `groot.Object`."""

    __slots__ = ("_number", "_session")

    def __init__(self, session: Session, identifier: int) -> None:
        """Make a reference to an object, for a context."""
        self._session = session
        self._number = identifier


def identifier_of(found: Any, session: Session) -> int:
    """Return the number of an object of the context; raise `groot.Error` for any other value."""
    if not isinstance(found, Reference):
        raise no_object(found)
    if found._session is not session:
        raise foreign(found)
    return found._number


def no_object(found: Any) -> Error:
    """Make the error for a value that is not an object."""
    message = f"{type(found).__name__} {shorten(found)} where objects of a context are expected"
    return error(Status.INVALID_ARGUMENT, message)


def foreign(found: Any) -> Error:
    """Make the error for one object or several of another context."""
    return error(Status.INVALID_ARGUMENT, f"{shorten(found)} belongs to another context")
