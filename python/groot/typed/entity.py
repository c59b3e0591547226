"""Entities as classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Union

from groot._core.declared import Composition, Declared
from groot._core.text import nearest
from groot.objects import BaseObject, Object
from groot.typed.annotations import ENTITIES
from groot.typed.composition import Composer
from groot.typed.declaration import Declaration

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


class EntityDeclaration(Declaration):
    """The declaration of an entity, which makes models with others."""

    def compose(self, classes: tuple[Any, ...]) -> Composition:
        """Compose a model of classes, and of those that they lead to."""
        return Composer([one._groot for one in classes]).compose()


class EntityType(Declared):
    """The metaclass of entities, and of the classes that mappings make of them."""

    _groot: Declaration

    if not TYPE_CHECKING:  # checkers read the options of `Entity.__init_subclass__`

        def __new__(cls, name, bases, body, /, **head):
            """Make a class, which holds no values of its own."""
            for key in head:
                if key not in _HEAD:
                    known, options = nearest(key, _HEAD), ", ".join(_HEAD)
                    raise TypeError(
                        f"{name} has the unknown option {key!r}{known}; the options are {options}"
                    )
            body.setdefault("__slots__", ())
            made = super().__new__(cls, name, bases, body)
            is_root = not any(isinstance(one, EntityType) for one in bases)
            if not is_root and "_entity" not in body:  # a class of a mapping has it
                parents = [one for one in bases if hasattr(one, "_groot")]
                if sum(not one._groot.is_template for one in parents) > 1:
                    names = ", ".join(one.__name__ for one in parents)
                    raise TypeError(f"{name} inherits from {names}; an entity has one parent")
                given = {key: one for key, one in head.items() if one is not None}
                type.__setattr__(made, "_groot", EntityDeclaration(made, given))
                ENTITIES.add(made)
            return made

        def __init__(self, name, bases, body, /, **head):
            """Take the options of the head, which are read already."""
            super().__init__(name, bases, body)

        def __getattr__(self, name):
            """Return the expression of a property whose annotation was not needed yet."""
            if name.startswith("__") or "_groot" not in self.__dict__:
                raise AttributeError(f"{self.__name__} has no property {name!r}")
            return self._groot.expression(self, name)

    @property
    def __match_args__(self) -> tuple[str, ...]:
        """The properties of the identity, which are the positions of a pattern of `match`."""
        for one in self.__mro__:
            if "__match_args__" in one.__dict__:
                given: tuple[str, ...] = one.__dict__["__match_args__"]
                return given
        return self._groot.identity()


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
