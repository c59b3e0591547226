"""Requests for fetches, distinct values and aggregates, in the library's form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union

from groot._core.json import encode
from groot.values import plain

Where = Mapping[str, Any]
Names = Union[str, Sequence[str]]
Values = Mapping[str, Any]

# The library refuses predicates that nest deeper, so their inner parts are not converted.
_DEPTH = 100


def request(
    where: Where | None = None,
    sort: Names | None = None,
    by: Names | None = None,
    **others: Any,
) -> bytes | None:
    """Write a request as JSON text; None for a request without parts."""
    request: dict[str, Any] = {key: value for key, value in others.items() if value is not None}
    if where is not None:
        request["where"] = _plain(where, 0)
    if sort:
        request["sort"] = listed(sort)
    if by:
        request["by"] = listed(by)
    return encode(request) if request else None


def predicate(where: Where | None) -> bytes | None:
    """Write a predicate as JSON text; None for None."""
    return None if where is None else encode(_plain(where, 0))


def _plain(value: Any, depth: int) -> Any:
    """Return a predicate with dates, days, decimals, UUIDs and bytes in their JSON form."""
    if depth == _DEPTH:
        return value
    if isinstance(value, Mapping):
        return {key: _plain(one, depth + 1) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(one, depth + 1) for one in value]
    return plain(value)


def listed(names: Names | None) -> list[str]:
    """Return names, or a single name, as a list."""
    if names is None:
        return []
    return [names] if isinstance(names, str) else list(names)
