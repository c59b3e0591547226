"""How the properties of an object are read and written.

Each property of an entity becomes a `Field`: two functions made for its type, because what is
decided here once need not be decided at each reading.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from groot import _ffi, values
from groot._ffi import byref, lib
from groot._schema import Property
from groot._text import shorten
from groot.errors import Status, error
from groot.values import DECODERS, EPOCH

if TYPE_CHECKING:
    from groot._session import Session
    from groot.objects import Object

Reader = Callable[["Object"], Any]
Writer = Callable[["Object", Any], None]

# The result of these is the value, which spares the place for it and all objects that stand for
# places; no state is shared between readings, in whose middle signal handlers and finalizers may
# read too. A result that may mean "none" is looked into by the session.
get_integer, get_real, get_text = lib.object_integer, lib.object_real, lib.object_text
_LEAST = -(1 << 63)
_INFINITY = float("inf")


class Field:
    """A property of one entity, for the objects of that entity."""

    __slots__ = ("entity", "number", "property", "read", "write")

    def __init__(self, session: Session, entity: str, property: Property) -> None:
        """Look up the property's number and make its functions."""
        self.entity = entity
        self.property = property
        self.number = session._number(entity, property.name)
        self.read: Reader
        self.write: Writer
        if property.to_many:
            self.read, self.write = self._read_many, self._write_many
        elif not property.type:
            self.read, self.write = _one_reader(session, self), self._write_one
        else:
            maker = _MAKERS.get(property.type, _reader)
            self.read, self.write = maker(self), self._write_attribute

    def member(self, owner: Object, value: Any) -> int:
        """Give the number of an object that is to stand in this relationship of `owner`."""
        from groot.objects import Object

        if not isinstance(value, Object):
            found = f"{type(value).__name__} {shorten(value)}"
            raise self._misfit(f"{found} where a {self.property.destination} is expected")
        if value._session is not owner._session:
            raise self._misfit(f"{value!r} belongs to another context")
        return value._id

    def _misfit(self, message: str) -> Exception:
        return error(Status.WRONG_TYPE, message, self.entity, self.property.name)

    def _write_attribute(self, target: Object, value: Any) -> None:
        native = _ffi.Value()
        values.encode(native, value, self.property, self.entity)
        target._session._use(lib.object_set, target._id, self.number, byref(native))

    def _write_one(self, target: Object, value: Any) -> None:
        native = _ffi.Value()
        if value is not None:
            native.object = self.member(target, value)
            native.kind = values.OBJECT
        target._session._use(lib.object_set, target._id, self.number, byref(native))

    def _read_many(self, source: Object) -> Any:
        from groot.members import Members

        return Members(source, self)

    def _write_many(self, target: Object, value: Any) -> None:
        if not isinstance(value, Iterable) or isinstance(value, (str, bytes)):
            found = f"{type(value).__name__} {shorten(value)}"
            raise self._misfit(f"{found} where a list of {self.property.destination} is expected")
        self.assign(target, [self.member(target, one) for one in value])

    def assign(self, target: Object, ids: list[int]) -> None:
        """Make objects, given by their numbers, the members of this relationship."""
        block = array("Q", ids)  # kept until the call is over
        address, count = block.buffer_info()
        where = _ffi.c_void_p(address), _ffi.c_size_t(count)
        target._session._use(lib.object_set_members, target._id, self.number, *where)


def _reader(field: Field) -> Reader:
    """Make the function that reads an attribute for which there is no quicker one."""
    number = field.number
    decode = DECODERS[field.property.type]

    def read(source: Object) -> Any:
        native = source._session._read(source._id, number)
        return decode(native) if native else None

    return read


def _integer_reader(field: Field) -> Reader:
    """Make the function that reads an integer."""
    number = field.number

    def read(source: Object) -> int | None:
        name = source._id
        value: int = get_integer(source._session._argument, name, name >> 32, number)
        if value != _LEAST:
            return value
        native = source._session._read(name, number)
        return native.integer if native else None

    return read


def _boolean_reader(field: Field) -> Reader:
    """Make the function that reads a truth value."""
    read_integer = _integer_reader(field)

    def read(source: Object) -> bool | None:
        value = read_integer(source)
        return None if value is None else value != 0

    return read


def _real_reader(field: Field) -> Reader:
    """Make the function that reads a real."""
    number = field.number

    def read(source: Object) -> float | None:
        name = source._id
        value: float = get_real(source._session._argument, name, name >> 32, number)
        if value <= _INFINITY:  # does not hold for NaN
            return value
        native = source._session._read(name, number)
        return native.real if native else None

    return read


def _text_reader(field: Field) -> Reader:
    """Make the function that reads text."""
    number = field.number

    def read(source: Object) -> str | None:
        name = source._id
        text: bytes | None = get_text(source._session._argument, name, name >> 32, number)
        if text is not None:
            return text.decode()
        native = source._session._read(name, number)
        return native.data[: native.size].decode() if native else None

    return read


def _date_reader(field: Field) -> Reader:
    """Make the function that reads a date, which may be outside the years of datetime."""
    read_integer = _integer_reader(field)

    def read(source: Object) -> datetime | None:
        value = read_integer(source)
        if value is None:
            return None
        try:
            return EPOCH + timedelta(0, 0, value)
        except OverflowError:
            message = "the date is outside the years of datetime"
            raise error(Status.OUT_OF_RANGE, message, field.entity, field.property.name) from None

    return read


def _one_reader(session: Session, field: Field) -> Reader:
    """Make the function that reads a to-one relationship."""
    destination = field.property.destination
    is_leaf = session._mapping._schema.entity(destination).is_leaf
    read_integer = _integer_reader(field)

    def read(source: Object) -> Object | None:
        identifier = read_integer(source)
        if not identifier:
            return None
        session = source._session
        return (
            session._class(destination)(session, identifier)
            if is_leaf
            else session._object(identifier)
        )

    return read


_MAKERS = {
    **dict.fromkeys(("integer16", "integer32", "integer64"), _integer_reader),
    **dict.fromkeys(("double", "float"), _real_reader),
    **dict.fromkeys(("string", "uri"), _text_reader),
    "boolean": _boolean_reader,
    "date": _date_reader,
}
