"""What Python needs to know of a model: the properties of each entity and their types."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from groot.errors import Status, error

_IDENTITY = ("identityAttributes", "identityAttribute")


@dataclass(frozen=True)
class Property:
    """An attribute or a relationship, with everything inherited resolved."""

    name: str
    type: str
    """An attribute's type; empty for a relationship."""
    destination: str = ""
    """A relationship's destination entity; empty for an attribute."""
    to_many: bool = False


@dataclass(frozen=True)
class Entity:
    """An entity with its own and inherited properties."""

    name: str
    properties: dict[str, Property]
    identity: tuple[str, ...]
    """The attributes that an object is shown by."""
    is_leaf: bool
    """Whether no entity inherits from it, so that its objects are of no other."""


class Schema:
    """The entities of a model."""

    def __init__(self, document: dict[str, Any]) -> None:
        """Read a model document that the library has checked and completed."""
        self._entities: dict[str, dict[str, Any]] = document["entities"]
        self._parents = {entity.get("parent") for entity in self._entities.values()}
        self._resolved: dict[str, Entity] = {}

    def entity(self, name: str) -> Entity:
        """Look up an entity; raise `groot.Error` when there is none."""
        found = self._resolved.get(name)
        if found is None:
            if name not in self._entities:
                raise error(Status.UNKNOWN_ENTITY, "no entity has this name", entity=name)
            found = self._resolved[name] = self._resolve(name)
        return found

    def _resolve(self, name: str) -> Entity:
        """Gather what an entity has and inherits."""
        described = self._entities[name]
        parent = described.get("parent")
        inherited = self.entity(parent) if parent else None
        properties = dict(inherited.properties) if inherited else {}
        for key, attribute in described.get("attributes", {}).items():
            properties[key] = Property(key, attribute["type"])
        for key, relationship in described.get("relationships", {}).items():
            to_many = bool(relationship.get("toMany"))
            properties[key] = Property(key, "", relationship["destination"], to_many)
        annotations = described.get("userInfo", {})
        named = next((annotations[key] for key in _IDENTITY if key in annotations), "")
        own = tuple(part for part in re.split("[, ]+", str(named)) if part in properties)
        identity = (inherited.identity if inherited else ()) + own
        return Entity(name, properties, tuple(dict.fromkeys(identity)), name not in self._parents)
