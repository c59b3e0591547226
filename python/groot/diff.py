"""The changes of a report as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from groot._core.schema import Entity, Schema
from groot._core.shown import name_text, value_text
from groot._core.sides import Sides
from groot._core.text import refusal
from groot.changes import Change
from groot.errors import Error
from groot.objects import BaseObject

_MEMBERS = 10
"""The number of members of a list that are written."""


class _Part(NamedTuple):
    """A property that a line shows."""

    name: str
    old: Any
    """The old value of an attribute or a to-one relationship; the members that left a to-many."""
    new: Any


class _Line(NamedTuple):
    change: Change
    parts: list[_Part]


def text(changes: Sequence[Change], schema: Schema, limit: int | None) -> str:
    """Write changes, one a line, and the number of those beyond the limit."""
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise refusal("limit", limit, "a number of lines from 1, or None")
    writer = _Writer(changes, schema)
    lines = list(writer.lines())
    shown = lines if limit is None else lines[:limit]
    written = [writer.written(line) for line in shown]
    more = len(lines) - len(shown)
    if more:
        written.append(f"… {more:,} more change{'' if more == 1 else 's'}")
    return "\n".join(written)


class _Writer:
    """The changes of one report, in which objects that are gone are looked up."""

    def __init__(self, changes: Sequence[Change], schema: Schema) -> None:
        self._changes = changes
        self._schema = schema
        self._sides = Sides(schema)
        self._by_id = {change.id: change for change in changes}
        self._order = {change.id: index for index, change in enumerate(changes)}

    def lines(self) -> Iterator[_Line]:
        """Yield the changes that differ in more than derived relationships."""
        for change in self._changes:
            parts = [] if change.change == "deleted" else list(self._parts(change))
            if parts or change.change != "updated":
                yield _Line(change, parts)

    def written(self, line: _Line) -> str:
        """Write one line."""
        change = line.change
        name = self._name(change.id, change.entity, ())
        if change.change == "deleted":
            return f"- {name}"
        write = self._set if change.change == "inserted" else self._changed
        entity = self._schema.entity(change.entity)
        parts = ", ".join(write(entity, part) for part in line.parts)
        sign = "+ " if change.change == "inserted" else ""
        return f"{sign}{name}: {parts}" if parts else f"{sign}{name}"

    def _parts(self, change: Change) -> Iterator[_Part]:
        """Yield the properties of a line, without identity of new objects and derived links."""
        entity = self._schema.entity(change.entity)
        is_new = change.change == "inserted"
        for name, (old, new) in change.properties.items():
            described = entity.properties[name]
            if is_new and name in entity.identity:
                continue
            if not described.type and self._sides.is_derived(entity.name, name):
                continue
            if described.to_many:
                part = self._members(change, name, old, new)
            elif described.type or not self._is_shown_by(change, name, old, new):
                part = _Part(name, old, new)
            else:
                continue
            if part is not None and not (is_new and part.new is None):
                yield part

    def _members(self, change: Change, name: str, old: Any, new: Any) -> _Part | None:
        """Return the members that left and those that came; None if there are none to show."""
        before, after = set(map(_number, old)), set(map(_number, new))
        left = [one for one in old if _number(one) not in after]
        came = [one for one in new if _number(one) not in before]
        is_other_order = not left and not came
        if self._sides.is_own_inverse(change.entity, name):
            left = [one for one in left if not self._is_earlier(one, change)]
            came = [one for one in came if not self._is_earlier(one, change)]
        is_shown = left or came or (is_other_order and change.change == "updated")
        return _Part(name, left, came) if is_shown else None

    def _is_shown_by(self, change: Change, name: str, old: Any, new: Any) -> bool:
        """Whether the other end of a to-one relationship that is its own inverse shows it."""
        if not self._sides.is_own_inverse(change.entity, name):
            return False
        return all(one is None or self._is_earlier(one, change) for one in (old, new))

    def _is_earlier(self, one: Any, change: Change) -> bool:
        """Whether an object has an earlier line, which shows its links."""
        number = _number(one)
        place = self._order.get(number)
        is_shown = place is not None and self._by_id[number].change != "deleted"
        return is_shown and place is not None and place < self._order[change.id]

    def _changed(self, entity: Entity, part: _Part) -> str:
        """Write the change of a property."""
        name, described = name_text(part.name), entity.properties[part.name]
        if not described.to_many:
            old, new = self._value(entity, part, part.old), self._value(entity, part, part.new)
            return f"{name} {old} → {new}"
        if not part.old and not part.new:
            return f"{name} in another order"
        come = self._list(part.new, described.destination, "+ ")
        gone = self._list(part.old, described.destination, "- ")
        return f"{name} {', '.join(come + gone)}"

    def _set(self, entity: Entity, part: _Part) -> str:
        """Write a property of a new object."""
        name, described = name_text(part.name), entity.properties[part.name]
        if not described.to_many:
            return f"{name}={self._value(entity, part, part.new)}"
        return f"{name}=[{', '.join(self._list(part.new, described.destination, ''))}]"

    def _list(self, members: list[Any], destination: str, sign: str) -> list[str]:
        """Write the first members of a list, and the number of the others."""
        shown = [f"{sign}{self._name(one, destination, ())}" for one in members[:_MEMBERS]]
        more = len(members) - len(shown)
        return [*shown, f"{sign}… {more:,} more"] if more else shown

    def _value(self, entity: Entity, part: _Part, value: Any) -> str:
        described = entity.properties[part.name]
        if described.type or value is None:
            return value_text(value)
        return self._name(value, described.destination, ())

    def _name(self, one: Any, destination: str, outer: tuple[int, ...]) -> str:
        """Write an object as its entity and identity; its number stands for a missing identity.

        `outer` has the objects whose identity this one is a part of.
        """
        number = _number(one)
        change = self._by_id.get(number)
        found = one if isinstance(one, BaseObject) else change.object if change else None
        name = destination
        if found is not None:
            name = found._entity.name
        elif change is not None:
            name = change.entity
        entity = self._schema.entity(name)
        values = {} if number in outer else self._identity(entity, change, found)
        if not any(value is not None for value in values.values()):
            return f"{name_text(name)} #{number}"
        parts = []
        for part, value in values.items():
            described = entity.properties[part]
            if described.type or value is None:
                parts.append(f"{name_text(part)}={value_text(value)}")
            else:
                inner = self._name(value, described.destination, (*outer, number))
                parts.append(f"{name_text(part)}=({inner})")
        return f"{name_text(name)} {' '.join(parts)}"

    def _identity(
        self, entity: Entity, change: Change | None, found: BaseObject | None
    ) -> dict[str, Any]:
        """Find the values of an identity: those before the change, or those of a new object."""
        values = {}
        for name in entity.identity:
            if change and name in change.properties:
                old, new = change.properties[name]
                values[name] = new if change.change == "inserted" else old
            elif found is None:
                values[name] = None
            else:
                try:
                    values[name] = found[name]
                except (Error, OverflowError):  # deleted since, or a date beyond datetime
                    return {}
        return values


def _number(one: Any) -> int:
    """Return the number of an object, which stands for one that is gone."""
    return one._number if isinstance(one, BaseObject) else one
