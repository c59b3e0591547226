"""Entities: the places whose objects have one shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from groot.models.infer._places import Place, find, unite
from groot.models.infer._uses import RELATIONSHIPS, Use, scalar_type, target_of, use_of


@dataclass(frozen=True)
class Around:
    """A value of the document that is a part of the identity of its records."""

    path: tuple[str, ...]
    """The keys in the document."""
    type: str
    key: str
    """The key of the records that is unique in each document."""
    documents: int


@dataclass(eq=False)
class Edge:
    """A relationship between entities."""

    owner: Entity
    key: str
    place: Place
    """The place of the value, which is an object, a list or a map."""
    target: Entity
    objects: Place
    """The place of the members."""
    properties: tuple[str, ...] = ()
    """The keys that the members have, if they are not all of the entity."""
    json: str = ""
    """Why the value is kept as JSON, if it is."""

    @property
    def use(self) -> Use:
        """The form of the value."""
        return use_of(self.place)


@dataclass(eq=False)
class Entity:
    """Objects of one shape, at one or more places."""

    places: list[Place]
    base: Entity | None = None
    """The entity of which this is a kind."""
    kind: str = ""
    """The text that chooses this kind."""
    name: str = ""
    around: Around | None = None
    """The value of the document that is a part of the identity of its records."""
    titles: dict[str, str] = field(default_factory=dict)
    """The titles of columns by key, where records are arrays."""
    kinds: list[Entity] = field(default_factory=list)
    """The kinds of this entity."""
    edges: dict[str, Edge] = field(default_factory=dict)
    """The relationships that lead to other entities, by key."""
    owners: list[Edge] = field(default_factory=list)
    """The relationships that lead here."""
    identity: tuple[str, ...] = ()
    """The keys that identify an object, alone or within its owner; often none."""
    is_owned: bool = False
    """Whether the owner is a part of the identity."""
    reason: str = ""
    """The evidence for the identity."""
    candidates: list[str] = field(default_factory=list)
    """Keys that are unique, but not taken."""
    rejected: list[str] = field(default_factory=list)
    """Keys with the name of an identity, and the reason against each."""
    references: list[Edge] = field(default_factory=list)
    """The relationships whose members have some of the keys only."""

    @cached_property
    def objects(self) -> int:
        """The number of objects at all places."""
        return sum(place.objects for place in self.places)

    @cached_property
    def members(self) -> dict[str, Place]:
        """The places of members by key, in the order of appearance; final once it is read."""
        found: dict[str, Place] = {}
        for place in self.places:
            for key, member in place.members.items():
                found.setdefault(key, find(member))
        return found

    @property
    def is_root(self) -> bool:
        """Whether records are among the objects."""
        return any(is_root(place) for place in self.places)

    @property
    def split(self) -> str | None:
        """The key of the text that chooses the kind."""
        return self.places[0].split


def entities_of(roots: list[Place]) -> list[Entity]:
    """Group the places of objects by their shapes.

    Args:
        roots: The places of the records.

    Returns:
        The entities, in the order of appearance. Those of kinds follow their base.
    """
    groups = _Groups()
    while groups.join(list(_object_places(roots))):
        pass
    return _linked(groups, roots)


_Group = tuple["str | None", "frozenset[str]"]


class _Groups:
    """Sets of places that are one entity."""

    def __init__(self) -> None:
        self._leader: dict[int, Place] = {}
        self._places: dict[int, list[Place]] = {}
        self._known: dict[int, Place] = {}

    def of(self, place: Place) -> Place:
        """Return the place that stands for the entity of a place."""
        place = find(place)
        self._known[id(place)] = place
        return self._top(place)

    def _top(self, place: Place) -> Place:
        while id(place) in self._leader:
            place = self._leader[id(place)]
        return place

    def members(self, place: Place) -> list[Place]:
        """Return the places of an entity."""
        top = self.of(place)
        return list(dict.fromkeys(map(find, self._places.get(id(top), [top]))))

    def unite(self, one: Place, other: Place) -> bool:
        """Make two places the same entity, and tell whether they were not yet."""
        one, other = self.of(one), self.of(other)
        if one is other or (self._has_records(one) and self._has_records(other)):
            return False
        self._follow(other, one)
        return True

    def _follow(self, other: Place, one: Place) -> None:
        places = self._places.pop(id(one), [one])
        self._places[id(one)] = places + self._places.pop(id(other), [other])
        self._leader[id(other)] = one

    def settle(self) -> None:
        """Keep the places that others have taken in, with their groups, in the groups of these."""
        for place in [one for one in self._known.values() if one.successor is not None]:
            del self._known[id(place)]
            mine, others = self._top(place), self.of(place)
            if mine is not others:
                is_alive = mine.successor is None
                self._follow(*((others, mine) if is_alive else (mine, others)))
            elif mine is place:
                after = find(place)
                del self._leader[id(after)]
                self._leader[id(place)] = after
                self._places[id(after)] = self._places.pop(id(place))

    def _has_records(self, place: Place) -> bool:
        """Return whether records are of an entity; those of two roots never are of the same."""
        return any(map(is_root, self.members(place)))

    def join(self, places: list[Place]) -> bool:
        """Unite places of one shape, and their members; tell whether something changed."""
        has_changed = False
        by_keys: dict[_Group, list[Place]] = defaultdict(list)
        by_required: dict[_Group, list[Place]] = defaultdict(list)
        for place in places:
            label = place.kind if place.split is None else f"by {place.split}"
            by_keys[label, frozenset(place.members)].append(place)
            by_required[label, _required(place)].append(place)
        for alike in by_keys.values():
            has_changed |= self._join_similar(alike)
        for (_, required), alike in by_required.items():
            if len(required) > 1:
                has_changed |= self._join_similar(alike)
        for place in dict.fromkeys(map(self.of, places)):
            has_changed |= self._join_members(place)
        return has_changed

    def _join_similar(self, places: list[Place]) -> bool:
        has_changed = False
        leaders = list(dict.fromkeys(self.of(place) for place in places))
        for number, one in enumerate(leaders):
            for other in leaders[:number]:
                is_open = self.of(one) is not self.of(other)
                is_alike = is_open and _has_more_keys(one, other) and is_similar(one, other)
                if is_alike and have_common_kinds(one, other):
                    has_changed |= self.unite(other, one)
                    break
        return has_changed

    def _join_members(self, place: Place) -> bool:
        """Unite the members of all places of an entity, key by key."""
        first: dict[str, Place] = {}
        has_changed = False
        for one in self.members(place):
            for key, member in list(find(one).members.items()):
                known = first.setdefault(key, member)
                if find(known) is not find(member):
                    unite(known, member)
                    self.settle()
                    has_changed = True
            for text, kind in list(find(one).kinds.items()):
                known = first.setdefault(f"={text}", kind)
                has_changed |= self.unite(known, kind)
        return has_changed


def lift(root: Place) -> None:
    """Give each place with kinds the members that all its kinds have alike."""
    alike: list[list[Place]] = []
    work, seen = [root], set()
    while work:
        place = find(work.pop())
        if id(place) in seen:
            continue
        seen.add(id(place))
        if place.kinds:
            same = next((one for one in alike if have_common_kinds(one[0], place)), None)
            if same is None:
                alike.append([place])
            else:
                same.append(place)
        work.extend(place.children())
    for places in alike:
        _lift(places)


def _lift(places: list[Place]) -> None:
    """Lift the members that the kinds of some places of one entity have alike."""
    kinds = [find(kind) for place in places for kind in place.kinds.values()]
    shared = set.intersection(*(set(kind.members) for kind in kinds))
    for key in [key for key in kinds[0].members if key in shared]:
        members = [find(kind.members[key]) for kind in kinds]
        if not all(_is_member_similar(members[0], one, 3) for one in members[1:]):
            continue
        for place in places:
            mine = [find(kind) for kind in place.kinds.values()]
            first = mine[0].members[key]
            for kind in mine:
                unite(first, kind.members.pop(key))
            place.members[key] = find(first)


def have_common_kinds(one: Place, other: Place) -> bool:
    """Return whether two places have no kinds, or kinds of one are among those of the other."""
    texts, others = set(one.kinds), set(other.kinds)
    if not texts or not others:
        return not texts and not others
    if one.split != other.split or not (texts <= others or others <= texts):
        return False
    pairs = [(find(one.kinds[text]), find(other.kinds[text])) for text in sorted(texts & others)]
    return all(
        (
            mine.members.keys() & theirs.members.keys()
            or mine.members.keys() == theirs.members.keys()
        )
        and is_similar(mine, theirs)
        for mine, theirs in pairs
    )


def is_root(place: Place) -> bool:
    """Return whether the values at a place are records."""
    return not place.path or (len(place.path) == 1 and place.path[0].startswith("\0"))


def _required(place: Place) -> frozenset[str]:
    return frozenset(
        key for key, member in place.members.items() if find(member).count == place.objects
    )


def _has_more_keys(one: Place, other: Place) -> bool:
    return one.members.keys() <= other.members.keys() or one.members.keys() >= other.members.keys()


def is_similar(one: Place, other: Place, depth: int = 3) -> bool:
    """Return whether the members that two places share have the same types, and similar shapes."""
    if find(one) is find(other):
        return True
    return all(
        _is_member_similar(find(one.members[key]), find(other.members[key]), depth)
        for key in one.members.keys() & other.members.keys()
    )


def _is_member_similar(one: Place, other: Place, depth: int) -> bool:
    uses = (use_of(one), use_of(other))
    if Use.OPEN in uses:
        return True
    if uses[0] is not uses[1]:
        return False
    if uses[0] is Use.SCALAR:
        return scalar_type(one) == scalar_type(other)
    if uses[0] is Use.SCALARS:
        elements = [find(each.element) for each in (one, other) if each.element is not None]
        return scalar_type(elements[0]) == scalar_type(elements[1])
    targets = (target_of(one), target_of(other))
    if targets[0] is None or targets[1] is None or not depth:
        return True
    if (targets[0].split is None) is not (targets[1].split is None):
        return False
    keys = [set(target.members) for target in targets if target is not None]
    shared = len(keys[0] & keys[1])
    return shared * 2 >= max(map(len, keys)) and is_similar(targets[0], targets[1], depth - 1)


def _object_places(roots: list[Place]) -> Iterator[Place]:
    """Yield the places of objects that become entities, each once, in the order of appearance."""
    seen: set[int] = set()
    work = roots[::-1]
    while work:
        place = find(work.pop())
        if id(place) in seen:
            continue
        seen.add(id(place))
        if place.entries is None and (place.members or place.kinds or place.kind is not None):
            yield place
        work.extend(reversed(list(place.kinds.values())))
        targets = [target_of(find(member)) for member in place.members.values()]
        work.extend(reversed([one for one in targets if one is not None]))


def _linked(groups: _Groups, roots: list[Place]) -> list[Entity]:
    """Make entities of groups of places, and edges of their members."""
    found: dict[int, Entity] = {}
    order: list[Entity] = []

    def entity_of(place: Place, base: Entity | None = None, kind: str = "") -> Entity:
        leader = groups.of(place)
        entity = found.get(id(leader))
        if entity is None:
            entity = found[id(leader)] = Entity(groups.members(leader), base, kind)
            order.append(entity)
        return entity

    work: list[tuple[Place, Entity | None, str]] = [
        (find(root), None, "") for root in reversed(roots)
    ]
    done: set[int] = set()
    while work:
        place, base, text = work.pop()
        entity = entity_of(place, base, text)
        if id(entity) in done:
            continue
        done.add(id(entity))
        inner: list[tuple[Place, Entity | None, str]] = []
        for text in sorted(place.kinds):
            kind = entity_of(find(place.kinds[text]), entity, text)
            entity.kinds.append(kind)
            inner.append((find(place.kinds[text]), entity, text))
        for key, member in entity.members.items():
            target = target_of(member)
            if use_of(member) in RELATIONSHIPS and target is not None:
                edge = Edge(entity, key, member, entity_of(target), target)
                entity.edges[key] = edge
                edge.target.owners.append(edge)
                inner.append((target, None, ""))
        work.extend(reversed(inner))
    return order
