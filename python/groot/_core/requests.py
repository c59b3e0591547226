"""Requests for fetches, distinct values and aggregates, in the library's form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Union

from groot._core.compiled import Compiled
from groot._core.declared import ConditionBase, PathBase, Selector
from groot._core.json import encode
from groot._core.text import refusal
from groot.errors import Error, error
from groot.values import plain

Where = Union[Mapping[str, Any], ConditionBase]
Path = Union[str, PathBase]
Names = Union[Path, Sequence[Path]]
Values = Mapping[str, Any]

# The library refuses predicates that nest deeper, so their inner parts are not converted.
_DEPTH = 100
_QUANTIFIERS = ("any", "all", "none")
_OPERATORS = frozenset(
    [
        *("==", "!=", "<", "<=", ">", ">=", "between", "in"),
        *("contains", "beginsWith", "endsWith", "like"),
        *("and", "or", "not"),
        *_QUANTIFIERS,
    ]
)


class About(NamedTuple):
    """The subject of a request."""

    mapping: Compiled
    entity: Any
    """The name of the entity; None means that conditions may be about any."""

    def path(self, given: Path) -> Any:
        """Return a path as text."""
        return given.plain_for(*self) if isinstance(given, PathBase) else given

    def listed(self, names: Names | None, parameter: str) -> list[str]:
        """Return the paths of a parameter, or a single one, as a list of texts."""
        if names is None:
            return []
        if isinstance(names, (str, PathBase)):
            return [self.path(names)]
        if not isinstance(names, Iterable):
            raise refusal(parameter, names, "a path, or a list of paths")
        return [self.path(one) for one in names]

    def request(
        self,
        where: Where | None = None,
        sort: Names | None = None,
        by: Names | None = None,
        **others: Any,
    ) -> bytes | None:
        """Write a request as JSON text; None for a request without parts."""
        request: dict[str, Any] = {key: one for key, one in others.items() if one is not None}
        if where is not None:
            request["where"] = self._plain(where, 0)
        if sort is not None and (sort := self.listed(sort, "sort")):
            request["sort"] = sort
        if by is not None and (by := self.listed(by, "by")):
            request["by"] = by
        return encode(request) if request else None

    def predicate(self, where: Where | None) -> bytes | None:
        """Write a predicate as JSON text; None for None."""
        return None if where is None else encode(self._plain(where, 0))

    def _plain(self, value: Any, depth: int, property: Any = None) -> Any:
        """Return a predicate with dates, days, decimals, UUIDs and bytes in their JSON form."""
        if depth == _DEPTH:
            return value
        if isinstance(value, Selector):
            return value.plain_for(*self)
        if isinstance(value, Mapping):
            members = self._replace(entity=None)  # predicates about members begin at another entity
            return {
                key: (members if key in _QUANTIFIERS else self)._plain(
                    one, depth + 1, property if key in _OPERATORS else key
                )
                for key, one in value.items()
            }
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self._plain(one, depth + 1, property) for one in value]
        try:
            return plain(value)
        except Error as wrong:
            raise error(wrong.code, wrong.issues[0].message, self.entity, property) from None
