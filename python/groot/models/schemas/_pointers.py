"""JSON Pointers (RFC 6901) as text: `/$defs/Hero/properties/name`."""

from __future__ import annotations


def joined(pointer: str, *keys: object) -> str:
    """Return the pointer to a value below another."""
    escaped = (str(key).replace("~", "~0").replace("/", "~1") for key in keys)
    return "/".join([pointer, *escaped])


def parts(pointer: str) -> list[str]:
    """Return the keys of a pointer."""
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]


def last(pointer: str) -> str:
    """Return the last key of a pointer."""
    return pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
