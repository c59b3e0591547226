"""The classes of objects: one for each entity of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groot import _ffi, values
from groot._core.attributes import Field, attribute_field, integer_reader
from groot._core.references import Reference
from groot._core.relationships import Relationship
from groot._core.schema import Entity, Property
from groot._core.session import Session
from groot._ffi import byref, lib

Collect = Callable[[Any, Relationship], Any]
"""The maker of the collection of an object's members: `groot.Members`."""


def make_class(
    session: Session, entity: Entity, base: type[Reference], collect: Collect
) -> type[Any]:
    """Make the class of the objects of `entity`, with a descriptor for each property."""
    fields = {
        name: _field(session, entity.name, one, collect) for name, one in entity.properties.items()
    }
    members: dict[str, Any] = {
        "__slots__": (),
        "__doc__": f"An object of the entity {entity.name}.",
        "__module__": "groot",
        "_entity": entity,
        "_fields": fields,
    }
    for name, field in fields.items():
        # All names in the base begin with an underscore.
        if not hasattr(base, name) and name not in members:
            members[name] = property(field.read, field.write)
    return type(entity.name, (base,), members)


def _field(session: Session, entity: str, property: Property, collect: Collect) -> Field:
    """Look up the number of a property, the same in all contexts, and make its functions."""
    number = session.number(entity, property.name)
    if property.type:
        return attribute_field(entity, property, number)
    relationship = Relationship(entity, property, number)
    if property.to_many:
        return _to_many(relationship, collect)
    return _to_one(relationship, session.schema.entity(property.destination).is_leaf)


def _to_one(relationship: Relationship, is_leaf: bool) -> Field:
    """Make the functions of a to-one relationship, whose destination entity may be a leaf."""
    number, destination = relationship.number, relationship.property.destination
    read_integer = integer_reader(number)

    def read(source: Reference) -> Any:
        identifier = read_integer(source)
        if not identifier:
            return None
        session = source._session
        if is_leaf:
            return session.class_of(destination)(session, identifier)
        return session.object(identifier)

    def write(target: Reference, value: Any) -> None:
        native = _ffi.Value()
        if value is not None:
            native.object = relationship.member(target, value)
            native.kind = values.OBJECT
        target._session.use(lib.object_set, target._number, number, byref(native))

    return Field(number, read, write)


def _to_many(relationship: Relationship, collect: Collect) -> Field:
    """Make the functions of a to-many relationship."""

    def read(source: Reference) -> Any:
        return collect(source, relationship)

    def write(target: Reference, value: Any) -> None:
        relationship.assign(target, relationship.members(target, value))

    return Field(relationship.number, read, write)
