"""The identities of entities, by the names of keys and by all values."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from groot.models.infer._entities import Edge, Entity, is_root
from groot.models.infer._examine import Contents, Examination, Repeats
from groot.models.infer._identifiers import NAMES
from groot.models.infer._naming import counted, words_of
from groot.models.infer._paths import has_path
from groot.models.infer._places import Place, find
from groot.models.infer._uses import Use, use_of
from groot.models.infer._values import Values

_WITHIN = ("number", "no", "position", "index", "line", "row", "slot", "sequence", "code", "name")
_WEAK = ("key", "url", "uri", "href")
"""Names of identities that often hold within an owner only."""
_FEW_OWNERS = 3
_MOST_OWNERS = 40
"""An identity has at most 64 parts."""
_TYPES = ("type", "kind")
_MOST_CANDIDATES = 4


@dataclass
class Candidate:
    """Keys that may identify the objects of an entity."""

    entity: Entity
    keys: tuple[str, ...]
    is_unique: bool
    """Whether each object has values of its own."""
    contents: Contents | None = None
    repeats: list[Repeats] = field(default_factory=list)


@dataclass
class Subset:
    """Objects with some of the keys of an entity, which may be objects of that entity."""

    part: Entity
    whole: Entity
    keys: tuple[str, ...]
    contents: Contents
    alone: tuple[Contents, ...] = ()
    """The contents of part and whole, where several keys identify them together."""

    @property
    def is_within(self) -> bool:
        """Whether the whole has each object that several keys identify together."""
        if not self.alone:
            return True
        part, whole = (one.identities.count() for one in self.alone)
        return self.contents.identities.count() == whole and part > 1


class Identities:
    """The search for identities. The questions are asked first, and answered by one look."""

    def __init__(
        self, entities: list[Entity], examination: Examination, chosen: dict[str, tuple[str, ...]]
    ) -> None:
        """Ask what the records must tell.

        Args:
            entities: The entities.
            examination: Takes the questions.
            chosen: Identities that are told, by name of an entity.
        """
        self._entities = entities
        self._examination = examination
        self._chosen = chosen
        self._candidates = {id(one): self._ask(one) for one in entities if one.base is None}
        self._subsets = self._ask_for_subsets()

    def decide(self) -> list[Entity]:
        """Choose identities by the answers.

        Returns:
            The entities that remain: those of which all objects are another's are left out.
        """
        plain = [entity for entity in self._entities if entity.base is None]
        # The records come last, since what they lead to may identify them.
        for entity in sorted(plain, key=lambda one: one.is_root):
            self._choose(entity)
        for subset in self._subsets:
            self._take_in(subset)
        for entity in plain:
            if entity.is_owned:
                _limit(entity)
        return self._entities

    def names_within(self, entity: Entity) -> list[str]:
        """Return the keys that may identify the objects of an entity within something else."""
        named = [one.keys[0] for one in self._candidates[id(entity)] if len(one.keys) == 1]
        usable = (key for key in entity.members if self._is_usable(entity, key))
        return [*named, *_within(usable, named)]

    # ---- questions ---------------------------------------------------------------------------

    def _ask(self, entity: Entity) -> list[Candidate]:
        found: list[Candidate] = []
        if entity.name in self._chosen:
            keys = self._chosen[entity.name]
            return [self._candidate(entity, keys, is_told=True)]
        usable = [key for key in entity.members if self._is_usable(entity, key)]
        named = sorted(
            (key for key in usable if _rank(key, entity)), key=lambda key: _order(key, entity)
        )
        for key in named[:_MOST_CANDIDATES]:
            found.append(self._candidate(entity, (key,)))
            # With a type beside it, both together may name objects of another entity.
            if _is_certain(found[-1]) and not any(one in entity.members for one in _TYPES):
                return found
        identifiers = [key for key in named if _rank(key, entity) >= 3]
        if "id" in usable:
            found += [self._candidate(entity, (one, "id")) for one in _TYPES if one in usable]
            if entity.split is not None and entity.split not in entity.members:
                found.append(self._candidate(entity, (entity.split, "id")))
        elif 1 < len(identifiers) <= 3:
            found.append(self._candidate(entity, tuple(identifiers)))
        if not entity.is_root:
            found += [
                Candidate(entity, (key,), is_unique=False, repeats=self._repeats(entity, (key,)))
                for key in _within(usable, named)
            ]
        return found

    def _is_weak(self, entity: Entity, candidate: Candidate) -> bool:
        """Return whether a key is unique because the sample has few owners."""
        is_weak = candidate.is_unique and candidate.keys[0].lower() in _WEAK and not entity.is_root
        owners = sum(edge.owner.objects for edge in entity.owners)
        return is_weak and owners < _FEW_OWNERS and entity.name not in self._chosen

    def _candidate(self, entity: Entity, keys: tuple[str, ...], is_told: bool = False) -> Candidate:
        if len(keys) == 1 and not is_told:
            values = values_of(entity, keys[0])
            if values is not None and values.count() == entity.objects:
                return Candidate(entity, keys, True, repeats=self._repeats(entity, keys))
        contents = None if is_told or len(keys) > 1 else _known_contents(entity, keys[0])
        contents = contents or self._examination.ask((entity,), keys, None)
        return Candidate(entity, keys, False, contents, self._repeats(entity, keys))

    def _repeats(self, entity: Entity, keys: tuple[str, ...]) -> list[Repeats]:
        lists = [edge for edge in entity.owners if edge.use is Use.LIST]
        if all(keys[0] in (edge.place.list_repeats or ()) for edge in lists) and len(keys) == 1:
            return [Repeats(edge, keys, (edge.place.list_repeats or {})[keys[0]]) for edge in lists]
        asked = [Repeats(edge, keys) for edge in lists]
        self._examination.repeats += asked
        return asked

    def _is_usable(self, entity: Entity, key: str) -> bool:
        place = entity.members[key]
        return (
            has_path(key)
            and use_of(place) is Use.SCALAR
            and not (place.nulls or place.reals or place.booleans)
            and place.count == entity.objects
            and (place.integers > 0 or place.text_values is not None)
        )

    def _ask_for_subsets(self) -> list[Subset]:
        """Ask whether objects with few keys are objects of an entity with more."""
        found = []
        plain = [one for one in self._entities if one.base is None]
        by_key: dict[str, list[Entity]] = {}
        for whole in plain:
            for key in _all_keys(whole):
                by_key.setdefault(key, []).append(whole)
        for part in plain:
            if part.is_root or part.split is not None or not part.owners:
                continue
            if any(find(member).count < part.objects for member in part.members.values()):
                continue
            # Only entities with the rarest key of a part can have all its keys.
            rarest = min((by_key[key] for key in part.members), key=len, default=[])
            for whole in rarest if self._candidates[id(part)] else ():
                if part is not whole and set(part.members) < _all_keys(whole):
                    found += self._ask_for_shared(part, whole)
        return found

    def _ask_for_shared(self, part: Entity, whole: Entity) -> list[Subset]:
        """Ask about the identity that two entities may share, if some objects are in both."""
        members = frozenset(part.members)
        for candidate in self._candidates[id(part)]:
            key = candidate.keys[0]
            if len(candidate.keys) > 1 or not _rank(key, part):
                continue
            mine, others = (values_of(one, key) for one in (part, whole))
            if mine is None or others is None or not self._is_usable(whole, key):
                continue
            shared = mine.shared(others)
            if shared and (len(members) > 1 or (shared == mine.count() and shared > 2)):
                contents = self._examination.ask((part, whole), (key,), members)
                return [Subset(part, whole, (key,), contents), *self._ask_for_pairs(part, whole)]
        return self._ask_for_pairs(part, whole)

    def _ask_for_pairs(self, part: Entity, whole: Entity) -> list[Subset]:
        """Ask about type and id, where both entities may be identified by them together."""
        theirs = {one.keys: one.contents for one in self._candidates[id(whole)]}
        found = []
        for candidate in self._candidates[id(part)]:
            mine, others = candidate.contents, theirs.get(candidate.keys)
            if len(candidate.keys) > 1 and mine is not None and others is not None:
                shared = frozenset(part.members)
                contents = self._examination.ask((part, whole), candidate.keys, shared)
                found.append(Subset(part, whole, candidate.keys, contents, (mine, others)))
        return found

    # ---- answers -----------------------------------------------------------------------------

    def _choose(self, entity: Entity) -> None:
        for candidate in self._candidates[id(entity)]:
            is_global = candidate.contents is not None or candidate.is_unique
            is_global = is_global and not self._is_weak(entity, candidate)
            if is_global and self._is_identity(candidate):
                entity.identity = candidate.keys
                entity.reason = _reason(candidate)
                for repeat in candidate.repeats:
                    if repeat.lists:
                        repeat.edge.json = f"{repeat.lists} lists name an object twice"
                return
        for candidate in self._candidates[id(entity)]:
            values = values_of(entity, candidate.keys[0])
            if len(candidate.keys) == 1 and candidate.contents is not None and values is not None:
                counts = f"{values.count()} values in {counted(entity.objects, 'object')}"
                entity.rejected.append(f"{_named(candidate)} has {counts}")
        if not entity.is_root:
            entity.is_owned = True
            for candidate in self._candidates[id(entity)]:
                lists = [edge for edge in entity.owners if edge.use is Use.LIST]
                if lists and len(lists) == len(entity.owners) and _is_unique_within(candidate):
                    entity.identity = candidate.keys
                    entity.reason = f"{_named(candidate)} is unique in each list"
                    return
            return
        if self._is_known_by_member(entity):
            return
        entity.candidates = [
            key
            for key in entity.members
            if self._is_usable(entity, key)
            and (values := values_of(entity, key)) is not None
            and values.count() == entity.objects
        ]

    def _is_known_by_member(self, entity: Entity) -> bool:
        """Let an object that each record has alone identify it: an entry by its resource."""
        for edge in entity.edges.values():
            keys = edge.target.identity
            is_own = edge.use is Use.ONE and edge.place.objects == entity.objects
            if not is_own or len(keys) != 1 or not has_path(edge.key):
                continue
            member = edge.objects.members.get(keys[0])
            values = None if member is None else scalar_values(find(member))
            if values is not None and values.count() == entity.objects:
                entity.identity = (edge.key,)
                entity.reason = f"each has a {edge.target.name} of its own at {edge.key}"
                return True
        return False

    def _is_identity(self, candidate: Candidate) -> bool:
        if candidate.is_unique:
            return True
        contents, entity = candidate.contents, candidate.entity
        if entity.name in self._chosen:
            return True
        if contents is None or contents.conflicts:
            return False
        if entity.is_root and contents.identities.count() < contents.objects:
            # Of duplicate records an export writes one.
            records = [place for place in entity.places if is_root(place)]
            member = records[0].members.get(candidate.keys[0])
            values = None if member is None else scalar_values(find(member))
            if len(candidate.keys) > 1 or values is None:
                return False
            if values.count() < records[0].objects:
                return False
        return True

    def _take_in(self, subset: Subset) -> None:
        """Make the objects of a part those of the whole."""
        part, whole = subset.part, subset.whole
        is_open = part in self._entities and whole in self._entities
        if not is_open or whole.identity != subset.keys or subset.contents.conflicts:
            return
        if not subset.is_within:
            return
        targets = {edge.key: edge.target for edge in whole.edges.values()}
        if any(targets.get(edge.key) is not edge.target for edge in part.edges.values()):
            return
        for edge in part.edges.values():
            edge.target.owners.remove(edge)
        for edge in part.owners:
            edge.target = whole
            edge.properties = tuple(
                key for key in part.members if key != whole.split or key in whole.identity
            )
            whole.owners.append(edge)
            whole.references.append(edge)
        self._entities.remove(part)


def _known_contents(entity: Entity, key: str) -> Contents | None:
    """Return the contents that the survey has noted for an identifier, if it has noted all."""
    pairs = identities = None
    for place in entity.places:
        noted = None if place.contents is None or place.kinds else place.contents.get(key)
        member = place.members.get(key)
        values = None if member is None else scalar_values(find(member))
        if noted is None or values is None:
            return None
        pairs = pairs or Values(place.known.spill)
        pairs.merge(noted)
        identities = values
    if pairs is None or identities is None:
        return None
    return Contents((entity,), (key,), None, identities, pairs, entity.objects)


def _is_certain(candidate: Candidate) -> bool:
    """Return whether a candidate is the identity whatever a second look shows."""
    contents, entity = candidate.contents, candidate.entity
    if entity.is_root or contents is None or contents.objects == 0:
        return False
    return not contents.conflicts and not any(one.lists for one in candidate.repeats)


def _limit(entity: Entity) -> None:
    """Keep objects as JSON where too many relationships would be parts of their identity."""
    ordered = sorted(entity.owners, key=lambda edge: (-edge.objects.objects, edge.key))
    for edge in ordered[_MOST_OWNERS:]:
        edge.json = f"more than {_MOST_OWNERS} relationships lead to {entity.name}"


def _all_keys(entity: Entity) -> set[str]:
    """Return the keys of an entity and of its kinds."""
    split = {entity.split} if entity.split is not None else set()
    return split.union(entity.members, *(kind.members for kind in entity.kinds))


def values_of(entity: Entity, key: str) -> Values | None:
    """Return the different values of a key at all places of an entity, or None."""
    member = entity.members.get(key)
    return None if member is None else scalar_values(member)


def scalar_values(place: Place) -> Values | None:
    """Return the different scalars at a place, if all are integers or all are texts."""
    if place.integers and place.integers == place.scalars:
        return place.integer_values
    if place.texts.count and place.texts.count == place.scalars:
        return place.text_values
    return None


def _within(keys: Iterable[str], named: Container[str]) -> list[str]:
    """Return the keys with names of identities within an owner, without those that are known."""
    return [key for key in keys if key.lower() in _WITHIN and key not in named]


def _rank(key: str, entity: Entity) -> int:
    """Return 0 for a key that no name makes an identity, else the rank of its name."""
    key = entity.titles.get(key, key)
    lower = key.lower()
    if lower in NAMES:
        return 1
    words = [word.lower() for word in words_of(key)]
    if len(words) > 1 and words[-1] in ("id", "uuid", "guid", "key"):
        own = [word.lower() for word in words_of(entity.name)]
        return 2 if words[:-1] == own else 3
    return 0


def _order(key: str, entity: Entity) -> tuple[int, int, str]:
    lower = entity.titles.get(key, key).lower()
    return _rank(key, entity), NAMES.index(lower) if lower in NAMES else 0, key


def _is_unique_within(candidate: Candidate) -> bool:
    return bool(candidate.repeats) and not any(one.lists for one in candidate.repeats)


def _reason(candidate: Candidate) -> str:
    entity, contents = candidate.entity, candidate.contents
    name = _named(candidate)
    if candidate.is_unique or contents is None:
        return f"{name} is unique in {entity.objects} of {entity.objects}"
    number = contents.identities.count()
    if contents.conflicts:
        return f"{name} is told, though objects with one value differ"
    if number == contents.objects:
        return f"{name} is unique in {number} of {number}"
    return f"{name} has {number} values in {contents.objects} objects, each with one content"


def _named(candidate: Candidate) -> str:
    titles = candidate.entity.titles
    return " and ".join(titles.get(key, key) for key in candidate.keys)


__all__ = ["Edge", "Identities", "scalar_values", "values_of"]
