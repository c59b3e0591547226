"""The columns of a query: paths to properties, and a mapping that writes no others.

The store writes rows as JSON with only the properties on the paths, in portions. An object that
the row has already written comes again as its identity, so a row keeps an index of its objects.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from groot.cli._mappings import Known
from groot.cli._names import meant
from groot.errors import Status, error
from groot.key_paths import escaped
from groot.mapping import Mapping
from groot.model import Model

Met = dict[tuple[str, str], dict[str, Any]]
"""The objects of a row by the root of their hierarchy and their identity as text."""


class Step(NamedTuple):
    """A property on a path."""

    entity: str
    name: str
    described: dict[str, Any]

    @property
    def destination(self) -> str | None:
        """The destination of a relationship; None for an attribute."""
        found: str | None = self.described.get("destination")
        return found

    @property
    def is_to_many(self) -> bool:
        """Whether it is a to-many relationship."""
        return bool(self.described.get("toMany"))


class Column(NamedTuple):
    """A column: its name, and the way to its values."""

    name: str
    steps: tuple[Step, ...]

    @property
    def type(self) -> str:
        """The type of the values; empty for objects and lists."""
        if any(step.is_to_many for step in self.steps):
            return ""
        found: str = self.steps[-1].described.get("type") or ""
        return found


class Columns:
    """The columns of a query for an entity."""

    def __init__(self, known: Known, entity: str, paths: Iterable[str] | None) -> None:
        """Find the properties of paths; by default all attributes and to-one relationships.

        Raises:
            groot.Error: For a path that leads to nothing, with the nearest name.
        """
        self._known = known
        self._entity = entity
        self._identities: dict[str, dict[str, str | None]] = {}
        self.columns = [self._column(one) for one in paths or self._default()]
        self._getters = None if self._may_repeat() else [self._getter(one) for one in self.columns]

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [one.name for one in self.columns]

    @property
    def depth(self) -> int:
        """The number of steps within which objects are written in full."""
        return max(len(one.steps) - 1 for one in self.columns)

    def _default(self) -> list[str]:
        entity = self._known.entities[self._entity]
        found = []
        for name in entity["allProperties"]:
            step = self._step(self._entity, name, name)
            identity = self._identity(step.destination) if step.destination else ()
            # An object that is identified by its owner says nothing in the row of that owner.
            is_named = identity and step.described.get("inverse") not in identity
            if step.destination is None or (is_named and not step.is_to_many):
                found.append(name)
        return found

    def _column(self, path: str) -> Column:
        entity = self._entity
        steps: list[Step] = []
        parts = path.split(".")
        for index, name in enumerate(parts):
            step = self._step(entity, name, path)
            if steps and steps[-1].described.get("inverse") == name:
                message = f"the path '{path}' leads back along '{name}'; query {entity} instead"
                raise error(Status.UNSUPPORTED, message, self._entity)
            steps.append(step)
            is_last = index == len(parts) - 1
            if step.destination is not None:
                entity = step.destination
            elif not is_last:
                message = f"'{name}' in the path '{path}' is an attribute, which leads no further"
                raise error(Status.UNKNOWN_PROPERTY, message, entity)
            if is_last and step.destination and not self._identity(entity):
                message = f"{entity} has no identity; give a path such as '{path}.NAME'"
                raise error(Status.INVALID_ARGUMENT, message, step.entity, name)
        return Column(path, tuple(steps))

    def _step(self, entity: str, name: str, path: str) -> Step:
        described = self._known.entities[entity]
        if name not in described["allProperties"]:
            message = f"the entity has no property '{name}'"
            message += f" (in the path '{path}')" if name != path else ""
            message += meant(name, list(described["allProperties"]))
            raise error(Status.UNKNOWN_PROPERTY, message, entity)
        return Step(entity, name, _declared(self._known.entities, entity, name))

    def mapping(self) -> Mapping:
        """Return a mapping of the same store that writes the properties on the paths only."""
        document = copy.deepcopy(self._known.document)
        for entity in document["entities"].values():
            entity["userInfo"] = {}
            for members in ("attributes", "relationships"):
                for described in entity.get(members, {}).values():
                    _forget(described)
        written = [(step.entity, step.name) for one in self.columns for step in one.steps]
        for name, entity in document["entities"].items():
            identity = self._identity(name)
            if identity:
                entity["userInfo"] = {"identityAttributes": ",".join(identity)}
            written += [(name, one) for one in identity]
        for entity, name in written:
            described = _declared(document["entities"], entity, name)
            described["userInfo"] = {"JSONKeyPath": escaped(name)}
        return Mapping(Model(document))

    def _identity(self, entity: str) -> dict[str, str | None]:
        """Return the parts of an identity, with the destination of each that is a relationship."""
        found = self._identities.get(entity)
        if found is None:
            names = self._known.mapping.identity(entity)
            found = {name: self._step(entity, name, name).destination for name in names}
            self._identities[entity] = found
        return found

    def _may_repeat(self) -> bool:
        """Whether a row may have an object twice, or one whose owner the export leaves out."""
        roots = [self._root(self._entity)]
        prefixes = set()
        for column in self.columns:
            for index, step in enumerate(column.steps):
                if step.destination is None:
                    continue
                identity = self._identity(step.destination)
                if step.described.get("inverse") in identity:
                    return True
                prefix = tuple(one.name for one in column.steps[: index + 1])
                if prefix not in prefixes:
                    prefixes.add(prefix)
                    roots.append(self._root(step.destination))
        return len(set(roots)) < len(roots)

    def _getter(self, column: Column) -> Callable[[dict[str, Any]], Any]:
        """Return the function that reads a column of rows without duplicates."""
        last = column.steps[-1]
        get: Callable[[Any], Any] = _itself
        if last.destination is not None:
            get = partial(self._named, entity=last.destination)
        for step in reversed(column.steps):
            get = (_members if step.is_to_many else _member)(step.name, get)
        return get

    def row(self, written: dict[str, Any]) -> list[Any]:
        """Return the values of the columns.

        Args:
            written: The JSON of an object.

        Returns:
            A value for each column: a scalar, an identity, or a list of them along a to-many
            relationship.
        """
        if self._getters is not None:
            return [get(written) for get in self._getters]
        met: Met = {}
        for column in self.columns:
            self._meet(written, self._entity, column.steps, met)
        return [self._value(written, self._entity, one.steps, met) for one in self.columns]

    def _meet(self, one: Any, entity: str, steps: tuple[Step, ...], met: Met) -> None:
        """Remember the objects along a path, and give them the owner that an export leaves out."""
        if not isinstance(one, dict):
            return
        key = self._root(entity), json.dumps(self._named(one, entity))
        if len(one) >= len(met.get(key, ())):
            met[key] = one
        if not steps or steps[0].destination is None:
            return
        destination, inverse = steps[0].destination, steps[0].described.get("inverse")
        is_owned = inverse in self._identity(destination)
        found = one.get(steps[0].name)
        for member in found if isinstance(found, list) else [found]:
            if is_owned and isinstance(member, dict):
                member[inverse] = self._named(one, entity)
            self._meet(member, destination, steps[1:], met)

    def _value(self, one: Any, entity: str, steps: tuple[Step, ...], met: Met) -> Any:
        """Follow a path from an object."""
        if one is None:
            return None
        if not steps:
            return self._named(one, entity)
        step, rest = steps[0], steps[1:]
        found: Any = None
        if isinstance(one, dict) and step.name in one:
            found = one[step.name]
        else:
            named = json.dumps(self._named(one, entity))
            found = met.get((self._root(entity), named), {}).get(step.name)
        if step.destination is None:
            return found
        if step.is_to_many:
            return [self._value(member, step.destination, rest, met) for member in found or ()]
        return self._value(found, step.destination, rest, met)

    def _named(self, one: Any, entity: str) -> Any:
        """Return the identity of an object: a value, or values by name."""
        parts = self._identity(entity)
        if not isinstance(one, dict) or not parts:
            return one
        values = {
            name: one.get(name) if destination is None else self._named(one.get(name), destination)
            for name, destination in parts.items()
        }
        return values if len(values) > 1 else next(iter(values.values()))

    def _root(self, entity: str) -> str:
        """Return the root of a hierarchy, in which identities are unique."""
        while (parent := self._known.entities[entity].get("parent")) is not None:
            entity = parent
        return entity


def _itself(value: Any) -> Any:
    return value


def _member(name: str, get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def member(one: dict[str, Any]) -> Any:
        found = one.get(name)
        return None if found is None else get(found)

    return member


def _members(name: str, get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda one: [get(member) for member in one.get(name) or ()]


def _declared(entities: dict[str, Any], entity: str, name: str) -> dict[str, Any]:
    """Return the description of a property, which an entity may inherit."""
    current: str | None = entity
    while current is not None:
        described = entities[current]
        for members in ("attributes", "relationships"):
            if name in described.get(members, {}):
                found: dict[str, Any] = described[members][name]
                return found
        current = described.get("parent")
    return {}


def _forget(described: dict[str, Any]) -> None:
    """Remove the annotations of a property and of its elements."""
    described["userInfo"] = {}
    for element in (described.get("elements") or {}).values():
        _forget(element)
