"""The types of attributes: an annotation of Python as a type of the model."""

from __future__ import annotations

import collections.abc
import types
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin
from uuid import UUID

_SIMPLE: dict[Any, str] = {
    bool: "boolean",
    int: "integer64",
    float: "double",
    str: "string",
    Decimal: "decimal",
    datetime: "date",
    date: "day",
    UUID: "uuid",
    bytes: "binary",
}
_ANY = (Any, object)
_COLLECTIONS = (dict, list, tuple, collections.abc.Mapping, collections.abc.Sequence)
UNIONS = (Union, getattr(types, "UnionType", Union))
_NARROW = {("integer64", 16): "integer16", ("integer64", 32): "integer32", ("double", 32): "float"}
_WIDE = {("integer64", 64), ("double", 64)}
SUPPORTED = (
    "int, bool, str, float, Decimal, datetime, date, UUID, bytes, Enum, Literal, Annotated with "
    "groot.bits, and for JSON Any, dict, list"
)


class UnsuitableTypeError(Exception):
    """An annotation that no attribute can have; the text has the reason."""


class Bits(NamedTuple):
    """The width of a number."""

    number: int


def bits(number: int) -> Bits:
    """Return the mark of a narrower number: `Attribute[Annotated[int, groot.bits(32)]]`.

    Args:
        number: The number of bits: 16, 32 or 64 of an int, 32 or 64 of a float.

    Returns:
        The mark.
    """
    return Bits(number)


class Content(NamedTuple):
    """The type of an attribute, as the model has it."""

    type: str
    is_optional: bool = False
    values: tuple[Any, ...] | None = None
    """The permitted values; None allows all."""
    choices: Any = None
    """The enum whose members are the values."""


def content(annotation: Any) -> Content:
    """Return the type of an attribute with an annotation.

    Raises:
        UnsuitableTypeError: For an annotation that no attribute can have.

    """
    annotation = unwrapped(annotation)
    if annotation in _ANY:
        return Content("transformable", is_optional=True)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:])
    if origin in UNIONS:
        return _union(arguments)
    if origin is Literal:
        return _literal(arguments)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        values = tuple(one.value for one in annotation)
        return Content(_type_of(values, annotation), values=values, choices=annotation)
    if annotation in _SIMPLE:
        return Content(_SIMPLE[annotation])
    if _is_collection(origin or annotation):
        return Content("transformable")
    raise UnsuitableTypeError(
        f"{_shown(annotation)} is not a type of attributes, which are {SUPPORTED}"
    )


def known() -> tuple[Any, ...]:
    """Return the classes that are types of attributes."""
    return tuple(_SIMPLE)


def unwrapped(annotation: Any) -> Any:
    """Return the type behind aliases of a `type` statement and `NewType`."""
    while True:
        if type(annotation).__name__ == "TypeAliasType":
            annotation = annotation.__value__
        elif hasattr(annotation, "__supertype__"):
            annotation = annotation.__supertype__
        else:
            return annotation


def _annotated(annotation: Any, marks: tuple[Any, ...]) -> Content:
    found = content(annotation)
    for mark in marks:
        if isinstance(mark, Bits):
            width = found.type, mark.number
            if width not in _NARROW and width not in _WIDE:
                raise UnsuitableTypeError(
                    f"bits({mark.number}) is not a width of {_shown(annotation)}; an int has 16, "
                    "32 or 64, a float 32 or 64"
                )
            found = found._replace(type=_NARROW.get(width, found.type))
    return found


def _union(arguments: tuple[Any, ...]) -> Content:
    others = [one for one in arguments if one is not type(None)]
    is_optional = len(others) < len(arguments)
    if len(others) == 1:
        found = content(others[0])
        return found._replace(is_optional=found.is_optional or is_optional)
    kinds = {content(one).type for one in others}
    if kinds <= {"transformable", "string", "integer64", "double", "boolean"}:
        return Content("transformable", is_optional)
    shown = " | ".join(map(_shown, others))
    raise UnsuitableTypeError(f"{shown} is not one type; an attribute has one of {SUPPORTED}")


def _literal(arguments: tuple[Any, ...]) -> Content:
    values = tuple(one for one in arguments if one is not None)
    return Content(_type_of(values, Literal), len(values) < len(arguments), values)


def _type_of(values: tuple[Any, ...], annotation: Any) -> str:
    kinds = {next((one for one in _SIMPLE if isinstance(value, one)), None) for value in values}
    names = {_SIMPLE.get(one) for one in kinds}
    if len(names) == 1 and names <= {"string", "integer64", "boolean"}:
        return str(names.pop())
    raise UnsuitableTypeError(
        f"the values of {_shown(annotation)} are not all str, all int or all bool"
    )


def _is_collection(origin: Any) -> bool:
    is_typed_dict = isinstance(origin, type) and hasattr(origin, "__total__")
    return origin in _COLLECTIONS or is_typed_dict


def _shown(annotation: Any) -> str:
    return getattr(annotation, "__name__", None) or str(annotation)
