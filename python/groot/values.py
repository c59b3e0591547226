"""Values of attributes, between Python and the library.

| attribute          | Python                                                                   |
|--------------------|--------------------------------------------------------------------------|
| integer16, 32, 64  | `int`                                                                    |
| double, float      | `float`, finite; an `int` may be assigned                                |
| boolean            | `bool`                                                                   |
| string, uri        | `str`                                                                    |
| decimal            | `decimal.Decimal`, finite; an `int` may be assigned                      |
| date               | `datetime.datetime` with a time zone, read as UTC, to the microsecond    |
| day                | `datetime.date`                                                          |
| binary             | `bytes`; other bytes-like objects may be assigned                        |
| uuid               | `uuid.UUID`                                                              |
| transformable      | any JSON value; a new copy at each reading. A number beyond all floats   |
|                    | is a `Decimal`                                                           |

None is "no value" everywhere. Nothing else is converted.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from operator import attrgetter
from typing import Any
from uuid import UUID

from groot import _ffi
from groot._core.json import VALUE_LEVELS
from groot._core.json import decode as decode_json
from groot._core.json import encode as encode_json
from groot._core.schema import Property
from groot._core.text import encode_text, shorten
from groot.errors import Error, Status, error

# The kinds of a native value.
NULL, INTEGER, REAL, BOOLEAN, STRING, DECIMAL = range(6)
DATE, BINARY, UUID_TEXT, URI, JSON, OBJECT, DAY = range(6, 13)

INT64 = range(-(1 << 63), 1 << 63)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
EPOCH_DAY = EPOCH.date()
_MICROSECOND = timedelta(microseconds=1)


def _bytes(native: Any) -> bytes:
    data: bytes = native.data[: native.size]
    return data


def _text(native: Any) -> str:
    return _bytes(native).decode()


_integer: Callable[[Any], Any] = attrgetter("integer")
_real: Callable[[Any], Any] = attrgetter("real")


def _date(text: str) -> Any:
    """Read a date that the library wrote; a date outside the years of datetime stays text."""
    try:
        instant = datetime.strptime(text[:19], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
    except ValueError:
        return text
    return instant.replace(microsecond=int(f"{text[19:].strip('.Z'):0<6}"))


def _day(text: str) -> Any:
    """Read a day that the library wrote; a day outside the years of date stays text."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return text


def _json(native: Any) -> Any:
    return decode_json(_bytes(native))


DECODERS: dict[str, Callable[[Any], Any]] = {
    "integer16": _integer,
    "integer32": _integer,
    "integer64": _integer,
    "double": _real,
    "float": _real,
    "boolean": lambda native: native.integer != 0,
    "string": _text,
    "uri": _text,
    "decimal": lambda native: Decimal(_text(native)),
    "date": lambda native: EPOCH + timedelta(microseconds=native.integer),
    "day": lambda native: EPOCH_DAY + timedelta(native.integer),
    "binary": _bytes,
    "uuid": lambda native: UUID(_text(native)),
    "transformable": _json,
    "composite": _json,
}
"""The functions from a native value other than null to Python's, by the attribute's type.

A date or day outside the years of `datetime` raises OverflowError.
"""


_FROM_JSON: dict[str, Callable[[Any], Any]] = {
    "double": float,
    "float": float,
    "decimal": Decimal,
    "date": _date,
    "day": _day,
    "binary": base64.b64decode,
    "uuid": UUID,
}


class ConversionError(Exception):
    """A Python value does not fit an attribute; the text has the reason, unless it is the type."""

    def __init__(self, reason: str = "", status: int = Status.WRONG_TYPE) -> None:
        """Keep the reason and the status of the error."""
        super().__init__(reason)
        self.status = status


def _set_text(native: Any, kind: int, text: bytes) -> None:
    native.kind = kind
    native.chars = text
    native.size = len(text)


