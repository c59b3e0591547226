"""The elements of composites as columns: JSON that is packed into buffers."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta, timezone
from functools import partial
from typing import Any
from uuid import UUID

from groot._core.buffers import Buffer, Buffers, bits, numbers, present, texts
from groot._core.input import encode_input
from groot._core.json import decode_exactly
from groot._core.schema import Property
from groot._ffi import Arrow
from groot.errors import Status, error
from groot.values import EPOCH, EPOCH_DAY

_DATE = re.compile(
    r"(\d{4})-?(\d\d)-?(\d\d)"
    r"(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)? *(?:Z|([+-]\d\d):?(\d\d)?)?)?"
).fullmatch
_DIGITS = 6  # of microseconds


def struct(
    name: str, count: int, null_count: int, validity: Buffer | None, children: Sequence[Arrow]
) -> Arrow:
    """Return columns as one."""
    return Arrow(name, "+s", count, null_count, (validity,), tuple(children))


def composite(name: str, found: list[str], place: tuple[str, Property]) -> Arrow:
    """Return the elements of a composite attribute as a struct.

    Args:
        name: The name of the column.
        found: The values as JSON text; an empty text for "no value".
        place: The entity and the attribute.

    Raises:
        groot.Error: With `Status.WRONG_TYPE` for a value that does not have the type of its
            element, which only a save refuses. With `Status.OUT_OF_RANGE` for a date outside the
            years of `datetime`.

    """
    values = [decode_exactly(one) if one else None for one in found]
    return _elements(name, values, place[1].elements, place)


def _elements(
    name: str, values: list[Any], elements: Mapping[str, Any], place: tuple[str, Property]
) -> Arrow:
    children = []
    for key, described in elements.items():
        try:
            parts = [None if one is None else one.get(key) for one in values]
        except AttributeError:
            raise _unfitting(name, "composite", "not an object", place) from None
        inner = described.get("elements")
        if inner:
            children.append(_elements(key, parts, inner, place))
        else:
            children.append(_element(key, parts, described["type"], place))
    return struct(name, len(values), values.count(None), present(values), children)


def _element(name: str, values: list[Any], type: str, place: tuple[str, Property]) -> Arrow:
    format, read, pack = _PACKED[type]
    try:
        buffers = pack([None if one is None else read(one) for one in values])
    except (TypeError, ValueError, ArithmeticError, AttributeError) as cause:
        raise _unfitting(name, type, cause, place) from None
    parts = [buffers.validity, buffers.values]
    if buffers.offsets is not None:
        parts.insert(1, buffers.offsets)
    return Arrow(name, format, len(values), buffers.null_count, tuple(parts))


def _unfitting(name: str, type: str, cause: object, place: tuple[str, Property]) -> Exception:
    entity, property = place
    is_range = isinstance(cause, OverflowError)
    status = Status.OUT_OF_RANGE if is_range else Status.WRONG_TYPE
    message = f"the element {name!r} has a value that is not a {type} for Arrow: {cause}"
    return error(status, message, entity, property.name)


def _text(value: Any) -> bytes:
    return str(value).encode()


def _string(value: str) -> bytes:
    return value.encode()


def _whole(value: Any) -> int:
    """Return a whole number, which JSON may write as 3.0."""
    found = int(value)
    if isinstance(value, str) or found != value:
        raise ValueError(f"{value} is not whole")
    return found


def _instant(value: str) -> int:
    """Return the microseconds of a date since 1970, in any form that an import takes."""
    found = _DATE(value)
    if found is None:
        raise OverflowError(f"{value} is outside the years of datetime, 1 to 9999")
    year, month, day, hour, minute, second, fraction, zone_hours, zone_minutes = found.groups()
    begin = datetime(int(year), int(month), int(day), tzinfo=timezone.utc) - EPOCH
    clock = timedelta(hours=int(hour or 0), minutes=int(minute or 0), seconds=int(second or 0))
    micro = int((fraction or "")[:_DIGITS].ljust(_DIGITS, "0"))
    sign = -1 if (zone_hours or "").startswith("-") else 1
    zone = timedelta(hours=int(zone_hours or 0), minutes=sign * int(zone_minutes or 0))
    return (begin + clock - zone) // timedelta(microseconds=1) + micro


def _days(value: str) -> int:
    found = _DATE(value)
    if found is None:
        raise OverflowError(f"{value} is outside the years of date, 1 to 9999")
    return (date(*map(int, found.groups()[:3])) - EPOCH_DAY).days


def _bytes(value: str) -> bytes:
    padding = "=" * (-len(value) % 4)
    return b64decode(value.replace("-", "+").replace("_", "/") + padding)


def _flags(values: Sequence[Any]) -> Buffers:
    packed = bits(bytes(one is True for one in values))
    return Buffers(values.count(None), packed, None, present(values))


_Packed = tuple[str, Callable[[Any], Any], Callable[[Sequence[Any]], Buffers]]
_INTEGER: _Packed = ("l", _whole, partial(numbers, "q"))
_REAL: _Packed = ("g", float, partial(numbers, "d"))
_JSON: _Packed = ("U", encode_input, texts)
_STRING: _Packed = ("U", _string, texts)
_PACKED: dict[str, _Packed] = {
    "integer16": _INTEGER,
    "integer32": _INTEGER,
    "integer64": _INTEGER,
    "double": _REAL,
    "float": _REAL,
    "boolean": ("b", bool, _flags),
    "string": _STRING,
    "uri": _STRING,
    "decimal": ("U", _text, texts),
    "date": ("tsu:UTC", _instant, partial(numbers, "q")),
    "day": ("tdD", _days, partial(numbers, "i")),
    "binary": ("Z", _bytes, texts),
    "uuid": ("U", lambda value: _text(UUID(value)), texts),
    "transformable": _JSON,
    "composite": _JSON,
}
"""By the type of an element: its format, the function for one value of JSON, and that for all."""
