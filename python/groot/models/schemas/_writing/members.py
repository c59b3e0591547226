"""The schemas of relationships: objects, identifiers, and their arrangement."""

from __future__ import annotations

from typing import Any, Protocol

from groot.models.schemas._writing.facts import Facts, Property
from groot.models.schemas._writing.values import NULL, Schema, either, nullable, value

KEYED = ".keyed"
"""The part of a record whose identity is its key."""
_WHOLE = "^(0|-?[1-9][0-9]*)$"


class Objects(Protocol):
    """The schemas of objects that members are."""

    facts: Facts
    direction: str

    def record(self, name: str, part: str = "") -> Schema:
        """Return a reference to the definition of an entity's records."""

    def reference(self, name: str) -> Schema | None:
        """Return the schema of objects with their identity, and any of the rest."""

    def kinds(self, name: str) -> list[str]:
        """Return the entities that a record of an entity may be of."""

    def object(self, name: str, part: str, chosen: list[Property] | None = None) -> Schema:
        """Return the schema of an object of one entity."""


class Members:
    """The schemas of the values of relationships."""

    def __init__(self, objects: Objects) -> None:
        """Begin with the schemas of objects."""
        self._objects = objects
        self._facts = objects.facts
        self._is_read = objects.direction == "read"

    def of(self, property: Property) -> Schema:
        """Return the schema of the value of a relationship."""
        if self._is_read and property.says("groot.invalid", "fail") != "fail":
            return {}
        if self._is_read and property.says("groot.shape") == "ignore":
            return {}
        described = property.described
        member = self._member(property)
        if self._is_read and property.says("groot.emptyText") == "null":
            member = either([member, {"const": ""}])
        if not described["toMany"]:
            is_optional = described["optional"] or property.says("groot.null") == "keep"
            is_optional = is_optional and property.says("groot.null") != "error"
            return either([member, NULL]) if is_optional else member
        if property.path is not None and None in property.path.steps:
            return self._element(property, member)
        found = self._many(property, member)
        if self._is_read and property.says("groot.shape") == "box":
            found = either([found, member])
        if self._is_read and property.says("groot.emptyText") == "null":
            found = either([found, {"const": ""}])
        if self._is_read and property.says("groot.null") != "error" and described["optional"]:
            return nullable(found)
        return found

    def _many(self, property: Property, member: Schema) -> Schema:
        described = property.described
        form = property.says("groot.form", "array")
        if form != "array":
            return self._keyed(property, member, form)
        items = self._element(property, member)
        found: Schema = {"type": "array", **({"items": items} if items else {})}
        if self._is_read and not described["optional"]:
            found["minItems"] = max(1, described["minCount"])
        return found

    def _element(self, property: Property, member: Schema) -> Schema:
        """Return the schema of an element of a list."""
        # Null is passed over when it is read, and stands at a position without a member.
        name = property.described["destination"]
        has_gaps = self._is_read or self._facts.at(name, "@index") is not None
        return either([member, NULL]) if has_gaps and member else member

    def _keyed(self, property: Property, member: Schema, form: str) -> Schema:
        """Return the schema of an object with members, or lists of them, under keys."""
        if form == "grouped":
            items = self._element(property, member)
            member = {"type": "array", **({"items": items} if items else {})}
            member = nullable(member) if self._is_read else member
        else:
            member = either([member, NULL]) if member else member
        name = property.described["destination"]
        key = self._facts.at(name, "@key")
        if key is None and self._is_read and form == "keyed":
            # The key is the identity, so the object need not have it.
            found = self._without_identity(name)
            member = either([member, *found])
        found_keys = _keys(key or self._facts.identifier(name))
        return {
            "type": "object",
            "additionalProperties": member,
            **({"propertyNames": found_keys} if found_keys else {}),
        }

    def _without_identity(self, name: str) -> list[Schema]:
        return [self._objects.record(each, KEYED) for each in self._objects.kinds(name)]

    def _member(self, property: Property) -> Schema:
        name = property.described["destination"]
        if self._is_read:
            return self._read(name, property)
        chosen = property.says("groot.exportProperties").replace(",", " ").split()
        if chosen:
            kinds = self._objects.kinds(name)
            return either([self._objects.object(one, "", self._some(one, chosen)) for one in kinds])
        if property.says("groot.export") == "identifier":
            identifiers = self.identifiers(name, property)
            if identifiers:
                return either(identifiers)
            kinds = self._objects.kinds(name)
            return either(
                [self._objects.object(one, "", self._facts.identity(one)) for one in kinds]
            )
        listed = [self._objects.record(name)]
        reference = self._objects.reference(name)
        if reference is not None:
            listed.append(reference)
        if self._facts.entities[name]["abstract"] or property.says("groot.discriminator"):
            listed += self.identifiers(name, property)
        return either(listed)

    def _some(self, name: str, names: list[str]) -> list[Property]:
        known = self._facts.properties(name)
        return [known[one] for one in names if one in known]

    def _read(self, name: str, property: Property | None) -> Schema:
        """Return the schema of a member: an object, or something that names one."""
        facts = self._facts
        listed = [self._objects.record(name), *self.identifiers(name, property)]
        has_kinds = len(facts.family(name)) > 1 and not facts.entities[name]["abstract"]
        # Another record of the same identity may have the rest of a member.
        if property is not None or len(facts.identity(name)) > 1 or has_kinds:
            reference = self._objects.reference(name)
            listed += [] if reference is None else [reference]
        return either(listed)

    def top(self, name: str) -> Schema:
        """Return the schema of a record in a list at the top."""
        member = self._read(name, None) if self._is_read else self._objects.record(name)
        return either([member, NULL]) if self._is_read and member else member

    def identifiers(self, name: str, property: Property | None) -> list[Schema]:
        """Return the schemas of the values that name an object."""
        one = self._facts.identifier(name)
        if one is not None:
            is_value = one.path is not None and not one.path.start
            return [value(one, self._objects.direction)] if is_value or not self._is_read else []
        if property is None or not property.says("groot.discriminator"):
            return []
        below = [self._facts.identifier(each) for each in self._facts.concrete(name)]
        return [value(each, self._objects.direction) for each in below if each is not None]


def _keys(key: Property | None) -> Schema:
    """Return the schema of the keys that are values of an attribute."""
    if key is None:
        return {}
    described: dict[str, Any] = key.described
    if described["type"].startswith("integer"):
        return {"pattern": _WHOLE}
    if described["type"] in ("string", "uri"):
        found = value(key, "read")
        return {} if found.keys() <= {"type", "format"} else found
    return {}
