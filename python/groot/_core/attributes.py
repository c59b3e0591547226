"""The functions that read and write the attributes of an object.

Each attribute of an entity gets two functions for its type, so that no reading has to decide by
type.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from groot import _ffi, values
from groot._core.references import Reference
from groot._core.schema import Property
from groot._ffi import byref, lib
from groot.errors import Error, Status, error
from groot.values import DECODERS, EPOCH, EPOCH_DAY


class Field(NamedTuple):
    """A property of one entity, for the objects of that entity."""

    number: int
    """The number that the library knows the property by."""
    read: Callable[[Any], Any]
    write: Callable[[Any, Any], None]


Reader = Callable[[Reference], Any]

# These functions return the value itself, which saves a buffer and the ctypes objects for it. They
# share no state, since a signal handler or finalizer may read in the middle of a reading. A result
# that may mean "no value" is checked by the session.
get_integer, get_real, get_text = lib.object_integer, lib.object_real, lib.object_text
_LEAST = -(1 << 63)
_INFINITY = float("inf")


class Attribute(NamedTuple):
    """An attribute of one entity."""

    entity: str
    property: Property
    number: int
    """The number of the attribute in the library."""


def attribute_field(entity: str, property: Property, number: int) -> Field:
    """Make the functions that read and write an attribute."""
    attribute = Attribute(entity, property, number)
    maker = _MAKERS.get(property.type, _reader)
    return Field(number, maker(attribute), _writer(attribute))


def _writer(attribute: Attribute) -> Callable[[Reference, Any], None]:
    """Make the function that writes an attribute."""
    entity, property, number = attribute

    def write(target: Reference, value: Any) -> None:
        native = _ffi.Value()
        values.encode(native, value, property, entity)
        target._session.use(lib.object_set, target._number, number, byref(native))

    return write


def _reader(attribute: Attribute) -> Reader:
    """Make the function that reads an attribute of a type without a faster function."""
    number = attribute.number
    decode = DECODERS[attribute.property.type]

    def read(source: Reference) -> Any:
        native = source._session.read(source._number, number)
        return decode(native) if native else None

    return read


def integer_reader(number: int) -> Reader:
    """Make the function that reads an integer, or the number of a related object."""

    def read(source: Reference) -> int | None:
        name = source._number
        value: int = get_integer(source._session.argument, name, name >> 32, number)
        if value != _LEAST:
            return value
        native = source._session.read(name, number)
        return native.integer if native else None

    return read


def _integer_reader(attribute: Attribute) -> Reader:
    """Make the function that reads an integer attribute."""
    return integer_reader(attribute.number)


def _boolean_reader(attribute: Attribute) -> Reader:
    """Make the function that reads a boolean."""
    read_integer = integer_reader(attribute.number)

    def read(source: Reference) -> bool | None:
        value = read_integer(source)
        return None if value is None else value != 0

    return read


def _real_reader(attribute: Attribute) -> Reader:
    """Make the function that reads a real."""
    number = attribute.number

    def read(source: Reference) -> float | None:
        name = source._number
        value: float = get_real(source._session.argument, name, name >> 32, number)
        if value <= _INFINITY:  # false for NaN
            return value
        native = source._session.read(name, number)
        return native.real if native else None

    return read


def _text_reader(attribute: Attribute) -> Reader:
    """Make the function that reads text."""
    number = attribute.number

    def read(source: Reference) -> str | None:
        name = source._number
        text: bytes | None = get_text(source._session.argument, name, name >> 32, number)
        if text is not None:
            return text.decode()
        native = source._session.read(name, number)
        return native.data[: native.size].decode() if native else None

    return read


def _date_reader(attribute: Attribute) -> Reader:
    """Make the function that reads a date, which may be outside the years of datetime."""
    read_integer = integer_reader(attribute.number)

    def read(source: Reference) -> datetime | None:
        value = read_integer(source)
        if value is None:
            return None
        try:
            return EPOCH + timedelta(0, 0, value)
        except OverflowError:
            raise _outside_years(attribute) from None

    return read


def _day_reader(attribute: Attribute) -> Reader:
    """Make the function that reads a day, which may be outside the years of date."""
    read_integer = integer_reader(attribute.number)

    def read(source: Reference) -> date | None:
        value = read_integer(source)
        if value is None:
            return None
        try:
            return EPOCH_DAY + timedelta(value)
        except OverflowError:
            raise _outside_years(attribute) from None

    return read


def _outside_years(attribute: Attribute) -> Error:
    return outside_years(attribute.property.type, attribute.entity, attribute.property.name)


def outside_years(type: str, entity: str, property: str) -> Error:
    """Make the error for a date that Python cannot hold."""
    message = f"the {type} is outside the years of datetime, 1 to 9999"
    return error(Status.OUT_OF_RANGE, message, entity, property)


_MAKERS: dict[str, Callable[[Attribute], Reader]] = {
    **dict.fromkeys(("integer16", "integer32", "integer64"), _integer_reader),
    **dict.fromkeys(("double", "float"), _real_reader),
    **dict.fromkeys(("string", "uri"), _text_reader),
    "boolean": _boolean_reader,
    "date": _date_reader,
    "day": _day_reader,
}
