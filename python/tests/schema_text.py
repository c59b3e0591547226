"""Schemas as dicts, converted."""

from __future__ import annotations

from typing import Any

import groot
from groot.models import schemas


def convert(document: dict[str, Any]) -> dict[str, Any]:
    """Return the entities of a schema, which must not have errors."""
    read = schemas.read_document(document, "feed.json")
    assert read.errors == ()
    read.make(groot.Model)
    entities: dict[str, Any] = read.document["entities"]
    return entities


def thing(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a schema of an object with a title."""
    return {"title": "Thing", "type": "object", "properties": properties, **more}


def attribute(schema: Any, **more: Any) -> dict[str, Any]:
    """Return the attribute that a schema of a property becomes, without its path."""
    found = convert(thing({"value": schema}, **more))["Thing"]["attributes"]["value"]
    assert found["userInfo"].pop("JSONKeyPath") == "value"
    if not found["userInfo"]:
        del found["userInfo"]
    return dict(found)


def warnings(document: dict[str, Any]) -> list[str]:
    """Return the pointers of the warnings of a schema, which must not have errors."""
    read = schemas.read_document(document, "feed.json")
    assert read.errors == ()
    read.make(groot.Model)
    return [str(one.path).partition("#")[2] for one in read.warnings]


def errors(document: dict[str, Any]) -> list[str]:
    """Return the pointers of the errors of a schema."""
    read = schemas.read_document(document, "feed.json")
    return [str(one.path).partition("#")[2] for one in read.errors]


def context(model: groot.Model) -> groot.Context:
    """Return a context of a model whose mapping has no warnings."""
    mapping = groot.Mapping(model)
    assert not mapping.warnings
    return groot.Context(mapping)
