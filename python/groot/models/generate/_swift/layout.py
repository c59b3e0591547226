"""Code in lines of at most 100 columns, broken as `swift format` breaks them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

_WIDTH = 100
_STEP = 2


@dataclass(frozen=True)
class Group:
    """A call or an array literal: its beginning, its parts, its last character."""

    opening: str
    """The text before the parts, including the opening bracket."""
    parts: Sequence[Code]
    """The parts between the brackets, without commas."""
    closing: str = ")"
    """The closing bracket."""


Code = Union[str, Group]


def labelled(label: str, code: Code) -> Code:
    """Put a label before code."""
    if isinstance(code, Group):
        return Group(f"{label}: {code.opening}", code.parts, code.closing)
    return f"{label}: {code}"


def flat(code: Code) -> str:
    """Write code on one line."""
    if isinstance(code, str):
        return code
    return code.opening + ", ".join(map(flat, code.parts)) + code.closing


def lines(code: Code, beginning: str, indent: int, following: int = 0) -> list[str]:
    """Write code after the beginning of a line; the last line leaves `following` columns free."""
    whole = beginning + flat(code)
    if isinstance(code, str) or not code.parts or len(whole) + following <= _WIDTH:
        return [whole]
    found = [beginning + code.opening]
    margin = " " * (indent + _STEP)
    is_list = code.closing == "]"
    line = ""
    for number, part in enumerate(code.parts, 1):
        is_last = number == len(code.parts)
        after = "," if not is_last or (is_list and number > 1) else ""
        room = len(after) if is_list or not is_last else len(code.closing) + following
        short = flat(part)
        if line and len(line) + 1 + len(short) + room <= _WIDTH:
            line += f" {short}{after}"
            continue
        if line:
            found.append(line)
        *more, line = lines(part, margin, indent + _STEP, room)
        found += more
        line += after
    if is_list:
        return [*found, line, " " * indent + code.closing]
    return [*found, line + code.closing]
