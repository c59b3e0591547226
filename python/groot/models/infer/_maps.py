"""Objects that are maps: their keys are data, and their values have one shape."""

from __future__ import annotations

import re
from collections.abc import Iterable
from statistics import median

from groot.models.infer._places import Path, Place, find
from groot.models.infer._uses import Use, scalar_type, use_of

_DATA_KEY = re.compile(
    r"\d+|\d{4}-\d\d(-\d\d.*)?|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|.*[/@:\s].*",
    re.DOTALL,
)
_CODE = re.compile(r"[A-Z]{2,5}")
_MANY_CODES = 8
_LANGUAGE = re.compile(r"([a-z]{2,3})([-_][A-Za-z]{2,4})?")
_LANGUAGES = frozenset(
    [
        "ar", "bg", "bn", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "eu", "fa",
        "fi", "fr", "ga", "gl", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka",
        "kk", "ko", "lt", "lv", "mk", "ms", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru",
        "sk", "sl", "sq", "sr", "sv", "sw", "ta", "te", "th", "tr", "uk", "ur", "vi", "zh",
        "ara", "ben", "bre", "bul", "cat", "ces", "cym", "dan", "deu", "ell", "eng", "est",
        "eus", "fas", "fin", "fra", "gle", "glg", "heb", "hin", "hrv", "hun", "hye", "ind",
        "isl", "ita", "jpn", "kat", "kaz", "kor", "lav", "lit", "mkd", "msa", "nld", "nno",
        "nob", "nor", "per", "pol", "por", "ron", "rus", "slk", "slv", "spa", "sqi", "srp",
        "swa", "swe", "tam", "tel", "tha", "tur", "ukr", "urd", "vie", "zho",
    ]
)  # fmt: skip
"""Codes of ISO 639, which are the keys of translations though every record has the same."""
_WORDS = frozenset(["id", "no", "is", "it", "ms", "hr", "tel", "per", "est", "fin", "ind", "sw"])
"""Codes that are the keys of other things as well."""


def find_maps(root: Place) -> set[Path]:
    """Turn each place whose objects are maps into one, the innermost first.

    Args:
        root: The place of the records.

    Returns:
        The paths of these places.
    """
    found = _outer_maps(root)
    order, work, seen = [], [root], set()
    while work:
        place = find(work.pop())
        if id(place) in seen:
            continue
        seen.add(id(place))
        order.append(place)
        work.extend(place.children())
    for place in map(find, reversed(order)):
        # A record has no key that leads to a map.
        is_open = place is not find(root) and place.entries is None and place.members
        if is_open and _is_map(place):
            place.make_map()
            found.add(place.path)
    return found


def _outer_maps(root: Place) -> set[Path]:
    """Turn places whose keys can only be data into maps, the outermost first.

    So maps in maps are united once, and not once for each level.
    """
    found, work, seen = set(), [root], set()
    while work:
        place = find(work.pop())
        if id(place) in seen:
            continue
        seen.add(id(place))
        members = [find(one) for one in place.members.values()]
        is_open = place is not find(root) and place.entries is None
        if is_open and _has_data_keys(place) and _are_alike(members):
            place.make_map()
            found.add(place.path)
        work.extend(place.children())
    return found


def evidence(place: Place) -> str:
    """Say why the objects at a place are maps."""
    names = place.key_texts.count if place.key_texts is not None else 0
    return f"{names} keys in {place.objects} objects, with values of one shape"


def _is_map(place: Place) -> bool:
    members = [find(one) for one in place.members.values()]
    names = list(place.members)
    if not _are_alike(members):
        return False
    if _has_data_keys(place):
        return True
    if len(names) > 1 and _are_languages(names):
        return True
    codes = all(map(_CODE.fullmatch, names)) and len(set(map(len, names))) == 1
    if codes and len(names) >= (_MANY_CODES if place.objects > 1 else 3):
        return True
    if len(names) < 3:
        return False
    if place.objects == 1:
        return all(one.objects and len(one.members) > 1 for one in members)
    presence = [one.count for one in members]
    return median(presence) * 2 <= place.objects and max(presence) < place.objects


def _has_data_keys(place: Place) -> bool:
    """Return whether no key could be the name of a property."""
    return bool(place.members) and all(map(_DATA_KEY.fullmatch, place.members))


def _are_languages(names: Iterable[str]) -> bool:
    found = [_LANGUAGE.fullmatch(name) for name in names]
    codes = {one[1] if one is not None else "" for one in found}
    return codes <= _LANGUAGES and not codes <= _WORDS


def _are_alike(places: list[Place]) -> bool:
    """Return whether the values at some places are of one shape."""
    uses = {use_of(one) for one in places} - {Use.OPEN}
    if len(uses) != 1:
        return False
    use = uses.pop()
    if use is Use.SCALAR:
        return len({scalar_type(one) for one in places if one.scalars}) == 1
    if use is Use.JSON:
        return False
    if use is Use.ONE:
        if all(map(_has_data_keys, places)):
            return True
        return _have_a_core([set(one.members) for one in places if one.objects])
    if use in (Use.LIST, Use.SCALARS):
        # Elements are objects or scalars here, so this goes one level deeper only.
        return _are_alike([find(one.element) for one in places if one.element is not None])
    return True


def _have_a_core(keys: list[set[str]]) -> bool:
    """Return whether each object has at least half of the keys that most objects have."""
    counts: dict[str, int] = {}
    for some in keys:
        for key in some:
            counts[key] = counts.get(key, 0) + 1
    core = {key for key, number in counts.items() if number * 2 > len(keys)}
    return bool(core) and all(len(core & some) * 2 >= len(core) for some in keys)
