"""Queries of a context: fetches, counts, distinct values, aggregates.

The functions that take a `HasSession` are methods of `Context`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

from groot import _ffi
from groot._buffers import room
from groot._ffi import byref, lib
from groot._handle import Handle
from groot._json import decode
from groot._requests import Names, Values, Where, listed, request
from groot._schema import Entity, Schema
from groot._session import HasSession
from groot._text import encode_name, shorten
from groot.errors import Status, error
from groot.objects import Object, identifier_of
from groot.sequence import Objects, objects
from groot.values import from_json


def get(self: HasSession, entity: str, identity: Any) -> Object | None:
    """Return the object of `entity` with an identity, or None if there is none.

    It looks in memory first and then in the store. Without a relationship in the identity it takes
    constant time. It is called on the thread that uses the context.

        context.get("Hero", 1699)
        context.get("Page", {"book": dune, "number": 3})

    Args:
        entity: The entity, including its sub-entities.
        identity: The value of the property that identifies the objects. For several properties it
            is a tuple in their order, or a dict by name. The value of a to-one relationship is an
            object.

    Returns:
        The object. If several have the identity, it is the one inserted first.

    Raises:
        groot.Error: With `Status.UNKNOWN_ENTITY` for an unknown entity. With
            `Status.INVALID_ARGUMENT` for an entity without identity, for parts that are not those
            of the identity, and for an object of another context. As `fetch` for a value of the
            wrong type.
    """
    described = self._session.schema.entity(entity)
    parts = _parts(described, identity)
    if list(parts.values()) == [None]:  # None identifies no object, but may be one of several parts
        return None
    links = {name: one for name, one in parts.items() if not described.properties[name].type}
    for owner in links.values():
        if owner is not None:
            identifier_of(owner, self._session)
    where = {
        name: None if one is None else {"==": one}
        for name, one in parts.items()
        if name not in links
    }
    for found in fetch(self, entity, where, limit=None if links else 1):
        if all(found[name] == one for name, one in links.items()):
            return found
    return None


def _parts(entity: Entity, identity: Any) -> dict[str, Any]:
    """Return the parts of an identity by the names of their properties."""
    names = entity.identity
    if not names:
        message = "the entity has no identity to get an object by; use fetch"
        raise error(Status.INVALID_ARGUMENT, message, entity.name)
    if isinstance(identity, Mapping) and set(identity) == set(names):
        return dict(identity)
    if isinstance(identity, tuple) and len(identity) == len(names):
        return dict(zip(names, identity))
    if len(names) == 1 and not isinstance(identity, (Mapping, tuple)):
        return {names[0]: identity}
    message = f"{shorten(identity)} is not an identity, which has the parts {', '.join(names)}"
    raise error(Status.INVALID_ARGUMENT, message, entity.name)


def fetch(
    self: HasSession,
    entity: str,
    where: Where | None = None,
    sort: Names | None = None,
    limit: int | None = None,
    offset: int | None = None,
) -> Objects:
    """Fetch objects of `entity` and its sub-entities.

    A `where` with values for the whole identity takes constant time.

    Args:
        entity: The entity.
        where: A predicate, such as `{"publisher.name": {"beginsWith": "DC"}, "rating": 5}`. It has
            paths to properties, each with a value to equal, None for "no value", or operators;
            docs/reference/fetching.md lists them. Dates, days, decimals, UUIDs and bytes are
            written as Python values.
        sort: Names of attributes, or paths to them, with "-" in front for descending. Objects that
            are equal in these, and all objects without `sort`, are in the order of insertion.
        limit: The maximum number of objects.
        offset: The number of objects to skip.

    Returns:
        The objects.

    Raises:
        groot.Error: For an unknown entity and an invalid request, with the path of the issue in the
            request. With `Status.CANCELLED` if the call is cancelled.
    """
    session, pointer = self._session, _ffi.ObjectsHandle()
    found = Handle(lib.objects_free, pointer)
    asked = request(where=where, sort=sort, limit=limit, offset=offset)
    session.run(lib.context_fetch, encode_name(entity), asked, byref(pointer))
    return objects(session, found, entity)


def count(self: HasSession, entity: str, where: Where | None = None) -> int:
    """Count the objects that `fetch` would give.

    Args:
        entity: As for `fetch`.
        where: As for `fetch`.

    Returns:
        The number of objects.

    Raises:
        groot.Error: As `fetch`.
    """
    number = _ffi.c_size_t()
    asked = request(where=where)
    self._session.run(lib.context_count, encode_name(entity), asked, byref(number))
    found: int = number.value
    return found


def distinct(
    self: HasSession,
    entity: str,
    path: str,
    where: Where | None = None,
    limit: int | None = None,
    offset: int | None = None,
) -> list[Any]:
    """Return the distinct values of the attribute at `path`, in order.

    Args:
        entity: As for `fetch`.
        path: The attribute, or a path to one, with "-" in front for descending.
        where: As for `fetch`.
        limit: The maximum number of values.
        offset: The number of values to skip.

    Returns:
        The values. If some objects have no value, None is the first.

    Raises:
        groot.Error: As `fetch`.
    """
    session, name, attribute = self._session, encode_name(entity), encode_name(path)
    asked = request(where=where, limit=limit, offset=offset)
    text, _owner = room()
    session.run(lib.context_distinct, name, attribute, asked, byref(text))
    found = decode(_ffi.bytes_of(text))
    type = _type(session.schema, entity, path.removeprefix("-"))
    return [from_json(type, value) for value in found]


@overload
def aggregate(
    self: HasSession, entity: str, values: Values, by: None = None, where: Where | None = None
) -> dict[str, Any]: ...


@overload
def aggregate(
    self: HasSession, entity: str, values: Values, by: Names, where: Where | None = None
) -> list[dict[str, Any]]: ...


def aggregate(
    self: HasSession,
    entity: str,
    values: Values,
    by: Names | None = None,
    where: Where | None = None,
) -> Any:
    """Compute values over objects: `{"number": "count", "best": {"max": "rating"}}`.

    Args:
        entity: As for `fetch`.
        values: The aggregates by their names in the result: "count" for the number of objects, and
            `{"max": "rating"}` and the like with "count", "sum", "min", "max" or "average" of an
            attribute.
        by: The attributes to group by.
        where: As for `fetch`.

    Returns:
        A dict. With `by` it is a list with a dict for each group, which also has the values of the
        attributes in `by` and is sorted by them.

    Raises:
        groot.Error: As `fetch`.
    """
    session, name = self._session, encode_name(entity)
    asked_for = request(where=where, by=by, values=dict(values))
    text, _owner = room()
    session.run(lib.context_aggregate, name, asked_for, byref(text))
    found = decode(_ffi.bytes_of(text))
    types = {path: _type(session.schema, entity, path) for path in listed(by)}
    for key, asked in values.items():
        if isinstance(asked, Mapping):
            for operation, path in asked.items():
                if operation in ("sum", "min", "max"):
                    types[key] = _type(session.schema, entity, path)
    if isinstance(found, list):
        return [_decoded(row, types) for row in found]
    return _decoded(found, types)


def _decoded(row: dict[str, Any], types: dict[str, str]) -> dict[str, Any]:
    return {key: from_json(types.get(key, ""), value) for key, value in row.items()}


def _type(schema: Schema, entity: str, path: str) -> str:
    """Look up the type of the attribute at the end of a path that the library has accepted."""
    current = schema.entity(entity).properties
    path = path.removeprefix(".")
    if path in current:
        return current[path].type
    *steps, last = path.split(".")
    for step in steps:
        current = schema.entity(current[step].destination).properties
    return current[last].type
