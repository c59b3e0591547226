"""Classes that declare entities, as the rest of the package knows them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from groot._core.compiled import Compiled
from groot._core.schema import Schema
from groot._core.text import refusal, shorten
from groot.errors import Error, Status, error

Convert = Callable[[Any], Any]


class Composition(NamedTuple):
    """A model that classes declare."""

    document: dict[str, Any]
    """The model document."""
    functions: Mapping[str, tuple[str, tuple[Any, ...]]]
    """By name the method of a registry and the functions that it registers."""
    classes: dict[str, Any]
    """The classes by the names of their entities."""


class Description(ABC):
    """The entity that a class declares: the base of `groot.typed`'s."""

    owner: Any
    """The class in the program."""
    name: str
    """The name of the entity."""

    @abstractmethod
    def compose(self, classes: tuple[Any, ...]) -> Composition:
        """Compose a model of classes, and of those that they lead to."""

    @property
    @abstractmethod
    def members(self) -> Mapping[str, str]:
        """The names in the class of the properties, by their names in the model."""

    @abstractmethod
    def name_of(self, member: str) -> str | None:
        """Return the name in the model of a property by its name in the class."""

    @property
    @abstractmethod
    def conversions(self) -> Mapping[str, tuple[Convert, Convert]]:
        """By property the functions from a value and back, such as those of an enum."""

    @property
    @abstractmethod
    def required(self) -> tuple[str, ...]:
        """The properties that a program gives a value when it inserts an object."""


class Declared(type):
    """The metaclass of classes that declare entities: the base of `groot.typed`'s."""

    _groot: Description
    """The entity; a class that a mapping makes of the program's class has the same."""


def is_declared(value: Any) -> bool:
    """Whether a value is a class that declares an entity."""
    return isinstance(value, Declared) and hasattr(value, "_groot")


class Selector:
    """A part of a request that was made of a class."""

    __slots__ = ()

    @property
    @abstractmethod
    def plain(self) -> Any:
        """The predicate as a dict, or the path as text."""

    @property
    @abstractmethod
    def root(self) -> Any:
        """The class that it begins at."""

    def plain_for(self, mapping: Compiled, entity: str | None) -> Any:
        """Return the plain form for a request about an entity; None means any.

        Raises:
            groot.Error: With `Status.INVALID_ARGUMENT` for a class of another context, and for the
                property of another entity.

        """
        root = named(mapping, self.root)
        if entity is not None and root not in _lineage(mapping._schema, entity):
            raise _elsewhere(self, root, entity)
        return self.plain


class ConditionBase(Selector):
    """The base of `groot.Condition`."""

    __slots__ = ()


class PathBase(Selector):
    """The base of expressions: properties of classes."""

    __slots__ = ()


def named(mapping: Compiled, entity: Any) -> Any:
    """Return the name of an entity that is given by its name, or by its class; None for None."""
    if not is_declared(entity):
        if entity is not None and not isinstance(entity, str):
            raise refusal("entity", entity, "the name of an entity or its class")
        return entity
    name = entity._groot.name
    if mapping._declared.get(name) is not entity._groot.owner:
        message = f"{entity!r} is not a class of this context; make it with Context({name}, ...)"
        raise error(Status.INVALID_ARGUMENT, message, entity=name)
    return name


def _lineage(schema: Schema, entity: Any) -> tuple[str, ...]:
    return schema.lineage(entity) if isinstance(entity, str) else ()


def _elsewhere(selector: Selector, root: str, entity: str) -> Error:
    message = f"{shorten(selector)} is about {root}, and the request is about {entity}"
    return error(Status.INVALID_ARGUMENT, message, entity=entity)
