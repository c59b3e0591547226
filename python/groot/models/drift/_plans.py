"""The key paths of entities as trees, which records are compared with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from groot.models._key_paths import Step
from groot.models.drift._paths import KeyPath, key_path
from groot.models.drift._schema import Property, Schema


class Node:
    """A place in the records of an entity."""

    def __init__(self) -> None:
        """Make a place without anything below."""
        self.keys: dict[str, Node] = {}
        self.positions: dict[int, Node] = {}
        self.element: Node | None = None
        self.properties: list[Property] = []
        self.members: list[Property] = []
        self.is_opaque = False
        self.is_leaf = True
        self.seen = 0
        self.nulls = 0
        self.containers = 0

    def below(self, step: Step) -> Node:
        """Return the place that a step leads to, and make it if it is new."""
        self.is_leaf = False
        if step is None:
            self.element = self.element or Node()
            return self.element
        if isinstance(step, int):
            return self.positions.setdefault(step, Node())
        return self.keys.setdefault(step, Node())

    def children(self) -> Iterator[Node]:
        """Yield the places directly below."""
        yield from self.keys.values()
        yield from self.positions.values()
        if self.element is not None:
            yield self.element


class Plan:
    """The paths of the records of an entity, or of several that nothing tells apart."""

    def __init__(self, schema: Schema, entities: list[str], is_document: bool = False) -> None:
        """Lay the paths of entities over one another.

        Args:
            schema: The model.
            entities: The entities.
            is_document: Whether their records are documents, in which `@root` leads to keys.
        """
        self._schema = schema
        self.entities = entities
        self.root = Node()
        self.objects = 0
        self.parents: list[tuple[Property, KeyPath, Node]] = []
        self.roots: list[tuple[Property, KeyPath, Node]] = []
        self.properties = {
            one.title: one for entity in entities for one in schema.properties(entity)
        }
        for one in self.properties.values():
            for path in one.paths:
                self._add(one, path)
            if one.discriminator:
                self._know(self.root, one.discriminator.steps)
        if is_document:
            for given, path in schema.outer(list(schema.entities), "@root"):
                self._know(self.root, path.steps, given)
        for entity in entities:
            if schema.annotation(entity, "JSONDictionaryTransformerName"):
                self.root.is_opaque = True
            for name in ("groot.discriminator", "groot.tombstone"):
                if text := schema.annotation(entity, name):
                    path = key_path(text.partition("=")[0].strip())
                    self._know(self.root, () if path.special else path.steps)

    @property
    def is_changed_first(self) -> bool:
        """Whether a function changes the records before they are read."""
        return self.root.is_opaque

    @staticmethod
    def _know(node: Node, steps: tuple[Step, ...], given: Property | None = None) -> None:
        """Keep a path from being new, although a property of other objects is read from it."""
        for step in steps:
            node = node.below(step)
        if given is not None and (given.is_opaque or given.destination):
            node.is_opaque = True

    def _add(self, given: Property, path: KeyPath) -> None:
        if path.special in ("@parent", "@root"):
            node = Node()
            node.properties.append(given)
            way = self.parents if path.special == "@parent" else self.roots
            way.append((given, path, node))
            return
        if path.special:
            return
        node = around = self.root
        for step in path.steps:
            around = node if isinstance(step, str) else around
            node = node.below(step)
        if given.destination and given.is_read:
            family = self._schema.family(given.destination)
            for other, outer in self._schema.outer(family, "@parent"):
                self._know(around, outer.steps, other)
        node.is_opaque = node.is_opaque or given.is_opaque
        if given.is_read:
            node.properties.append(given)
            if given.destination:
                node.members.append(given)
                node.is_leaf = False
        else:
            node.is_opaque = True

    def found(self) -> set[str]:
        """Return the properties of which at least one path led to something."""
        seen: set[str] = set()
        pending = [(self.root, False)]
        while pending:
            node, is_null = pending.pop()
            if node.seen or is_null:
                seen.update(one.title for one in node.properties)
            # Null and empty lists say nothing about the keys below, unless objects do.
            is_null = is_null or (node.nulls > 0 and not node.containers)
            pending += [(one, is_null) for one in node.children()]
        for given, _, node in (*self.parents, *self.roots):
            if node.seen:
                seen.add(given.title)
        return seen


class Plans:
    """The plans of all entities of a model."""

    def __init__(self, schema: Schema) -> None:
        """Make the plans when they are needed.

        Args:
            schema: The model.
        """
        self.schema = schema
        self.documents: set[str] = set()
        """The entities whose records are documents."""
        self._made: dict[tuple[str, ...], Plan] = {}
        self._choices: dict[str, Plan | tuple[KeyPath, dict[str, str]]] = {}

    def __iter__(self) -> Iterator[Plan]:
        """Yield the plans that records had."""
        return iter(self._made.values())

    def of(self, entity: str, record: Any) -> Plan | None:
        """Return the plan of a record.

        Args:
            entity: The entity that was asked for.
            record: The record.

        Returns:
            The plan, or None if the record names an entity that is unknown.
        """
        if entity not in self._choices:
            self._choices[entity] = self._choice(entity) or self._plan(self._all(entity))
        choice = self._choices[entity]
        if isinstance(choice, Plan):
            return choice
        path, kinds = choice
        value = at(record, path.steps)
        kind = kinds.get(_text(value))
        if kind is None and self._is_base(entity):
            kind = entity
        return self._plan((kind,)) if kind else None

    def _choice(self, entity: str) -> tuple[KeyPath, dict[str, str]] | None:
        kinds = self.schema.kinds(entity)
        path = self.schema.annotation(entity, "groot.discriminator")
        if kinds is None or path is None or key_path(path).special:
            return None
        return key_path(path), kinds

    def _is_base(self, entity: str) -> bool:
        return self.schema.annotation(entity, "groot.unknownDiscriminator") == "base"

    def _all(self, entity: str) -> tuple[str, ...]:
        names = ("entityMapperName", "groot.discriminator")
        is_any = any(self.schema.annotation(entity, name) for name in names)
        if is_any or self.schema.entities[entity].get("abstract"):
            return tuple(self.schema.family(entity))
        return (entity,)

    def _plan(self, entities: tuple[str, ...]) -> Plan:
        if entities not in self._made:
            lineage = {one for entity in entities for one in self.schema.line(entity)}
            is_document = bool(lineage & self.documents)
            self._made[entities] = Plan(self.schema, list(entities), is_document)
        return self._made[entities]


NOTHING = object()
"""The result of a path that leads nowhere."""


def at(value: Any, steps: tuple[Step, ...]) -> Any:
    """Return the value that steps lead to; None on the way gives None.

    Args:
        value: The value where the path begins.
        steps: The steps; an array on the way stands for its elements.

    Returns:
        The value, of the first element where there are several, or `NOTHING`.
    """
    for index, step in enumerate(steps):
        if value is None:
            return None
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step, NOTHING)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step] if step < len(value) else NOTHING
        elif isinstance(value, list):
            rest = steps[index:] if step is not None else steps[index + 1 :]
            found = (at(one, rest) for one in value)
            return next((one for one in found if one is not NOTHING), NOTHING)
        else:
            return NOTHING
        if value is NOTHING:
            return NOTHING
    return value


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
