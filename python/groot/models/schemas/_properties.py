"""The attributes and relationships of an entity."""

from __future__ import annotations

from groot.key_paths import escaped
from groot.models._pointers import joined
from groot.models.schemas import _annotations
from groot.models.schemas._attributes import Document, attribute, is_count
from groot.models.schemas._entities import Entities
from groot.models.schemas._meanings import Meaning
from groot.models.schemas._names import Names, identifier, titled
from groot.models.schemas._shapes import Shape, Use

_LONGEST = 4096


class Properties:
    """The properties of one entity, converted."""

    def __init__(self, entities: Entities, entity: str) -> None:
        """Begin without properties."""
        self._all = entities
        self._notes = entities.notes
        self._entity = entity
        self._names = Names()
        self.attributes: Document = {}
        self.relationships: Document = {}
        self.names: dict[str, str] = {}
        """The names of the properties, by their keys."""

    def convert(self, shape: Shape) -> None:
        """Convert all properties of a schema."""
        for key, pointer in shape.properties.items():
            if self._all.source.find(pointer) is False:
                self._notes.warn(pointer, "it refuses every value, so it is left out")
            elif not key or len(escaped(key).encode("utf-8", "replace")) > _LONGEST:
                self._notes.warn(pointer, "a key is not empty, and not that long; it is left out")
            else:
                self._property(key, pointer, key in shape.required)
        for key in sorted(shape.required - shape.properties.keys()):
            place = joined(shape.pointer, "required")
            self._notes.warn(place, f"the required key '{key[:200]}' has no schema; it is left out")
        rest = shape.keywords.get("additionalProperties")
        if shape.properties and isinstance(rest, dict) and rest:
            place = shape.place("additionalProperties")
            self._notes.warn(place, "all other keys are kept as they are; no schema checks them")
            self.attributes[self._names.take("rest")] = {
                "type": "transformable",
                "optional": True,
                "userInfo": {"JSONKeyPath": "@rest"},
            }

    def _property(self, key: str, pointer: str, required: bool) -> None:
        use = self._all.shapes.use(pointer)
        meaning = self._all.meanings.of(pointer)
        name = self.names[key] = self._names.take(identifier(key))
        self._all.places[self._entity, name] = pointer
        optional = not required or use.nullable or meaning.shape.nullable
        suggestion = f"{self._entity}{titled(key)}"
        is_inline = meaning.is_entity and use.target == pointer
        path = {"JSONKeyPath": escaped(key)}
        info = _annotations.of_property(use.said, pointer, self._notes, is_inline)
        relationship = self._relationship(meaning, suggestion)
        if relationship is None:
            found = self._attribute(meaning, use, optional)
            found["userInfo"] = {**path, **found.get("userInfo", {}), **info}
            self.attributes[name] = found
            return
        is_empty = relationship.get("toMany") and not relationship.get("minCount")
        relationship["optional"] = bool(optional or is_empty)
        relationship["userInfo"] = {**path, **relationship.pop("userInfo", {}), **info}
        if use.said.get("default") not in (None, [], {}):
            self._notes.warn(pointer, "the default of a relationship is left out")
        self.relationships[name] = relationship

    def _attribute(self, meaning: Meaning, use: Use, optional: bool) -> Document:
        shape = meaning.shape
        found = attribute(shape, optional, self._notes)
        if "default" in use.said and "default" not in shape.keywords:
            outer = Shape(use.pointer, {**shape.keywords, "default": use.said["default"]})
            outer.types = shape.types
            found = attribute(outer, optional, self._notes)
        return found

    def _relationship(self, meaning: Meaning, suggestion: str) -> Document | None:
        """Return the relationship that a schema describes; None if it is that of a value."""
        if meaning.is_entity:
            return {"destination": self._all.entity(meaning, suggestion)}
        return self.members(suggestion, meaning)

    def members(self, suggestion: str, meaning: Meaning) -> Document | None:
        """Return the to-many relationship of a list or an object with members under keys."""
        if meaning.kind == "list":
            return self._list(suggestion, meaning)
        if meaning.kind != "map":
            return None
        shape = meaning.shape
        place = shape.place("additionalProperties")
        value = self._all.meanings.of(place)
        keys = shape.places.get("propertyNames")
        found: Document = {"toMany": True, "ordered": True, "userInfo": {"groot.form": "keyed"}}
        if value.is_entity:
            found["destination"] = self._all.entity(value, suggestion)
        elif value.kind == "scalar":
            found["destination"] = self._scalars(place, value, suggestion)
        elif value.kind == "list" and (grouped := self._list(suggestion, value)) is not None:
            found["destination"] = grouped["destination"]
            found["userInfo"] = {"groot.form": "grouped"}
        else:
            self._notes.warn(place, "an object with such values is taken as any JSON value")
            return None
        self._all.keyed.setdefault(found["destination"], keys)
        return found

    def _list(self, suggestion: str, meaning: Meaning) -> Document | None:
        shape = meaning.shape
        items = shape.keywords.get("items")
        if not isinstance(items, dict) or "prefixItems" in shape.keywords:
            return None
        member = self._all.meanings.of(shape.place("items"))
        if not member.is_entity:
            if member.kind not in ("scalar", "any"):
                place = shape.place("items")
                self._notes.warn(place, "a list of such values is taken as any JSON value")
            return None
        entity = self._all.entity(member, suggestion)
        found: Document = {"destination": entity, "toMany": True, "ordered": True}
        for name, keyword in (("minCount", "minItems"), ("maxCount", "maxItems")):
            count = shape.keywords.get(keyword)
            if count is None:
                continue
            if is_count(count):
                found[name] = int(count)
            else:
                self._notes.error(shape.place(keyword), f"{str(count)[:60]!r} is not a number")
        return found

    def _scalars(self, place: str, value: Meaning, suggestion: str) -> str:
        """Make an entity of a key and a scalar under it."""
        found = self._all.named(suggestion, place)
        described = attribute(value.shape, value.shape.nullable, self._notes)
        described["userInfo"] = {"JSONKeyPath": "@value", **described.get("userInfo", {})}
        self._all.converted[found].update(attributes={"value": described}, relationships={})
        return found
