"""Objects of a context."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Union

from groot._core.attributes import Field
from groot._core.references import Reference, no_object
from groot._core.schema import Entity
from groot._core.text import nearest, shorten
from groot.errors import Error, Status, error

if TYPE_CHECKING:
    from typing_extensions import Self, TypeVar

    E = TypeVar("E", bound="BaseObject", default="Object")
else:
    from typing import TypeVar

    E = TypeVar("E", bound="BaseObject")


class BaseObject(Reference):
    """An object of a context: the base of `Object` and of `groot.Entity`."""

    __slots__ = ("__weakref__", "_report")

    _report: Callable[[], Any]
    _entity: ClassVar[Entity] = Entity("Object", {}, (), False)
    _fields: ClassVar[dict[str, Field]] = {}

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

    def _ipython_key_completions_(self) -> list[str]:
        """Return the names that complete `object[` in a notebook."""
        return list(_known_fields(self))

    def __contains__(self, name: object) -> bool:
        """Whether the entity has a property of this name."""
        return name in self._fields or name in _known_fields(self)

    def __eq__(self, other: object) -> bool:
        """Whether both refer to the same object of the same context."""
        if not isinstance(other, BaseObject):
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

    def _repr_html_(self) -> str:
        """Show the properties as a table in notebooks."""
        from groot._core.notebooks import object_page  # noqa: PLC0415 (only notebooks need it)

        return object_page(self)

    def __copy__(self) -> Self:
        """Return the same reference: the object in the context is not copied."""
        return self

    def __deepcopy__(self, memo: Any) -> Self:
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
            message = f"the entity has no property {name!r}{nearest(name, self._fields)}"
            raise error(Status.UNKNOWN_PROPERTY, message, entity=self._entity.name)
        return field


class Object(BaseObject):
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

    __slots__ = ()

    if TYPE_CHECKING:  # a real `__getattr__` would make each reading take half as long again

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...


EntityName = Union[str, "type[BaseObject]"]
"""An entity: its name, or its class."""


def object_id(found: BaseObject) -> int:
    """Return the number of `found`, which C uses too and which never changes.

    Any thread may call this.

    Args:
        found: The object.

    Returns:
        The number.

    Raises:
        groot.Error: For a value that is not an object.
    """
    return _object(found)._number


def entity_name(found: BaseObject) -> str:
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
    known = _object(found)
    _known_fields(known)
    return known._entity.name


def is_deleted(found: BaseObject) -> bool:
    """Return whether `found` was deleted.

    It is called on the thread that uses the context.

    Args:
        found: The object.

    Returns:
        Whether it was deleted.

    Raises:
        groot.Error: For a value that is not an object, and if the context is closed.
    """
    known = _object(found)
    return bool(known._session.status(known._number))


def _known_fields(known: BaseObject) -> dict[str, Field]:
    """Return the properties of an object, after its class is updated to its entity's."""
    if not known._entity.is_leaf and not is_deleted(known):
        known._follow()
    return known._fields


def _object(found: Any) -> BaseObject:
    """Return `found` if it is an object; otherwise raise `groot.Error`."""
    if not isinstance(found, BaseObject):
        raise no_object(found)
    return found
