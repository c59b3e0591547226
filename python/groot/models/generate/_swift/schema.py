"""The entities of a model in the order of the file, with own and inherited properties."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from groot.models.generate._swift.names import member_names, reserved_members, type_names

_IDENTITY = ("identityAttributes", "identityAttribute")
_PRIMARY_KEY = ("sync.isPrimaryKey", "hyper.isPrimaryKey")
_YES = ("YES", "true")


@dataclass(frozen=True)
class Property:
    """An attribute or a relationship of an entity, own or inherited."""

    name: str
    """The name in the model."""
    member: str
    """The name in Swift."""
    description: dict[str, Any]
    """The declaration in the document."""
    is_attribute: bool
    is_identity: bool
    """Whether the property is a part of the entity's identity."""


@dataclass(frozen=True)
class Entity:
    """An entity and its type."""

    name: str
    """The name in the model."""
    type: str
    """The name of the Swift type."""
    description: dict[str, Any]
    """The declaration in the document."""
    properties: tuple[Property, ...]
    """All properties, those of its ancestors first."""


class Schema:
    """The entities of a document that the library has checked and completed."""

    def __init__(self, document: dict[str, Any]) -> None:
        """Choose the names of the types."""
        self._described: dict[str, dict[str, Any]] = document["entities"]
        self.types: Mapping[str, str] = type_names(sorted(self._described))
        """The types by the names of their entities."""
        self._reserved = reserved_members(self.types.values())
        self._members: dict[str, dict[str, str]] = {}

    def entities(self) -> Iterator[Entity]:
        """Yield the entities in the order of their names."""
        for name in sorted(self._described):
            line = self._line(name)
            identity = {found for each in line for found in _identity(self._described[each])}
            properties = [
                Property(
                    own, self._members_of(each)[own], description, is_attribute, own in identity
                )
                for each in line
                for own, description, is_attribute in _own(self._described[each])
            ]
            yield Entity(name, self.types[name], self._described[name], tuple(properties))

    def _line(self, name: str) -> list[str]:
        """Return the ancestors of an entity from the root, and the entity itself."""
        line = [name]
        while (parent := self._described[line[-1]]["parent"]) is not None:
            line.append(parent)
        return line[::-1]

    def _members_of(self, name: str) -> dict[str, str]:
        """Choose the members of the properties of an entity and its ancestors."""
        inherited: dict[str, str] = {}
        for each in self._line(name):
            if each not in self._members:
                own = [found for found, _, _ in _own(self._described[each])]
                self._members[each] = member_names(own, inherited, self._reserved)
            inherited = self._members[each]
        return inherited


def _own(entity: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield the own properties of an entity: attributes, then relationships, each sorted."""
    for kind in ("attributes", "relationships"):
        for name, description in sorted(entity[kind].items()):
            yield name, description, kind == "attributes"


def _identity(entity: dict[str, Any]) -> Iterator[str]:
    """Yield the properties of the identity in the annotations of an entity and its attributes."""
    for annotation in _IDENTITY:
        yield from re.split(r"[,\s]+", entity["userInfo"].get(annotation, ""))
    for name, attribute in entity["attributes"].items():
        if any(attribute["userInfo"].get(annotation) in _YES for annotation in _PRIMARY_KEY):
            yield name
