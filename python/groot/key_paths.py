"""Key paths: the way from an object of JSON to a value in it."""

from __future__ import annotations

_ESCAPES = str.maketrans({".": r"\.", "[": r"\[", "\\": r"\\"})


def escaped(key: str) -> str:
    r"""Write a key as the key path that leads to it, whatever characters it has.

        escaped("example.com")  # "example\\.com"

    Args:
        key: The key.

    Returns:
        The key path (docs/reference/annotations.md).
    """
    path = key.translate(_ESCAPES)
    return f"\\{path}" if path[:1] == "@" or path == "*" else path
