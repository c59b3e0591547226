"""Questions to a context about its objects: fetches, counts, distinct values, aggregates.

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
    """Give the object of `entity` with an identity, or None when there is none.

    It looks into memory first and then into the store, and takes constant time where no
    relationship is a part of the identity. It is called on the thread that uses the context.

    Args:
        entity: The entity, whose sub-entities count too.
        identity: The value of the property that identifies the objects. Several are a tuple in
            their order, or a dict by name: `get("Hero", 1699)`, `get("Page", {"book": dune,
            "number": 3})`. A to-one relationship has an object.

    Returns:
        The object. Of several with one identity it is the one inserted first.

    Raises:
        groot.Error: With `Status.UNKNOWN_ENTITY`. With `Status.INVALID_ARGUMENT` for an entity
            without identity and for parts that are not those of the identity. For a value of a
            wrong type as `fetch`.
    """
    described = self._session.schema.entity(entity)
    parts = _parts(described, identity)
    if list(parts.values()) == [None]:  # no value identifies nothing, but may be a part
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
    """Give the parts of an identity by the names of their properties."""
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
        where: A predicate, such as `{"publisher.name": {"beginsWith": "DC"}, "rating": 5}`: paths
            to properties, with an equal value, None for no value, or operators;
            docs/reference/fetching.md has them all. Dates, days, decimals, UUIDs and bytes are
            given as themselves.
        sort: Names of attributes, or paths, with "-" in front for descending. Without it, and
            among equals, the order is that of insertion.
        limit: The greatest number of objects.
        offset: The number of objects to pass over.

    Returns:
        The objects.

    Raises:
        groot.Error: With the path of the error in the request.
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
    """Give the distinct values of the attribute at `path`, in order.

    Args:
        entity: As for `fetch`.
        path: The attribute, or a path to one, with "-" in front for descending.
        where: As for `fetch`.
        limit: The greatest number of values.
        offset: The number of values to pass over.

    Returns:
        The values. No value is None and comes first.

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
        values: The computations by their names in the result: "count" for objects, and "count",
            "sum", "min", "max" and "average" of an attribute.
        by: Attributes whose values make groups.
        where: As for `fetch`.

    Returns:
        A dict. With `by` a list, in order, with a dict for each combination of the attributes'
        values, which has these values too.

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
    """Look up the type of the attribute at the end of a path that the library has taken."""
    current = schema.entity(entity).properties
    path = path.removeprefix(".")
    if path in current:
        return current[path].type
    *steps, last = path.split(".")
    for step in steps:
        current = schema.entity(current[step].destination).properties
    return current[last].type
