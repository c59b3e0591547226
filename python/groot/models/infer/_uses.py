"""The use of a place in a model: an attribute, a relationship, or any JSON."""

from __future__ import annotations

import enum

from groot.models.infer._places import Place, find


class Use(enum.Enum):
    """How a model keeps the values at a place."""

    OPEN = "nothing but null and empty"
    SCALAR = "scalars of one type"
    SCALARS = "lists of scalars"
    ONE = "an object"
    LIST = "a list of objects"
    KEYED = "objects under keys"
    KEYED_VALUES = "values under keys"
    GROUPED = "lists of objects under keys"
    JSON = "any JSON"


RELATIONSHIPS = (Use.ONE, Use.LIST, Use.KEYED, Use.KEYED_VALUES, Use.GROUPED)


def use_of(place: Place) -> Use:
    """Return the use of a place by the values there."""
    if not place.present:
        return Use.OPEN
    if sum(map(bool, (place.scalars, place.objects, place.arrays))) > 1:
        return Use.JSON
    if place.scalars:
        return Use.SCALAR if scalar_type(place) else Use.JSON
    if place.objects:
        return _use_of_objects(place)
    return _use_of_arrays(place)


def scalar_type(place: Place) -> str | None:
    """Return `boolean`, `number` or `text` if all scalars are of that type, else None."""
    kinds = {
        "boolean": place.booleans,
        "number": place.integers + place.reals,
        "text": place.texts.count,
    }
    found = [name for name, number in kinds.items() if number]
    return found[0] if len(found) == 1 else None


def target_of(place: Place) -> Place | None:
    """Return the place of the objects that a relationship at a place leads to."""
    use = use_of(place)
    if use is Use.ONE:
        return place
    if use is Use.LIST and place.element is not None:
        return find(place.element)
    if use is Use.KEYED and place.entries is not None:
        return find(place.entries)
    if use is Use.GROUPED and place.entries is not None:
        group = find(place.entries)
        return find(group.element) if group.element is not None else None
    return None


def _use_of_objects(place: Place) -> Use:
    if place.entries is None:
        return Use.ONE if place.members or place.kinds else Use.JSON
    inner = find(place.entries)
    if _has_records(inner) and not inner.nulls:
        return Use.KEYED
    if _has_lists(inner) and not inner.nulls and not inner.empty_arrays:
        return Use.GROUPED
    # An object under a key is a member with keys of its own, so it cannot be a value.
    return Use.JSON if inner.objects or not inner.present else Use.KEYED_VALUES


def _use_of_arrays(place: Place) -> Use:
    if place.element is None:
        return Use.OPEN
    element = find(place.element)
    if not element.count:
        return Use.OPEN
    if element.nulls:
        return Use.JSON
    if _has_records(element):
        return Use.LIST
    is_plain = element.scalars == element.count and scalar_type(element) is not None
    return Use.SCALARS if is_plain else Use.JSON


# These look one level deep only: a text may nest deeper than Python's calls.


def _has_records(place: Place) -> bool:
    """Return whether all values but null are objects other than maps."""
    is_all = place.objects > 0 and place.objects == place.present
    return is_all and place.entries is None and bool(place.members or place.kinds)


def _has_lists(place: Place) -> bool:
    """Return whether all values but null are lists of objects."""
    if not place.arrays or place.arrays < place.present or place.element is None:
        return False
    element = find(place.element)
    return _has_records(element) and not element.nulls
