"""Model documents with exact numbers, and JSON text of their values."""

from __future__ import annotations

import json
from typing import Any


class Number(str):
    """The text of a number with a fraction, an exponent or more than 64 bits."""

    __slots__ = ()


def read(text: str) -> Any:
    """Read JSON text without rounding its numbers."""
    return json.loads(text, parse_float=Number, parse_int=_integer)


def _integer(digits: str) -> int | Number:
    if len(digits) > len(str(-(2**63))):
        return Number(digits)
    number = int(digits)
    return number if -(2**63) <= number < 2**63 else Number(digits)


def text_of(value: Any) -> str:
    """Write a value as JSON text, sorted by keys."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        members = (f"{text_of(key)}:{text_of(value[key])}" for key in sorted(value))
        return f"{{{','.join(members)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(text_of, value))}]"
    return json.dumps(value, ensure_ascii=False)
