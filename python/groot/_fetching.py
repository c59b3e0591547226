"""Requests for fetches, distinct values and aggregates, and what comes back of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Union

from groot import _ffi
from groot._ffi import byref, lib
from groot._jansson import release, take, to_json
from groot._schema import Schema
from groot._session import Session
from groot._text import encode_text
from groot.sequence import Objects, objects
from groot.values import from_json, json_form

Where = Mapping[str, Any]
Names = Union[str, Sequence[str]]
Values = Mapping[str, Any]

# The library refuses predicates that nest deeper; what lies below is left as it is.
_DEPTH = 100


def fetch(session: Session, entity: str, **parts: Any) -> Objects:
    """Fetch the objects that a request of `parts` asks for."""
    name = encode_text(entity)
    pointer = _ffi.ObjectsHandle()
    with request(**parts) as made:
        session._run(lib.context_fetch, name, len(name), made, byref(pointer))
    return objects(session, pointer, entity)


def count(session: Session, entity: str, **parts: Any) -> int:
    """Count the objects that a request asks for."""
    name = encode_text(entity)
    number = _ffi.c_size_t()
    with request(**parts) as made:
        session._run(lib.context_count, name, len(name), made, byref(number))
    found: int = number.value
    return found


def distinct(session: Session, entity: str, path: str, **parts: Any) -> list[Any]:
    """Give the distinct values of the attribute at `path`."""
    name, text = encode_text(entity), encode_text(path)
    pointer = _ffi.JsonHandle()
    with request(**parts) as made:
        session._run(lib.context_distinct, name, len(name), text, len(text), made, byref(pointer))
    kind = _type(session._mapping._schema, entity, path.removeprefix("-"))
    return [from_json(kind, value) for value in take(pointer.value)]


def aggregate(
    session: Session, entity: str, values: Values, by: Names | None, where: Where | None
) -> Any:
    """Compute aggregates: a dict, or a list of them when there are groups."""
    name = encode_text(entity)
    pointer = _ffi.JsonHandle()
    with request(where=where, by=by, values=dict(values)) as made:
        session._run(lib.context_aggregate, name, len(name), made, byref(pointer))
    found = take(pointer.value)
    schema = session._mapping._schema
    kinds = {path: _type(schema, entity, path) for path in _list(by)}
    for key, asked in values.items():
        if isinstance(asked, Mapping):
            for operation, path in asked.items():
                if operation in ("sum", "min", "max"):
                    kinds[key] = _type(schema, entity, path)
    if isinstance(found, list):
        return [_decoded(row, kinds) for row in found]
    return _decoded(found, kinds)


def _decoded(row: dict[str, Any], kinds: dict[str, str]) -> dict[str, Any]:
    return {key: from_json(kinds.get(key, ""), value) for key, value in row.items()}


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


def _list(names: Names | None) -> list[str]:
    if names is None:
        return []
    return [names] if isinstance(names, str) else list(names)


@contextmanager
def request(
    where: Where | None = None,
    sort: Names | None = None,
    by: Names | None = None,
    **others: Any,
) -> Iterator[int | None]:
    """Make the JSON of a request for the time of a block; None for a request without parts."""
    request: dict[str, Any] = {key: value for key, value in others.items() if value is not None}
    if where is not None:
        request["where"] = _plain(where, 0)
    if sort:
        request["sort"] = _list(sort)
    if by:
        request["by"] = _list(by)
    made = to_json(request) if request else None
    try:
        yield made
    finally:
        release(made)


def predicate(where: Where | None) -> int | None:
    """Make the JSON of a predicate, to be released; None for none."""
    return None if where is None else to_json(_plain(where, 0))


def _plain(value: Any, depth: int) -> Any:
    """Give a predicate with dates, decimals, UUIDs and bytes in their JSON form."""
    if depth == _DEPTH:
        return value
    if isinstance(value, Mapping):
        return {key: _plain(one, depth + 1) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(one, depth + 1) for one in value]
    return json_form(value)
