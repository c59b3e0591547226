"""Text on its way into the library."""

from __future__ import annotations

import os
from typing import Any

from groot.errors import Error, Status, error

MARK = b"\xef\xbb\xbf"
"""The byte order mark, with which some programs begin a text."""


def shorten(value: Any, limit: int = 60) -> str:
    """Write `value` for a message, in at most `limit` characters."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def encode_text(text: str) -> bytes:
    """Encode a string; raise `groot.Error` when it has a surrogate without its pair."""
    if not isinstance(text, str):
        message = f"a str was expected, not {type(text).__name__} {shorten(text)}"
        raise error(Status.INVALID_ARGUMENT, message)
    try:
        return text.encode()
    except UnicodeEncodeError:
        message = f"a surrogate without its pair in {shorten(text)}"
        raise error(Status.INVALID_UTF8, message) from None


def encode_name(name: str) -> bytes:
    """Encode a name, which ends at its first NUL in C and so must have none."""
    encoded = encode_text(name)
    if b"\0" in encoded:
        raise error(Status.INVALID_ARGUMENT, f"a NUL in the name {shorten(name)}")
    return encoded


def encode_path(path: str | bytes | os.PathLike[Any]) -> bytes:
    """Encode a path, which ends at its first NUL in C and so must have none."""
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise error(Status.INVALID_ARGUMENT, f"a NUL in the path {shorten(path)}")
    return encoded


def file_error(path: Any, action: str, cause: OSError) -> Error:
    """Make the error of a file that could not be read or written."""
    return error(Status.FILE_ERROR, f"{os.fspath(path)} cannot be {action}: {cause.strerror}")
