"""The values of an inserted object of a class, checked before it is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groot._core.declared import is_declared
from groot._core.session import Session
from groot._core.text import nearest
from groot.errors import Status, error


def fitting(session: Session, entity: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values by the names in the model; raise for unknown and missing properties."""
    name = session.named(entity)
    known = session.schema.entity(name).properties
    declared = session.mapping._declared[name]
    found: dict[str, Any] = {}
    for key, value in values.items():
        known_as = declared._groot.name_of(key) or key
        if known_as not in known:
            members = declared._groot.members.values()
            message = f"the entity has no property {key!r}{nearest(key, members)}"
            raise error(Status.UNKNOWN_PROPERTY, message, entity=name)
        found[known_as] = value
    if is_declared(entity):
        for key in entity._groot.required:
            if found.get(key) is None:
                message = "the property is required; give it a value"
                raise error(Status.MISSING_VALUE, message, entity=name, property=key)
    return found
