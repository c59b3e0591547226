"""Discriminators: texts whose values go with different sets of keys."""

from __future__ import annotations

from collections.abc import Collection
from math import isqrt

from groot.models.infer._naming import words_of
from groot.models.infer._places import Path, Place, find

_WORDS = ("type", "kind", "class", "event", "object", "action", "op", "category")
_LEAST = 10


def find_splits(roots: list[Place]) -> dict[Path, str]:
    """Find places whose objects are of several kinds.

    Args:
        roots: The places of the records.

    Returns:
        By path of a place the key of the text that chooses the kind.
    """
    found: dict[Path, str] = {}
    work, seen = list(roots), set()
    known = _known(roots)
    while work:
        place = find(work.pop())
        if id(place) in seen:
            continue
        seen.add(id(place))
        if place.split is None and place.entries is None and len(place.shapes) > 0:
            key = _split(place) or _split_alike(place, known)
            if key is not None:
                found[place.path] = key
                continue
        work.extend(place.children())
    return found


def _known(roots: list[Place]) -> list[Place]:
    """Return the places whose objects are of several kinds already."""
    found: list[Place] = []
    work, seen = list(roots), set()
    while work:
        place = find(work.pop())
        if id(place) not in seen:
            seen.add(id(place))
            found += [place] if place.kinds else []
            work.extend(place.children())
    return found


def _split_alike(place: Place, known: list[Place]) -> str | None:
    """Return the key that chooses the kind at another place, where all objects are of its kinds."""
    for other in known:
        key = other.split
        texts = None if key is None else place.pairs.get(key)
        is_kind = place.path[-1:] == (f"{key}={place.kind}",)
        if not texts or is_kind or place.members[str(key)].count < place.objects:
            continue
        kinds = {text: find(kind) for text, kind in other.kinds.items()}
        if all(
            text in kinds and all(_fits(shape, kinds[text]) for shape in shapes)
            for text, shapes in texts.items()
        ):
            return key
    return None


def _fits(shape: tuple[str, ...], kind: Place) -> bool:
    """Return whether an object with some keys has those of a kind."""
    keys = {key for key in shape if "/" not in key}
    required = {key for key, member in kind.members.items() if find(member).count == kind.objects}
    return required <= keys <= set(kind.members)


def _split(place: Place) -> str | None:
    """Return the key of the text that explains best which keys an object has, or None."""
    best: tuple[int, int, int, str] | None = None
    for key, known in place.pairs.items():
        member = find(place.members[key])
        if known is None or len(known) < 2 or member.texts.count < place.objects:
            continue
        rank = _rank(key)
        if not rank and (place.objects < _LEAST or len(known) > isqrt(place.objects)):
            continue
        explained, left = _explained(known)
        if not explained or left > explained:
            continue
        score = (-explained, left, -rank, key)
        best = score if best is None else min(best, score)
    return None if best is None else best[3]


def _explained(known: dict[str, set[tuple[str, ...]]]) -> tuple[int, int]:
    """Count the keys that a text explains, and those that stay optional within a text."""
    optional = _optional([shape for shapes in known.values() for shape in shapes])
    left: set[str] = set()
    for shapes in known.values():
        left |= _optional(shapes)
    return len(optional - left), len(left)


def _optional(shapes: Collection[tuple[str, ...]]) -> set[str]:
    """Return the keys that some shapes have, and others have not."""
    sets = [frozenset(shape) for shape in shapes]
    return set(frozenset().union(*sets) - sets[0].intersection(*sets))


def _rank(key: str) -> int:
    words = [word.lower() for word in words_of(key)]
    return len(_WORDS) - _WORDS.index(words[-1]) if words and words[-1] in _WORDS else 0
