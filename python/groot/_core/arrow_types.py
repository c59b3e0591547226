"""The types of Arrow that a table may have on request, instead of those of its columns."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from decimal import Context
from functools import partial
from typing import Any, NamedTuple

from groot._core.buffers import Buffer, flags
from groot._core.paths import Way
from groot._core.text import shorten
from groot._ffi import Arrow
from groot.errors import Error, Status, error

_INTEGERS = ("integer16", "integer32", "integer64", "key")
_REALS = ("double", "float")
_USUAL = {
    **dict.fromkeys(_INTEGERS, "int64"),
    **dict.fromkeys(_REALS, "float64"),
    "decimal": "large_string",
    "uuid": "large_string",
}
_OTHERS = {
    **dict.fromkeys(_INTEGERS, "int16 and int32"),
    **dict.fromkeys(_REALS, "float32"),
    "decimal": "decimal128(precision, scale)",
    "uuid": "uuid",
}
_DECIMAL = re.compile(r"decimal128\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)").fullmatch
_MOST_DIGITS = 38
_DECIMAL_SIZE = 16
_EXACT = Context(prec=400)  # no decimal of the library has as many digits
_INFINITIES = float("inf"), float("-inf")
_NO_UUID = "0" * 32


class Requested(NamedTuple):
    """A type on request."""

    format: str
    """The type, as the C data interface writes it."""
    pack: Callable[[Any, Way], Buffer]
    """The function that packs a column, whose path is for its errors."""

    def arrow(self, column: Any, way: Way) -> Arrow:
        """Return a column in this type; raise `groot.Error` for a value that does not fit."""
        buffers = column.validity, self.pack(column, way)
        return Arrow(way.name, self.format, len(column), column.null_count, buffers)


def requested(way: Way, type: Any) -> Requested | None:
    """Look up a type for a path; None for the type that its column has without a request.

    Args:
        way: The path.
        type: The type in Arrow's words, such as "int16" or "decimal128(20, 4)".

    Raises:
        groot.Error: With `Status.WRONG_TYPE` for a type that the property cannot have.

    """
    property = way.last
    usual = _USUAL.get(property.type)
    if usual is None:
        described = (
            f"an attribute of the type {property.type}" if property.type else "a relationship"
        )
        message = (
            f"the type {shorten(type)} for {way.name!r}, which is {described}; "
            "types on request are for integers, reals, decimals and UUIDs"
        )
        raise _failure(Status.WRONG_TYPE, message, way)
    if type == usual:
        return None
    found = _found(property.type, type)
    if found is None:
        message = (
            f"the type {shorten(type)} for {way.name!r}, an attribute of the type {property.type}; "
            f"it can have {_OTHERS[property.type]}, and has {usual} otherwise"
        )
        raise _failure(Status.WRONG_TYPE, message, way)
    return found


def _found(type: str, asked: Any) -> Requested | None:
    if type in _INTEGERS and asked == "int16":
        return Requested("s", partial(_integers, "h"))
    if type in _INTEGERS and asked == "int32":
        return Requested("i", partial(_integers, "i"))
    if type in _REALS and asked == "float32":
        return Requested("f", _reals)
    if type == "uuid" and asked == "uuid":
        return Requested("w:16", _uuids)
    digits = _DECIMAL(asked) if type == "decimal" and isinstance(asked, str) else None
    if digits is None:
        return None
    precision, scale = int(digits[1]), int(digits[2])
    if not 0 < precision <= _MOST_DIGITS or scale > precision:
        return None
    return Requested(f"d:{precision},{scale}", partial(_decimals, precision, scale))


def _integers(format: str, column: Any, way: Way) -> Buffer:
    """Pack integers in fewer bytes."""
    try:
        return array(format, column.values)
    except OverflowError:
        pass
    bits = 8 * array(format).itemsize
    limit = 1 << (bits - 1)
    value = next(one for one in column.values if not -limit <= one < limit)
    message = (
        f"the value {value} is not an int{bits}, from {-limit} to {limit - 1}; "
        "leave the type out, which is int64 then"
    )
    raise _failure(Status.OUT_OF_RANGE, message, way)


def _reals(column: Any, way: Way) -> Buffer:
    """Round reals to 32 bits."""
    packed = array("f", column.values)
    if any(one in packed for one in _INFINITIES):
        for value, one in zip(column.values, packed):
            if one in _INFINITIES and value not in _INFINITIES:
                message = (
                    f"the value {value} is outside the range of float32; "
                    "leave the type out, which is float64 then"
                )
                raise _failure(Status.OUT_OF_RANGE, message, way)
    return packed


def _decimals(precision: int, scale: int, column: Any, way: Way) -> Buffer:
    """Pack decimals as whole numbers of 128 bits, of which `scale` digits are a fraction."""
    limit = 10**precision
    packed = []
    for text, has in zip(column.texts(), flags(column.validity, len(column))):
        scaled = _EXACT.create_decimal(text).scaleb(scale, _EXACT) if has else 0
        number = int(scaled)
        if number != scaled or not -limit < number < limit:
            message = (
                f"the value {text} is not a decimal128({precision}, {scale}), which has "
                f"{precision - scale} digits before the point and {scale} after it; "
                "choose other numbers of digits, or leave the type out for text"
            )
            raise _failure(Status.OUT_OF_RANGE, message, way)
        packed.append(number.to_bytes(_DECIMAL_SIZE, "little", signed=True))
    return b"".join(packed)


def _uuids(column: Any, way: Way) -> Buffer:
    """Pack UUIDs as 16 bytes, in the order of their digits."""
    return bytes.fromhex("".join(one or _NO_UUID for one in column.texts()).replace("-", ""))


def _failure(status: Status, message: str, way: Way) -> Error:
    entity, property = way.steps[-1]
    return error(status, message, entity, property.name)
