"""Key paths of annotations, taken apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Union

Step = Union[str, int, None]
"""A key, a position, or None for each element."""

_STEP = re.compile(r"\[([0-9]*)\]|\.?((?:[^.\[\\]|\\.)+)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SEPARATED = re.compile(r"[\s,]+")
_OUTER = ("@parent", "@root")


@dataclass(frozen=True)
class KeyPath:
    """A key path of a property."""

    text: str
    """The path as the model has it."""
    special: str
    """"@key", "@value", "@index", "@rest", "@parent" or "@root", or nothing for keys alone."""
    steps: tuple[Step, ...]
    """The keys and positions, after "@parent" and "@root"."""


def key_path(text: str) -> KeyPath:
    """Take a path apart; the mapping has checked it.

    Args:
        text: The path.

    Returns:
        Its parts.
    """
    steps: list[Step] = []
    special = ""
    for found in _STEP.finditer(text):
        if found[2] is None:
            steps.append(int(found[1]) if found[1] else None)
        elif found[2].startswith("@") and not steps and not special:
            special = found[2]
        else:
            steps.append(_ESCAPED.sub(r"\1", found[2]))
    return KeyPath(text, special, tuple(steps))


def of_name(name: str) -> KeyPath:
    """Return the path of a property whose name is its key."""
    return KeyPath(name, "", (name,))


def separated(text: str | None) -> list[str]:
    """Return the entries of an annotation that is a list."""
    return [one for one in _SEPARATED.split(text or "") if one]


def rendered(key: str) -> str:
    """Write a key as the paths of issues do, with the dot before it."""
    if key.isascii() and key.isidentifier():
        return f".{key}"
    quoted = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'["{quoted}"]'
