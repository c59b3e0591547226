"""Paths of columns: properties of objects and of those that they are related to."""

from __future__ import annotations

from typing import Any, NamedTuple

from groot._core.requests import About
from groot._core.schema import Property
from groot._core.session import Session
from groot._core.text import encode_name, nearest, shorten
from groot.errors import Status, error

KEY = Property("_id", "key")
"""The key of an object in its store, which ends a path like an attribute."""
ENTITY = Property("_entity", "entity")
"""The name of the entity that an object is of."""
_FACTS = {one.name: one for one in (KEY, ENTITY)}


class Way(NamedTuple):
    """A path from the objects of an entity to a property."""

    name: str
    """The path as text."""
    steps: tuple[tuple[str, Property], ...]
    """The properties with their entities; all but the last are relationships."""

    def then(self, entity: str, property: Property) -> Way:
        """Return the path to a property of the related object."""
        return Way(property.name, (*self.steps, (entity, property)))

    @property
    def last(self) -> Property:
        """The property at the end."""
        return self.steps[-1][1]

    @property
    def is_fact(self) -> bool:
        """Whether it ends with a fact about the object, which is in no model."""
        return self.last in (KEY, ENTITY)

    def parted(self) -> tuple[Way, Way] | None:
        """Return the path up to its to-many relationship, and that from there; None without one."""
        for position, (_, property) in enumerate(self.steps, 1):
            if property.to_many:
                before, after = self.steps[:position], self.steps[position:]
                return Way(self.name, before), Way("item", after)
        return None


def fact_of(session: Session, entity: str, fact: Property) -> tuple[str, Property]:
    """Return a fact about the objects of an entity; raise `groot.Error` if a property hides it."""
    if fact.name in session.schema.entity(entity).properties:
        message = (
            f"the entity has a property of its own with the name {fact.name!r}, which this column "
            "needs; leave the column out, or rename the property in the model"
        )
        raise error(Status.INVALID_ARGUMENT, message, entity, fact.name)
    return entity, fact


def way_of(session: Session, entity: str, given: Any, *, lists: bool = False) -> Way:
    """Resolve a path; raise `groot.Error` for one that no column can have.

    Args:
        session: The context.
        entity: The entity of the objects.
        given: A name, a path as text, or an expression of a class.
        lists: Whether one step may be a to-many relationship.

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
        if property is None and position == len(names) - 1:
            property = _FACTS.get(name)
        if property is None:
            if text.startswith("-"):
                message = f"{shorten(given)} is a sort key; leave the minus out"
                raise error(Status.INVALID_ARGUMENT, message, entity)
            message = f"the entity has no property {name!r}{nearest(name, properties)}"
            raise error(Status.UNKNOWN_PROPERTY, message, current, name)
        if property.to_many:
            if not lists:
                message = (
                    f"a to-many relationship in {text!r}, where each object has one value; "
                    "choose attributes and to-one relationships, or a table, which has lists"
                )
                raise error(Status.WRONG_TYPE, message, current, name)
            if any(one.to_many for _, one in steps):
                message = (
                    f"a second to-many relationship in {text!r}, where one is possible; "
                    "make a table of the members instead"
                )
                raise error(Status.WRONG_TYPE, message, current, name)
        if property.type and position < len(names) - 1:
            message = f"an attribute within the path {text!r}, where relationships are expected"
            raise error(Status.WRONG_TYPE, message, current, name)
        steps.append((current, property))
        current = property.destination
    return Way(text, tuple(steps))
