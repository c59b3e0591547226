"""Conversion of the relationships of an Xcode model."""

from __future__ import annotations

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
from groot.models.xcode._xml import Node

_RULES = {"nullify": None, "cascade": "cascade", "deny": "deny", "noaction": "noAction"}
_UNLIMITED = (1 << 31) - 1


def relationship(node: Node, location: Location) -> Document | None:
    """Convert a relationship; None, and an error, if it has no destination."""
    destination = node.get("destinationEntity")
    if destination is None:
        location.error("the relationship has no destinationEntity")
        return None
    found: Document = {
        "destination": destination,
        "userInfo": user_info(node, location),
    }
    _set_counts(found, node, location)
    found["inverse"] = _inverse(node, location)
    found["optional"] = flag(node, "optional", location)
    found["deleteRule"] = _rule(node, location)
    found["renamingIdentifier"] = renaming_identifier(node, location)
    if flag(node, "transient", location):
        keep(found, node, "transient")
    left_out(node, ("userInfo",), location)
    found["userInfo"] = found.pop("userInfo")
    return finish(found)


def _set_counts(found: Document, node: Node, location: Location) -> None:
    """Set `toMany` and the counts.

    Xcode writes a to-one relationship as a maximum of 1, without a flag. That count adds nothing to
    `optional`, so it is not kept.
    """
    minimum, maximum = _count(node, "minCount", location), _count(node, "maxCount", location)
    to_many = flag(node, "toMany", location)
    if to_many is None:
        to_many = node.get("maxCount") is not None and maximum != 1
        if to_many:
            location.warn(f"maxCount is {node.get('maxCount')}, so it counts as to-many")
    found["toMany"] = to_many
    ordered = flag(node, "ordered", location)
    if to_many:
        found["ordered"] = ordered
        found["minCount"] = minimum or None
        found["maxCount"] = maximum or None
        return
    if ordered:
        location.warn("it is to-one and cannot be ordered; ordered is left out")
    if maximum > 1 or minimum > 1:
        location.warn("it is to-one, but its counts are those of a to-many; they are left out")


def _count(node: Node, name: str, location: Location) -> int:
    """Read a number of members; 0 means no limit."""
    text = node.get(name)
    if text is None:
        return 0
    try:
        found = _values.count(text)
    except _values.UnreadableError as cause:
        location.warn(f"{name} '{text[:100]}' {cause}; it is left out")
        return 0
    return found if 0 < found < _UNLIMITED else 0


def _rule(node: Node, location: Location) -> str | None:
    text = node.get("deletionRule")
    if text is None:
        return None
    name = text.replace(" ", "").lower()
    if name not in _RULES:
        location.error(
            f"'{text}' is not a deletion rule; rules are Nullify, Cascade, Deny and No Action"
        )
        return None
    return _RULES[name]


def _inverse(node: Node, location: Location) -> str | None:
    name, entity = node.get("inverseName"), node.get("inverseEntity")
    if name is None and entity is not None:
        location.warn(f"its inverse in '{entity}' has no name; it is read without an inverse")
    if name is not None and entity is None:
        location.warn(f"its inverse '{name}' has no entity; its destination counts as the entity")
    return name
