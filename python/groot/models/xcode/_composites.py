"""Composite types: named lists of attributes, copied into each attribute of the type."""

from __future__ import annotations

import copy
from typing import NamedTuple

from groot.models.xcode._attributes import attribute
from groot.models.xcode._members import Document, left_out
from groot.models.xcode._notes import Location, Notes
from groot.models.xcode._xml import Node

_DEPTH = 16
# Nested composites multiply: a few lines could become millions of attributes.
_ELEMENTS = 6_000
_ALL_ELEMENTS = 100_000


class _Composite(NamedTuple):
    """A composite type, converted."""

    elements: Document
    size: int
    height: int


_NONE = _Composite({}, 0, 0)


class Composites:
    """The composite types of a model, converted on demand."""

    def __init__(self, root: Node, notes: Notes) -> None:
        """Find the composite types below the root."""
        self._notes = notes
        self._nodes: dict[str, Node] = {}
        self._converted: dict[str, _Composite] = {}
        self._open: list[str] = []
        self._written = 0
        for node in root.all("composite"):
            location = Location(notes, node.line)
            name = node.get("name")
            if name is None:
                location.error("a composite type has no name")
            elif name in self._nodes:
                location.error(f"a duplicate name: two composite types are called '{name}'")
            else:
                self._nodes[name] = node

    def elements(self, name: str | None, location: Location) -> Document:
        """Return the elements of a composite type, for the attribute at `location`."""
        composite = self._composite(name, location)
        if self._open:
            return composite.elements  # copied with the outer type
        self._written += composite.size
        if composite.size > _ELEMENTS or self._written > _ALL_ELEMENTS:
            location.error(f"its composite type '{name}' expands to too many elements")
            return {}
        return copy.deepcopy(composite.elements)

    def _composite(self, name: str | None, location: Location) -> _Composite:
        if name is None:
            location.warn("the attribute does not name its composite type")
            return _NONE
        if name not in self._nodes:
            location.error(f"its composite type '{name}' is not in the model")
            return _NONE
        if name in self._open:
            location.error(f"the composite type '{name}' is part of itself")
            return _NONE
        found = self._converted.get(name)
        if found is None:
            if len(self._open) >= _DEPTH:
                location.error(f"composite types nest more than {_DEPTH} levels deep")
                return _NONE
            self._open.append(name)
            found = self._convert(name, self._nodes[name])
            self._open.pop()
            self._converted[name] = found
        if len(self._open) + found.height > _DEPTH:
            location.error(f"composite types nest more than {_DEPTH} levels deep")
            return _NONE
        return found

    def _convert(self, name: str, node: Node) -> _Composite:
        elements: Document = {}
        size, height = 0, 0
        for child in node.all("attribute"):
            element = child.get("name") or ""
            location = Location(self._notes, child.line, None, f"{name}.{element}")
            if not element or element in elements:
                location.error("an element of a composite type needs a unique name")
                continue
            elements[element] = attribute(child, location, self.elements)
            size += 1
            part = self._converted.get(child.get("composite") or "")
            if part and elements[element].get("elements"):
                size, height = size + part.size, max(height, part.height)
        left_out(node, ("attribute",), Location(self._notes, node.line))
        return _Composite(elements, size, height + 1)
