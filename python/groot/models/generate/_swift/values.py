"""Values of attributes as Swift expressions: as the type of a member, and as a `Value`.

A text may be an invalid date, day or UUID, so Swift makes an optional of it. The values of a
checked model are valid, so the expression after `??` is never used.
"""

from __future__ import annotations

import base64
import re
from decimal import Decimal
from typing import Any

from groot.models.generate._json import Number, text_of
from groot.models.generate._swift import literals
from groot.models.generate._swift.layout import Code, Group, labelled

_TYPES = {
    "integer16": "Int16",
    "integer32": "Int32",
    "integer64": "Int64",
    "decimal": "DecimalNumber",
    "double": "Double",
    "float": "Float",
    "string": "String",
    "boolean": "Bool",
    "date": "Timestamp",
    "day": "CalendarDay",
    "binary": "[UInt8]",
    "uuid": "UUIDValue",
    "uri": "String",
    "transformable": "JSONValue",
    "composite": "JSONValue",
}
_FOUNDATION = {"decimal": "Decimal", "date": "Date", "binary": "Data", "uuid": "UUID", "uri": "URL"}
# Types of members that several types of attributes share.
_TELL_ANOTHER = {"uri": "String", "composite": "JSONValue"}
_CASES = {"double": "real", "float": "real", "transformable": "json", "composite": "json"}

# Values that Foundation certainly holds without loss; it cannot hold all others.
_HELD = {
    "uri": re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[A-Za-z0-9._~-]+(/[A-Za-z0-9._~/-]*)?"),
    "date": re.compile(r"(1[89]|2[01])[0-9]{2}-.*"),
}
_HELD_EXPONENTS = range(-64, 64)


def member_type(attribute: dict[str, Any], foundation: bool) -> str:
    """Return the type of a member without its question mark."""
    type, default = attribute["type"], attribute["default"]
    if foundation and type in _FOUNDATION and _fits_foundation(type, default):
        return _FOUNDATION[type]
    return _TYPES[type]


def _fits_foundation(type: str, default: Any) -> bool:
    """Whether Foundation can hold the default without loss."""
    if default is None:
        return True
    if type == "decimal":
        return Decimal(default).adjusted() in _HELD_EXPONENTS
    return type not in _HELD or _HELD[type].fullmatch(default) is not None


def needs_type(type: str, member: str) -> bool:
    """Whether the type of a member does not determine the type of the attribute."""
    return _TELL_ANOTHER.get(type) == member


def content(type: str, member: str, value: Any) -> Code:
    """Write a value as the type of a member, or as an optional of that type."""
    if member in _FOUNDATION.values():
        return Group(f"{member}(", [labelled("attributeValue", as_value(type, value))])
    return _content(type, value)


def as_value(type: str, value: Any) -> Code:
    """Write a value as a `Value`."""
    case = _CASES.get(type, "integer" if type.startswith("integer") else type)
    # A `Value` has doubles but not floats.
    written = _content("double" if type == "float" else type, value)
    if isinstance(written, str) and written.startswith("try? "):
        written = f"({written}) ?? .null"
    elif isinstance(written, str) and written[0].isupper():
        written = f"{written} ?? .absent"
    return Group(f".{case}(", [written])


def _content(type: str, value: Any) -> Code:
    if type == "decimal":
        return _decimal(Decimal(value))
    if type in ("double", "float"):
        return (literals.real if type == "double" else literals.single)(float(value))
    if type == "date":
        return f"Timestamp({literals.text(value)})"
    if type == "day":
        return f"CalendarDay({literals.text(value)})"
    if type == "uuid":
        return f"UUIDValue({literals.text(value)})"
    if type == "binary":
        return Group("[", [str(byte) for byte in base64.b64decode(value)], "]")
    return _json(value)


def _decimal(value: Decimal) -> str:
    number = literals.decimal(value)
    return number or f"DecimalNumber({literals.text(literals.decimal_text(value))})"


def _json(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and not isinstance(value, Number):
        return literals.text(value)
    if isinstance(value, int):
        return str(value)
    return f"try? JSONValue(parsing: {literals.text(text_of(value))})"
