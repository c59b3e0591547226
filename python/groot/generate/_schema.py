"""The entities of a model in the order in which they are written, each with all it inherits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from groot.generate._names import member_names, reserved_members, type_names

_IDENTITY = ("identityAttributes", "identityAttribute")
_PRIMARY_KEY = ("sync.isPrimaryKey", "hyper.isPrimaryKey")
_YES = ("YES", "true")


@dataclass(frozen=True)
class Property:
    """An attribute or a relationship of an entity, its own or inherited."""

    name: str
    """Its name in the model."""
    member: str
    """Its name in Swift."""
    description: dict[str, Any]
    """Its declaration in the document."""
    is_attribute: bool
    is_identity: bool
    """Whether the entity's objects are found by it."""


@dataclass(frozen=True)
class Entity:
    """An entity and its type."""

    name: str
    """Its name in the model."""
    type: str
    """The name of its type."""
    description: dict[str, Any]
    """Its declaration in the document."""
    properties: tuple[Property, ...]
    """All properties, those of its ancestors first."""


class Schema:
    """The entities of a document that the library has checked and completed."""

    def __init__(self, document: dict[str, Any]) -> None:
        """Name all entities and their properties."""
        self._described: dict[str, dict[str, Any]] = document["entities"]
        self.types: Mapping[str, str] = type_names(sorted(self._described))
        """The types by the names of their entities."""
        self._reserved = reserved_members(self.types.values())
        self._members: dict[str, dict[str, str]] = {}

    def entities(self) -> Iterator[Entity]:
        """Yield the entities by name."""
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
        """Return an entity and its ancestors, from the root on."""
        line = [name]
        while (parent := self._described[line[-1]]["parent"]) is not None:
            line.append(parent)
        return line[::-1]

    def _members_of(self, name: str) -> dict[str, str]:
        """Name the properties of an entity, and before them those of its ancestors."""
        inherited: dict[str, str] = {}
        for each in self._line(name):
            if each not in self._members:
                own = [found for found, _, _ in _own(self._described[each])]
                self._members[each] = member_names(own, inherited, self._reserved)
            inherited = self._members[each]
        return inherited


def _own(entity: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield the entity's own properties, sorted, attributes first."""
    for kind in ("attributes", "relationships"):
        for name, description in sorted(entity[kind].items()):
            yield name, description, kind == "attributes"


def _identity(entity: dict[str, Any]) -> Iterator[str]:
    """Yield what the annotations of an entity and of its attributes say identifies its objects."""
    for annotation in _IDENTITY:
        yield from re.split(r"[,\s]+", entity["userInfo"].get(annotation, ""))
    for name, attribute in entity["attributes"].items():
        if any(attribute["userInfo"].get(annotation) in _YES for annotation in _PRIMARY_KEY):
            yield name
