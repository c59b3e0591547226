"""Objects that come again and again: whether those with one identifier have one content.

The survey tells it for flat objects with a key of a usual name. A second look tells the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from operator import itemgetter, lt
from typing import Any

from groot.models.infer._places import Place
from groot.models.infer._values import Values

NAMES = (
    "id", "_id", "@id", "uuid", "guid", "oid", "key", "isbn", "issn", "asin", "sku", "ean", "gtin",
    "doi", "iban", "vin", "sha", "url", "uri", "href",
)  # fmt: skip
"""Names of keys that identify objects, the best one first."""
_MOST = 20_000
"""Of more different contents the survey keeps none: most objects are unique then."""


def note_contents(place: Place, columns: dict[str, list[Any]]) -> None:
    """Note the different contents of objects with the same keys.

    Args:
        place: The place of the objects.
        columns: Their values by key.
    """
    if place.contents is None:
        return
    names = [key for key in columns if key.lower() in NAMES]
    if not names:
        return
    keys = tuple(sorted(columns))
    try:
        rows = set(zip(*(columns[key] for key in keys)))
    except TypeError:  # a set takes neither objects nor arrays
        place.contents = None
        return
    hashes = set(map(hash, zip(repeat(keys), rows)))
    for name in names:
        known = place.contents.setdefault(name, Values(place.known.spill))
        known.add(hashes)
        if known.is_over(_MOST):
            place.contents = None
            return


def note_repeats(place: Place, lists: Sequence[list[Any]]) -> None:
    """Count the lists of objects that have an identifier twice.

    Args:
        place: The place of the lists.
        lists: The lists.
    """
    if place.list_repeats is None:
        first = next((one[0] for one in lists if one), None)
        if not isinstance(first, dict):
            return
        place.list_repeats = {key: 0 for key in first if key.lower() in NAMES}
    longer = [one for one in lists if len(one) > 1]
    for key in place.list_repeats:
        place.list_repeats[key] += _repeating(longer, key)


def _repeating(lists: Sequence[list[Any]], key: str) -> int:
    """Count the lists whose objects have a value of a key twice."""
    identifier = itemgetter(key)
    try:
        different = [len(set(map(identifier, one))) for one in lists]
    except (KeyError, TypeError):  # not all members are objects with the key
        return sum(_has_twice(one, identifier) for one in lists)
    return sum(map(lt, different, map(len, lists)))


def _has_twice(members: list[Any], identifier: Callable[[Any], Any]) -> bool:
    try:
        return len(set(map(identifier, members))) < len(members)
    except (KeyError, TypeError):
        return False
