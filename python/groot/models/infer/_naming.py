"""Names of entities and properties, from the keys and texts of a sample."""

from __future__ import annotations

import functools
import importlib
import re
from collections import Counter
from collections.abc import Container
from typing import Any

from groot.errors import Status, error
from groot.models._pointers import joined
from groot.models.infer._entities import Edge, Entity
from groot.models.infer._uses import Use

_WORDS = re.compile(r"[^\W_]+")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
COLLECTIONS = (
    "data", "items", "results", "records", "entries", "entry", "rows", "features", "statuses",
    "hits", "value",
)  # fmt: skip
"""Keys of the records in documents, which do not name them; the first one counts."""
_SAME = frozenset(("data", "meta", "metadata", "media"))
"""Plurals that are the usual names of one object."""
_PAGES = frozenset((*COLLECTIONS, "edges", "nodes"))
"""Keys of the list in an object that stands for a list, with the place of the next page."""
_REFERENCE = frozenset(("url", "href", "uri", "reference"))


def name_entities(entities: list[Entity], roots: dict[int, str], chosen: dict[str, str]) -> None:
    """Give each entity a name of its own.

    Args:
        entities: The entities.
        roots: The names of the entities of records, by the ids of these.
        chosen: By JSON Pointer of a place the name of its entity.
    """
    taken: set[str] = set()
    records = {chosen.get("", name) for name in roots.values()}
    wanted = {id(entity): _wanted(entity, records) for entity in entities}
    often = Counter(wanted.values())
    depths = _depths(entities)

    def order(entity: Entity) -> tuple[bool, bool, int, str, int, list[str]]:
        """Return a key to sort by that does not depend on the order of the sample."""
        own = id(entity)
        about = (wanted[own], -entity.objects, sorted(entity.members))
        return (own not in roots, not entity.kind, depths[own], *about)

    for entity in sorted(entities, key=order):
        told = [chosen[one] for one in handles(entity) if one in chosen]
        name = told[0] if told else roots.get(id(entity)) or wanted[id(entity)]
        is_vague = often[name] > 1 and not (told or entity.kind or id(entity) in roots)
        owner = _owner(entity)
        entity.name = unique(owner + name if is_vague else name, taken, owner)
        taken.add(entity.name)


def pointers(entity: Entity) -> list[str]:
    """Return the places of an entity as JSON Pointers into a record."""
    return [pointer(place.path) for place in entity.places]


def handles(entity: Entity) -> list[str]:
    """Return the JSON Pointers that name an entity: its places, and the lists that these are in."""
    found = []
    for one in pointers(entity):
        found.append(one)
        while one.endswith("/*"):
            one = one[:-2]  # noqa: PLW2901, each is a name, too
            found.append(one)
    return found


def pointer(path: tuple[str, ...]) -> str:
    """Return the path of a place as a JSON Pointer into a record; elements are `*`."""
    if path and path[0].startswith("\0"):
        path = path[1:]
    return joined("", *path)


def unique(wanted: str, taken: Container[str], owner: str = "") -> str:
    """Return a name that is not taken: the wanted one, with the owner's name or a number."""
    if wanted not in taken:
        return wanted
    if owner and owner + wanted not in taken:
        return owner + wanted
    number = 2
    while f"{wanted}{number}" in taken:
        number += 1
    return f"{wanted}{number}"


def class_name(key: str) -> str:
    """Return the name of an entity whose objects are at a key: `egg_groups` gives `EggGroup`."""
    words = words_of(key)
    if not words:
        return "Record"
    words[-1] = singular(words[-1])
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return name if not name[0].isdigit() else f"Record{name}"


def property_name(key: str) -> str:
    """Return the name of a property with a key, which is the key where that is a name."""
    if key.isidentifier() and not key.startswith("_"):
        return key
    words = words_of(key)
    if not words:
        return "value"
    name = words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])
    return name if not name[0].isdigit() else f"n{name}"


