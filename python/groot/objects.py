"""Objects of a context, and reports of what became of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from groot._schema import Entity
from groot._session import Session
from groot._text import shorten
from groot.errors import Error, Issue, Status, error


class Field(NamedTuple):
    """A property of one entity, for the objects of that entity."""

    number: int
    """The number that the library knows the property by."""
    read: Callable[[Any], Any]
    write: Callable[[Any, Any], None]


class Object:
    """An object of a context: a light name for it, of which there may be several.

    Its properties are attributes, read from and written to the context at once, and no other names
    are. Functions give the other facts of an object: `groot.object_id`, `groot.entity_name`,
    `groot.is_deleted` and `groot.report`. Each is reached as `object["id"]`, too, which is the only
    way to one that begins with an underscore and is taken. Values are described in `groot.values`;
    a to-one relationship is an object or None, a to-many a `Members`.

    An object that only an identifier named may become one of a sub-entity when its record comes:
    its new properties are there as `object["name"]`, and as attributes once `groot.entity_name`
    was asked.

    Two are equal when they name the same object of the same context. Once the object is deleted,
    using a property raises `groot.Error` with `Status.OBJECT_DELETED`. An object is used on the
    thread that uses its context.
    """

    __slots__ = ("__weakref__", "_number", "_report", "_session")

    _report: Callable[[], Report]
    _entity: ClassVar[Entity] = Entity("Object", {}, (), False)
    _fields: ClassVar[dict[str, Field]] = {}

    def __init__(self, session: Session, identifier: int) -> None:
        """Name an object; contexts do that."""
        self._session = session
        self._number = identifier

    def __getitem__(self, name: str) -> Any:
        """Read a property; an unknown name is a `groot.Error` with `Status.UNKNOWN_PROPERTY`."""
        return self._field(name).read(self)

    def __setitem__(self, name: str, value: Any) -> None:
        """Write a property; errors as in reading, and when the value does not fit."""
        self._field(name).write(self, value)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Go over the properties, each a name with its value, so that `dict(object)` has them.

        A model with a property `keys` needs `dict(iter(object))`: dict takes that for its own.
        """
        for name in tuple(_known_fields(self)):
            yield name, self[name]

    def __contains__(self, name: object) -> bool:
        """Whether the entity has a property of this name."""
        return name in self._fields or name in _known_fields(self)

    if TYPE_CHECKING:  # a real `__getattr__` would make each reading take half as long again

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __eq__(self, other: object) -> bool:
        """Whether both name the same object of the same context."""
        if not isinstance(other, Object):
            return NotImplemented
        return self._number == other._number and self._session is other._session

    def __hash__(self) -> int:
        """Hash by the object's number."""
        return hash(self._number)

    def __repr__(self) -> str:
        """Show entity and identity."""
        name = self._entity.name
        try:
            if is_deleted(self):
                return f"<{name} #{self._number} deleted>"
            shown = [f"{one}={shorten(self[one])}" for one in self._entity.identity]
        except Error:
            shown = []
        return f"<{name} {', '.join(shown) or f'#{self._number}'}>"

    def __copy__(self) -> Object:
        """Give the same name: the object itself is in the context, and not copied."""
        return self

    def __deepcopy__(self, memo: Any) -> Object:
        """Give the same name, as `__copy__`."""
        return self

    def __reduce__(self) -> Any:
        """Refuse to be pickled: an object is nothing without its context."""
        raise TypeError(f"a {self._entity.name} cannot be pickled; dump it as JSON")

    def _follow(self) -> None:
        """Become of the entity that a record has given to what only an identifier named before."""
        self.__class__ = type(self._session.object(self._number))

    def _field(self, name: str) -> Field:
        """Find a property."""
        field = self._fields.get(name)
        if field is None and not self._entity.is_leaf:
            self._follow()
            field = self._fields.get(name)
        if field is None:
            message = f"the entity has no property {name!r}"
            raise error(Status.UNKNOWN_PROPERTY, message, entity=self._entity.name)
        return field


