"""Objects of a context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from groot._fields import Field
from groot._schema import Entity
from groot._text import shorten
from groot.errors import Error, Status, error

if TYPE_CHECKING:
    from groot._session import Session
    from groot.report import Pending, Report


class Object:
    """An object of a context: a light name for it, of which there may be several.

    Its properties are attributes, read from and written to the context at once. A property whose
    name this class uses itself (`id`, `entity`, `is_deleted`, `report`), or that begins with an
    underscore and is taken, is reached as `object["id"]`, as is every other. Values are described
    in `groot.values`; a to-one relationship is an object or None, a to-many a `Members`.

    An object that only an identifier named may become one of a sub-entity when its record comes:
    its new properties are there as `object["name"]`, and as attributes after `entity` was read.

    Two are equal when they name the same object of the same context. Once the object is deleted,
    using a property raises `groot.Error` with `Status.OBJECT_DELETED`. An object is used on the
    thread that uses its context.
    """

    __slots__ = ("__weakref__", "_id", "_report", "_session")

    _report: Pending
    _entity: ClassVar[Entity] = Entity("Object", {}, (), False)
    _fields: ClassVar[dict[str, Field]] = {}

    def __init__(self, session: Session, identifier: int) -> None:
        """Name an object; contexts do that."""
        self._session = session
        self._id = identifier

    @property
    def id(self) -> int:
        """The object's number: the same in C, and as long as the object lives."""
        return self._id

    @property
    def entity(self) -> str:
        """The name of the object's entity."""
        if not self._entity.is_leaf and not self.is_deleted:
            self._follow()
        return self._entity.name

    @property
    def is_deleted(self) -> bool:
        """Whether the object was deleted."""
        return bool(self._session._status(self._id))

    @property
    def report(self) -> Report | None:
        """What the import did that gave this object for a JSON object; else None."""
        try:
            return self._report.get()
        except AttributeError:
            return None

    def __getitem__(self, name: str) -> Any:
        """Read a property; an unknown name is a `groot.Error` with `Status.UNKNOWN_PROPERTY`."""
        return self._field(name).read(self)

    def __setitem__(self, name: str, value: Any) -> None:
        """Write a property; errors as in reading, and when the value does not fit."""
        self._field(name).write(self, value)

    # Without this, Python would try to iterate by index.
    __iter__ = None

    def __contains__(self, name: object) -> bool:
        """Whether the entity has a property of this name."""
        if name not in self._fields and not self._entity.is_leaf and not self.is_deleted:
            self._follow()
        return name in self._fields

    if TYPE_CHECKING:  # a real `__getattr__` would make each reading take half as long again

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __eq__(self, other: object) -> bool:
        """Whether both name the same object of the same context."""
        if not isinstance(other, Object):
            return NotImplemented
        return self._id == other._id and self._session is other._session

    def __hash__(self) -> int:
        """Hash by the object's number."""
        return hash(self._id)

    def __repr__(self) -> str:
        """Show entity and identity."""
        name = self._entity.name
        try:
            if self.is_deleted:
                return f"<{name} #{self._id} deleted>"
            shown = [f"{one}={shorten(self[one])}" for one in self._entity.identity]
        except Error:
            shown = []
        return f"<{name} {', '.join(shown) or f'#{self._id}'}>"

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
        self.__class__ = type(self._session._object(self._id))

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


def make_class(session: Session, entity: Entity) -> type[Object]:
    """Make the class of the objects of `entity`, with a descriptor for each property."""
    fields = {name: Field(session, entity.name, one) for name, one in entity.properties.items()}
    members: dict[str, Any] = {
        "__slots__": (),
        "__doc__": f"An object of the entity {entity.name}.",
        "__module__": "groot",
        "_entity": entity,
        "_fields": fields,
    }
    for name, field in fields.items():
        if not hasattr(Object, name) and name not in members:
            members[name] = property(field.read, field.write)
    return type(entity.name, (Object,), members)
