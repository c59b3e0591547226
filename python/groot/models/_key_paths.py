"""Key paths as steps: keys, positions, and the elements of arrays."""

from __future__ import annotations

import re
from typing import NamedTuple, Union

Step = Union[str, int, None]
"""A key, a position in an array, or None for each element of an array."""

_PART = re.compile(r"\[(\d*)\]|((?:\\.|[^.\[\\])+)", re.DOTALL)


class Path(NamedTuple):
    """A key path."""

    start: str
    """The word that the path begins with, such as `@parent`; empty without."""
    steps: tuple[Step, ...]
    """The steps behind it."""


def parsed(path: str) -> Path:
    """Return the steps of a key path, which the library has checked."""
    start = ""
    steps: list[Step] = []
    for found in _PART.finditer(path):
        position, key = found.groups()
        if key is None:
            steps.append(int(position) if position else None)
        elif not found.start() and key.startswith("@"):
            start = key
        else:
            steps.append(re.sub(r"\\(.)", r"\1", key, flags=re.DOTALL))
    return Path(start, tuple(steps))


def single(path: Path | None) -> str | None:
    """Return the key of a path that is one key; None for another."""
    if path is None or path.start or len(path.steps) != 1:
        return None
    step = path.steps[0]
    return step if isinstance(step, str) else None
