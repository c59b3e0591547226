"""The classes of objects: one for each entity of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groot import _ffi, values
from groot._core.attributes import Field, attribute_field, integer_reader
from groot._core.declared import Convert
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
    """Make the class of the objects of `entity`, with a descriptor for each property.

    It is a class of the program's class, where there is one, and else of `base`.
    """
    declared = session.mapping._declared.get(entity.name)
    parent = base if declared is None else declared
    conversions = {} if declared is None else declared._groot.conversions
    fields = {
        name: _converting(_field(session, entity.name, one, collect), conversions.get(name))
        for name, one in entity.properties.items()
    }
    members: dict[str, Any] = {
        "__slots__": (),
        "__doc__": f"An object of the entity {entity.name}.",
        "__module__": "groot",
        "__init__": Reference.__init__,
        "_entity": entity,
        "_fields": fields,
    }
    if declared is not None:
        for name in ("__name__", "__doc__", "__module__", "__qualname__"):
            members[name] = getattr(declared, name)
    names = {} if declared is None else declared._groot.members
    for name, field in fields.items():
        member = names.get(name, name)
        # All names in the base begin with an underscore; a method of the program stays.
        if name in names or not (_has(parent, member) or member in members):
            members[member] = property(field.read, field.write)
    if declared is None:
        # A pattern such as `Hero(7)` reads attributes, which a part of the identity may not be.
        is_attribute = all(isinstance(members.get(name), property) for name in entity.identity)
        members.setdefault("__match_args__", entity.identity if is_attribute else ())
    metaclass: Any = type(parent)
    made: type[Any] = metaclass(members.pop("__name__", entity.name), (parent,), members)
    return made


def _has(parent: type[Any], name: str) -> bool:
    """Whether a class or its bases define a name; the metaclass is not asked."""
    return any(name in one.__dict__ for one in parent.__mro__)


def _converting(field: Field, conversion: tuple[Convert, Convert] | None) -> Field:
    """Make functions that read and write the members of an enum, and the like."""
    if conversion is None:
        return field
    number, read_plain, write_plain = field
    made, plain = conversion

    def read(source: Reference) -> Any:
        value = read_plain(source)
        return None if value is None else made(value)

    def write(target: Reference, value: Any) -> None:
        write_plain(target, plain(value))

    return Field(number, read, write)


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
