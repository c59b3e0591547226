"""Entities as classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Union

from groot._core.declared import Composition, Convert, Declared
from groot._core.text import nearest
from groot.objects import BaseObject, Object
from groot.typed.annotations import ENTITIES
from groot.typed.composition import Composer
from groot.typed.declaration import Declaration
from groot.typed.expressions import expression
from groot.typed.resolved import Property

if TYPE_CHECKING:
    _Base = BaseObject  # whose unknown attributes checkers refuse
else:
    _Base = Object

Function = Union[str, Callable[..., Any]]

_HEAD = (
    "abstract",
    "annotations",
    "deletion_mark",
    "dictionary_transformer",
    "discriminator",
    "discriminator_value",
    "entity_mapper",
    "identity",
    "implicit",
    "name",
    "renaming_identifier",
    "tombstone",
    "unique",
    "unknown_discriminator",
    "unknown_keys",
    "version",
    "version_rule",
)


class EntityType(Declared):
    """The metaclass of entities, and of the classes that mappings make of them."""

    declaration: Declaration

    if not TYPE_CHECKING:  # checkers read the options of `Entity.__init_subclass__`

        def __new__(
            cls, name: str, bases: tuple[type, ...], body: dict[str, Any], **head: Any
        ) -> EntityType:
            """Make a class, which holds no values of its own."""
            for key in head:
                if key not in _HEAD:
                    known = nearest(key, _HEAD)
                    options = ", ".join(_HEAD)
                    raise TypeError(
                        f"{name} has the unknown option {key!r}{known}; the options are {options}"
                    )
            body.setdefault("__slots__", ())
            made = super().__new__(cls, name, bases, body)
            is_root = not any(isinstance(one, EntityType) for one in bases)
            if not is_root and "_entity" not in body:  # a class of a mapping has it
                made.declared = made
                made.declaration = Declaration(
                    made, {k: v for k, v in head.items() if v is not None}
                )
                ENTITIES.add(made)
            return made

        def __init__(
            self, name: str, bases: tuple[type, ...], body: dict[str, Any], **head: Any
        ) -> None:
            """Take the options of the head, which are read already."""
            super().__init__(name, bases, body)

        def __getattr__(self, name: str) -> Any:
            """Return the expression of a property whose annotation was not needed yet."""
            if name.startswith("__") or "declaration" not in self.__dict__:
                raise AttributeError(f"{self.__name__} has no property {name!r}")
            return self.expression(name)

    def expression(self, member: str) -> Any:
        """Return the expression of a property; from then on it is an attribute of the class."""
        for name, property in self.declaration.own().items():
            type.__setattr__(self, name, expression(self, (), property))
        if member not in self.declaration.own():
            found = self.declaration.properties().get(member)
            if found is None:
                raise self.declaration.missing(member)
            return expression(self, (), found)
        return self.__dict__[member]

    def properties(self) -> Mapping[str, Property]:
        """Return the own and inherited properties, by their names in the class."""
        found: Mapping[str, Property] = self.declared.declaration.properties()
        return found

    def entity_name(self) -> str:
        """Return the name of the entity."""
        name: str = self.declared.declaration.name
        return name

    def compose(self, classes: tuple[Any, ...]) -> Composition:
        """Compose a model of classes, and of those that they lead to."""
        return Composer(classes).compose()

    def names(self) -> Mapping[str, str]:
        """Return the names in the class of the properties, by their names in the model."""
        return {one.name: member for member, one in self.properties().items()}

    def conversions(self) -> Mapping[str, tuple[Convert, Convert]]:
        """Return by property the functions from a value to a member of an enum, and back."""
        found = ((one.name, one.conversion) for one in self.properties().values())
        return {name: conversion for name, conversion in found if conversion is not None}

    def required(self) -> tuple[str, ...]:
        """Return the properties that a program gives a value when it inserts an object."""
        return tuple(one.name for one in self.properties().values() if one.is_required)


class Entity(_Base, metaclass=EntityType):
    """The base of classes that declare entities.

        class Hero(Entity):
            id: Attribute[int] = attribute(identity=True)
            name: Attribute[str]
            powers: ToMany["Power"] = relationship(inverse="heroes")

    The annotations are the model. `attribute` and `relationship` say more of a property, and
    options in the head of the class more of the entity. Objects are made by contexts, with
    `context.insert(Hero, id=1)`, imports and fetches. A class that inherits from another is its
    sub-entity. Methods, properties and variables of the class stay as they are; objects hold no
    values of their own.

    Options of the head:
        identity: The names of the properties that identify an object, in the place of
            `attribute(identity=True)`.
        abstract: Whether the entity has no objects of its own.
        name: The name in the model; by default that of the class.
        discriminator: The path of the value that chooses a sub-entity.
        discriminator_value: The value that stands for this entity; by default its name.
        unknown_discriminator: "error", "base" or "skip" for a value that stands for none.
        version: The attribute that says how new a record is.
        version_rule: "newer" or "newerOrEqual": the records that are taken.
        tombstone: A path and a value that mean a deletion: "deleted=true".
        deletion_mark: The attribute that is set in the place of deleting.
        unknown_keys: "ignore", "report" or "error" for keys that are unmapped.
        entity_mapper: A function that chooses the entity of a record, or its name in the registry.
        dictionary_transformer: A function that rewrites a record, or its name in the registry.
        implicit: Whether names are paths: False for properties that have a path only if it is
            given, True for the annotation `groot.implicit`. By default each has its name as path.
        unique: Lists of attributes that are unique together.
        renaming_identifier: The name in an earlier version of the model.
        annotations: Other annotations.
    """

    if TYPE_CHECKING:

        def __init_subclass__(
            cls,
            *,
            identity: str | Iterable[str] | None = None,
            abstract: bool = False,
            name: str | None = None,
            discriminator: str | None = None,
            discriminator_value: str | None = None,
            unknown_discriminator: Literal["error", "base", "skip"] | None = None,
            version: str | None = None,
            version_rule: Literal["newer", "newerOrEqual"] | None = None,
            tombstone: str | None = None,
            deletion_mark: str | None = None,
            unknown_keys: Literal["ignore", "report", "error"] | None = None,
            entity_mapper: Function | None = None,
            dictionary_transformer: Function | None = None,
            implicit: bool | None = None,
            unique: Iterable[Iterable[str]] | None = None,
            renaming_identifier: str | None = None,
            annotations: Mapping[str, str] | None = None,
        ) -> None: ...

    else:

        def __init__(self, *arguments: Any, **values: Any) -> None:
            """Refuse to make an object outside a context.

            Raises:
                TypeError: Always.
            """
            name = type(self).__name__
            shown = "".join(f", {key}=..." for key in values)
            raise TypeError(
                f"a {name} is an object of a context; insert it with context.insert({name}{shown})"
            )
