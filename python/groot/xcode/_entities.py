"""Entities of a model, into those of a model document."""

from __future__ import annotations

from groot.xcode import _identity, _inverses
from groot.xcode._attributes import attribute
from groot.xcode._composites import Composites
from groot.xcode._inverses import Inverse
from groot.xcode._members import (
    Document,
    finish,
    flag,
    left_out,
    renaming_identifier,
    user_info,
)
from groot.xcode._notes import Notes, Place
from groot.xcode._relationships import relationship
from groot.xcode._xml import Node

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
    """Converts the entities of one model."""

    def __init__(self, root: Node, notes: Notes) -> None:
        """Convert all that is below the root."""
        self._notes = notes
        self._composites = Composites(root, notes)
        self._inverses: list[Inverse] = []
        self.entities: Document = {}
        self.lines: Lines = {}
        nodes = root.all("entity")
        if len(nodes) > _MAXIMUM:
            Place(notes, root.line).fault(f"the model has more than {_MAXIMUM:,} entities")
        for node in nodes[:_MAXIMUM]:
            self._entity(node)
        _inverses.resolve(self.entities, self._inverses)
        _identity.fall_back(self.entities)
        left_out(root, _IN_MODEL, Place(notes, root.line))

    def _entity(self, node: Node) -> None:
        name = node.get("name")
        place = Place(self._notes, node.line, name)
        if name is None:
            place.fault("an entity has no name")
            return
        if name in self.entities:
            place.fault("two entities have this name")
            return
        self.lines[name, ""] = node.line
        if node.get("abstract") is not None:
            place.warn("'abstract' is not known to Core Data, which reads isAbstract")
        found: Document = {
            "parent": node.get("parentEntity"),
            "abstract": flag(node, "isAbstract", place),
            "attributes": self._properties(node, name, "attribute"),
            "relationships": self._properties(node, name, "relationship"),
            "uniquenessConstraints": _constraints(node, place),
            "renamingIdentifier": renaming_identifier(node, place),
            "userInfo": user_info(node, place),
        }
        left_out(node, _IN_ENTITY, place)
        for fetched in node.all("fetchedProperty"):
            _leave_out(fetched, Place(self._notes, fetched.line, name, fetched.get("name")))
        self.entities[name] = finish(found)

    def _properties(self, node: Node, entity: str, tag: str) -> Document:
        """Convert the attributes or the relationships of an entity."""
        found: Document = {}
        for child in node.all(tag):
            name = child.get("name")
            place = Place(self._notes, child.line, entity, name)
            if name is None:
                place.fault(f"the entity has {tag} without name")
            elif name in found:
                place.fault("the entity has another property of this name")
            else:
                self.lines[entity, name] = child.line
                converted = (
                    attribute(child, place, self._composites.elements)
                    if tag == "attribute"
                    else self._relationship(child, place)
                )
                if converted is not None:
                    found[name] = converted
        return found

    def _relationship(self, node: Node, place: Place) -> Document | None:
        found = relationship(node, place)
        if found and "inverse" in found:
            self._inverses.append(Inverse(place, found, node.get("inverseEntity")))
        return found


def _constraints(node: Node, place: Place) -> list[list[str]]:
    """Read the lists of attributes whose values together occur once."""
    found = []
    for group in node.all("uniquenessConstraints"):
        for constraint in group.all("uniquenessConstraint"):
            names = [name for one in constraint.all("constraint") if (name := one.get("value"))]
            if names:
                found.append(names)
            else:
                place.warn("a uniqueness constraint names no attribute; it is left out")
    return found


def _leave_out(fetched: Node, place: Place) -> None:
    """Say what goes with a fetched property, which is a question and no part of the data."""
    noted = user_info(fetched, place)
    listed = ", ".join(f"{key}={value!r}" for key, value in noted.items())
    place.warn(f"a fetched property is left out{f', and its annotations {listed}' * bool(noted)}")
