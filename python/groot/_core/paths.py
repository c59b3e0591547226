"""Paths of columns: attributes and to-one relationships, also of related objects."""

from __future__ import annotations

from typing import Any, NamedTuple

from groot._core.requests import About
from groot._core.schema import Property
from groot._core.session import Session
from groot._core.text import encode_name, nearest, shorten
from groot.errors import Status, error


class Way(NamedTuple):
    """A path from the objects of an entity to a property."""

    name: str
    """The path as text."""
    steps: tuple[tuple[str, Property], ...]
    """The properties with their entities; all but the last are to-one relationships."""

    def then(self, entity: str, property: Property) -> Way:
        """Return the path to a property of the related object."""
        return Way(property.name, (*self.steps, (entity, property)))

    @property
    def last(self) -> Property:
        """The property at the end."""
        return self.steps[-1][1]


def way_of(session: Session, entity: str, given: Any) -> Way:
    """Resolve a path; raise `groot.Error` for one that no column can have.

    Args:
        session: The context.
        entity: The entity of the objects.
        given: A name, a path as text, or an expression of a class.

    """
    text = About(session.mapping, entity).path(given)
    if not isinstance(text, str):
        message = f"{shorten(given)} is not the name of a property, a path or an expression"
        raise error(Status.INVALID_ARGUMENT, message, entity)
    encode_name(text)  # a message would hide a NUL
    known = session.schema.entity(entity).properties
    plain = text.removeprefix(".")
    names = next(([one] for one in (text, plain) if one in known), plain.split("."))
    steps: list[tuple[str, Property]] = []
    current = entity
    for position, name in enumerate(names):
        properties = session.schema.entity(current).properties
        property = properties.get(name)
        if property is None:
            if text.startswith("-"):
                message = f"{shorten(given)} is a sort key; leave the minus out"
                raise error(Status.INVALID_ARGUMENT, message, entity)
            message = f"the entity has no property {name!r}{nearest(name, properties)}"
            raise error(Status.UNKNOWN_PROPERTY, message, current, name)
        if property.to_many:
            message = (
                f"a to-many relationship in {text!r}, where each object has one value; "
                "choose attributes and to-one relationships"
            )
            raise error(Status.WRONG_TYPE, message, current, name)
        if property.type and position < len(names) - 1:
            message = f"an attribute within the path {text!r}, where relationships are expected"
            raise error(Status.WRONG_TYPE, message, current, name)
        steps.append((current, property))
        current = property.destination
    return Way(text, tuple(steps))
