"""Key paths that lead to the keys of a sample."""

from __future__ import annotations

_LONGEST_KEY = 1_000


def escaped(key: str) -> str:
    """Return the key path that leads to a key."""
    for mark in ("\\", ".", "["):
        key = key.replace(mark, "\\" + mark)
    return "\\" + key if key.startswith("@") or key == "*" else key


def has_path(key: str) -> bool:
    """Return whether a key path can lead to a key."""
    return bool(key) and len(key.encode("utf-8", "replace")) <= _LONGEST_KEY and "\0" not in key
