"""How the properties of an object are read and written.

Each property of an entity becomes a `Field`: two functions made for its type, because what is
decided here once need not be decided at each reading.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from groot import _ffi, values
from groot._ffi import byref, lib
from groot._schema import Property
from groot._text import shorten
from groot.errors import Status, error
from groot.values import DECODERS

if TYPE_CHECKING:
    from groot._session import Session
    from groot.objects import Object

get = lib.object_get

Reader = Callable[["Object"], Any]
Writer = Callable[["Object", Any], None]


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
            self.read, self.write = _reader(property.type, self), self._write_attribute

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


def _reader(type: str, field: Field) -> Reader:
    """Make the function that reads an attribute."""
    number = field.number

    def read(source: Object) -> Any:
        session = source._session
        session._cell.value = source._id
        if get(session._argument, session._cell, number, session._reference, None):
            raise session._read_failure(source._id, number)
        native = session._native
        try:
            return DECODERS[native.kind](native)
        except OverflowError:
            message = f"{native.integer} microseconds since 1970 are outside the years of datetime"
            raise error(Status.OUT_OF_RANGE, message, field.entity, field.property.name) from None

    def read_text(source: Object) -> str | None:
        session = source._session
        session._cell.value = source._id
        if get(session._argument, session._cell, number, session._reference, None):
            raise session._read_failure(source._id, number)
        native = session._native
        if native.kind:
            text: str = native.data[: native.size].decode()
            return text
        return None

    def read_integer(source: Object) -> int | None:
        session = source._session
        session._cell.value = source._id
        if get(session._argument, session._cell, number, session._reference, None):
            raise session._read_failure(source._id, number)
        native = session._native
        if native.kind:
            integer: int = native.integer
            return integer
        return None

    def read_real(source: Object) -> float | None:
        session = source._session
        session._cell.value = source._id
        if get(session._argument, session._cell, number, session._reference, None):
            raise session._read_failure(source._id, number)
        native = session._native
        if native.kind:
            real: float = native.real
            return real
        return None

    if type in ("string", "uri"):
        return read_text
    if type in ("integer16", "integer32", "integer64"):
        return read_integer
    return read_real if type in ("double", "float") else read


def _one_reader(session: Session, field: Field) -> Reader:
    """Make the function that reads a to-one relationship."""
    number = field.number
    destination = field.property.destination
    is_leaf = session._mapping._schema.entity(destination).is_leaf

    def read(source: Object) -> Object | None:
        session = source._session
        session._cell.value = source._id
        if get(session._argument, session._cell, number, session._reference, None):
            raise session._read_failure(source._id, number)
        native = session._native
        if not native.kind:
            return None
        if is_leaf:
            return session._class(destination)(session, native.object)
        return session._object(native.object)

    return read
