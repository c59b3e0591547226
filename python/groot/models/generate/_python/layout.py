"""Python code in lines of at most 100 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Union

from groot.models.generate._json import Number

_WIDTH = 100
_STEP = 4


@dataclass(frozen=True)
class Group:
    """A call, a list or a dict: its beginning, its parts, its last character."""

    opening: str
    parts: Sequence[Code]
    closing: str


Code = Union[str, Group]


def flat(code: Code) -> str:
    """Write code on one line."""
    if isinstance(code, str):
        return code
    end = "," if code.opening.endswith("(") and code.closing == ")" and _is_tuple(code) else ""
    return code.opening + ", ".join(map(flat, code.parts)) + end + code.closing


def _is_tuple(code: Group) -> bool:
    before = code.opening[:-1].rpartition("=")[2].strip()
    return not before and len(code.parts) == 1


def lines(code: Code, beginning: str, indent: int, after: str = "") -> list[str]:
    """Write code after the beginning of a line; parts that do not fit get a line each."""
    whole = beginning + flat(code) + after
    if isinstance(code, str) or not code.parts or len(whole) <= _WIDTH:
        return [whole]
    found = [beginning + code.opening]
    for part in code.parts:
        found += lines(part, " " * (indent + _STEP), indent + _STEP, ",")
    return [*found, " " * indent + code.closing + after]


def labelled(label: str, code: Code) -> Code:
    """Put a keyword before code."""
    if isinstance(code, Group):
        return Group(f"{label}={code.opening}", code.parts, code.closing)
    return f"{label}={code}"


def text(value: str) -> str:
    """Write text in quotes, with invisible characters as their numbers."""
    return f'"{"".join(map(_character, value))}"'


def _character(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode()


def names(values: Iterable[str]) -> Code:
    """Write texts as a tuple."""
    return Group("(", [text(one) for one in values], ")")


def json(value: Any) -> Code:
    """Write a JSON value."""
    if isinstance(value, Number):
        return _number(value)
    if isinstance(value, dict):
        return Group("{", [_labelled_key(key, one) for key, one in sorted(value.items())], "}")
    if isinstance(value, list):
        return Group("[", [json(one) for one in value], "]")
    return text(value) if isinstance(value, str) else str(value)


def _labelled_key(key: str, value: Any) -> Code:
    code = json(value)
    if isinstance(code, Group):
        return Group(f"{text(key)}: {code.opening}", code.parts, code.closing)
    return f"{text(key)}: {code}"


def _number(number: Number) -> str:
    """Write a number with a fraction, an exponent or more than 64 bits, without a loss."""
    written = str(number)
    if written.lstrip("-").isdigit() or written == repr(float(written)):
        return written
    return f'Decimal("{Decimal(written)}")'
