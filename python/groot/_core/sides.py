"""The sides of a link: of two inverse relationships, the one that is derived from the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from groot._core.schema import Schema

_WORD = re.compile(r"[^\W\d]\w*")


class _Side(NamedTuple):
    """A relationship with the entity that declares it."""

    entity: str
    name: str
    described: dict[str, Any]


class Sides:
    """The relationships of a model, each with the answer whether it is derived."""

    def __init__(self, schema: Schema) -> None:
        """Begin without an answer."""
        self._schema = schema
        self._derived: dict[tuple[str, str], bool] = {}
        self._ruled: frozenset[str] | None = None

    def is_derived(self, entity: str, name: str) -> bool:
        """Whether the inverse relationship shows the links of this one.

        It does if the mapping reads only the inverse. If it reads both or none, a to-one
        relationship shows them, or else that of the entity whose name sorts first.
        """
        key = entity, name
        if key not in self._derived:
            self._derived[key] = self._find(entity, name)
        return self._derived[key]

    def is_own_inverse(self, entity: str, name: str) -> bool:
        """Whether a relationship is its own inverse, as that of friends is."""
        side = self._side(entity, name)
        other = self._inverse(side)
        return other is not None and other[:2] == side[:2]

    def _find(self, entity: str, name: str) -> bool:
        side = self._side(entity, name)
        other = self._inverse(side)
        if other is None or other[:2] == side[:2]:
            return False
        is_read, is_inverse_read = self._is_read(side), self._is_read(other)
        if is_read != is_inverse_read:
            return is_inverse_read
        to_many = bool(side.described.get("toMany"))
        if to_many != bool(other.described.get("toMany")):
            return to_many
        return side[:2] > other[:2]

    def _side(self, entity: str, name: str) -> _Side:
        """Find the entity that declares a relationship."""
        for one, described in self._lineage(entity):
            if name in described.get("relationships", {}):
                return _Side(one, name, described["relationships"][name])
        return _Side(entity, name, {})

    def _inverse(self, side: _Side) -> _Side | None:
        destination, inverse = side.described.get("destination"), side.described.get("inverse")
        return self._side(destination, inverse) if destination and inverse else None

    def _lineage(self, entity: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield an entity and those that it inherits from."""
        name: str | None = entity
        while name:
            described = self._schema.entities[name]
            yield name, described
            name = described.get("parent")

    def _is_read(self, side: _Side) -> bool:
        """Whether imports read a relationship."""
        schema, notes = self._schema, side.described.get("userInfo", {})
        if schema.dialect == "hyper":
            return True
        if schema.rules is not None and side.name in self._words_of_rules():
            return True
        if notes.get("groot.direction") == "export":
            return False
        entity = schema.entities[side.entity].get("userInfo", {})
        is_implicit = schema.is_implicit or str(entity.get("groot.implicit", "")) == "true"
        return is_implicit or "JSONKeyPath" in notes

    def _words_of_rules(self) -> frozenset[str]:
        """Gather the words in the rules, among which are the relationships that they set.

        Names of records and external keys with rules below them are among the words, too. That is
        near enough: the answer only chooses the side that is shown.
        """
        if self._ruled is None:
            found: set[str] = set()
            left: list[Any] = [self._schema.rules]
            while left:
                one = left.pop()
                if isinstance(one, Mapping):
                    for key, value in one.items():
                        if isinstance(value, Mapping):
                            found.update(_WORD.findall(key))
                    left.extend(one.values())
                elif isinstance(one, (list, tuple)):
                    left.extend(one)
                elif isinstance(one, str):
                    found.update(_WORD.findall(one))
            self._ruled = frozenset(found)
        return self._ruled
