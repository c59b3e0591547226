"""The classes of objects: one for each entity of a model."""

from __future__ import annotations

from typing import Any

from groot import _ffi, values
from groot._attributes import attribute_field, integer_reader
from groot._ffi import byref, lib
from groot._relationships import Relationship
from groot._schema import Entity, Property
from groot._session import Session
from groot.members import Members
from groot.objects import Field, Object


def make_class(session: Session, entity: Entity) -> type[Object]:
    """Make the class of the objects of `entity`, with a descriptor for each property."""
    fields = {name: _field(session, entity.name, one) for name, one in entity.properties.items()}
    members: dict[str, Any] = {
        "__slots__": (),
        "__doc__": f"An object of the entity {entity.name}.",
        "__module__": "groot",
        "_entity": entity,
        "_fields": fields,
    }
    for name, field in fields.items():
        # All names in Object begin with an underscore.
        if not hasattr(Object, name) and name not in members:
            members[name] = property(field.read, field.write)
    return type(entity.name, (Object,), members)


def _field(session: Session, entity: str, property: Property) -> Field:
    """Look up the number of a property, the same in all contexts, and make its functions."""
    number = session.number(entity, property.name)
    if property.type:
        return attribute_field(entity, property, number)
    relationship = Relationship(entity, property, number)
    if property.to_many:
        return _to_many(relationship)
    return _to_one(relationship, session.schema.entity(property.destination).is_leaf)


def _to_one(relationship: Relationship, is_leaf: bool) -> Field:
    """Make the functions of a to-one relationship, whose destination entity may be a leaf."""
    number, destination = relationship.number, relationship.property.destination
    read_integer = integer_reader(number)

    def read(source: Object) -> Object | None:
        identifier = read_integer(source)
        if not identifier:
            return None
        session = source._session
        found: Object = (
            session.class_of(destination)(session, identifier)
            if is_leaf
            else session.object(identifier)
        )
        return found

    def write(target: Object, value: Any) -> None:
        native = _ffi.Value()
        if value is not None:
            native.object = relationship.member(target, value)
            native.kind = values.OBJECT
        target._session.use(lib.object_set, target._number, number, byref(native))

    return Field(number, read, write)


def _to_many(relationship: Relationship) -> Field:
    """Make the functions of a to-many relationship."""

    def read(source: Object) -> Members:
        return Members(source, relationship)

    def write(target: Object, value: Any) -> None:
        relationship.assign(target, relationship.members(target, value))

    return Field(relationship.number, read, write)
