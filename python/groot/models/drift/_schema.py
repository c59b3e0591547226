"""The entities of a model document, with what they inherit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from groot.models._lineage import Lineage, listed
from groot.models.drift._paths import KeyPath, key_path, of_name

_OPAQUE = ("transformable", "composite")


@dataclass(frozen=True)
class Property:
    """A property that JSON is read into."""

    entity: str
    """The entity that declares it."""
    name: str
    paths: tuple[KeyPath, ...]
    """The `JSONKeyPath` and the alternatives; none if nothing is read or written."""
    is_read: bool
    """Whether imports read it."""
    is_opaque: bool
    """Whether everything below its value is a part of it."""
    has_forms: bool
    """Whether dates have forms of their own, such as numbers."""
    type: str
    """The type of an attribute; nothing for a relationship."""
    destination: str | None
    inverse: str | None
    """The title of the inverse relationship."""
    is_to_many: bool
    form: str
    discriminator: KeyPath | None

    @property
    def title(self) -> str:
        """The name with the entity's."""
        return f"{self.entity}.{self.name}"


class Schema(Lineage):
    """The entities of a model document."""

    def __init__(self, document: dict[str, Any]) -> None:
        """Read the properties of all entities.

        Args:
            document: The document, with the defaults.
        """
        super().__init__(document)
        self._own = {name: self._properties(name) for name in self.entities}

    def properties(self, name: str) -> list[Property]:
        """Return the properties of an entity, inherited ones included."""
        return [one for entity in reversed(self.line(name)) for one in self._own[entity]]

    def declared(self, entity: str, name: str) -> Property | None:
        """Return the property that an entity has under a name."""
        return next((one for one in self.properties(entity) if one.name == name), None)

    def outer(self, entities: list[str], special: str) -> list[tuple[Property, KeyPath]]:
        """Return the properties with a path that begins with "@parent" or "@root"."""
        return [
            (one, path)
            for entity in entities
            for one in self.properties(entity)
            for path in one.paths
            if path.special == special
        ]

    def key(self, entity: str) -> str | None:
        """Return the title of the attribute that keys of a collection may stand for."""
        names = self.identity_names(entity)
        found = self.declared(entity, names[0]) if len(names) == 1 else None
        return found.title if found else None

    def keyed(self) -> set[str]:
        """Return the entities that stand under keys in relationships."""
        return {
            one.destination
            for entity in self.entities
            for one in self._own[entity]
            if one.destination and one.form != "array"
        }

    def kinds(self, entity: str) -> dict[str, str] | None:
        """Return the entities for the values of the discriminator; None without one."""
        if not self.annotation(entity, "groot.discriminator"):
            return None
        values = {}
        for one in self.family(entity):
            own = notes_of(self.entities[one])
            values[own.get("groot.discriminatorValue", one)] = one
        return values

    def _properties(self, name: str) -> list[Property]:
        entity = self.entities[name]
        is_implicit = self.is_implicit(name)
        found = []
        for group in ("attributes", "relationships"):
            for title, one in entity.get(group, {}).items():
                found.append(_property(name, title, one, is_implicit))
        return found


def notes_of(member: dict[str, Any]) -> dict[str, str]:
    """Return the annotations of an entity or a property."""
    found: dict[str, str] = member.get("userInfo") or {}
    return found


def _property(entity: str, name: str, given: dict[str, Any], is_implicit: bool) -> Property:
    own = notes_of(given)
    paths: list[KeyPath] = []
    if "JSONKeyPath" in own:
        paths.append(key_path(own["JSONKeyPath"]))
    elif is_implicit:
        paths.append(of_name(name))
    if paths:
        paths += map(key_path, listed(own.get("groot.alternatives")))
    discriminator = own.get("groot.discriminator")
    type = given.get("type", "")
    return Property(
        entity,
        name,
        tuple(paths),
        is_read=own.get("groot.direction") != "export",
        is_opaque=type in _OPAQUE or "JSONTransformerName" in own,
        has_forms="groot.dateFormat" in own,
        type=type,
        destination=given.get("destination"),
        inverse=f"{given['destination']}.{given['inverse']}" if given.get("inverse") else None,
        is_to_many=bool(given.get("toMany")),
        form=own.get("groot.form", "array"),
        discriminator=key_path(discriminator) if discriminator else None,
    )
