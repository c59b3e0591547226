"""A second look at the records: whether an identity always stands for the same content."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, repeat
from operator import itemgetter
from typing import Any

from groot.models.infer._entities import Edge, Entity
from groot.models.infer._places import Place, find
from groot.models.infer._uses import Use, target_of, use_of
from groot.models.infer._values import Spill, Values


@dataclass
class Contents:
    """Whether the objects with the same keys have the same content."""

    entities: tuple[Entity, ...]
    keys: tuple[str, ...]
    """The keys of the identity."""
    shared: frozenset[str] | None
    """The keys that must have the same content; None for all."""
    identities: Values
    pairs: Values
    """Hashes of identity and content together."""
    objects: int = 0

    @property
    def conflicts(self) -> int:
        """The number of contents beyond one for each identity."""
        return self.pairs.count() - self.identities.count()

    def add(self, objects: list[dict[str, Any]]) -> None:
        """Take in objects; those without the keys say nothing."""
        for shape, group in _by_shape(objects):
            if not all(key in shape for key in self.keys):
                continue
            self.objects += len(group)
            wanted = set(shape) if self.shared is None else self.shared.union(self.keys)
            keys = tuple(key for key in sorted(shape) if key in wanted)
            # A batch has few different contents where objects come again and again.
            contents = set(zip(*(_column(group, key) for key in keys)))
            identify = itemgetter(*map(keys.index, self.keys))
            self.identities.add(map(hash, map(identify, contents)))
            self.pairs.add(map(hash, zip(repeat(keys), contents)))


@dataclass
class Repeats:
    """How many lists name one object twice."""

    edge: Edge
    keys: tuple[str, ...]
    lists: int = 0

    def add(self, lists: Iterable[list[dict[str, Any]]]) -> None:
        """Take in lists of members."""
        identify = itemgetter(*self.keys)
        for members in lists:
            if len(members) > 1 and len(set(map(identify, members))) < len(members):
                self.lists += 1


@dataclass
class Links:
    """A digest of the pairs that a relationship links, whatever their order."""

    entity: Entity
    key: str
    identity: str
    forward: int = 0
    backward: int = 0
    count: int = 0

    def add(self, objects: list[dict[str, Any]]) -> None:
        """Take in the links of objects."""
        linked = [one for one in objects if one.get(self.key) is not None]
        mine: list[Any] = [one[self.identity] for one in linked]
        others: list[Any] = [one[self.key] for one in linked]
        if others and type(others[0]) is list:
            mine = list(chain.from_iterable(map(repeat, mine, map(len, others))))
            others = list(chain.from_iterable(others))
        # Hashes of tuples are nearly linear: their sum for a ring is that of the turned ring.
        self.forward += sum(map(hash, map("{}\0{}".format, mine, others)))
        self.backward += sum(map(hash, map("{}\0{}".format, others, mine)))
        self.count += len(others)


@dataclass
class Examination:
    """All questions of a second look."""

    spill: Spill
    contents: list[Contents] = field(default_factory=list)
    repeats: list[Repeats] = field(default_factory=list)
    links: list[Links] = field(default_factory=list)

    def ask(
        self, entities: tuple[Entity, ...], keys: tuple[str, ...], shared: frozenset[str] | None
    ) -> Contents:
        """Ask whether an identity stands for the same content everywhere."""
        question = Contents(entities, keys, shared, Values(self.spill), Values(self.spill))
        self.contents.append(question)
        return question

    def __bool__(self) -> bool:
        """Tell whether there is a question."""
        return bool(self.contents or self.repeats or self.links)

    def _is_answered(self) -> bool:
        """Return whether more records would change no answer."""
        return all(one.conflicts > 0 for one in self.contents)

    def look(self, root: Place, batches: Iterable[list[Any]], entities: list[Entity]) -> None:
        """Go through the records once, and answer all questions."""
        by_place: dict[int, list[Callable[[list[dict[str, Any]]], None]]] = {}
        for question in self.contents:
            _note(by_place, question.entities, question.add)
        for link in self.links:
            _note(by_place, (link.entity,), link.add)
        by_list: dict[int, list[Repeats]] = {}
        for one in self.repeats:
            by_list.setdefault(id(one.edge.place), []).append(one)
        walk = _Walk(by_place, by_list, _places_on_the_way(entities, by_place, by_list))
        for number, batch in enumerate(batches):
            walk.through(root, batch)
            # The first records tell most that do not identify; to ask often would cost more.
            is_time = number & (number + 1) == 0
            if is_time and not (self.repeats or self.links) and self._is_answered():
                return


def _note(by_place: dict[int, Any], entities: Iterable[Entity], take: Any) -> None:
    for entity in entities:
        for place in entity.places:
            by_place.setdefault(id(place), []).append(take)


def _places_on_the_way(
    entities: list[Entity], by_place: dict[int, Any], by_list: dict[int, Any]
) -> set[int]:
    """Return the entities that lead to a place with a question."""
    wanted = {
        id(entity)
        for entity in entities
        if any(id(place) in by_place for place in entity.places)
        or any(id(edge.place) in by_list for edge in entity.edges.values())
    }
    has_changed = True
    while has_changed:
        has_changed = False
        for entity in entities:
            leads = any(id(edge.target) in wanted for edge in entity.edges.values())
            leads = leads or any(id(one) in wanted for one in entity.kinds)
            if leads and id(entity) not in wanted:
                wanted.add(id(entity))
                has_changed = True
    return {id(place) for entity in entities if id(entity) in wanted for place in entity.places}


class _Walk:
    """A walk through records, along the places that lead to questions."""

    def __init__(self, by_place: dict[int, Any], by_list: dict[int, Any], wanted: set[int]) -> None:
        self._by_place = by_place
        self._by_list = by_list
        self._wanted = wanted

    def through(self, root: Place, records: list[Any]) -> None:
        """Go through records."""
        work: list[tuple[Place, list[Any]]] = [(find(root), records)]
        while work:
            place, values = work.pop()
            objects = [one for one in values if type(one) is dict]
            if not objects or id(place) not in self._wanted:
                continue
            if place.split is not None:
                work.extend(_kinds(place, place.split, objects))
            for take in self._by_place.get(id(place), ()):
                take(objects)
            for key, member in place.members.items():
                work.extend(self._members(find(member), key, objects))

    def _members(
        self, place: Place, key: str, objects: list[dict[str, Any]]
    ) -> Iterator[tuple[Place, list[Any]]]:
        target = target_of(place)
        if target is None or (id(target) not in self._wanted and id(place) not in self._by_list):
            return
        values = [one[key] for one in objects if one.get(key) is not None]
        use = use_of(place)
        if use is Use.LIST:
            for repeat in self._by_list.get(id(place), ()):
                repeat.add(values)
            values = list(chain.from_iterable(values))
        elif use is Use.KEYED:
            values = list(chain.from_iterable(map(dict.values, values)))
        elif use is Use.GROUPED:
            values = list(chain.from_iterable(chain.from_iterable(map(dict.values, values))))
        yield target, values


def _kinds(
    place: Place, split: str, objects: list[dict[str, Any]]
) -> Iterator[tuple[Place, list[Any]]]:
    groups: dict[str, list[Any]] = {}
    for one in objects:
        groups.setdefault(one[split], []).append(one)
    for text, group in groups.items():
        yield find(place.kinds[text]), group


def _by_shape(
    objects: list[dict[str, Any]],
) -> Iterable[tuple[tuple[str, ...], list[dict[str, Any]]]]:
    """Group objects by their keys."""
    shapes = set(map(tuple, objects))
    if len(shapes) == 1:
        return [(shapes.pop(), objects)]
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for one in objects:
        groups.setdefault(tuple(one), []).append(one)
    return groups.items()


def _column(objects: list[dict[str, Any]], key: str) -> list[Any]:
    """Return the values of a key, with texts in the place of objects and lists."""
    column = list(map(itemgetter(key), objects))
    is_flat = {dict, list}.isdisjoint(map(type, column))
    return column if is_flat else list(map(_canonical, column))


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)
