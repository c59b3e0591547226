"""JSON text of model documents: short values on one line."""

from __future__ import annotations

import json
from typing import Any

_WIDTH = 100


def pretty(value: Any, indent: int = 0) -> str:
    """Write a value as JSON text with short lines.

    Args:
        value: A JSON value.
        indent: The number of spaces before the lines inside.

    Returns:
        The text, without a newline at the end.
    """
    return _text(value, indent, indent)


def _text(value: Any, indent: int, start: int) -> str:
    line = _line(value)
    if not isinstance(value, (dict, list)) or not value:
        return line
    if start + len(line) <= _WIDTH and not _is_deep(value):
        return line
    inner = " " * (indent + 2)
    lines = []
    if isinstance(value, dict):
        for key, one in value.items():
            head = f"{inner}{json.dumps(key, ensure_ascii=False)}: "
            lines.append(head + _text(one, indent + 2, len(head)))
        marks = "{}"
    else:
        lines = [inner + _text(one, indent + 2, indent + 2) for one in value]
        marks = "[]"
    return f"{marks[0]}\n" + ",\n".join(lines) + f"\n{' ' * indent}{marks[1]}"


def _line(value: Any) -> str:
    if isinstance(value, dict):
        if not value:
            return "{}"
        members = (
            f"{json.dumps(key, ensure_ascii=False)}: {_line(one)}" for key, one in value.items()
        )
        return f"{{ {', '.join(members)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_line, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _is_deep(value: Any) -> bool:
    """Return whether a value has objects in objects in it, which are never on one line."""
    if not isinstance(value, dict):
        return False
    inner = [one for one in value.values() if isinstance(one, dict)]
    return any(isinstance(one, dict) for each in inner for one in each.values())
