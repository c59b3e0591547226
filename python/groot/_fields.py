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
Turn = tuple[Any, Any, Any]
"""What a reading is made with: a place for an object's number, a reference to a native value, and
that value. Whoever reads takes it from the session and gives it back, because signal handlers,
finalizers and other threads may come in between, and read too.
"""


def new_turn() -> Turn:
    """Make what a reading is made with."""
    native = _ffi.Value()
    return _ffi.c_uint64(), byref(native), native


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
    """Make the function that reads an attribute."""
    number = field.number
    decode = DECODERS[field.property.type]

    def read(source: Object) -> Any:
        session = source._session
        turn = session._turn
        session._turn = None
        cell, reference, native = turn = turn or new_turn()
        cell.value = source._id
        if get(session._argument, cell, number, reference, None):
            raise session._read_failure(source._id, number)
        value = decode(native) if native.kind else None
        session._turn = turn
        return value

    return read


def _text_reader(field: Field) -> Reader:
    """Make the function that reads an attribute that is text: as `_reader`, decoding in place."""
    number = field.number

    def read(source: Object) -> Any:
        session = source._session
        turn = session._turn
        session._turn = None
        cell, reference, native = turn = turn or new_turn()
        cell.value = source._id
        if get(session._argument, cell, number, reference, None):
            raise session._read_failure(source._id, number)
        value = native.data[: native.size].decode() if native.kind else None
        session._turn = turn
        return value

    return read


def _date_reader(field: Field) -> Reader:
    """Make the function that reads a date, which may be outside the years of datetime."""
    read = _reader(field)

    def read_date(source: Object) -> Any:
        try:
            return read(source)
        except OverflowError:
            message = "the date is outside the years of datetime"
            raise error(Status.OUT_OF_RANGE, message, field.entity, field.property.name) from None

    return read_date


def _one_reader(session: Session, field: Field) -> Reader:
    """Make the function that reads a to-one relationship."""
    number = field.number
    destination = field.property.destination
    is_leaf = session._mapping._schema.entity(destination).is_leaf

    def read(source: Object) -> Object | None:
        session = source._session
        turn = session._turn
        session._turn = None
        cell, reference, native = turn = turn or new_turn()
        cell.value = source._id
        if get(session._argument, cell, number, reference, None):
            raise session._read_failure(source._id, number)
        kind, identifier = native.kind, native.object
        session._turn = turn
        if not kind:
            return None
        return (
            session._class(destination)(session, identifier)
            if is_leaf
            else session._object(identifier)
        )

    return read


_MAKERS = {"string": _text_reader, "uri": _text_reader, "date": _date_reader}
