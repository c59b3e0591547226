"""The conversion of a document with schemas: its definitions, its root, and what they lead to."""

from __future__ import annotations

import copy

from groot.models._pointers import joined
from groot.models.schemas import _annotations
from groot.models.schemas._attributes import Document
from groot.models.schemas._entities import Entities
from groot.models.schemas._inheritance import complete
from groot.models.schemas._meanings import Meaning, identity
from groot.models.schemas._properties import Properties
from groot.models.schemas._shapes import Shape
from groot.models.schemas._source import Source

_NO_ROOT = {"$schema", "$id", "title", "description", "$comment", "$defs", "definitions"}


def convert(source: Source, root: str) -> Entities:
    """Convert all schemas; `root` is the name of the root's entity if it has no title."""
    entities = Entities(source)
    definitions = [
        pointer
        for pointer in source.definitions()
        if entities.shapes.use(pointer).target == pointer
    ]
    # Kinds that have a name of their own come before those of a property.
    meanings = [entities.meanings.of(pointer) for pointer in definitions]
    for meaning in meanings:
        if meaning.is_entity:
            entities.entity(meaning, "")
    if not source.is_open_api:
        _root(entities, root)
    while entities.pending:
        name, meaning = entities.pending.popleft()
        _convert(entities, name, meaning)
    complete(entities)
    if not entities.converted and not source.notes.errors:
        source.notes.error("", "it has no schema of an object with properties")
    return entities


def _root(entities: Entities, name: str) -> None:
    """Convert the root, unless it only has definitions or refers to them."""
    document = entities.source.document
    if document.keys() <= _NO_ROOT or _is_list_or_one(document):
        return
    meaning = entities.meanings.of("")
    if meaning.is_entity:
        entities.entity(meaning, name)
    else:
        Properties(entities, name).members(name, meaning)


def _is_list_or_one(document: Document) -> bool:
    """Whether a schema is that of one record or a list of them, as `json_schema` writes it."""
    listed = document.get("anyOf")
    if not isinstance(listed, list) or len(listed) != 2 or "properties" in document:
        return False
    one, many = listed
    if not isinstance(one, dict) or not isinstance(many, dict):
        return False
    return "$ref" in one and many.get("type") == "array"


def _convert(entities: Entities, name: str, meaning: Meaning) -> None:
    shape, source, meanings = meaning.shape, entities.source, entities.meanings
    pointer = shape.pointer
    is_named = source.is_definition(pointer) or pointer == ""
    noted = _annotations.of_entity if is_named else _annotations.of_inline_entity
    info = noted(source.schema(pointer), pointer, source.notes)
    found = entities.converted[name]
    parent = meanings.parents.get(pointer)
    if parent is not None:
        found["parent"] = entities.entity(meanings.of(parent), name)
        siblings = meanings.kinds.get(parent)
        if siblings is not None and pointer in siblings.values:
            info.setdefault("groot.discriminatorValue", siblings.values[pointer])
    kinds = meanings.kinds.get(pointer)
    if kinds is not None:
        info["groot.discriminator"] = kinds.key
        found["abstract"] = meaning.kind == "union"
        if pointer in kinds.values:
            info.setdefault("groot.discriminatorValue", kinds.values[pointer])
    if shape.keywords.get("additionalProperties") is False:
        info.setdefault("groot.unknownKeys", "error")
    properties = Properties(entities, name)
    properties.convert(_with_identity(entities, meaning))
    found.update(attributes=properties.attributes, relationships=properties.relationships)
    listed = _identity(entities, shape, properties)
    if listed:
        info.setdefault("identityAttributes", ", ".join(listed))
    found["userInfo"] = info


def _with_identity(entities: Entities, meaning: Meaning) -> Shape:
    """Return the shape of an entity; one of kinds has the identity that all kinds have."""
    shape = meaning.shape
    if meaning.kind != "union":
        return shape
    kinds = [
        entities.meanings.of(one).shape for one in entities.meanings.kinds[shape.pointer].values
    ]
    found = copy.copy(shape)
    found.properties, found.required = dict(shape.properties), set(shape.required)
    for key in identity(shape):
        if key not in found.properties and all(key in one.properties for one in kinds):
            found.properties[key] = kinds[0].properties[key]
            if all(key in one.required for one in kinds):
                found.required.add(key)
    return found


def _identity(entities: Entities, shape: Shape, properties: Properties) -> list[str]:
    """Return the properties that the schema says are the identity, by their names."""
    given = shape.keywords.get("x-groot-identity")
    place, notes = shape.place("x-groot-identity"), entities.notes
    names = identity(shape)
    if given is not None and not names:
        notes.error(place, "it is not the key of a property, nor a list of keys")
    found = []
    for index, key in enumerate(names):
        name = properties.names.get(key)
        if name is None:
            at = joined(place, index) if isinstance(given, list) else place
            notes.error(at, f"'{key[:200]}' is not a property of the schema")
        else:
            found.append(name)
    return found
