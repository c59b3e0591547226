"""The schemas of records: objects with their properties, and the kinds of an entity."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from groot.models._key_paths import Step, parsed, single
from groot.models.schemas._meanings import REFERENCE
from groot.models.schemas._names import Names
from groot.models.schemas._writing.facts import Facts, Property
from groot.models.schemas._writing.members import KEYED, Members
from groot.models.schemas._writing.places import Place
from groot.models.schemas._writing.values import Schema, either, nullable, value

_FULL, _REFERENCE, _OBJECT = "", ".reference", ".object"


class Records:
    """The definitions of the records of entities, made on demand."""

    def __init__(self, facts: Facts, direction: str, nulls: str) -> None:
        """Begin without definitions; `direction` is `read` or `write`."""
        self._nulls = nulls
        self.facts = facts
        self.direction = direction
        self.definitions: dict[str, Schema] = {}
        self._is_read = direction == "read"
        self._names = Names()
        self._known = {(name, _FULL): self._names.take(name) for name in facts.entities}
        self._members = Members(self)
        self._pending: list[tuple[str, str]] = []

    def record(self, name: str, part: str = _FULL) -> Schema:
        """Return a reference to the definition of an entity's records."""
        key = (name, part)
        if key not in self._known:
            self._known[key] = self._names.take(name + part)
        definition = self._known[key]
        if definition not in self.definitions:
            self.definitions[definition] = {}
            self._pending.append(key)
        escaped = definition.replace("~", "~0").replace("/", "~1")
        return {"$ref": f"#/$defs/{quote(escaped, safe='')}"}

    def reference(self, name: str) -> Schema | None:
        """Return the schema of objects with their identity, and any of the rest."""
        if not self.facts.identity(name):
            return None
        if not self._is_read:
            return self.record(name, _REFERENCE)
        kinds = self.kinds(name)
        if not kinds:
            return None
        return {**either([self.object(each, _REFERENCE) for each in kinds]), REFERENCE: True}

    def complete(self) -> None:
        """Write the definitions that others refer to."""
        while self._pending:
            name, part = self._pending.pop()
            self.definitions[self._known[name, part]] = self._definition(name, part)

    def _definition(self, name: str, part: str) -> Schema:
        comment = self.facts.entities[name]["userInfo"].get("comment")
        found = {"description": comment} if comment else {}
        kinds = self.kinds(name)
        if part in (_OBJECT, KEYED) or (kinds == [name] and not part):
            found.update(self.object(name, _FULL if part == _OBJECT else part))
            return {**found, REFERENCE: True} if part == KEYED else found
        if part == _REFERENCE:
            found.update(either([self.object(each, part) for each in kinds]))
            return {**found, REFERENCE: True}
        if not kinds:
            return {**found, "not": {}}
        listed = [self.record(each, _OBJECT if each == name else _FULL) for each in kinds]
        path = self.facts.annotation(name, "groot.discriminator")
        has_values = path is not None and not parsed(path).start
        unknown = self.facts.annotation(name, "groot.unknownDiscriminator")
        is_exclusive = has_values and unknown in (None, "error")
        if self._is_read and unknown == "skip":
            listed.append(self._skipped(name))
        identity = self._identity_keys(name)
        if identity:
            found["x-groot-identity"] = identity
        return {**found, "oneOf" if is_exclusive else "anyOf": listed}

    def kinds(self, name: str) -> list[str]:
        """Return the entities that a record of an entity may be of."""
        facts = self.facts
        if self._is_read and not (
            facts.annotation(name, "groot.discriminator")
            or facts.annotation(name, "entityMapperName")
        ):
            return [] if facts.entities[name]["abstract"] else [name]
        return facts.concrete(name)

    def object(self, name: str, part: str, chosen: list[Property] | None = None) -> Schema:
        """Return the schema of an object of one entity.

        Args:
            name: The entity.
            part: Whether only its identity is required.
            chosen: Its properties; by default all that are read or written.

        Returns:
            The schema.
        """
        facts = self.facts
        if self._is_read and facts.annotation(name, "JSONDictionaryTransformerName") is not None:
            return {}
        place = Place()
        alternatives: list[Schema] = []
        properties = list(facts.properties(name).values()) if chosen is None else chosen
        identity = facts.identity(name)
        for one in properties:
            if one.path is None or (chosen is None and not one.goes(self.direction)):
                continue
            is_part = part == _REFERENCE or chosen is not None
            is_weak = (is_part and one not in identity) or (part == KEYED and one in identity)
            self._add(place, one, is_weak, alternatives)
        self._add_discriminator(place, name)
        found = place.schema(self.direction, self._is_closed(name)) or {"type": "object"}
        found = self._with_tombstone(name, found) if part == _FULL and chosen is None else found
        if alternatives:
            found = {**found, "allOf": [*found.get("allOf", []), *alternatives]}
        keys = self._identity_keys(name)
        if keys and part == _FULL and found.get("type") == "object" and chosen is None:
            found["x-groot-identity"] = keys
        scalar = facts.at(name, "@value")
        if scalar is not None and chosen is None and scalar.goes(self.direction):
            listed = [self._schema(scalar)]
            if not scalar.is_attribute and not self._is_read:
                listed += self._members.identifiers(scalar.described["destination"], scalar)
            found = either([*listed, found])
        return found

    def _schema(self, property: Property) -> Schema:
        if property.is_attribute:
            return value(property, self.direction)
        return self._members.of(property)

    def _add(self, place: Place, one: Property, is_weak: bool, alternatives: list[Schema]) -> None:
        """Add a property to the places of an object."""
        paths = [one.path, *map(parsed, one.says("groot.alternatives").replace(",", " ").split())]
        plain = [path.steps for path in paths if path is not None and not path.start]
        if not self._is_read:
            plain = plain[:1]
        if not plain:
            return
        required = not is_weak and self.is_required(one)
        is_open = is_weak and self._is_read and not one.is_attribute
        schema = {} if is_open else self._schema(one)
        if one.is_attribute and any(None in steps for steps in plain):
            schema = {}
        if one.is_attribute and (is_weak or self._takes_null(one)):
            schema = nullable(schema)
        schema = self._described(one, schema)
        lists = not one.is_attribute and bool(one.described["toMany"])
        lists = lists or one.described.get("type") == "transformable"
        lists = self._is_read and (lists or "JSONTransformerName" in one.described["userInfo"])
        loose = self._is_read and (
            one.says("groot.emptyText") == "null"
            or one.says("groot.shape") == "ignore"
            or one.says("groot.invalid", "fail") != "fail"
        )
        has_choice = len(plain) > 1
        if has_choice and required:
            alternatives.append({"anyOf": [_needing(steps) for steps in plain]})
        is_key = one.path is not None and bool(one.path.start)
        for steps in plain:
            is_needed = required and not has_choice and not is_key
            place.add(steps, schema, is_needed, lists, loose)
        if one.says("groot.discriminator") and not one.is_attribute:
            place.add(parsed(one.says("groot.discriminator")).steps, {})

    def is_required(self, one: Property) -> bool:
        """Return whether the key of a property must be there."""
        described = one.described
        if not self._is_read:
            return one.is_attribute and one.says("groot.exportNull", self._nulls) == "write"
        if one.says("groot.missing") == "required":
            return True
        if described["optional"] or one.says("groot.validation", "import") != "import":
            return False
        if one.is_attribute:
            return described["default"] is None
        return described["inverse"] is None

    def _takes_null(self, one: Property) -> bool:
        described = one.described
        if not self._is_read:
            return bool(described["optional"])
        policy = one.says("groot.null", "clear")
        if policy == "error":
            return False
        has_default = described["default"] is not None and policy in ("keep", "default")
        is_checked = one.says("groot.validation", "import") == "import"
        return bool(described["optional"]) or has_default or not is_checked

    def _described(self, one: Property, schema: Schema) -> Schema:
        """Add the annotations of a property to its schema."""
        found: Schema = {}
        if one.says("comment"):
            found["description"] = one.says("comment")
        if one.described.get("default") is not None and schema:
            found["default"] = one.described["default"]
        if one.says("groot.direction") == "import":
            found["readOnly"] = True
        elif one.says("groot.direction") == "export":
            found["writeOnly"] = True
        return {**schema, **found}

    def _add_discriminator(self, place: Place, name: str) -> None:
        path = self.facts.annotation(name, "groot.discriminator")
        if path is None:
            return
        start, steps = parsed(path)
        own = self._value(name)
        if start:
            return
        if self.facts.annotation(name, "groot.unknownDiscriminator") == "base":
            others = [one for one in self._values(self.facts.line(name)[-1]) if one != own]
            place.add(steps, {"not": {"enum": others}} if others else {})
            return
        is_number = any(
            one.path is not None and one.path.steps == steps and one.described["type"] != "string"
            for one in self.facts.properties(name).values()
            if one.is_attribute
        )
        number = _number(own)
        if number is not None and (self._is_read or is_number):
            place.add(steps, {"enum": [own, number]}, required=True)
        else:
            place.add(steps, {"const": own}, required=True)

    def _value(self, name: str) -> str:
        found: str = self.facts.entities[name]["userInfo"].get("groot.discriminatorValue", name)
        return found

    def _values(self, name: str) -> list[Any]:
        """Return the values that choose an entity or one of those below it."""
        return [self._value(each) for each in self.facts.concrete(name)]

    def _skipped(self, name: str) -> Schema:
        """Return the schema of a record that is left out, since its value chooses nothing."""
        place = Place()
        start, steps = parsed(self.facts.annotation(name, "groot.discriminator") or "")
        if not start:
            place.add(steps, {"not": {"enum": self._values(name)}})
        return place.schema("read", closed=False)

    def _is_closed(self, name: str) -> bool:
        """Return whether an object has no other keys than those of its properties."""
        facts = self.facts
        if facts.at(name, "@rest") is not None:
            return False
        if self._is_read and facts.annotation(name, "groot.unknownKeys") != "error":
            return False
        return not any(
            facts.leads_out(one.described["destination"], self.direction)
            for one in facts.properties(name).values()
            if not one.is_attribute and one.goes(self.direction)
        )

    def _with_tombstone(self, name: str, found: Schema) -> Schema:
        """Add the records that mean a deletion."""
        text = self.facts.annotation(name, "groot.tombstone")
        if text is None or not self._is_read:
            return found
        path, _, mark = text.partition("=")
        place = Place()
        place.add(parsed(path.strip()).steps, {"const": _scalar(mark.strip())}, required=True)
        for one in self.facts.identity(name):
            if one.is_attribute and one.path is not None and not one.path.start:
                place.add(one.path.steps, value(one, "read"), required=True)
        dead = {**place.schema("read", closed=False), REFERENCE: True}
        if self._is_closed(name):
            found = {**found, "properties": {**_mentions(path), **found.get("properties", {})}}
        return {"anyOf": [found, dead]}

    def _identity_keys(self, name: str) -> list[str]:
        """Return the keys of the identity, if each of its parts is one key of the object."""
        keys = [single(one.path) for one in self.facts.identity(name) if one.is_attribute]
        listed = [key for key in keys if key is not None]
        return listed if len(listed) == len(self.facts.identity(name)) else []


def _needing(steps: tuple[Step, ...]) -> Schema:
    """Return a schema that needs something at a path."""
    found: Schema = {}
    for step in reversed(steps):
        if not isinstance(step, str):
            found = {}
            continue
        found = {"required": [step], **({"properties": {step: found}} if found else {})}
    return found


def _mentions(path: str) -> dict[str, Schema]:
    first = parsed(path.strip()).steps[0]
    return {first: {}} if isinstance(first, str) else {}


def _number(text: str) -> int | float | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, (int, float)) and not isinstance(found, bool) else None


def _scalar(text: str) -> Any:
    """Return the value of a tombstone: a JSON scalar, or text without quotes."""
    try:
        return json.loads(text)
    except ValueError:
        return text
