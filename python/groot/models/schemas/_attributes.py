"""Conversion of schemas of values to attributes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from groot.errors import Error
from groot.model import Model
from groot.models.schemas._notes import Notes
from groot.models.schemas._patterns import of_model
from groot.models.schemas._shapes import Shape

Document = dict[str, Any]

_TEXTS = {
    "date-time": "date",
    "date": "day",
    "uuid": "uuid",
    "uri": "uri",
    "uri-reference": "uri",
    "iri": "uri",
    "iri-reference": "uri",
    "url": "uri",
    "byte": "binary",
    "decimal": "decimal",
}
_INTEGERS = {"int16": "integer16", "int32": "integer32", "int64": "integer64"}
_NUMBERS = {"float": "float", "double": "double", "decimal": "decimal", **_INTEGERS}
_BITS = {"integer16": 16, "integer32": 32, "integer64": 64}
_LENGTHS = ("minLength", "maxLength")
_KINDS = {"string": str, "boolean": bool}


def attribute(shape: Shape, optional: bool, notes: Notes) -> Document:
    """Convert the schema of a value; a warning names each part that is left out."""
    type = _type(shape, notes)
    found: Document = {"type": type, "optional": optional}
    if type == "transformable":
        for keyword in ("minItems", "maxItems", "uniqueItems", "prefixItems"):
            if keyword in shape.keywords:
                notes.warn(shape.place(keyword), f"{keyword} is left out")
    else:
        _set_values(found, shape, notes)
        _set_limits(found, shape, notes)
        _set_lengths(found, shape, notes)
    _set_default(found, shape.keywords, shape.place("default"), notes)
    format = shape.keywords.get("format")
    kept = type in ("string", "transformable", "integer64", "double")
    if kept and isinstance(format, str) and format not in ("int64", "double"):
        found["userInfo"] = {"schema.format": format}
    return found


def _type(shape: Shape, notes: Notes) -> str:
    """Return the type of the values; `transformable` for values of several types."""
    format = shape.keywords.get("format")
    types = set(shape.types) or _inferred(shape, format)
    if "number" in types:
        types.discard("integer")
    if format == "decimal" and types <= {"number", "string"}:
        return "decimal"
    if len(types) > 1:
        listed = ", ".join(sorted(types))
        notes.warn(shape.place("type"), f"a value of {listed} is taken as any JSON value")
        return "transformable"
    type = next(iter(types), None)
    if type == "string":
        if shape.keywords.get("contentEncoding") == "base64":
            return "binary"
        return _TEXTS.get(str(format), "string")
    if type == "integer":
        found = _INTEGERS.get(str(format), "integer64")
        return "decimal" if format == "decimal" else found
    if type == "number":
        return _NUMBERS.get(str(format), "double")
    return "boolean" if type == "boolean" else "transformable"


def _inferred(shape: Shape, format: Any) -> set[str]:
    """Return the types of the listed values, or that of the format."""
    values = shape.keywords.get("enum")
    values = values if isinstance(values, list) else [shape.keywords.get("const")]
    found = {_type_of(value) for value in values if value is not None}
    if not found and isinstance(format, str) and format in _TEXTS:
        return {"string"}
    return found


def _type_of(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "integer", float: "number", list: "array", dict: "object"}
    return names[type(value)]


def _set_values(found: Document, shape: Shape, notes: Notes) -> None:
    keyword = "enum" if "enum" in shape.keywords else "const"
    values = shape.keywords.get(keyword)
    if values is None:
        return
    values = values if keyword == "enum" else [values]
    if not isinstance(values, list):
        notes.error(shape.place(keyword), "it is not a list of values")
        return
    listed: list[Any] = []
    for value in values:
        if value is None or value in listed:
            continue
        if not _has_type(found["type"], value):
            message = f"{str(value)[:60]!r} is not of the type {found['type']}"
            notes.error(shape.place(keyword), message)
            return
        listed.append(value)
    if listed:
        found["values"] = listed


def _has_type(type: str, value: Any) -> bool:
    """Return whether a value may be of a type; the check of the model looks closer."""
    if type in _BITS:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if type in ("double", "float"):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if type == "decimal":
        return not isinstance(value, (bool, list, dict))
    if type == "transformable":
        return True
    return isinstance(value, _KINDS.get(type, str))


def _set_limits(found: Document, shape: Shape, notes: Notes) -> None:
    type = found["type"]
    if type not in _BITS and type not in ("double", "float", "decimal"):
        return
    for key, keyword, exclusive in (
        ("min", "minimum", "exclusiveMinimum"),
        ("max", "maximum", "exclusiveMaximum"),
    ):
        value = _number(shape, keyword, notes)
        without = shape.keywords.get(exclusive)
        is_exclusive = without is True and value is not None
        if without is not None and not isinstance(without, bool):
            other = _number(shape, exclusive, notes)
            tighter = max if key == "min" else min
            if other is not None and (value is None or tighter(value, other) == other):
                value, is_exclusive = other, True
        if value is None:
            continue
        if type in _BITS:
            value = _whole(value, key, is_exclusive)
            limit = 1 << (_BITS[type] - 1)
            if (key == "min" and value <= -limit) or (key == "max" and value >= limit - 1):
                continue  # the type has this limit anyway
        elif is_exclusive:
            notes.warn(shape.place(exclusive), f"the limit {value} itself is taken, too")
        found[key] = value
    multiple = shape.keywords.get("multipleOf")
    if multiple is not None and not (type in _BITS and multiple == 1):
        notes.warn(shape.place("multipleOf"), "multipleOf is left out")


def _number(shape: Shape, keyword: str, notes: Notes) -> int | float | None:
    value = shape.keywords.get(keyword)
    if value is None:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    notes.error(shape.place(keyword), f"{str(value)[:60]!r} is not a number")
    return None


def _whole(value: int | float, key: str, is_exclusive: bool) -> int:
    """Return the first whole number within a limit."""
    found = math.ceil(value) if key == "min" else math.floor(value)
    if is_exclusive and found == value:
        found += 1 if key == "min" else -1
    return found


def _set_lengths(found: Document, shape: Shape, notes: Notes) -> None:
    is_text = found["type"] in ("string", "uri")
    for keyword in (*_LENGTHS, "pattern"):
        value = shape.keywords.get(keyword)
        if value is None or "string" not in (shape.types or ("string",)):
            continue
        if not is_text:
            place = shape.place(keyword)
            notes.warn(place, f"{keyword} of the type {found['type']} is left out")
        elif keyword == "pattern" and isinstance(value, str):
            _set_pattern(found, value, shape.place(keyword), notes)
        elif keyword in _LENGTHS and is_count(value):
            found[keyword] = int(value)
        else:
            notes.error(shape.place(keyword), f"{str(value)[:60]!r} is not a {keyword}")


def _set_pattern(found: Document, pattern: str, place: str, notes: Notes) -> None:
    """Add a pattern, unless it has syntax that only schemas have."""
    read = of_model(pattern)
    try:
        Model({"entities": {"A": {"attributes": {"a": {"type": "string", "pattern": read}}}}})
    except Error as cause:
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError):
            pass  # the check of the whole model reports it
        else:
            reason = cause.issues[0].message.rpartition(": ")[2]
            notes.warn(place, f"the pattern is left out: {reason}")
            return
    found["pattern"] = read


def is_count(value: Any) -> bool:
    """Return whether a value is a number of things."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return value >= 0 and value == int(value)


def _set_default(found: Document, said: Mapping[str, Any], place: str, notes: Notes) -> None:
    value = said.get("default")
    if value is None:
        return
    listed = found.get("values")
    if not _has_type(found["type"], value) or (listed is not None and value not in listed):
        notes.warn(
            place, f"the default {str(value)[:60]!r} is not one of the values; it is left out"
        )
    elif isinstance(value, (int, float)) and not (
        found.get("min", value) <= value <= found.get("max", value)
    ):
        notes.warn(place, f"the default {str(value)[:60]!r} is beyond a limit; it is left out")
    else:
        found["default"] = value
