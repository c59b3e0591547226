"""Swift literals of text and numbers, which give exactly the same values."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from struct import pack, unpack

_ESCAPES = {"\0": "\\0", "\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_EXACT_DIGITS = 17
_PLAIN_EXPONENT = 20
# Numbers below these have fewer digits, so the compiler warns of decimal literals for them.
_LEAST_DOUBLE, _LEAST_FLOAT = 2.0**-1022, 2.0**-126
# More digits than any decimal of a model has.
_CONTEXT = Context(prec=64)


def text(value: str) -> str:
    """Write text in quotes, with invisible characters as their numbers."""
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
    """Write a float with the fewest digits that give the same float."""
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
    """Write a decimal as a number; None if a double cannot hold it exactly."""
    if abs(value) < 2**63 and value == int(value):
        return str(int(value))
    shortest = repr(float(value))
    return shortest if Decimal(shortest) == value and _is_safe(shortest) else None


def decimal_text(value: Decimal) -> str:
    """Write a decimal as text, without an exponent if that is short."""
    plain = value.normalize(_CONTEXT) if value else Decimal(0)
    exponent = plain.as_tuple().exponent
    is_plain = isinstance(exponent, int) and -_PLAIN_EXPONENT <= exponent <= 0
    return format(plain, "f") if is_plain else str(plain)


def _is_safe(shortest: str) -> bool:
    """Whether Swift reads a literal as the nearest double on every processor.

    On processors with 80-bit floats, Swift first rounds a literal to such a float. If that is about
    half-way between two doubles, the second rounding can give the wrong one.
    """
    value, double = Fraction(shortest), float(shortest)
    gap = Fraction(math.ulp(double))
    if abs(value) < abs(Fraction(double)) and abs(math.frexp(double)[0]) == 0.5:
        gap /= 2
    return gap / 2 - abs(value - Fraction(double)) >= gap / 1024
