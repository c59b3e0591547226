"""What a context is asked about its objects: fetches, counts, distinct values, aggregates."""

from __future__ import annotations

from typing import Any, overload

from groot import _fetching
from groot._fetching import Names, Values, Where
from groot._session import Session
from groot.sequence import Objects

Sort = Names


class Queries(Session):
    """The part of a context that finds objects and computes over them."""

    __slots__ = ()

    def fetch(
        self,
        entity: str,
        where: Where | None = None,
        sort: Sort | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Objects:
        """Fetch objects of `entity` and its sub-entities.

        `where` is a predicate, such as `{"publisher.name": {"beginsWith": "DC"}, "rating": 5}`:
        paths to properties, with a value that must be equal, None for no value, or with operators;
        docs/fetching.md has them all. Dates, decimals, UUIDs and bytes are given as themselves.
        `sort` is a list of attribute names or paths, with "-" in front for descending; without it,
        and among equals, the order is that of insertion. A `where` with values for the whole
        identity takes constant time. Raises `groot.Error` with the path of what is wrong in it.
        """
        return _fetching.fetch(self, entity, where=where, sort=sort, limit=limit, offset=offset)

    def count(self, entity: str, where: Where | None = None) -> int:
        """Count the objects that `fetch` would give."""
        return _fetching.count(self, entity, where=where)

    def distinct(
        self,
        entity: str,
        path: str,
        where: Where | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> list[Any]:
        """Give the distinct values of the attribute at `path`, in order.

        No value is None and comes first. With "-" in front of `path` the order is descending.
        """
        return _fetching.distinct(self, entity, path, where=where, limit=limit, offset=offset)

    @overload
    def aggregate(
        self, entity: str, values: Values, by: None = None, where: Where | None = None
    ) -> dict[str, Any]: ...

    @overload
    def aggregate(
        self, entity: str, values: Values, by: Names, where: Where | None = None
    ) -> list[dict[str, Any]]: ...

    def aggregate(
        self,
        entity: str,
        values: Values,
        by: Names | None = None,
        where: Where | None = None,
    ) -> Any:
        """Compute values over objects: `{"number": "count", "best": {"max": "rating"}}`.

        There are "count" for objects, and "count", "sum", "min", "max" and "average" of an
        attribute. The result is a dict; with attributes in `by` a list with a dict for each
        combination of their values, in order, which has these values too.
        """
        return _fetching.aggregate(self, entity, values, by, where)
