"""Queries of a context: fetches, counts, distinct values, aggregates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groot import _ffi
from groot._core.handle import Handle, room
from groot._core.json import decode
from groot._core.paths import way_of
from groot._core.references import identifier_of
from groot._core.requests import About, Names, Path, Values, Where
from groot._core.schema import Entity
from groot._core.selection import Selection
from groot._core.session import Session
from groot._core.text import encode_name, refusal, shorten
from groot._ffi import byref, lib
from groot.errors import Status, error
from groot.values import from_json


def get(session: Session, entity: Any, identity: Any) -> Any:
    """Find the object of an entity with an identity."""
    entity = session.required(entity)
    described = session.schema.entity(entity)
    parts = _parts(described, identity)
    if list(parts.values()) == [None]:  # None identifies no object, but may be one of several parts
        return None
    links = {name: one for name, one in parts.items() if not described.properties[name].type}
    for owner in links.values():
        if owner is not None:
            identifier_of(owner, session)
    where = {
        name: None if one is None else {"==": one}
        for name, one in parts.items()
        if name not in links
    }
    for identifier in fetch(session, entity, where, limit=None if links else 1).ids():
        found = session.object(identifier)
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
    session: Session,
    entity: Any,
    where: Where | None = None,
    sort: Names | None = None,
    limit: int | None = None,
    offset: int | None = None,
) -> Selection:
    """Fetch objects of an entity."""
    about = session.about(entity)
    pointer = _ffi.ObjectsHandle()
    found = Handle(lib.objects_free, pointer)
    asked = about.request(where=where, sort=sort, limit=limit, offset=offset)
    session.run(lib.context_fetch, encode_name(about.entity), asked, byref(pointer))
    return Selection.taken(session, found, about.entity)


def count(session: Session, entity: Any, where: Where | None = None) -> int:
    """Count the objects that a fetch would give."""
    about = session.about(entity)
    number = _ffi.c_size_t()
    asked = about.request(where=where)
    session.run(lib.context_count, encode_name(about.entity), asked, byref(number))
    found: int = number.value
    return found


def distinct(
    session: Session,
    entity: Any,
    path: Path,
    where: Where | None = None,
    limit: int | None = None,
    offset: int | None = None,
) -> list[Any]:
    """Return the distinct values of an attribute."""
    about = session.about(entity)
    name, text_path = encode_name(about.entity), about.path(path)
    attribute = encode_name(text_path)
    asked = about.request(where=where, limit=limit, offset=offset)
    text, _owner = room()
    session.run(lib.context_distinct, name, attribute, asked, byref(text))
    found = decode(_ffi.bytes_of(text))
    type = _type(session, about, text_path)
    return [from_json(type, value) for value in found]


def aggregate(
    session: Session,
    entity: Any,
    values: Values,
    by: Names | None = None,
    where: Where | None = None,
) -> Any:
    """Compute values over objects."""
    about = session.about(entity)
    if not isinstance(values, Mapping):
        raise refusal("values", values, 'a dict of aggregates, such as {"number": "count"}')
    wanted = {key: _aggregate(about, one) for key, one in values.items()}
    groups = about.listed(by, "by")
    asked_for = about.request(where=where, by=groups, values=wanted)
    text, _owner = room()
    session.run(lib.context_aggregate, encode_name(about.entity), asked_for, byref(text))
    found = decode(_ffi.bytes_of(text))
    types = {path: _type(session, about, path) for path in groups}
    for key, asked in wanted.items():
        if isinstance(asked, Mapping):
            for operation, path in asked.items():
                if operation in ("sum", "min", "max"):
                    types[key] = _type(session, about, path)
    if isinstance(found, list):
        return [_decoded(row, types) for row in found]
    return _decoded(found, types)


def _aggregate(about: About, asked: Any) -> Any:
    """Return an aggregate with its path as text."""
    if isinstance(asked, Mapping):
        return {operation: about.path(path) for operation, path in asked.items()}
    return asked


def _decoded(row: dict[str, Any], types: dict[str, str]) -> dict[str, Any]:
    return {key: from_json(types.get(key, ""), value) for key, value in row.items()}


def _type(session: Session, about: About, path: str) -> str:
    """Look up the type of the attribute at the end of a path that the library has accepted."""
    return way_of(session, about.entity, path.removeprefix("-")).last.type
