"""The fetches of contexts."""

from __future__ import annotations

from typing import Any, overload

from groot._core import queries
from groot._core.requests import Names, Path, Values, Where
from groot._core.session import Session
from groot.objects import E, EntityName, Object
from groot.sequence import Objects, objects_of


class Fetching:
    """The fetches of a `groot.Context`."""

    __slots__ = ()

    _session: Session

    @overload
    def get(self, entity: type[E], identity: Any) -> E | None: ...

    @overload
    def get(self, entity: str, identity: Any) -> Object | None: ...

    def get(self, entity: EntityName, identity: Any) -> Any:
        """Return the object of `entity` with an identity, or None if there is none.

        It looks in memory first and then in the store. Without a relationship in the identity it
        takes constant time. It is called on the thread that uses the context.

            context.get("Hero", 1699)
            context.get("Page", {"book": dune, "number": 3})

        Args:
            entity: The entity, including its sub-entities: its name, or its class.
            identity: The value of the property that identifies the objects. For several properties
                it is a tuple in their order, or a dict by name. The value of a to-one relationship
                is an object.

        Returns:
            The object. If several have the identity, it is the one inserted first.

        Raises:
            groot.Error: With `Status.UNKNOWN_ENTITY` for an unknown entity. With
                `Status.INVALID_ARGUMENT` for an entity without identity, for parts that are not
                those of the identity, and for an object of another context. As `fetch` for a value
                of the wrong type.
        """
        return queries.get(self._session, entity, identity)

    @overload
    def fetch(
        self,
        entity: type[E],
        where: Where | None = None,
        sort: Names | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Objects[E]: ...

    @overload
    def fetch(
        self,
        entity: str,
        where: Where | None = None,
        sort: Names | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Objects: ...

    def fetch(
        self,
        entity: EntityName,
        where: Where | None = None,
        sort: Names | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> Any:
        """Fetch objects of `entity` and its sub-entities.

        A `where` with values for the whole identity takes constant time.

        Args:
            entity: The entity: its name, or its class.
            where: A condition of a class, such as `Hero.rating > 8`, or a predicate, such as
                `{"publisher.name": {"beginsWith": "DC"}, "rating": 5}`. A predicate has paths to
                properties, each with a value to equal, None for "no value", or operators;
                docs/reference/fetching.md lists them. Dates, days, decimals, UUIDs and bytes are
                written as Python values.
            sort: Attributes of a class, such as `-Hero.rating`, or names of attributes and paths to
                them, with "-" in front for descending. Objects that are equal in these, and all
                objects without `sort`, are in the order of insertion.
            limit: The maximum number of objects.
            offset: The number of objects to skip.

        Returns:
            The objects.

        Raises:
            groot.Error: For an unknown entity and an invalid request, with the path of the issue in
                the request. With `Status.CANCELLED` if the call is cancelled.
        """
        return objects_of(queries.fetch(self._session, entity, where, sort, limit, offset))

    def count(self, entity: EntityName, where: Where | None = None) -> int:
        """Count the objects that `fetch` would give.

        Args:
            entity: As for `fetch`.
            where: As for `fetch`.

        Returns:
            The number of objects.

        Raises:
            groot.Error: As `fetch`.
        """
        return queries.count(self._session, entity, where)

    def distinct(
        self,
        entity: EntityName,
        path: Path,
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
        return queries.distinct(self._session, entity, path, where, limit, offset)

    @overload
    def aggregate(
        self, entity: EntityName, values: Values, by: None = None, where: Where | None = None
    ) -> dict[str, Any]: ...

    @overload
    def aggregate(
        self, entity: EntityName, values: Values, by: Names, where: Where | None = None
    ) -> list[dict[str, Any]]: ...

    def aggregate(
        self,
        entity: EntityName,
        values: Values,
        by: Names | None = None,
        where: Where | None = None,
    ) -> Any:
        """Compute values over objects: `{"number": "count", "best": {"max": "rating"}}`.

        Args:
            entity: As for `fetch`.
            values: The aggregates by their names in the result: "count" for the number of objects,
                and `{"max": "rating"}` and the like with "count", "sum", "min", "max" or "average"
                of an attribute.
            by: The attributes to group by.
            where: As for `fetch`.

        Returns:
            A dict. With `by` it is a list with a dict for each group, which also has the values of
            the attributes in `by` and is sorted by them.

        Raises:
            groot.Error: As `fetch`.
        """
        return queries.aggregate(self._session, entity, values, by, where)
