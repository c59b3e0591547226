"""The declaration of an entity by a class: its properties, resolved on first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar, get_args, get_origin

from groot._core.declared import Convert, Description
from groot._core.text import nearest, shorten
from groot.errors import Error, Status, error
from groot.objects import Object
from groot.typed import drafts
from groot.typed.annotations import KINDS, UnresolvedError, own_annotations, resolve
from groot.typed.expressions import expression
from groot.typed.properties import Attribute, Draft, ToMany, ToOne
from groot.typed.resolved import Property
from groot.typed.types import UNIONS, UnsuitableTypeError, content, unwrapped

_KINDS = "Attribute[...], ToOne[...] or ToMany[...]"


class Declaration(Description):
    """The properties that a class declares, and the options of its head."""

    def __init__(self, owner: Any, head: Mapping[str, Any]) -> None:
        """Keep the class and the options in its head."""
        self.owner = owner
        self.head = head
        self.name = head.get("name", owner.__name__)

    @property
    def is_template(self) -> bool:
        """Whether the class has type parameters, so that its subclasses have its properties."""
        return bool(getattr(self.owner, "__parameters__", ()))

    @property
    def parent(self) -> Declaration | None:
        """The declaration of the entity that this one inherits from."""
        for base in self.owner.__bases__:
            found = base.__dict__.get("_groot")
            if isinstance(found, Declaration):
                if not found.is_template:
                    return found
                above = found.parent
                if above is not None:
                    return above
        return None

    @cached_property
    def own(self) -> dict[str, Property]:
        """The properties of this entity alone, by their names in the class.

        Raises:
            groot.Error: With `Status.INVALID_MODEL` for annotations that cannot be resolved.

        """
        sources = self._sources(self.owner, {})
        found = (one for source, arguments in sources for one in self._of(source, arguments))
        return {property.member: property for property in found}

    @cached_property
    def properties(self) -> dict[str, Property]:
        """The own and inherited properties, by their names in the class."""
        parent = self.parent
        inherited = {} if parent is None else parent.properties
        return {**inherited, **self.own}

    @cached_property
    def by_name(self) -> dict[str, Property]:
        """The same properties, by their names in the model."""
        return {one.name: one for one in self.properties.values()}

    def find(self, name: str) -> Property | None:
        """Return the property of a name in the class or in the model."""
        return self.properties.get(name) or self.by_name.get(name)

    def name_in_model(self, name: str) -> str:
        """Return the name in the model of a property that the head names; others unchanged."""
        found = self.find(name)
        return name if found is None else found.name

    @cached_property
    def own_identity(self) -> list[str]:
        """The names in the model of the identity that this class declares."""
        head = self.head.get("identity", ())
        listed = [head] if isinstance(head, str) else head
        return [
            *map(self.name_in_model, listed),
            *(one.name for one in self.own.values() if one.is_identity),
        ]

    def identity(self) -> tuple[str, ...]:
        """Return the own and inherited properties of the identity, by their names in the class."""
        parent = self.parent
        inherited = () if parent is None else parent.identity()
        own = (self.members.get(name, name) for name in self.own_identity)
        return tuple(dict.fromkeys((*inherited, *own)))

    def expression(self, owner: Any, member: str) -> Any:
        """Return the expression of a property; from then on it is an attribute of the class.

        Raises:
            AttributeError: If there is no such property.

        """
        for name, property in self.own.items():
            type.__setattr__(self.owner, name, expression(self.owner, (), property))
        if member in self.own:
            return self.owner.__dict__[member]
        found = self.properties.get(member)
        if found is None:
            known = nearest(member, self.properties)
            raise AttributeError(f"{owner.__name__} has no property {member!r}{known}")
        return expression(self.owner, (), found)

    @cached_property
    def members(self) -> Mapping[str, str]:
        """The names in the class of the properties, by their names in the model."""
        return {one.name: member for member, one in self.properties.items()}

    def name_of(self, member: str) -> str | None:
        """Return the name in the model of a property by its name in the class."""
        found = self.properties.get(member)
        return None if found is None else found.name

    @property
    def conversions(self) -> Mapping[str, tuple[Convert, Convert]]:
        """By property the functions from a value to a member of an enum, and back."""
        found = ((one.name, one.conversion) for one in self.properties.values())
        return {name: conversion for name, conversion in found if conversion is not None}

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The properties that a program gives a value when it inserts an object."""
        return tuple(one.name for one in self.properties.values() if one.is_required)

    def _sources(self, owner: Any, arguments: dict[Any, Any]) -> Iterator[tuple[Any, Any]]:
        """Yield the templates that a class is made of, and itself, with their type arguments."""
        for base in owner.__dict__.get("__orig_bases__", owner.__bases__):
            origin = get_origin(base) or base
            declaration = getattr(origin, "__dict__", {}).get("_groot")
            if isinstance(declaration, Declaration) and declaration.is_template:
                given = (self._resolved(owner, "", one, arguments) for one in get_args(base))
                yield from self._sources(origin, dict(zip(origin.__parameters__, given)))
        yield owner, arguments

    def _of(self, source: Any, arguments: dict[Any, Any]) -> Iterator[Property]:
        """Yield the properties that the body of a class declares."""
        body = source.__dict__
        annotations = own_annotations(source)
        for member, annotation in annotations.items():
            given = body.get(member)
            draft = given if isinstance(given, Draft) else None
            if _is_class_variable(annotation):
                continue
            if draft is None and member in body:
                self._require_variable(source, member, annotation, given)
                continue
            found = self._resolved(source, member, annotation, arguments)
            kind = get_origin(found)
            if kind not in KINDS:
                shown = annotation if isinstance(annotation, str) else _shown(found)
                message = f"the annotation {shown} is not {_KINDS}; use one, or ClassVar"
                raise self._error(member, message)
            if draft is not None and draft.is_attribute != (kind is Attribute):
                word = "attribute" if kind is Attribute else "relationship"
                raise self._error(member, f"{_shown(found)} takes its options from {word}()")
            if hasattr(Object, member):  # `mro` too, which every class of Python has
                raise self._error(member, f"the name is taken; give another, and name={member!r}")
            yield self._property(member, found, draft.options if draft else {})
        for member, given in body.items():
            if isinstance(given, Draft) and member not in annotations:
                raise self._error(member, f"an annotation is missing; give it {_KINDS}")

    def _require_variable(self, source: Any, member: str, annotation: Any, value: Any) -> None:
        """Raise for a property with a value; other names with values are variables of the class."""
        try:
            found = resolve(annotation, source, {})
        except UnresolvedError:
            return
        if get_origin(found) in KINDS:
            shown = shorten(value)
            message = f"{shown} is not the options of a property; write attribute(default={shown})"
            raise self._error(member, message)

    def _property(self, member: str, annotation: Any, options: dict[str, Any]) -> Property:
        kind, argument = get_origin(annotation), get_args(annotation)[0]
        if kind is Attribute:
            try:
                return drafts.attribute(member, self.name, content(argument), options)
            except UnsuitableTypeError as wrong:
                raise self._error(member, str(wrong)) from None
        is_optional = kind is ToMany
        argument = unwrapped(argument)
        if kind is ToOne and get_origin(argument) in UNIONS:
            others = [one for one in get_args(argument) if one is not type(None)]
            is_optional = len(others) < len(get_args(argument))
            argument = unwrapped(others[0]) if len(others) == 1 else argument
        declared = getattr(argument, "__dict__", {}).get("_groot")
        if not isinstance(declared, Declaration) or declared.is_template:
            raise self._error(member, f"{_shown(argument)} is not a class of an entity")
        return drafts.relationship(
            member,
            self.name,
            argument,
            options,
            is_to_many=kind is ToMany,
            is_optional=is_optional,
        )

    def _resolved(self, source: Any, member: str, annotation: Any, arguments: Any) -> Any:
        try:
            return resolve(annotation, source, arguments)
        except UnresolvedError as wrong:
            raise self._error(member, str(wrong)) from None

    def _error(self, member: str, message: str) -> Error:
        return error(Status.INVALID_MODEL, message, self.name, member or None)


def _is_class_variable(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.partition("[")[0].rpartition(".")[2] == "ClassVar"
    return annotation is ClassVar or get_origin(annotation) is ClassVar


def _shown(annotation: Any) -> str:
    return getattr(annotation, "__name__", None) or str(annotation).replace("typing.", "")
