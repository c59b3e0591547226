"""The schema of a whole file: the definitions, and the records at its root."""

from __future__ import annotations

import reprlib
from typing import Any

from groot.errors import Status, error
from groot.model import Model
from groot.models._pointers import parts
from groot.models.schemas._writing.facts import Facts
from groot.models.schemas._writing.members import Members
from groot.models.schemas._writing.places import Place
from groot.models.schemas._writing.records import Records
from groot.models.schemas._writing.values import Schema, either

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DIRECTIONS = ("read", "write")
_NULLS = ("write", "omit")
_POSITIONS = 64


def json_schema(
    model: Model,
    entity: str | None = None,
    direction: str = "read",
    *,
    implicit: bool = False,
    nulls: str = "write",
) -> dict[str, Any]:
    """Write the JSON Schema (2020-12) of the JSON that a model reads or writes.

        groot.models.schemas.json_schema(model, "Hero", "write")["$defs"]["Hero"]

    Args:
        model: The model, with annotations of the dialect "groot".
        entity: The entity of the records: one, or a list of them. By default the schema has the
            definitions of all entities. If one entity has the annotation `groot.root`, its records
            are at that JSON Pointer.
        direction: "read" for what an import takes into an empty context, "write" for what an
            export of complete objects gives.
        implicit: Whether properties without a `JSONKeyPath` have their own names as keys.
        nulls: "write", or "omit" for exports that leave out properties without a value, as the
            option of a mapping.

    Returns:
        The schema.

    Raises:
        groot.Error: With `Status.INVALID_ARGUMENT` for another model, direction or nulls, and with
            `Status.UNKNOWN_ENTITY` for an entity that the model does not have.
    """
    if not isinstance(model, Model):
        message = f"model is {reprlib.repr(model)}, not a groot.Model"
        raise error(Status.INVALID_ARGUMENT, message)
    if direction not in _DIRECTIONS:
        message = f'direction is {reprlib.repr(direction)}; choose "read" or "write"'
        raise error(Status.INVALID_ARGUMENT, message)
    if nulls not in _NULLS:
        message = f'nulls is {reprlib.repr(nulls)}; choose "write" or "omit"'
        raise error(Status.INVALID_ARGUMENT, message)
    facts = Facts(model, implicit)
    if entity is not None and entity not in facts.entities:
        listed = ", ".join(list(facts.entities)[:10])
        message = f"the model has no entity {reprlib.repr(entity)}; it has {listed}"
        raise error(Status.UNKNOWN_ENTITY, message)
    records = Records(facts, direction, nulls)
    members = Members(records)
    found: Schema = {"$schema": _DIALECT}
    if entity is not None:
        found.update(_records(records, members, entity))
    else:
        for name in facts.entities:
            records.record(name)
        found.update(_rooted(facts, records, members))
    records.complete()
    found["$defs"] = {name: records.definitions[name] for name in sorted(records.definitions)}
    return found


def _records(records: Records, members: Members, entity: str) -> Schema:
    """Return the schema of a record, or of a list of records."""
    items = members.top(entity)
    many: Schema = {"type": "array", **({"items": items} if items else {})}
    return either([records.record(entity), many])


def _rooted(facts: Facts, records: Records, members: Members) -> Schema:
    """Return the schema of a document with the records of the one entity that says where."""
    rooted = [
        (name, one["userInfo"]["groot.root"])
        for name, one in facts.entities.items()
        if "groot.root" in one["userInfo"]
    ]
    if len(rooted) != 1:
        return {}
    name, pointer = rooted[0]
    place = Place()
    steps = [
        int(key) if key.isdecimal() and len(key) < 3 and int(key) < _POSITIONS else key
        for key in parts(pointer)
    ]
    schema = _records(records, members, name)
    place.add(tuple(steps), schema, required=False, lists=False)
    return place.schema(records.direction, closed=False)
