"""Literals of Swift: text and numbers, such that they read as what they were."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from struct import pack, unpack

_ESCAPES = {"\0": "\\0", "\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_EXACT_DIGITS = 17
_PLAIN_EXPONENT = 20
# Below these a literal has fewer digits than others, which the compiler warns of.
_LEAST_DOUBLE, _LEAST_FLOAT = 2.0**-1022, 2.0**-126
# More than any decimal of a model has.
_CONTEXT = Context(prec=64)


def text(value: str) -> str:
    """Write text in quotes; an invisible character is written as its number."""
    return f'"{"".join(map(_character, value))}"'


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character.isprintable() else f"\\u{{{ord(character):X}}}"


def real(value: float) -> str:
    """Write a double."""
    shortest = repr(value)
    is_plain = abs(value) >= _LEAST_DOUBLE or not value
    return shortest if is_plain and _is_safe(shortest) else value.hex()


def single(value: float) -> str:
    """Write a float with as few digits as lead back to it."""
    if 0 < abs(value) < _LEAST_FLOAT:
        return value.hex()
    for digits in range(1, _EXACT_DIGITS):
        shortest = float(f"{value:.{digits}g}")
        try:
            (rounded,) = unpack("f", pack("f", shortest))
        except OverflowError:  # rounded up beyond the greatest float
            continue
        if rounded == value:
            return repr(shortest)
    return repr(value)


def decimal(value: Decimal) -> str | None:
    """Write a decimal as a number; None where it takes more digits than a double has."""
    if abs(value) < 2**63 and value == int(value):
        return str(int(value))
    shortest = repr(float(value))
    return shortest if Decimal(shortest) == value and _is_safe(shortest) else None


def decimal_text(value: Decimal) -> str:
    """Write a decimal as text, without an exponent where it is not long."""
    plain = value.normalize(_CONTEXT) if value else Decimal(0)
    exponent = plain.as_tuple().exponent
    is_plain = isinstance(exponent, int) and -_PLAIN_EXPONENT <= exponent <= 0
    return format(plain, "f") if is_plain else str(plain)


def _is_safe(shortest: str) -> bool:
    """Whether a literal is the double that it is nearest to.

    Where processors have numbers of 80 bits, Swift rounds a literal to one of these first. Of those
    that lie about half-way between two doubles the second rounding can then go wrong.
    """
    value, double = Fraction(shortest), float(shortest)
    gap = Fraction(math.ulp(double))
    if abs(value) < abs(Fraction(double)) and abs(math.frexp(double)[0]) == 0.5:
        gap /= 2
    return gap / 2 - abs(value - Fraction(double)) >= gap / 1024
