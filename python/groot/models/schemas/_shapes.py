"""Schemas with their references followed and their `allOf` merged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from groot.models._pointers import joined
from groot.models.schemas._source import Source

_STEPS = 500_000
PROPERTIES = 6_000
"""The maximum number of properties of an entity, as in models."""
# Beside a reference these say more about its place, and nothing about the values.
_BESIDE = [
    "$ref",
    "allOf",
    "oneOf",
    "anyOf",
    "title",
    "description",
    "default",
    "nullable",
    "readOnly",
    "writeOnly",
    "deprecated",
    "example",
    "examples",
    "$comment",
    "externalDocs",
    "xml",
    "$schema",
    "$id",
    "$defs",
    "definitions",
    "$anchor",
]
_TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
_LEFT_OUT = [
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "minProperties",
    "maxProperties",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
    "$dynamicRef",
    "$recursiveRef",
]


class Use(NamedTuple):
    """The use of a schema at a place: the schema that the place leads to, and its own words."""

    pointer: str
    """The pointer of the place."""
    target: str
    """The pointer of the schema behind all plain references."""
    said: dict[str, Any]
    """The annotations at the place and on the way, such as `description`."""
    nullable: bool
    """Whether the place allows null."""


@dataclass
class Shape:
    """A schema with all its parts."""

    pointer: str
    """The pointer of the schema."""
    keywords: dict[str, Any] = field(default_factory=dict)
    """The merged keywords, without `properties` and `required`."""
    places: dict[str, str] = field(default_factory=dict)
    """The pointers of the keywords."""
    properties: dict[str, str] = field(default_factory=dict)
    """The pointers of the properties, by key."""
    required: set[str] = field(default_factory=set)
    """The keys of the required properties."""
    parents: list[str] = field(default_factory=list)
    """The pointers of the parts of `allOf` that choose a kind by a discriminator."""
    types: tuple[str, ...] = ()
    """The types without null; empty if the schema names none."""
    nullable: bool = False
    """Whether null is a value."""

    def place(self, keyword: str) -> str:
        """Return the pointer of a keyword."""
        return self.places.get(keyword, self.pointer)


class Shapes:
    """The shapes of the schemas in a document, made on demand."""

    def __init__(self, source: Source) -> None:
        """Begin without shapes."""
        self._source = source
        self._notes = source.notes
        self._known: dict[str, Shape] = {}
        self._uses: dict[str, Use] = {}
        self._steps = 0

    def use(self, pointer: str) -> Use:
        """Follow plain references from a place."""
        found = self._uses.get(pointer)
        if found is None:
            found = self._uses[pointer] = self._follow(pointer)
        return found

    def _follow(self, pointer: str) -> Use:
        said: dict[str, Any] = {}
        nullable, at, seen = False, pointer, set[str]()
        while True:
            self._step(pointer)
            schema = self._source.schema(at)
            if at in seen:
                self._notes.error(pointer, "its references lead back to it, so it has no schema")
                return Use(pointer, pointer, {}, False)
            seen.add(at)
            step = self._next(at, schema)
            if step is None:
                if at == pointer:
                    said = dict(schema)
                return Use(pointer, at, said, nullable or _has_null(schema))
            after, allows_null = step
            nullable = nullable or allows_null or schema.get("nullable") is True
            for key, value in schema.items():
                said.setdefault(key, value)
            at = after

    def _next(self, at: str, schema: dict[str, Any]) -> tuple[str, bool] | None:
        """Return the schema that a schema only refers to, and whether null is allowed beside it."""
        if any(key not in _BESIDE and not key.startswith("x-") for key in _said(schema)):
            return None
        ways = [key for key in ("$ref", "allOf", "oneOf", "anyOf") if key in schema]
        if len(ways) != 1:
            return None
        way = ways[0]
        if way == "$ref":
            target = self._source.target(at)
            return None if target is None else (target, False)
        listed = schema[way]
        if not isinstance(listed, list) or not listed:
            return None
        left = [i for i, one in enumerate(listed) if way == "allOf" or not is_null(one)]
        if len(left) != 1:
            return None
        after = joined(at, way, left[0])
        if way == "allOf" and self._source.is_definition(at) and self.discriminates(after):
            return None
        return after, len(listed) > 1

    def discriminates(self, pointer: str) -> bool:
        """Return whether a schema behind references has the keyword `discriminator`."""
        seen = set[str]()
        while pointer not in seen:
            seen.add(pointer)
            self._step(pointer)
            schema = self._source.schema(pointer)
            if "discriminator" in schema:
                return True
            if "$ref" not in schema:
                return False
            target = self._source.target(pointer)
            if target is None:
                return False
            pointer = target
        return False

    def shape(self, pointer: str) -> Shape:
        """Return the shape of a schema that is not a plain reference."""
        found = self._known.get(pointer)
        if found is None:
            found = self._known[pointer] = self._merged(pointer)
        return found

    def _merged(self, pointer: str) -> Shape:
        shape = Shape(pointer)
        pending, seen = [pointer], set[str]()
        while pending:
            at = pending.pop()
            if at in seen:
                continue
            seen.add(at)
            schema = self._source.schema(at)
            # A keyword may mean a reference or a part of a schema, before or after it.
            pending += reversed(self._parts(shape, at, schema))
            self._add(shape, at, schema)
        for keyword in _LEFT_OUT:
            if keyword in shape.keywords:
                self._notes.warn(shape.place(keyword), f"{keyword} is left out")
        if shape.keywords.get("additionalProperties") is False and "allOf" in shape.places:
            # The schema of a part does not know the keys of the others.
            del shape.keywords["additionalProperties"]
        return shape

    def _step(self, pointer: str, count: int = 1) -> None:
        self._steps += count
        if self._steps > _STEPS:
            message = f"the schemas expand to more than {_STEPS:,} parts"
            raise self._notes.limit(pointer, message)

    def _parts(self, shape: Shape, at: str, schema: dict[str, Any]) -> list[str]:
        """Return the schemas that are merged into one, and note its parents."""
        found = []
        if "$ref" in schema:
            target = self._source.target(at)
            found += [] if target is None else [target]
        listed = schema.get("allOf", [])
        if not isinstance(listed, list):
            self._notes.error(joined(at, "allOf"), "it is not a list of schemas")
            listed = []
        for index, one in enumerate(listed):
            self._step(at)
            below = joined(at, "allOf", index)
            if isinstance(one, dict) and "$ref" in one and self.discriminates(below):
                target = self.use(below).target
                if target != shape.pointer and not shape.parents:
                    shape.parents.append(target)
                    shape.places.setdefault("allOf", below)
                    continue
                if target in (shape.pointer, *shape.parents):
                    continue
                self._notes.warn(below, "a kind has one parent; this one's properties are copied")
            shape.places.setdefault("allOf", below)
            found.append(below)
        return found

    def _add(self, shape: Shape, at: str, schema: dict[str, Any]) -> None:
        """Add the keywords of a part; those of an outer part come first."""
        self._step(at, 1 + len(schema))
        self._add_properties(shape, at, schema.get("properties", {}))
        required = schema.get("required", [])
        if isinstance(required, list) and all(isinstance(one, str) for one in required):
            shape.required.update(required)
        else:
            self._notes.error(joined(at, "required"), "it is not a list of keys")
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if not isinstance(types, list) or any(one not in _TYPES for one in types):
            wrong = f"{str(schema['type'])[:60]!r} is not one of {', '.join(_TYPES)}"
            self._notes.error(joined(at, "type"), wrong)
        else:
            shape.types = shape.types or tuple(one for one in types if one != "null")
        shape.nullable = shape.nullable or _has_null(schema)
        for key, value in schema.items():
            if key in ("properties", "required", "allOf", "$ref"):
                continue
            if key in ("oneOf", "anyOf") and key in shape.keywords:
                self._notes.warn(joined(at, key), f"another {key} counts; this one is left out")
            if key not in shape.keywords:
                shape.keywords[key] = value
                shape.places[key] = joined(at, key)

    def _add_properties(self, shape: Shape, at: str, properties: Any) -> None:
        below = joined(at, "properties")
        if not isinstance(properties, dict):
            self._notes.error(below, "it is not an object of schemas by key")
            return
        self._step(below, len(properties))
        if properties:
            shape.places.setdefault("properties", below)
        if len(shape.properties) + len(properties) > PROPERTIES:
            raise self._notes.limit(below, f"an entity has at most {PROPERTIES:,} properties")
        for key in properties:
            if key not in shape.properties:
                shape.properties[key] = joined(below, key)


def _said(schema: dict[str, Any]) -> list[str]:
    """Return the keywords of a schema without a type that any reference to an object has."""
    return [key for key in schema if key != "type" or schema[key] != "object"]


def is_null(schema: Any) -> bool:
    """Return whether null is the only value of a schema."""
    return isinstance(schema, dict) and schema.get("type") in ("null", ["null"])


def _has_null(schema: dict[str, Any]) -> bool:
    """Return whether a schema says that null is a value."""
    types, values = schema.get("type"), schema.get("enum")
    if isinstance(types, list) and "null" in types:
        return True
    if isinstance(values, list) and None in values:
        return True
    return schema.get("nullable") is True or types == "null"
