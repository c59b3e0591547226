"""The common parts of entities, attributes and relationships."""

from __future__ import annotations

from typing import Any

from groot.models.xcode import _values
from groot.models.xcode._notes import Location
from groot.models.xcode._xml import Node

Document = dict[str, Any]

PREFIX = "xcode."
"""The prefix of annotations with facts that a model document cannot express."""


def flag(node: Node, name: str, location: Location) -> bool | None:
    """Read a flag, `YES` or `NO`; None if it is missing."""
    text = node.get(name)
    if text is None:
        return None
    found = _values.truth(text)
    if found is None:
        location.warn(f"{name} is '{text}', not YES or NO; it counts as NO")
    return bool(found)


def user_info(node: Node, location: Location) -> dict[str, str]:
    """Read the entries of `userInfo`."""
    found: dict[str, str] = {}
    for info in node.all("userInfo"):
        for entry in info.all("entry"):
            key, text = entry.get("key"), entry.attributes.get("value", "")
            if key is None:
                location.warn(f"an annotation without a key, with the value '{text}', is left out")
                continue
            if found.get(key, text) != text:
                location.warn(f"duplicate annotation '{key}'; '{text}' counts, not '{found[key]}'")
            found[key] = text
    return found


def keep(found: Document, node: Node, name: str) -> None:
    """Keep an XML attribute as an annotation."""
    found["userInfo"].setdefault(PREFIX + name, node.attributes.get(name, ""))


def renaming_identifier(node: Node, location: Location) -> str | None:
    """Return the name in an earlier version of the model."""
    identifier, other = node.get("elementID"), node.get("renamingIdentifier")
    if other is not None and identifier is None:
        location.warn("renamingIdentifier is read, but Xcode itself only reads elementID")
    return identifier or other


def finish(found: Document) -> Document:
    """Leave out members with their default value."""
    return {
        key: value
        for key, value in found.items()
        # Not `in (None, False)`: 0 equals False, but is a value to keep.
        if key == "default" or not (value is None or value is False or value in ({}, []))
    }


def left_out(node: Node, known: tuple[str, ...], location: Location) -> None:
    """Warn of unknown elements, since data may be lost with them."""
    for child in node.children:
        if child.tag not in known:
            location.warn(f"the unknown element '{child.tag}' in line {child.line} is left out")