def _set_integer(native: Any, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConversionError
    if value not in INT64:
        raise ConversionError("does not fit 64 bits", Status.OUT_OF_RANGE)
    native.kind = INTEGER
    native.integer = value


def _set_real(native: Any, value: Any) -> None:
    if not isinstance(value, float):
        return _set_integer(native, value)
    if not math.isfinite(value):
        raise ConversionError("is not finite", Status.OUT_OF_RANGE)
    native.kind = REAL
    native.real = value
    return None


def _set_boolean(native: Any, value: Any) -> None:
    if not isinstance(value, bool):
        raise ConversionError
    native.kind = BOOLEAN
    native.integer = value


def _set_string(native: Any, value: Any) -> None:
    if not isinstance(value, str):
        raise ConversionError
    _set_text(native, STRING, encode_text(value))


def _set_uri(native: Any, value: Any) -> None:
    _set_string(native, value)
    native.kind = URI


def _set_decimal(native: Any, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (Decimal, int)):
        raise ConversionError
    if isinstance(value, Decimal) and not value.is_finite():
        raise ConversionError("is not finite", Status.OUT_OF_RANGE)
    _set_text(native, DECIMAL, str(value).encode())


def _set_date(native: Any, value: Any) -> None:
    if not isinstance(value, datetime):
        raise ConversionError
    if value.utcoffset() is None:
        raise ConversionError(
            "has no time zone; give it one, as in value.replace(tzinfo=timezone.utc)"
        )
    native.kind = DATE
    native.integer = (value - EPOCH) // _MICROSECOND


def _set_day(native: Any, value: Any) -> None:
    # A datetime is also a date, but its time would be lost.
    if not isinstance(value, date) or isinstance(value, datetime):
        raise ConversionError
    native.kind = DAY
    native.integer = (value - EPOCH_DAY).days


def _set_binary(native: Any, value: Any) -> None:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise ConversionError
    _set_text(native, BINARY, bytes(value))


def _set_uuid(native: Any, value: Any) -> None:
    if not isinstance(value, UUID):
        raise ConversionError
    _set_text(native, UUID_TEXT, str(value).encode())


def _set_json(native: Any, value: Any) -> None:
    _set_text(native, JSON, encode_json(value, levels=VALUE_LEVELS))


_INTEGER = ("an int", _set_integer)
_REAL = ("a float", _set_real)
_JSON = ("a JSON value", _set_json)
_ENCODERS: dict[str, tuple[str, Callable[[Any, Any], None]]] = {
    "integer16": _INTEGER,
    "integer32": _INTEGER,
    "integer64": _INTEGER,
    "double": _REAL,
    "float": _REAL,
    "boolean": ("a bool", _set_boolean),
    "string": ("a str", _set_string),
    "uri": ("a str", _set_uri),
    "decimal": ("a decimal.Decimal", _set_decimal),
    "date": ("a datetime.datetime with a time zone", _set_date),
    "day": ("a datetime.date", _set_day),
    "binary": ("bytes", _set_binary),
    "uuid": ("a uuid.UUID", _set_uuid),
    "transformable": _JSON,
    "composite": _JSON,
}


def encode(native: Any, value: Any, property: Property, entity: str) -> None:
    """Write a Python value for an attribute of `entity` into `native`.

    A value that does not fit raises `groot.Error` with entity, property, value and expectation.
    """
    if value is None:
        native.kind = NULL
        return
    expected, setter = _ENCODERS.get(property.type, _JSON)
    try:
        setter(native, value)
    except ConversionError as failure:
        found = f"{value.__class__.__name__} {shorten(value)}"
        reason = str(failure)
        message = f"{found} {reason}" if reason else f"{found} where {expected} is expected"
        raise error(failure.status, message, entity, property.name) from None
    except Error as wrong:
        issues = [replace(one, entity=entity, property=property.name) for one in wrong.issues]
        raise Error(wrong.code, tuple(issues)) from None


def checked(value: Any, property: Property, entity: str) -> Any:
    """Return the JSON form of a value for an attribute of `entity`, as predicates have it.

    A value that does not fit raises `groot.Error`, as `encode` does.
    """
    encode(_ffi.Value(), value, property, entity)
    return plain(value)


def from_json(type: str, value: Any) -> Any:
    """Return the Python value of an attribute from the library's JSON for it."""
    reader = _FROM_JSON.get(type)
    return value if value is None or reader is None else reader(value)


def plain(value: Any) -> Any:
    """Return the JSON form of a date, day, decimal, UUID or bytes; other values unchanged."""
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            message = f"datetime {value!r} has no time zone; give it one"
            raise error(Status.WRONG_TYPE, message)
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (Decimal, UUID)):
        return str(value)
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    return value
