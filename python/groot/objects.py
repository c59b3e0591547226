"""Objects of a context, and reports of their changes."""

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
    """An object of a context: a light reference to it, one of perhaps several.

    The properties of its entity are Python attributes, which read from and write to the context
    directly. There are no other public attributes; `groot.object_id`, `groot.entity_name`,
    `groot.is_deleted` and `groot.report` give the other facts of an object. Each property is also
    available as `object["name"]`. That is the only way to a property whose name begins with an
    underscore and is already used by Python. Values are described in `groot.values`. A to-one
    relationship is an object or None, a to-many relationship a `Members`.

    A placeholder may become an object of a sub-entity when its record is imported. Its new
    properties are then available as `object["name"]`, and as attributes after a call of
    `groot.entity_name`.

    Two references are equal if they refer to the same object of the same context. After the object
    is deleted, every use of a property raises `groot.Error` with `Status.OBJECT_DELETED`. An object
    is used on the thread that uses its context.
    """

    __slots__ = ("__weakref__", "_number", "_report", "_session")

    _report: Callable[[], Report]
    _entity: ClassVar[Entity] = Entity("Object", {}, (), False)
    _fields: ClassVar[dict[str, Field]] = {}

    def __init__(self, session: Session, identifier: int) -> None:
        """Make a reference to an object, for a context."""
        self._session = session
        self._number = identifier

    def __getitem__(self, name: str) -> Any:
        """Read a property.

        Args:
            name: The name of the property.

        Returns:
            The value.

        Raises:
            groot.Error: With `Status.UNKNOWN_PROPERTY` for an unknown name, and with
                `Status.OBJECT_DELETED` for a deleted object.
        """
        return self._field(name).read(self)

    def __setitem__(self, name: str, value: Any) -> None:
        """Write a property.

        Args:
            name: The name of the property.
            value: The new value; None for "no value".

        Raises:
            groot.Error: As for reading, and if the value does not fit the property.
        """
        self._field(name).write(self, value)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Iterate over pairs of name and value of the properties, as for `dict(object)`.

        For an entity with a property `keys` it is `dict(iter(object))`, since `dict` would call
        `object.keys`.
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
        """Whether both refer to the same object of the same context."""
        if not isinstance(other, Object):
            return NotImplemented
        return self._number == other._number and self._session is other._session

    def __hash__(self) -> int:
        """Hash by the object's number."""
        return hash(self._number)

    def __repr__(self) -> str:
        """Show the entity and the identity."""
        name = self._entity.name
        try:
            if is_deleted(self):
                return f"<{name} #{self._number} deleted>"
            shown = [f"{one}={shorten(self[one])}" for one in self._entity.identity]
        except Error:
            shown = []
        return f"<{name} {', '.join(shown) or f'#{self._number}'}>"

    def __copy__(self) -> Object:
        """Return the same reference: the object in the context is not copied."""
        return self

    def __deepcopy__(self, memo: Any) -> Object:
        """Return the same reference, as `__copy__`."""
        return self

    def __reduce__(self) -> Any:
        """Refuse to be pickled: the values of an object are in its context."""
        raise TypeError(f"a {self._entity.name} cannot be pickled; dump it as JSON")

    def _follow(self) -> None:
        """Take the class of the entity that a record has given to this placeholder."""
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
    """The object; None if it was deleted, or was made by a dry run."""
    properties: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    """The old and the new value of each property that changed, by name.

    An attribute has the values that reading it gives. A to-one relationship has an object or None,
    a to-many relationship a list of objects. An object that was deleted, or was made by a dry run,
    is given as its number: the `id` of its change.
    """


@dataclass(frozen=True)
class Report:
    """The changes of an import, or those that a dry run would make."""

    inserted: int
    """The number of new objects."""
    updated: int
    """The number of existing objects that differ now, in a value or a link of either side."""
    unchanged: int
    """The number of existing objects that came as JSON objects and did not change."""
    deleted: int
    """The number of objects that no longer exist."""
    skipped: int
    """The number of records left out because they were wrong."""
    stale: int
    """The number of records left out because they are not newer than their objects.

    The annotation `groot.version` names the attribute that is compared.
    """
    issues: tuple[Issue, ...]
    """The issues of skipped records and of values that were not taken, each with its path."""
    changes: tuple[Change, ...]
    """The change of each object inserted, updated or deleted, if `changes` or `dry_run` is set."""
    stale_objects: tuple[Object, ...] = ()
    """The objects of the stale records, if `changes` or `dry_run` is set."""
    withheld: tuple[Object, ...] = ()
    """The objects that a `sync` keeps because an entry has no usable identity."""
    accessed: dict[str, tuple[Object, ...]] = field(default_factory=dict)
    """The objects that the import found or made, by entity, if `access` is set."""
    unaccessed: dict[str, tuple[Object, ...]] = field(default_factory=dict)
    """The other objects of the entities that the import is about, by entity, if `access` is set."""
    objects: Sequence[Object] = ()
    """The objects of the entries in order, an `Objects`; only in the report of a `sync`."""


def object_id(found: Object) -> int:
    """Return the number of `found`, which C uses too and which never changes.

    Any thread may call this.

    Args:
        found: The object.

    Returns:
        The number.

    Raises:
        groot.Error: For a value that is not an object.
    """
    return _known(found)._number


def entity_name(found: Object) -> str:
    """Return the name of the entity of `found`, even if the object was deleted.

    It is called on the thread that uses the context.

    Args:
        found: The object.

    Returns:
        The name.

    Raises:
        groot.Error: For a value that is not an object. For an entity with sub-entities also if the
            context is closed.
    """
    known = _known(found)
    _known_fields(known)
    return known._entity.name


def is_deleted(found: Object) -> bool:
    """Return whether `found` was deleted.

    It is called on the thread that uses the context.

    Args:
        found: The object.

    Returns:
        Whether it was deleted.

    Raises:
        groot.Error: For a value that is not an object, and if the context is closed.
    """
    known = _known(found)
    return bool(known._session.status(known._number))


def _known_fields(known: Object) -> dict[str, Field]:
    """Return the properties of an object, after its class is updated to its entity's."""
    if not known._entity.is_leaf and not is_deleted(known):
        known._follow()
    return known._fields


def _known(found: Any) -> Object:
    """Return `found` if it is an object; otherwise raise `groot.Error`."""
    if not isinstance(found, Object):
        raise no_object(found)
    return found


def identifier_of(found: Any, session: Session) -> int:
    """Return the number of an object of the context; raise `groot.Error` for any other value."""
    known = _known(found)
    if known._session is not session:
        raise foreign(known)
    return known._number


def no_object(found: Any) -> Error:
    """Make the error for a value that is not an object."""
    message = f"{type(found).__name__} {shorten(found)} where objects of a context are expected"
    return error(Status.INVALID_ARGUMENT, message)


def foreign(found: Any) -> Error:
    """Make the error for one object or several of another context."""
    return error(Status.INVALID_ARGUMENT, f"{shorten(found)} belongs to another context")
