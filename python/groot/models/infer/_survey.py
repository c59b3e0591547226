"""The survey: all values of a sample are taken in, column by column."""

from __future__ import annotations

from itertools import chain
from operator import itemgetter
from typing import Any

from groot.models.infer._identifiers import note_contents, note_repeats
from groot.models.infer._numbers import is_beyond, is_exact
from groot.models.infer._places import ELEMENT, MOST_SHAPES, Place, Shape, find
from groot.models.infer._values import LONGEST

_MANY_KEYS = 1_000
"""Objects at one place with more different keys in total are maps, if each has few of them."""
_MOST_KEYS = 5_000
"""Objects with more are maps in any case; an entity has at most 6,000 properties."""
_MOST_KINDS = 40
"""A text with more different values does not name kinds of objects."""
_EXACT = 2**53
"""A double has the value of smaller integers."""
_DIGITS = 38
"""A decimal has as many."""

Work = list[tuple[Place, list[Any]]]


def add(place: Place, values: list[Any]) -> None:
    """Take in values at a place, and all values inside them.

    Args:
        place: The place.
        values: The values, as the reader makes them.
    """
    # A stack in the place of calls: a text may nest deeper than Python's calls.
    work: Work = [(place, values)]
    while work:
        place, values = work.pop()
        if values:
            _add(find(place), values, work)


def _add(place: Place, values: list[Any], work: Work) -> None:
    place.count += len(values)
    kinds = set(map(type, values))
    if len(kinds) == 1:
        _add_kind(place, kinds.pop(), values, work)
        return
    for kind in kinds:
        _add_kind(place, kind, [one for one in values if type(one) is kind], work)


def _add_kind(place: Place, kind: type[Any], values: list[Any], work: Work) -> None:
    number = len(values)
    if kind is str:
        different = set(values)
        place.texts.add(values, different)
        if place.texts.longest > LONGEST:
            place.text_values = None
        elif place.text_values is not None:
            place.text_values.add(different)
    elif kind is dict:
        place.objects += number
        _add_objects(place, values, work)
    elif kind is list:
        _add_arrays(place, values, work)
    elif kind is int:
        place.widen(min(values), max(values))
        place.integers += number
        if max(-place.low, place.high) > _EXACT:
            place.known.has_long_numbers = True
        place.integer_values.add(values)
    elif kind is bool:
        place.booleans += number
    elif kind is type(None):
        place.nulls += number
    else:
        place.reals += number
        if kind is not float:
            # The reader makes decimals of the numbers that may have more digits than a double.
            place.known.has_long_numbers = True
            place.digits = place.digits or not all(map(is_exact, values))
            place.beyond = place.beyond or any(is_beyond(one, _DIGITS) for one in values)


def _add_arrays(place: Place, values: list[list[Any]], work: Work) -> None:
    place.arrays += len(values)
    place.empty_arrays += list(map(len, values)).count(0)
    if place.element is None:
        place.element = place.inner(ELEMENT)
    if place.is_scalar_list:
        try:
            place.repeats += sum(map(_has_repeats, values))
        except TypeError:  # a set takes neither objects nor arrays
            place.is_scalar_list = False
    if not place.is_scalar_list:
        note_repeats(place, values)
    work.append((place.element, list(chain.from_iterable(values))))


def _add_objects(place: Place, values: list[dict[str, Any]], work: Work) -> None:
    if place.entries is not None:
        place.empty_objects += values.count({})
        _add_entries(place, place.entries, values, work)
        return
    if place.split is not None:
        _add_kinds(place, place.split, values, work)
        return
    columns = _columns(values)
    if columns is not None:
        _add_columns(place, columns, len(values), work)
        return
    groups: dict[Shape, list[dict[str, Any]]] = {}
    for value in values:
        groups.setdefault(tuple(value), []).append(value)
    for group in groups.values():
        _add_objects(place, group, work)


def _columns(values: list[dict[str, Any]]) -> dict[str, list[Any]] | None:
    """Return the values by key; None unless all objects have the same keys."""
    keys = values[0]
    if set(map(len, values)) != {len(keys)}:
        return None
    try:
        return {key: list(map(itemgetter(key), values)) for key in keys}
    except KeyError:
        return None


def _add_columns(place: Place, columns: dict[str, list[Any]], count: int, work: Work) -> None:
    if not columns:
        place.empty_objects += count
    shape = tuple(sorted(columns))
    if shape in place.shapes or len(place.shapes) < MOST_SHAPES:
        place.shapes[shape] = place.shapes.get(shape, 0) + count
    work.extend((place.member(name), column) for name, column in columns.items())
    _add_pairs(place, shape, columns)
    note_contents(place, columns)
    number = len(place.members)
    if number > _MANY_KEYS and (number > 4 * len(shape) or number > _MOST_KEYS):
        place.make_map()


def _add_entries(place: Place, entries: Place, values: list[dict[str, Any]], work: Work) -> None:
    keys = list(chain.from_iterable(values))
    if keys and place.key_texts is not None:
        place.key_texts.add(keys, set(keys))
    work.append((entries, list(chain.from_iterable(map(dict.values, values)))))


def _add_kinds(place: Place, split: str, values: list[dict[str, Any]], work: Work) -> None:
    groups: dict[str, list[Any]] = {}
    for value in values:
        groups.setdefault(value[split], []).append(value)
    for text, group in groups.items():
        kind = place.kinds.get(text)
        if kind is None:
            kind = place.kinds[text] = place.inner(f"{split}={text}")
            kind.kind = text
        work.append((kind, group))


def _add_pairs(place: Place, shape: Shape, columns: dict[str, list[Any]]) -> None:
    """Note which shapes go with each text of the members that have few texts."""
    few: list[tuple[str, dict[str, set[Any]], set[str]]] = []
    for name, column in columns.items():
        known = place.pairs.setdefault(name, {})
        if known is None:
            continue
        texts = set(column) if set(map(type, column)) == {str} else None
        if texts is None or len(texts) > _MOST_KINDS:
            place.pairs[name] = None
        else:
            few.append((name, known, texts))
    inner = [name for name in columns if dict in map(type, columns[name])] if few else []
    nested = [list(map(_shape, columns[name])) for name in inner]
    for name, known, texts in few:
        if inner:
            for text, *shapes in set(zip(columns[name], *nested)):
                deep = [f"{one}/{key}" for one, keys in zip(inner, shapes) for key in keys]
                known.setdefault(text, set()).add((*shape, *sorted(deep)))
        else:
            for text in texts:
                known.setdefault(text, set()).add(shape)
        if len(known) > _MOST_KINDS or sum(map(len, known.values())) > MOST_SHAPES:
            place.pairs[name] = None


def _has_repeats(values: list[Any]) -> bool:
    return len(set(values)) < len(values)


def _shape(value: Any) -> Shape:
    return tuple(value) if type(value) is dict else ()
