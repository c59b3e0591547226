"""Key paths that lead to the keys of a sample."""

from __future__ import annotations

_LONGEST_KEY = 1_000


def has_path(key: str) -> bool:
    """Return whether a key path can lead to a key."""
    return bool(key) and len(key.encode("utf-8", "replace")) <= _LONGEST_KEY and "\0" not in key
