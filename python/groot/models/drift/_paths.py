"""Key paths of annotations, taken apart."""

from __future__ import annotations

from dataclasses import dataclass

from groot.models._key_paths import Step, parsed

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
    start, steps = parsed(text)
    return KeyPath(text, start, steps)


def of_name(name: str) -> KeyPath:
    """Return the path of a property whose name is its key."""
    return KeyPath(name, "", (name,))


def rendered(key: str) -> str:
    """Write a key as the paths of issues do, with the dot before it."""
    if key.isascii() and key.isidentifier():
        return f".{key}"
    quoted = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'["{quoted}"]'
