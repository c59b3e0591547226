"""Conversion of the entities of an Xcode model."""

from __future__ import annotations

from groot.models.xcode import _identity, _inverses
from groot.models.xcode._attributes import attribute
from groot.models.xcode._composites import Composites
from groot.models.xcode._inverses import Inverse
from groot.models.xcode._members import (
    Document,
    finish,
    flag,
    left_out,
    renaming_identifier,
    user_info,
)
from groot.models.xcode._notes import Location, Notes
from groot.models.xcode._relationships import relationship
from groot.models.xcode._xml import Node

_IN_MODEL = ("entity", "composite", "fetchRequest", "configuration", "elements", "userInfo")
_IN_ENTITY = (
    "attribute",
    "relationship",
    "fetchedProperty",
    "fetchIndex",
    "compoundIndexes",
    "uniquenessConstraints",
    "userInfo",
)
_MAXIMUM = 10_000

Lines = dict[tuple[str, str], int]


class Converter:
    """The entities of one model, converted."""

    def __init__(self, root: Node, notes: Notes) -> None:
        """Convert all elements below the root."""
        self._notes = notes
        self._composites = Composites(root, notes)
        self._inverses: list[Inverse] = []
        self.entities: Document = {}
        self.lines: Lines = {}
        nodes = root.all("entity")
        if len(nodes) > _MAXIMUM:
            Location(notes, root.line).error(f"the model has more than {_MAXIMUM:,} entities")
        for node in nodes[:_MAXIMUM]:
            self._entity(node)
        _inverses.resolve(self.entities, self._inverses)
        _identity.fall_back(self.entities)
        left_out(root, _IN_MODEL, Location(notes, root.line))

    def _entity(self, node: Node) -> None:
        name = node.get("name")
        location = Location(self._notes, node.line, name)
        if name is None:
            location.error("an entity has no name")
            return
        if name in self.entities:
            location.error("a duplicate name: two entities have it")
            return
        self.lines[name, ""] = node.line
        if node.get("abstract") is not None:
            location.warn("'abstract' is not an attribute of Core Data, which reads isAbstract")
        found: Document = {
            "parent": node.get("parentEntity"),
            "abstract": flag(node, "isAbstract", location),
            "attributes": self._properties(node, name, "attribute"),
            "relationships": self._properties(node, name, "relationship"),
            "uniquenessConstraints": _constraints(node, location),
            "renamingIdentifier": renaming_identifier(node, location),
            "userInfo": user_info(node, location),
        }
        left_out(node, _IN_ENTITY, location)
        for fetched in node.all("fetchedProperty"):
            _leave_out(fetched, Location(self._notes, fetched.line, name, fetched.get("name")))
        self.entities[name] = finish(found)

    def _properties(self, node: Node, entity: str, tag: str) -> Document:
        """Convert the attributes or the relationships of an entity."""
        found: Document = {}
        for child in node.all(tag):
            name = child.get("name")
            location = Location(self._notes, child.line, entity, name)
            if name is None:
                location.error(f"the entity has an unnamed {tag}")
            elif name in found:
                location.error("the entity has another property of this name")
            else:
                self.lines[entity, name] = child.line
                converted = (
                    attribute(child, location, self._composites.elements)
                    if tag == "attribute"
                    else self._relationship(child, location)
                )
                if converted is not None:
                    found[name] = converted
        return found

    def _relationship(self, node: Node, location: Location) -> Document | None:
        found = relationship(node, location)
        if found and "inverse" in found:
            self._inverses.append(Inverse(location, found, node.get("inverseEntity")))
        return found


def _constraints(node: Node, location: Location) -> list[list[str]]:
    """Read the uniqueness constraints, each a list of attributes."""
    found = []
    for group in node.all("uniquenessConstraints"):
        for constraint in group.all("uniquenessConstraint"):
            names = [name for one in constraint.all("constraint") if (name := one.get("value"))]
            if names:
                found.append(names)
            else:
                location.warn("a uniqueness constraint names no attribute; it is left out")
    return found


def _leave_out(fetched: Node, location: Location) -> None:
    """Warn of a fetched property, which is a query and not data, and of its annotations."""
    noted = user_info(fetched, location)
    listed = ", ".join(f"{key}={value!r}" for key, value in noted.items())
    location.warn(
        f"a fetched property is left out{f', and its annotations {listed}' * bool(noted)}"
    )
