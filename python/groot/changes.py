"""Changes: the objects that an import inserted, updated or deleted."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Any

from groot._core.schema import Schema
from groot.errors import Error
from groot.objects import BaseObject, Object
from groot.values import plain

_DEPTH = 8
"""The number of objects that an identity may lead through."""


@dataclass(frozen=True)
class Change:
    """The change of one object."""

    id: int
    """The object's number."""
    entity: str
    """The name of its entity."""
    change: str
    """`"inserted"`, `"updated"` or `"deleted"`."""
    object: Object | None
    """The object; None if it was deleted, or was made by a dry run."""
    properties: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    """The old and the new value of each property that changed, by name.

    An attribute has the values that reading it gives. A to-one relationship has an object or None,
    a to-many relationship a list of objects. An object that was deleted, or was made by a dry run,
    is given as its number: the `id` of its change.
    """


def described(change: Change, schema: Schema) -> dict[str, Any]:
    """Return a change as JSON values, in which objects are given by their identity."""
    return {
        "change": change.change,
        "entity": change.entity,
        "identity": _identity_of(change, schema),
        "properties": {
            name: {"old": _json(old, schema), "new": _json(new, schema)}
            for name, (old, new) in change.properties.items()
        },
    }


def _identity_of(change: Change, schema: Schema) -> Any:
    """Return the identity before a change, or that of a new object."""
    names = schema.entity(change.entity).identity
    values = {}
    for name in names:
        if name in change.properties:
            old, new = change.properties[name]
            values[name] = _json(new if change.change == "inserted" else old, schema)
        elif change.object is not None:
            values[name] = _read(change.object, name, schema, 0)
    return _one_or_all(values, names, change.id)


def _json(value: Any, schema: Schema, depth: int = 0) -> Any:
    """Return the JSON form of a value; an object is its identity, or its number without one."""
    if isinstance(value, list):
        return [_json(one, schema, depth) for one in value]
    if not isinstance(value, BaseObject):
        return plain(value)
    names = schema.entity(value._entity.name).identity if depth < _DEPTH else ()
    values = {name: _read(value, name, schema, depth + 1) for name in names}
    return _one_or_all(values, names, value._number)


def _read(one: BaseObject, name: str, schema: Schema, depth: int) -> Any:
    with contextlib.suppress(Error, OverflowError):  # deleted since, or a date beyond datetime
        return _json(one[name], schema, depth)
    return None


def _one_or_all(values: dict[str, Any], names: tuple[str, ...], number: int) -> Any:
    """Return the only value of an identity, or all by name, or the number of the object."""
    if all(value is None for value in values.values()):
        return {"object": number}
    return values[names[0]] if len(names) == 1 else values
