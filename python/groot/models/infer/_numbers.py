"""Numbers with all their digits."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

Decode = Callable[[str], Any]
_SHORT = 17
"""A number with fewer characters has at most 15 digits, which a double keeps."""


def exact(text: str) -> float | Decimal:
    """Return the number of a text: a decimal where a double might not have its value."""
    number = float(text)
    if (len(text) < _SHORT and math.isfinite(number)) or repr(number) == text:
        return number
    return Decimal(text)


def whole(text: str) -> int | Decimal:
    """Return the integer of a text: a decimal where it is longer than Python reads integers."""
    try:
        return int(text)
    except ValueError:
        return Decimal(text)


def read(text: str) -> Any:
    """Read JSON text with all digits of its numbers."""
    return json.loads(text, parse_float=exact, parse_int=whole)


def exactly(number: float | Decimal) -> Any:
    """Return a number whose comparison with another counts all digits."""
    return Decimal(repr(number)) if isinstance(number, float) else number


def is_exact(number: Decimal) -> bool:
    """Return whether a double has the value of a decimal."""
    nearest = float(number)
    return math.isfinite(nearest) and number == Decimal(repr(nearest))


def is_beyond(number: Decimal, digits: int) -> bool:
    """Return whether a decimal has more digits than so many."""
    _, found, exponent = number.as_tuple()
    return len(found) > digits or abs(int(exponent)) > digits
