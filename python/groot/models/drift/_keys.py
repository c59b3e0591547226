"""The keys of records beside the paths of a model: those that are missing, and new ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from groot.models.drift._paths import rendered
from groot.models.drift._plans import NOTHING, Node, Plans, at
from groot.models.drift._schema import Property


@dataclass
class NewKey:
    """An unmapped key."""

    count: int
    """The number of objects that have it."""
    file: str
    line: int
    """The line where the first record with it begins; 0 without a text."""


@dataclass
class _Route:
    """The way from the top to objects of an entity, where each relationship is taken once."""

    text: str
    taken: dict[str, _Route] = field(default_factory=dict)
    next: dict[tuple[str, str], _Route] = field(default_factory=dict)

    def step(self, given: Property, below: str) -> _Route:
        """Return the way along a relationship; the same way if it was taken before."""
        if given.title in self.taken:
            return self.taken[given.title]
        found = self.next.get((given.title, below))
        if found is None:
            found = self.next[given.title, below] = _Route(self.text + below)
            found.taken = {**self.taken, given.title: found}
        return found


_Visit = tuple[Node, Any, Any, _Route, str, bool]
"""A place, the value there, the object around it, the way, the path from there, whether known."""


class Keys:
    """Counts the values that records have at the paths of a model, and their unmapped keys."""

    def __init__(self, plans: Plans) -> None:
        """Begin with nothing.

        Args:
            plans: The plans of the entities.
        """
        self.new: dict[str, NewKey] = {}
        self.plans = plans
        self._tops: dict[str, _Route] = {}
        self._pending: list[_Visit] = []
        self._document: Any = None
        self._place = ("", 0)

    def add(
        self, entity: str, record: Any, top: str, outer: tuple[Any, Any], place: tuple[str, int]
    ) -> None:
        """Compare a record with the paths.

        Args:
            entity: The entity of the records.
            record: The record.
            top: The path of all records, such as `$.heroes[]`.
            outer: The object of JSON around the record, and the document.
            place: The file, and the line where the record begins.
        """
        self._document = outer[1]
        self._place = place
        route = self._tops.setdefault(top, _Route(top))
        self._object(entity, record, outer[0], route)
        pending = self._pending
        while pending:
            self._visit(pending.pop())

    def _object(self, entity: str, value: Any, parent: Any, route: _Route) -> None:
        """Begin with an object of an entity; others are identifiers."""
        if not isinstance(value, (dict, list)):
            return
        plan = self.plans.of(entity, value)
        if plan is None or (isinstance(value, list) and not plan.root.positions):
            return
        plan.objects += 1
        for _, path, there in plan.parents:
            there.seen += at(parent, path.steps) is not NOTHING
        for _, path, there in plan.roots:
            there.seen += at(self._document, path.steps) is not NOTHING
        self._pending.append((plan.root, value, parent, route, "", plan.root.is_opaque))

    def _visit(self, visit: _Visit) -> None:
        node, value, parent, route, below, is_known = visit
        if value is None or value == []:
            node.nulls += 1
            return
        node.containers += isinstance(value, (dict, list))
        for given in node.members:
            self._members(given, value, parent, route, below)
        if node.members and not node.keys:
            return
        if isinstance(value, dict):
            self._keys(node, value, route, below, is_known or bool(node.members))
        elif isinstance(value, list):
            self._elements(node, value, parent, route, below, is_known)

    def _keys(
        self, node: Node, value: dict[str, Any], route: _Route, below: str, is_known: bool
    ) -> None:
        keys = node.keys
        if not keys and (node.properties or node.positions or node.element):
            return
        for key, one in value.items():
            child = keys.get(key)
            if child is not None:
                child.seen += 1
                if not child.is_leaf:
                    where = below + rendered(key)
                    self._pending.append(
                        (child, one, value, route, where, is_known or child.is_opaque)
                    )
            elif not is_known:
                self._note(route.text + below + rendered(key))

    def _elements(
        self, node: Node, value: list[Any], parent: Any, route: _Route, below: str, is_known: bool
    ) -> None:
        if node.positions:
            for position, child in node.positions.items():
                if position < len(value):
                    child.seen += 1
                    where = f"{below}[{position}]"
                    one = value[position]
                    self._pending.append(
                        (child, one, parent, route, where, is_known or child.is_opaque)
                    )
            if not is_known and not node.element:
                for position in range(len(value)):
                    if position not in node.positions:
                        self._note(f"{route.text}{below}[{position}]")
        below += "[]"
        element = node.element
        if element is not None:
            element.seen += 1
            is_known = is_known or element.is_opaque
            self._pending += [(element, one, parent, route, below, is_known) for one in value]
            return
        for one in value if node.keys else ():
            if isinstance(one, dict):
                self._keys(node, one, route, below, is_known)

    def _members(self, given: Property, value: Any, parent: Any, route: _Route, below: str) -> None:
        entity = given.destination
        if entity is None:
            return
        if given.is_to_many and given.form != "array" and isinstance(value, dict):
            route = route.step(given, below + (".*" if given.form == "keyed" else ".*[]"))
            for one in value.values():
                several = one if given.form == "grouped" and isinstance(one, list) else [one]
                for member in several:
                    self._object(entity, member, parent, route)
        elif isinstance(value, list) and given.is_to_many:
            route = route.step(given, below + "[]")
            for one in value:
                self._object(entity, one, parent, route)
        else:
            self._object(entity, value, parent, route.step(given, below))

    def _note(self, path: str) -> None:
        found = self.new.get(path)
        if found is None:
            self.new[path] = NewKey(1, *self._place)
        else:
            found.count += 1
