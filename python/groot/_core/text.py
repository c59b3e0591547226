"""Text for the library and for messages."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from groot.errors import Error, Status, error


def shorten(value: Any, limit: int = 60) -> str:
    """Write `value` for a message, in at most `limit` characters."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def encode_text(text: str) -> bytes:
    """Encode a string; raise `groot.Error` if it has an unpaired surrogate."""
    if not isinstance(text, str):
        message = f"{type(text).__name__} {shorten(text)} where a str is expected"
        raise error(Status.INVALID_ARGUMENT, message)
    try:
        return text.encode()
    except UnicodeEncodeError:
        message = f"an unpaired surrogate in {shorten(text)}"
        raise error(Status.INVALID_UTF8, message) from None


def encode_name(name: str) -> bytes:
    """Encode a name; raise `groot.Error` for a NUL, which would end the name in C."""
    encoded = encode_text(name)
    if b"\0" in encoded:
        raise error(Status.INVALID_ARGUMENT, f"a NUL in the name {shorten(name)}; remove it")
    return encoded


def is_store_url(path: bytes) -> bool:
    """Tell whether the path of a store is the URL of a database."""
    return path.startswith((b"postgresql://", b"postgres://"))


def shown_store(path: bytes) -> str:
    """Return the path of a store for people: of a URL neither the user nor the options."""
    if not is_store_url(path):
        return repr(os.fsdecode(path))
    from urllib.parse import urlsplit  # noqa: PLC0415 (few programs need it)

    parts = urlsplit(os.fsdecode(path))
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def encode_path(path: str | bytes | os.PathLike[Any], name: str = "path") -> bytes:
    """Encode a path; raise `groot.Error` for another value of the parameter `name`, and for a NUL.

    A NUL would end the path in C.
    """
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise refusal(name, path, "the path of a file, a str or a pathlib.Path")
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise error(Status.INVALID_ARGUMENT, f"a NUL in the path {shorten(path)}; remove it")
    return encoded


def refusal(name: str, value: Any, expected: str) -> Error:
    """Make the error for an invalid value of an option."""
    return error(Status.INVALID_ARGUMENT, f"{name} is {shorten(value)}, not {expected}")


def nearest(name: Any, names: Iterable[str]) -> str:
    """Return the question of a message for the nearest of some names; empty if none is near."""
    if not isinstance(name, str):
        return "; names are texts"
    from difflib import get_close_matches  # noqa: PLC0415 (only errors need it)

    found = get_close_matches(name, list(names), 1)
    return f"; is {found[0]!r} meant?" if found else ""
