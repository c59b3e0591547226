"""Conversion of values from text in an Xcode model to JSON values of a model document.

Xcode writes `0.0` for whole numbers, and `NO` for numbers that once were booleans. Generators and
people write values in other ways. Text with a single meaning is read; any other text is refused.
"""

from __future__ import annotations

import re
import struct
import unicodedata
import uuid
from datetime import datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation
from typing import Union

Value = Union[bool, int, float, str]

_LONGEST = 100
_REFERENCE = datetime(2001, 1, 1, tzinfo=timezone.utc)
_TRUE = ("yes", "true", "y")
_FALSE = ("no", "false", "n")
_BITS = {"integer16": 16, "integer32": 32, "integer64": 64}
_DIGITS = 38
_EXPONENT = 6144
_GROUPED = {
    separator: re.compile(rf"[+-]?[0-9]{{1,3}}(?:[{separator}][0-9]{{3}})+") for separator in ",."
}


class UnreadableError(Exception):
    """A text is not a value of its type; the text of the error has the reason."""


def value(type: str, text: str) -> Value:
    """Read a value of an attribute type from text; raise `UnreadableError` with the reason."""
    if type in ("string", "uri"):
        return text
    if type in _BITS:
        return _integer(type, text)
    if type == "boolean":
        return _number(text) != 0
    if type in ("double", "float"):
        return _real(type, text)
    if type == "decimal":
        return _decimal(text)
    if type == "date":
        return _date(text)
    if type == "uuid":
        try:
            return str(uuid.UUID(text.strip()))
        except ValueError:
            raise UnreadableError("is not a UUID") from None
    raise UnreadableError(f"cannot be read as {type}")


def truth(text: str) -> bool | None:
    """Read a flag such as `YES`; None if it is neither true nor false."""
    word = text.strip().lower()
    if word in _TRUE or word == "1":
        return True
    if word in _FALSE or word == "0":
        return False
    return None


def count(text: str) -> int:
    """Read a number of members or of characters."""
    found = _integer("integer64", text)
    # A limit of two billion is as good as no limit.
    return min(found, (1 << 31) - 1)


def date_of_seconds(text: str) -> str:
    """Read seconds since the start of 2001 in UTC, Apple's reference date, as ISO 8601."""
    seconds = _number(text)
    # With a greater exponent the number would be expanded, only to be refused.
    if seconds.adjusted() > 12:
        raise UnreadableError("is not an instant in the years 1 to 9999")
    whole = int(seconds.to_integral_value(rounding="ROUND_FLOOR"))
    microseconds = int(((seconds - whole) * 1_000_000).to_integral_value())
    try:
        instant = _REFERENCE + timedelta(seconds=whole, microseconds=microseconds)
    except OverflowError:
        raise UnreadableError("is not an instant in the years 1 to 9999") from None
    return instant.isoformat().replace("+00:00", "Z")


def _number(text: str) -> Decimal:
    """Read a number, or a boolean as 1 or 0."""
    flag = truth(text)
    if flag is not None:
        return Decimal(flag)
    if len(text) <= _LONGEST:
        try:
            found = Decimal(_plain(text))
        except InvalidOperation:
            found = Decimal("NaN")
        if found.is_finite():
            return found
    raise UnreadableError("is not a number")


def _plain(text: str) -> str:
    """Rewrite a number of any locale with a decimal point and without grouping."""
    # NFKC turns wide digits and the narrow spaces that group thousands into ASCII.
    text = unicodedata.normalize("NFKC", text.strip()).replace("\u2212", "-")
    text = re.sub(r"(?<=\d)[ '\u2019_](?=\d{3})", "", text)
    comma, point = text.rfind(","), text.rfind(".")
    if comma >= 0 and point >= 0:
        fraction, group = (",", ".") if comma > point else (".", ",")
        whole, _, rest = text.rpartition(fraction)
        return f"{_ungrouped(whole, group)}.{rest}"
    if text.count(",") > 1:
        return _ungrouped(text, ",")
    if text.count(".") > 1:
        return _ungrouped(text, ".")
    if _GROUPED[","].fullmatch(text) and not text.lstrip("+-").startswith("0"):
        raise UnreadableError("may be a fraction or a number of thousands")
    return text.replace(",", ".")


def _ungrouped(text: str, separator: str) -> str:
    """Remove separators if they group thousands."""
    return text.replace(separator, "") if _GROUPED[separator].fullmatch(text) else text


def _integer(type: str, text: str) -> int:
    try:
        number = _number(text)
    except UnreadableError:
        # A whole number has no fraction, so a single comma groups thousands.
        if len(text) > _LONGEST or not _GROUPED[","].fullmatch(text.strip()):
            raise
        number = Decimal(text.strip().replace(",", ""))
    limit = 1 << (_BITS[type] - 1)
    # With a greater exponent the number would be expanded, only to be refused.
    if number.adjusted() > 19 or not -limit <= number <= limit - 1:
        raise UnreadableError(f"is not from {-limit} to {limit - 1}")
    if number != int(number):
        raise UnreadableError("is not a whole number")
    return int(number)


def _real(type: str, text: str) -> float:
    number = float(_number(text))
    try:
        struct.pack("<f" if type == "float" else "<d", number)
    except OverflowError:
        number = float("inf")
    if number in (float("inf"), float("-inf")):
        raise UnreadableError(f"is beyond the range of {type}")
    return number


def _decimal(text: str) -> str:
    number = _number(text)
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    if len(digits) > _DIGITS or abs(number.adjusted()) > _EXPONENT - _DIGITS:
        raise UnreadableError(f"has more than {_DIGITS} digits")
    return str(number)


def _date(text: str) -> str:
    """Read a date that a generator wrote as a text: seconds or ISO 8601."""
    if truth(text) is not None and not text.strip().isdigit():
        raise UnreadableError("is not a date")
    try:
        return date_of_seconds(text)
    except UnreadableError:
        pass
    try:
        instant = datetime.fromisoformat(re.sub("[Zz]$", "+00:00", text.strip()))
        if instant.tzinfo is None:
            instant = instant.replace(tzinfo=timezone.utc)
        return instant.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError):
        raise UnreadableError("is neither seconds since 2001 nor a date of ISO 8601") from None