@dataclass(frozen=True)
class Change:
    """The change of one object."""

    id: int
    """The object's number."""
    entity: str
    """The name of its entity."""
    change: str
    """`"inserted"`, `"updated"` or `"deleted"`."""
    object: Object | None
    """The object; None when it is missing, because a dry run made it or it was deleted."""
    properties: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    """The old and the new value of each property that changed, by name.

    Attributes have the values that reading them gives. A to-one relationship has an object or None,
    a to-many a list of objects. For a missing object (made by a dry run, or deleted) its number is
    given, the `id` of its change.
    """


@dataclass(frozen=True)
class Report:
    """The changes of an import, or those that a dry run would have made."""

    inserted: int
    """The number of new objects."""
    updated: int
    """The number of objects that were there and differ, be it in a link that others named."""
    unchanged: int
    """The number of objects that were there, were given, and are as before."""
    deleted: int
    """The number of objects that were there and are not any more."""
    skipped: int
    """The number of records left out because they were wrong."""
    stale: int
    """The number of records left out because their objects are as new, see `groot.version`."""
    issues: tuple[Issue, ...]
    """The issues of them, and of values that were not taken, each with its path."""
    changes: tuple[Change, ...]
    """Each object inserted, updated or deleted, when `changes` or `dry_run` asked for it."""
    stale_objects: tuple[Object, ...] = ()
    """The objects of the stale records, when `changes` or `dry_run` asked for them."""
    withheld: tuple[Object, ...] = ()
    """The objects that a `sync` keeps while it could not identify each entry."""
    accessed: dict[str, tuple[Object, ...]] = field(default_factory=dict)
    """By entity the objects that the import found or made, when `access` asked for it."""
    unaccessed: dict[str, tuple[Object, ...]] = field(default_factory=dict)
    """The other objects of those entities that the import is about."""
    objects: Sequence[Object] = ()
    """The object of each entry in order, an `Objects`; in the report of a `sync` only."""


def object_id(found: Object) -> int:
    """Give the number of `found`: the same in C, and as long as the object lives.

    Any thread may call it.

    Args:
        found: The object.

    Returns:
        The number.

    Raises:
        groot.Error: For a value that is not an object.
    """
    return _known(found)._number


def entity_name(found: Object) -> str:
    """Give the name of the entity of `found`, also when it was deleted.

    It is called on the thread that uses the context.

    Args:
        found: The object.

    Returns:
        The name.

    Raises:
        groot.Error: For a value that is not an object.
    """
    known = _known(found)
    _known_fields(known)
    return known._entity.name


def is_deleted(found: Object) -> bool:
    """Tell whether `found` was deleted.

    It is called on the thread that uses the context.

    Args:
        found: The object.

    Returns:
        Whether it was deleted.

    Raises:
        groot.Error: For a value that is not an object, and when the context is closed.
    """
    known = _known(found)
    return bool(known._session.status(known._number))


def _known_fields(known: Object) -> dict[str, Field]:
    """Give the properties of an object, of whose entity its class then is."""
    if not known._entity.is_leaf and not is_deleted(known):
        known._follow()
    return known._fields


def _known(found: Any) -> Object:
    """Give what is an object; raise `groot.Error` for all else."""
    if not isinstance(found, Object):
        raise no_object(found)
    return found


def identifier_of(found: Any, session: Session) -> int:
    """Give the number of an object; raise `groot.Error` for one that is not of the context."""
    known = _known(found)
    if known._session is not session:
        raise foreign(known)
    return known._number


def no_object(found: Any) -> Error:
    """Make the error of a value that is not an object."""
    message = f"{type(found).__name__} {shorten(found)} where objects of a context are expected"
    return error(Status.INVALID_ARGUMENT, message)


def foreign(found: Any) -> Error:
    """Make the error of an object, or of several, of another context."""
    return error(Status.INVALID_ARGUMENT, f"{shorten(found)} belongs to another context")
