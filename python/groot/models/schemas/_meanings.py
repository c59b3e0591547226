"""Schemas as parts of a model: an entity, kinds of one, a list, objects by key, or a value."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from groot.models._pointers import joined, last
from groot.models.schemas._shapes import Shape, Shapes, Use, is_null
from groot.models.schemas._source import Source

_DEPTH = 32
REFERENCE = "x-groot-reference"
"""The keyword of a schema that `json_schema` writes for an object with only its identity."""
_NO_SCHEMA = {"required", "not", "title", "description", "$comment"}


class Meaning(NamedTuple):
    """The part of a model that a schema describes."""

    kind: str
    """`entity`, `union`, `list`, `map`, `scalar` or `any`."""
    shape: Shape
    """The shape of the schema."""

    @property
    def is_entity(self) -> bool:
        """Whether the values are objects of an entity or of its kinds."""
        return self.kind in ("entity", "union")


@dataclass
class Kinds:
    """The kinds of an entity: the key whose value chooses one, and the value of each."""

    key: str
    """The key in JSON."""
    values: dict[str, str] = field(default_factory=dict)
    """The values by the pointers of the kinds."""


class Meanings:
    """The meanings of the schemas in a document, found on demand."""

    def __init__(self, source: Source, shapes: Shapes) -> None:
        """Begin without meanings."""
        self._source = source
        self._notes = source.notes
        self._shapes = shapes
        self._known: dict[str, Meaning] = {}
        self._open: list[str] = []
        self.kinds: dict[str, Kinds] = {}
        """The kinds of entities, by their pointers."""
        self.parents: dict[str, str] = {}
        """The pointers of the parents that have kinds, by the pointers of the kinds."""

    def of(self, pointer: str) -> Meaning:
        """Return the meaning of the schema that a place leads to."""
        target = self._shapes.use(pointer).target
        found = self._known.get(target)
        if found is not None:
            return found
        shape = self._shapes.shape(target)
        if target in self._open or len(self._open) > _DEPTH:
            self._notes.warn(target, "its kinds nest too deep or lead back to it")
            return Meaning("any", shape)
        self._open.append(target)
        found = self._choice(shape) if self._word(shape) else self._plain(shape)
        self._open.pop()
        self._known[target] = found
        if found.kind == "entity":
            self._note_kind(found.shape)
        return found

    def _note_kind(self, shape: Shape) -> None:
        """Note the kinds of an entity with a discriminator, and the parents of a kind."""
        self._kinds_of(shape)
        for parent in shape.parents:
            self.parents.setdefault(shape.pointer, parent)
            kinds = self._kinds_of(self._shapes.shape(parent))
            if kinds is not None:
                value = _only_value(self._property(shape, kinds.key))
                name = last(shape.pointer) if value is None else _text(value)
                kinds.values.setdefault(shape.pointer, name)

    def _kinds_of(self, shape: Shape) -> Kinds | None:
        """Return the kinds of a schema with a discriminator."""
        found = self.kinds.get(shape.pointer)
        key = None if found is not None else self._discriminator(shape)
        if key is not None:
            found = self.kinds[shape.pointer] = Kinds(key, self._listed(shape))
        return found

    def _word(self, shape: Shape) -> str | None:
        return next((word for word in ("oneOf", "anyOf") if word in shape.keywords), None)

    def _plain(self, shape: Shape) -> Meaning:
        keywords = shape.keywords
        types = shape.types
        if not types:
            if shape.properties or shape.parents or "additionalProperties" in keywords:
                types = ("object",)
            elif "items" in keywords or "prefixItems" in keywords:
                types = ("array",)
        if types == ("object",):
            if shape.properties or shape.parents or "discriminator" in keywords:
                return Meaning("entity", shape)
            return Meaning("map" if keywords.get("additionalProperties") else "any", shape)
        if types == ("array",):
            return Meaning("list", shape)
        is_scalar = bool(types) and not {"object", "array"} & set(types)
        is_scalar = is_scalar or any(key in keywords for key in ("enum", "const", "format"))
        return Meaning("scalar" if is_scalar else "any", shape)

    def _choice(self, shape: Shape) -> Meaning:
        """Return the meaning of a schema with branches."""
        word = self._word(shape) or ""
        place = shape.place(word)
        branches = self._branches(shape, word)
        meanings = [self.of(one.pointer) for one in branches]
        if branches and all(one.kind == "scalar" for one in meanings):
            values = [_only_value(one.shape) for one in meanings]
            if all(value is not None for value in values):
                return self._plain(_with_values(shape, values))
        entities = [one for one in meanings if one.is_entity]
        if branches and len(entities) == len(meanings):
            found = self._union(shape, branches, entities)
            if found is not None:
                return found
        elif len(entities) == 1 and _is_reference(entities[0], meanings):
            return entities[0]
        plain = self._plain(shape)
        if plain.kind == "any" and len(meanings) == 1:
            return meanings[0]
        if branches:
            rest = "any JSON value is taken" if plain.kind == "any" else "it is left out"
            self._notes.warn(place, f"{word} has no value that chooses one of its schemas; {rest}")
        return plain

    def _branches(self, shape: Shape, word: str) -> list[Use]:
        """Return the branches that describe a value; null is noted."""
        place, listed = shape.place(word), shape.keywords[word]
        if not isinstance(listed, list):
            self._notes.error(place, "it is not a list of schemas")
            return []
        found: list[Use] = []
        targets = set[str]()
        for index, one in enumerate(listed):
            below = joined(place, index)
            if is_null(one):
                shape.nullable = True
            elif isinstance(one, dict) and one.keys() <= _NO_SCHEMA:
                self._notes.warn(below, "this condition is left out")
            else:
                use = self._shapes.use(below)
                if use.target in targets or REFERENCE in self._source.schema(use.target):
                    continue
                targets.add(use.target)
                shape.nullable = shape.nullable or use.nullable
                found.append(use)
        return found

    def _union(self, shape: Shape, branches: list[Use], entities: list[Meaning]) -> Meaning | None:
        """Return the entity whose kinds the branches are; None if nothing chooses one."""
        targets = [one.shape.pointer for one in entities]
        key = self._discriminator(shape) or self._constant_key(entities)
        if key is None:
            return None
        owners = {self.parents.get(one) for one in targets} - {None, shape.pointer}
        if owners:
            (owner, *others) = sorted(str(one) for one in owners)
            same = self.kinds.get(owner)
            complete = all(self.parents.get(one) == owner or one == owner for one in targets)
            if others or not complete or same is None or same.key != key:
                message = "one of its schemas is a kind of another entity already"
                self._notes.warn(shape.pointer, message)
                return None
            if shape.properties:
                self._notes.warn(shape.pointer, "the properties beside its kinds are left out")
            return Meaning(self._known[owner].kind, self._known[owner].shape)
        kinds = self.kinds.get(shape.pointer) or Kinds(key, self._listed(shape))
        for one, target in zip(entities, targets):
            nested = self.kinds.get(target)
            if target == shape.pointer or (nested is not None and nested.key != key):
                return None
            value = _only_value(self._property(one.shape, key))
            if nested is None:
                kinds.values.setdefault(target, last(target) if value is None else _text(value))
        self.kinds[shape.pointer] = kinds
        self.parents.update((target, shape.pointer) for target in targets)
        return Meaning("union", shape)

    def _property(self, shape: Shape, key: str) -> Shape | None:
        place = shape.properties.get(key)
        return None if place is None else self._shapes.shape(self._shapes.use(place).target)

    def _constant_key(self, entities: list[Meaning]) -> str | None:
        """Return the key that has another constant in each schema."""
        nested = {self.kinds[one.shape.pointer].key for one in entities if one.kind == "union"}
        direct = [one.shape for one in entities if one.kind == "entity"]
        for key in nested or (direct[0].properties if direct else ()):
            texts = set[str]()
            for one in direct:
                value = _only_value(self._property(one, key))
                if value is None or _text(value) in texts:
                    break
                texts.add(_text(value))
            if len(nested) <= 1 and len(texts) == len(direct) > (0 if nested else 1):
                return key
        return None

    def _discriminator(self, shape: Shape) -> str | None:
        found = shape.keywords.get("discriminator")
        if found is None:
            return None
        key = found.get("propertyName") if isinstance(found, dict) else None
        if not isinstance(key, str) or not key:
            place = shape.place("discriminator")
            self._notes.error(place, "it needs the key of a property as propertyName")
            return None
        return key

    def _listed(self, shape: Shape) -> dict[str, str]:
        """Return the values of a `mapping`, by the pointers of the kinds."""
        found: dict[str, str] = {}
        given = shape.keywords.get("discriminator")
        mapping = given.get("mapping", {}) if isinstance(given, dict) else {}
        place = joined(shape.place("discriminator"), "mapping")
        if not isinstance(mapping, dict):
            self._notes.error(place, "it is not an object of schemas by value")
            return found
        for value, name in mapping.items():
            below = joined(place, value)
            target = self._named(str(name))
            if target is None:
                message = f"'{str(name)[:200]}' is not a schema of this file"
                self._notes.error(below, message)
            elif target in found:
                self._notes.warn(below, f"'{found[target]}' chooses the schema already")
            else:
                found[target] = value
        return found

    def _named(self, name: str) -> str | None:
        """Return the schema that a value of `mapping` names, by a reference or its own name."""
        pointer = name[1:] if name.startswith("#/") else joined("/components/schemas", name)
        if not isinstance(self._source.find(pointer), dict):
            pointer = joined("/$defs", name)
        if not isinstance(self._source.find(pointer), dict):
            return None
        return self._shapes.use(pointer).target


def _is_reference(entity: Meaning, meanings: list[Meaning]) -> bool:
    """Whether each value is an object or its identifier."""
    others = [one for one in meanings if one is not entity]
    return all(one.kind == "scalar" for one in others) and len(identity(entity.shape)) == 1


def identity(shape: Shape) -> list[str]:
    """Return the names in the identity that a schema says."""
    given = shape.keywords.get("x-groot-identity", [])
    names = given.replace(",", " ").split() if isinstance(given, str) else given
    return names if isinstance(names, list) and all(isinstance(n, str) for n in names) else []


def _only_value(shape: Shape | None) -> Any:
    """Return the value of a schema that has only one; None without."""
    if shape is None:
        return None
    values = shape.keywords.get("enum", [])
    if isinstance(values, list) and len(values) == 1:
        return values[0]
    value = shape.keywords.get("const")
    return value if isinstance(value, (str, int)) else None


def _with_values(shape: Shape, values: list[Any]) -> Shape:
    found = copy.copy(shape)
    found.keywords = {**shape.keywords, "enum": values}
    return found


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
