"""The collections of a document: which entity has its records where."""

from __future__ import annotations

from dataclasses import dataclass

from groot.errors import Status, error
from groot.models.drift._schema import Schema, notes_of

_ROOT = "groot.root"
_FORM = "groot.rootForm"


@dataclass(frozen=True)
class Collection:
    """The records of an entity in a document."""

    entity: str
    root: str
    """The JSON Pointer to the records."""
    form: str
    """"array", "keyed" or "grouped"."""


def collections(
    schema: Schema, entity: str | None, root: str | None, form: str | None
) -> list[Collection]:
    """Return the collections to check: those that are named, or else those that the model names.

    Args:
        schema: The model.
        entity: The entity of the records.
        root: The pointer to the records.
        form: The form of the records.

    Returns:
        At least one collection.

    Raises:
        groot.Error: If the entity is unknown, or the model does not say which it is.
    """
    if entity is not None and entity not in schema.entities:
        message = f"the model has no entity {entity!r}; it has {', '.join(schema.entities)}"
        raise error(Status.UNKNOWN_ENTITY, message)
    named = {
        name: own for name in schema.entities if _ROOT in (own := notes_of(schema.entities[name]))
    }
    chosen = [entity] if entity is not None else list(named)
    if entity is None and root is not None and len(chosen) > 1:
        chosen = [name for name in chosen if named[name][_ROOT] == root] or chosen
    if not chosen:
        chosen = _only(schema)
    if len(chosen) != 1 and not (named and root is None and entity is None):
        message = f"the entity of the records is not clear; name one of {', '.join(chosen)}"
        raise error(Status.INVALID_ARGUMENT, message)
    return [_collection(name, named.get(name, {}), root, form) for name in chosen]


def _collection(entity: str, own: dict[str, str], root: str | None, form: str | None) -> Collection:
    place = own.get(_ROOT, "") if root is None else root
    return Collection(entity, place, form or own.get(_FORM, "array"))


def _only(schema: Schema) -> list[str]:
    """Return the entities that no other entity leads to, or all if there are none."""
    tops = [name for name in schema.entities if not schema.entities[name].get("parent")]
    inner = {
        one.destination
        for name in tops
        for member in schema.family(name)
        for one in schema.properties(member)
        if one.destination and one.paths and one.destination not in schema.family(name)
    }
    return [name for name in tops if name not in inner] or tops
