"""JSON Pointers (RFC 6901), and the values of Python that they lead to."""

from __future__ import annotations

import json
from typing import Any

from groot.errors import Status, error


def parts(pointer: str | None) -> tuple[str, ...]:
    """Return the keys and positions of a pointer.

    Args:
        pointer: The pointer; "" or None for the whole document.

    Returns:
        Its parts.

    Raises:
        groot.Error: If the text is not a pointer.
    """
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        message = f"{json.dumps(pointer)} is not a JSON Pointer, which begins with '/': '/data'"
        raise error(Status.INVALID_ARGUMENT, message)
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/"))


def joined(pointer: str, *keys: object) -> str:
    """Return the pointer to a value below the value at a pointer."""
    escaped = (str(key).replace("~", "~0").replace("/", "~1") for key in keys)
    return "/".join([pointer, *escaped])


def last(pointer: str) -> str:
    """Return the last key of a pointer, and nothing for the whole document."""
    return (parts(pointer) or ("",))[-1]


def nothing_at(pointer: str) -> str:
    """Return the message for a pointer that leads to nothing."""
    return f"nothing is at the root {json.dumps(pointer)}"


def found(value: Any, pointer: str) -> Any:
    """Return the part of a value that a pointer leads to.

    Args:
        value: The value.
        pointer: The pointer.

    Returns:
        The part.

    Raises:
        groot.Error: If there is none.
    """
    for part in parts(pointer):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise error(Status.MISSING_VALUE, nothing_at(pointer))
    return value
