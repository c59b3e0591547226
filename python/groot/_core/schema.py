"""The parts of a model that Python needs: the properties and the identity of each entity."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from groot._core.handle import Unchanging
from groot.errors import Status, error

_ANNOTATIONS = ("identityAttributes", "identityAttribute")
_PRIMARY = ("sync.isPrimaryKey", "hyper.isPrimaryKey")
_CONVENTIONAL = ("id", "remoteID")


@dataclass(frozen=True)
class Property:
    """An attribute or a relationship of an entity, own or inherited."""

    name: str
    type: str
    """The type of an attribute; empty for a relationship."""
    destination: str = ""
    """The destination entity of a relationship; empty for an attribute."""
    to_many: bool = False
    elements: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The described elements of a composite attribute by name; may be empty."""


@dataclass(frozen=True)
class Entity:
    """An entity with its own and inherited properties."""

    name: str
    properties: dict[str, Property]
    identity: tuple[str, ...]
    """The attributes and to-one relationships that identify an object; may be empty."""
    is_leaf: bool
    """Whether the entity has no sub-entities: all objects fetched by it are of this entity."""


class Schema(Unchanging):
    """The entities of a model."""

    def __init__(
        self,
        document: dict[str, Any],
        dialect: str = "groot",
        rules: Mapping[str, Any] | None = None,
        *,
        is_implicit: bool = False,
    ) -> None:
        """Read a model document that the library has checked and completed, and checked rules."""
        self.dialect = dialect
        self.rules = rules
        self.is_implicit = is_implicit
        self._primary_keys = _keys_of_rules(rules, document["entities"])
        self.entities: dict[str, dict[str, Any]] = document["entities"]
        self._parents = {entity.get("parent") for entity in self.entities.values()}
        self._resolved: dict[str, Entity] = {}

    def entity(self, name: str) -> Entity:
        """Look up an entity; raise `groot.Error` if it is unknown."""
        found = self._resolved.get(name)
        if found is None:
            if name not in self.entities:
                raise error(Status.UNKNOWN_ENTITY, "no entity has this name", entity=name)
            found = self._resolved[name] = self._resolve(name)
        return found

    def _resolve(self, name: str) -> Entity:
        """Gather the own and inherited properties of an entity."""
        described = self.entities[name]
        parent = described.get("parent")
        inherited = self.entity(parent) if parent else None
        properties = dict(inherited.properties) if inherited else {}
        for key, attribute in described.get("attributes", {}).items():
            elements = attribute.get("elements", {})
            properties[key] = Property(key, attribute["type"], elements=elements)
        for key, relationship in described.get("relationships", {}).items():
            to_many = bool(relationship.get("toMany"))
            properties[key] = Property(key, "", relationship["destination"], to_many)
        return Entity(name, properties, self._identity(name), name not in self._parents)

    def lineage(self, name: str) -> tuple[str, ...]:
        """Return an entity and its ancestors, from itself upwards; empty if it is unknown."""
        found: list[str] = []
        current: str | None = name
        while current in self.entities:
            found.append(current)
            current = self.entities[current].get("parent")
        return tuple(found)

    def _identity(self, name: str) -> tuple[str, ...]:
        """Find the identity of an entity in the dialect."""
        lineage = self.lineage(name)
        if self.dialect == "hyper":
            attributes: dict[str, Any] = {}
            for one in reversed(lineage):
                attributes.update(self.entities[one].get("attributes", {}))
            return _conventional(attributes)
        ruled = next((one for one in lineage if one in self._primary_keys), None)
        key = None if ruled is None else self._primary_keys[ruled]
        if key is not None:
            return (key,)
        listed = [part for one in reversed(lineage) for part in _annotated(self.entities[one])]
        return tuple(part for part in dict.fromkeys(listed) if part)


def _annotated(described: Mapping[str, Any]) -> list[str]:
    """Return the names in an entity's own annotation."""
    notes = described.get("userInfo", {})
    listed = next((notes[key] for key in _ANNOTATIONS if key in notes), "")
    return re.split(r"[,\s]+", str(listed).strip())


def _conventional(attributes: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the identity by naming conventions, from the own and inherited attributes."""
    marked = [name for name, one in attributes.items() if _is_primary(one)]
    found = marked or [name for name in _CONVENTIONAL if name in attributes]
    return tuple(found[:1])


def _is_primary(attribute: Mapping[str, Any]) -> bool:
    notes = attribute.get("userInfo", {})
    return next((notes[key] for key in _PRIMARY if key in notes), "") in ("YES", "true")


def _keys_of_rules(
    rules: Mapping[str, Any] | None, entities: Mapping[str, Any]
) -> dict[str, str | None]:
    """Return the primary key or None of each entity with rules; its first rules count."""
    keys: dict[str, str | None] = {}
    for name, group in (rules or {}).items():
        inner = list(group.items()) if isinstance(group, Mapping) else []
        candidates = [name]
        if len(inner) == 1 and isinstance(inner[0][1], Mapping):
            candidates.insert(0, inner[0][0])
        for candidate in candidates:
            entity, _, key = candidate.partition(".")
            if entity in entities:
                keys.setdefault(entity, key or None)
                break
    return keys