def counted(number: int, word: str) -> str:
    """Return a number with a word, in the plural unless the number is one."""
    return f"{number} {word}" + "s" * (number != 1)


def words_of(key: str) -> list[str]:
    """Split a key into words, at humps and at characters other than letters and digits."""
    return [part for word in _WORDS.findall(key) for part in _HUMPS.split(word)]


def singular(word: str) -> str:
    """Return the singular of an English word."""
    found: str = word if word.lower() in _SAME else _inflection().singularize(word)
    return found or word  # the library takes "s" for the plural of nothing


@functools.cache
def _inflection() -> Any:
    """Import the package inflection: that of the environment, or the one in a wheel."""
    for name in ("inflection", "groot._bundled.inflection"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    message = "the names of entities need the package inflection: pip install 'groot-graph[infer]'"
    raise error(Status.INVALID_ARGUMENT, message)


def record_name(entity: Entity, key: str, file: str) -> str:
    """Return the name of the entity of records.

    Args:
        entity: The entity.
        key: The key of the records in the document, or nothing.
        file: The name of the file without its endings, or nothing.

    Returns:
        The only value of `type`, or else a name made of the key or the file.
    """
    kind = entity.members.get("type")
    values = kind.text_values if kind is not None and kind.texts.count == kind.count else None
    if values is not None and values.count() == 1 and values.is_in_memory:
        return class_name(next(iter(values.values)))
    return class_name(file if not key or key in COLLECTIONS else key)


def _wanted(entity: Entity, taken: Container[str]) -> str:
    if entity.kind:
        return class_name(entity.kind)
    keys = entity.members
    weights: Counter[str] = Counter()
    for edge in entity.owners:
        weights[_name_by(edge)] += edge.objects.objects
    if not weights:
        return "Record"
    if len(weights) > 2 and len(keys) <= 4 and any(key in _REFERENCE for key in keys):
        return "Reference"
    free = {name: number for name, number in weights.items() if name not in taken} or weights
    return min(free.items(), key=lambda one: (-one[1], one[0]))[0]


def _name_by(edge: Edge) -> str:
    """Return the name that a relationship gives to its objects."""
    if edge.use is Use.ONE and edge.key == "node":
        names = {_name_by(one) for one in edge.owner.owners if one.key == "edges"}
        return min(names)[: -len("Edge")] or "Node" if names else "Node"
    if edge.use is Use.ONE and _is_page(edge):
        return f"{class_name(edge.key)}List"
    if edge.use is Use.LIST and edge.key in _PAGES:
        pages = [class_name(one.key) for one in edge.owner.owners if _is_page(one)]
        if pages:
            return min(pages) + "Edge" * (edge.key == "edges")
    return class_name(edge.key)


def _is_page(edge: Edge) -> bool:
    """Return whether an object stands for a list: `line_items` with the list at `data`."""
    words = words_of(edge.key)
    lists = [one for one in edge.target.edges.values() if one.use is Use.LIST and one.key in _PAGES]
    is_plural = bool(words) and singular(words[-1]) != words[-1]
    return edge.use is Use.ONE and is_plural and len(lists) == 1


def _owner(entity: Entity) -> str:
    """Return the name of the base, or of the owner of the most objects."""
    if entity.base is not None:
        return entity.base.name
    owners = [(-edge.objects.objects, edge.owner.name) for edge in entity.owners]
    return min((one for one in owners if one[1]), default=(0, ""))[1]


def _depths(entities: list[Entity]) -> dict[int, int]:
    """Return by id of an entity the number of relationships from the records to it."""
    level = [entity for entity in entities if entity.is_root]
    depths: dict[int, int] = {}
    depth = 0
    while level:
        depths.update((id(one), depth) for one in level)
        depth += 1
        inner = [edge.target for one in level for edge in one.edges.values()]
        inner += [kind for one in level for kind in one.kinds]
        level = [one for one in dict.fromkeys(inner) if id(one) not in depths]
    return depths
