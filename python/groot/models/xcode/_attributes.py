"""Conversion of the attributes of an Xcode model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from groot.models.xcode import _values
from groot.models.xcode._members import (
    Document,
    finish,
    flag,
    keep,
    left_out,
    renaming_identifier,
    user_info,
)
from groot.models.xcode._notes import Location
from groot.models.xcode._values import UnreadableError, Value
from groot.models.xcode._xml import Node

_NAMES = (
    "integer16 integer32 integer64 decimal double float string boolean date binary uuid uri "
    "transformable composite"
)
_TYPES = {
    **{name: name for name in _NAMES.split()},
    "undefined": "transformable",
    "objectid": "transformable",
}
_ORDERED = ("integer16", "integer32", "integer64", "decimal", "double", "float")
_DATES = ("minDateTimeInterval", "maxDateTimeInterval")


Elements = Callable[[Optional[str], Location], Document]
"""A function that gives the elements of a named composite type, for the attribute at a location."""


def attribute(node: Node, location: Location, elements: Elements) -> Document:
    """Convert an attribute; an error is reported at its location."""
    type = _type(node, location)
    derived = bool(flag(node, "derived", location))
    found: Document = {
        "type": type,
        # Only a store gives a derived attribute its value.
        "optional": bool(flag(node, "optional", location)) or derived,
        "userInfo": user_info(node, location),
    }
    if derived or node.get("derivationExpression"):
        keep(found, node, "derivationExpression")
    _set_default(found, node, location)
    _set_limits(found, node, location)
    _set_transformer(found, node, location)
    found["transient"] = flag(node, "transient", location)
    if type == "composite":
        found["elements"] = elements(node.get("composite"), location)
    found["renamingIdentifier"] = renaming_identifier(node, location)
    left_out(node, ("userInfo",), location)
    found["userInfo"] = found.pop("userInfo")
    return finish(found)


def _type(node: Node, location: Location) -> str:
    """Return the name of the type in model documents; "transformable" without a counterpart."""
    text = node.get("attributeType")
    if text is None:
        location.warn("the attribute has no type, so it takes any JSON value")
        return "transformable"
    name = text.replace(" ", "").lower()
    if name not in _TYPES:
        location.error(f"'{text}' is not an attribute type of Core Data; choose one in Xcode")
        return "transformable"
    if name in ("undefined", "objectid"):
        location.warn(f"the type '{text}' has no counterpart, so it takes any JSON value")
    return _TYPES[name]


def _set_default(found: Document, node: Node, location: Location) -> None:
    """Read the default; an unreadable one is left out, and kept as an annotation."""
    if node.attributes.get("defaultValue") is not None:
        location.warn("Core Data does not read defaultValue, only defaultValueString")
        keep(found, node, "defaultValue")
    type = found["type"]
    if type == "date" and node.get("defaultDateTimeInterval") is not None:
        _set(found, "default", node, "defaultDateTimeInterval", location)
        return
    text = node.attributes.get("defaultValueString")
    # For other types than text, "" is an empty field of Xcode's editor and not a value.
    if text is None or (text == "" and type not in ("string", "uri")):
        return
    _set(found, "default", node, "defaultValueString", location)


def _set_limits(found: Document, node: Node, location: Location) -> None:
    """Read the limits of the value, or of the length of a string, and the pattern."""
    type = found["type"]
    for key, name in (("min", "minValueString"), ("max", "maxValueString")):
        if node.get(name) is None:
            continue
        if type in _ORDERED:
            _set(found, key, node, name, location)
        elif type in ("string", "uri"):
            _set(found, f"{key}Length", node, name, location)
        else:
            _stale(found, node, name, location)
    for key, name in zip(("min", "max"), _DATES):
        if node.get(name) is not None:
            if type == "date":
                _set(found, key, node, name, location)
            else:
                _stale(found, node, name, location)
    if node.get("regularExpressionString") is not None:
        if type in ("string", "uri"):
            found["pattern"] = node.get("regularExpressionString")
        else:
            _stale(found, node, "regularExpressionString", location)


def _set_transformer(found: Document, node: Node, location: Location) -> None:
    """Copy the transformer of Xcode's editor to the annotations."""
    name = node.get("valueTransformerName")
    if not name:
        return
    if found["type"] != "transformable":
        _stale(found, node, "valueTransformerName", location)
        return
    annotated = found["userInfo"].setdefault("valueTransformerName", name)
    if annotated != name:
        location.warn(f"the annotation valueTransformerName '{annotated}' counts, not '{name}'")


def _set(found: Document, key: str, node: Node, name: str, location: Location) -> None:
    """Set a member to the value of an XML attribute, or keep its text as an annotation."""
    text = node.attributes[name]
    try:
        found[key] = _read(found["type"], key, name, text)
    except UnreadableError as cause:
        keep(found, node, name)
        location.warn(f"{name} '{text[:100]}' {cause}; it is left out")


def _read(type: str, key: str, name: str, text: str) -> Value:
    if name.endswith("DateTimeInterval"):
        return _values.date_of_seconds(text)
    if key.endswith("Length"):
        length = _values.count(text)
        if length < 0:
            raise UnreadableError("is not a length")
        return length
    return _values.value(type, text)


def _stale(found: Document, node: Node, name: str, location: Location) -> None:
    """Keep an entry that is left over from another type as an annotation, without effect."""
    keep(found, node, name)
    location.warn(f"{name} has no meaning for the type {found['type']}; it is left out")
