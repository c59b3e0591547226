"""Links between entities: identifiers that are contained in another entity's identity."""

from __future__ import annotations

from dataclasses import dataclass

from groot.models.infer._entities import Entity
from groot.models.infer._examine import Examination, Links
from groot.models.infer._identities import scalar_values, values_of
from groot.models.infer._naming import singular, words_of
from groot.models.infer._places import Place, find
from groot.models.infer._uses import Use, use_of
from groot.models.infer._values import Values

_SUFFIXES = frozenset(
    ["id", "ids", "uuid", "guid", "key", "keys", "code", "codes", "ref", "refs", "url", "href"]
)
_LEAST = 3


@dataclass(eq=False)
class Link:
    """A member whose values are identifiers of objects."""

    owner: Entity
    key: str
    place: Place
    target: Entity
    is_to_many: bool
    reason: str
    inverse: Link | None = None
    digest: Links | None = None


@dataclass
class Possible:
    """A member whose values are contained in an identity, while its name does not say so."""

    owner: Entity
    key: str
    targets: list[Entity]


class Linking:
    """The search for links."""

    def __init__(self, entities: list[Entity], chosen: dict[tuple[str, str], str]) -> None:
        """Prepare the search.

        Args:
            entities: The entities, with their identities.
            chosen: Links that are told: by names of entity and key the name of the destination,
                or nothing for no link.
        """
        self._entities = entities
        self._chosen = chosen
        self._sets = [
            (entity, values)
            for entity in entities
            if entity.base is None and len(entity.identity) == 1 and not entity.is_owned
            and (values := values_of(entity, entity.identity[0])) is not None
        ]  # fmt: skip
        self.possible: list[Possible] = []

    def find(self) -> list[Link]:
        """Return the links, in the order of appearance."""
        links = []
        for entity in self._entities:
            for key, place in entity.members.items():
                identity = entity.base.identity if entity.base else entity.identity
                if (key,) != identity and key != entity.split:
                    link = self._link(entity, key, place)
                    if link is not None:
                        links.append(link)
        return links

    def refer_to_unique(self, entity: Entity) -> None:
        """Give an entity without identity the unique field that other values refer to."""
        for key in entity.candidates:
            values = scalar_values(entity.members[key])
            if values is None:
                continue
            for other in self._entities:
                for name, place in other.members.items():
                    if other is entity and name == key:
                        continue
                    found = _identifiers(place)
                    if found is None or found.count() < _LEAST or not found.is_within(values):
                        continue
                    if use_of(place) is Use.SCALARS or _names(name, entity, other):
                        entity.identity = (key,)
                        entity.candidates = []
                        entity.reason = (
                            f"{key} is unique in {entity.objects} of {entity.objects}, and "
                            f"{other.name}.{name} refers to it"
                        )
                        self._sets.append((entity, values))
                        return

    def _link(self, entity: Entity, key: str, place: Place) -> Link | None:
        told = self._chosen.get((entity.name, key))
        values = _identifiers(place)
        if values is None or told == "":
            return None
        is_to_many = use_of(place) is Use.SCALARS
        targets = [
            target
            for target, identity in self._sets
            if (told is None or target.name == told) and values.is_within(identity)
        ]
        named = [target for target in targets if _names(key, target, entity)]
        number = values.count()
        if told is None and not named and number < _LEAST:
            return None
        chosen = named or targets
        if not chosen:
            return None
        is_sure = (
            told is not None
            or len(named) == 1
            or (is_to_many and len(chosen) == 1 and number >= _LEAST)
        )
        if is_to_many and place.repeats:
            return None
        if not is_sure:
            self.possible.append(Possible(entity, key, chosen))
            return None
        target = chosen[0]
        reason = f"{number} of {number} different values are in {target.name}.{target.identity[0]}"
        return Link(entity, key, place, target, is_to_many, reason)


def ask_for_inverses(links: list[Link], examination: Examination) -> None:
    """Ask for the pairs that links have, where two may be one relationship."""
    for link in links:
        back = [one for one in links if _may_be_inverse(link, one)]
        if back and len(link.owner.identity) == 1:
            link.digest = Links(link.owner, link.key, link.owner.identity[0])
            examination.links.append(link.digest)


def pair_inverses(links: list[Link]) -> None:
    """Make links with the same pairs inverse to each other."""
    for link in links:
        for other in links:
            mine, theirs = link.digest, other.digest
            if link.inverse is not None or other.inverse is not None or not mine or not theirs:
                continue
            is_same = mine.forward == theirs.backward and mine.count == theirs.count
            if mine.count and is_same and _may_be_inverse(link, other):
                link.inverse, other.inverse = other, link


def _may_be_inverse(link: Link, other: Link) -> bool:
    return link.owner is other.target and other.owner is link.target


def _identifiers(place: Place) -> Values | None:
    """Return the identifiers at a place: scalars, or lists of them."""
    use = use_of(place)
    if use is Use.SCALAR:
        values = scalar_values(place)
    elif use is Use.SCALARS and place.element is not None:
        values = scalar_values(find(place.element))
    else:
        return None
    return values if values is not None and values.count() else None


def _names(key: str, target: Entity, owner: Entity) -> bool:
    """Return whether a key names an entity: `planet`, `planet_id` and `homePlanetIds` do."""
    words = [word.lower() for word in words_of(key)]
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words.pop()
    if words == ["parent"]:
        return target is owner
    own = [word.lower() for word in words_of(target.name)]
    if words:
        words[-1] = singular(words[-1])
    return words[-len(own) :] == own
