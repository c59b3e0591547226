"""Places of a sample, with the facts of all values there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from groot.models.infer._forms import Texts
from groot.models.infer._numbers import is_beyond, is_exact
from groot.models.infer._values import LONGEST, Spill, Values

MOST_KEYS = 1_000
"""Objects at one place with more different keys in total are maps, not records."""
_MOST_SHAPES = 4_000
_DIGITS = 38
"""A decimal has as many."""
_MOST_KINDS = 40
"""A text with more different values does not name kinds of objects."""
ELEMENT = "*"
"""The name of the place of elements in descriptions of places."""

Shape = tuple[str, ...]
Path = tuple[str, ...]


class Place:
    """A place in a sample, such as `/actor/login`, with the facts of all values there.

    The facts do not depend on the order of the values, and those of two places can be merged. The
    places inside have the values of members, of elements of arrays, and of maps.
    """

    __slots__ = (
        "arrays",
        "beyond",
        "booleans",
        "count",
        "digits",
        "element",
        "empty_arrays",
        "empty_objects",
        "entries",
        "high",
        "integer_values",
        "integers",
        "is_scalar_list",
        "key_texts",
        "kind",
        "kinds",
        "longest_array",
        "low",
        "members",
        "nulls",
        "objects",
        "pairs",
        "path",
        "reals",
        "repeats",
        "shapes",
        "spill",
        "split",
        "splits",
        "successor",
        "text_values",
        "texts",
    )  # fmt: skip

    def __init__(self, path: Path, spill: Spill, splits: Mapping[Path, str]) -> None:
        """Begin without values.

        Args:
            path: The keys on the way from a record to this place.
            spill: The file of sets that outgrow the memory.
            splits: By path of a place the key of the text that chooses the kind of its objects.
        """
        self.path = path
        self.spill = spill
        self.splits = splits
        self.count = self.nulls = self.booleans = self.integers = self.reals = 0
        self.objects = self.arrays = self.empty_arrays = self.empty_objects = 0
        self.longest_array = self.repeats = 0
        self.low = self.high = 0
        self.digits = False
        """Whether a number has digits that a double loses."""
        self.beyond = False
        """Whether one has more digits than a decimal keeps."""
        self.texts = Texts()
        self.text_values: Values | None = Values(spill)
        """The different texts; None if a long one is among them."""
        self.integer_values = Values(spill)
        self.shapes: dict[Shape, int] = {}
        self.members: dict[str, Place] = {}
        self.entries: Place | None = None
        """The values of all keys, where the objects are maps."""
        self.key_texts: Texts | None = None
        self.element: Place | None = None
        self.is_scalar_list = True
        self.pairs: dict[str, dict[str, set[Any]] | None] = {}
        """By key of a text and by text the shapes of the objects; None for too many texts."""
        self.split = splits.get(path)
        """The key whose text chooses the kind."""
        self.kinds: dict[str, Place] = {}
        self.kind: str | None = None
        """The text that chooses this kind."""
        self.successor: Place | None = None
        """The place that has taken in this one."""

    def inner(self, key: str) -> Place:
        """Make a place inside this one."""
        return Place((*self.path, key), self.spill, self.splits)

    def member(self, key: str) -> Place:
        """Return the place of a member."""
        found = self.members.get(key)
        if found is None:
            found = self.members[key] = self.inner(key)
        return found

    def children(self) -> Iterator[Place]:
        """Yield the places directly inside."""
        yield from self.members.values()
        yield from self.kinds.values()
        for place in (self.entries, self.element):
            if place is not None:
                yield place

    @property
    def scalars(self) -> int:
        """The number of scalars that are not null."""
        return self.booleans + self.integers + self.reals + self.texts.count

    @property
    def present(self) -> int:
        """The number of values that are not null."""
        return self.count - self.nulls

    def add(self, values: list[Any]) -> None:
        """Take in values."""
        if not values:
            return
        self.count += len(values)
        kinds = set(map(type, values))
        if len(kinds) == 1:
            self._add_kind(kinds.pop(), values)
            return
        for kind in kinds:
            self._add_kind(kind, [one for one in values if type(one) is kind])

    def _add_kind(self, kind: type[Any], values: list[Any]) -> None:
        number = len(values)
        if kind is str:
            self.texts.add(values)
            if self.texts.longest > LONGEST:
                self.text_values = None
            elif self.text_values is not None:
                self.text_values.add(values)
        elif kind is dict:
            self.objects += number
            self._add_objects(values)
        elif kind is list:
            self._add_arrays(values)
        elif kind is int:
            self._widen(min(values), max(values))
            self.integers += number
            self.integer_values.add(values)
        elif kind is bool:
            self.booleans += number
        elif kind is type(None):
            self.nulls += number
        elif kind is float:
            self.reals += number
        else:
            # The reader makes decimals of the numbers that may have more digits than a double.
            self.reals += number
            self.digits = self.digits or not all(map(is_exact, values))
            self.beyond = self.beyond or any(is_beyond(one, _DIGITS) for one in values)

    def _widen(self, low: int, high: int) -> None:
        if self.integers:
            low, high = min(self.low, low), max(self.high, high)
        self.low, self.high = low, high

    def _add_arrays(self, values: list[list[Any]]) -> None:
        self.arrays += len(values)
        lengths = list(map(len, values))
        self.empty_arrays += lengths.count(0)
        self.longest_array = max([self.longest_array, *lengths])
        if self.element is None:
            self.element = self.inner(ELEMENT)
        if self.is_scalar_list:
            try:
                self.repeats += sum(map(_repeats, values))
            except TypeError:  # an object or an array is no member of a set
                self.is_scalar_list = False
        self.element.add(list(chain.from_iterable(values)))

    def _add_objects(self, values: list[dict[str, Any]]) -> None:
        if self.entries is not None:
            self._add_to_entries(values)
            return
        shapes = set(map(tuple, values))
        if len(shapes) == 1:
            self._add_shape(shapes.pop(), values)
            return
        groups: dict[Shape, list[dict[str, Any]]] = {}
        for value in values:
            groups.setdefault(tuple(value), []).append(value)
        for shape, group in groups.items():
            self._add_shape(shape, group)

    def _add_shape(self, shape: Shape, values: list[dict[str, Any]]) -> None:
        if self.entries is not None:
            self._add_to_entries(values)
            return
        if not shape:
            self.empty_objects += len(values)
        if self.split is not None:
            self._add_to_kinds(self.split, values)
            return
        key = tuple(sorted(shape))
        if key in self.shapes or len(self.shapes) < _MOST_SHAPES:
            self.shapes[key] = self.shapes.get(key, 0) + len(values)
        columns = dict(zip(shape, map(list, zip(*map(dict.values, values)))))
        for name, column in columns.items():
            self.member(name).add(column)
        self._add_pairs(key, columns)
        if len(self.members) > MOST_KEYS:
            self.make_map()

    def _add_pairs(self, shape: Shape, columns: dict[str, list[Any]]) -> None:
        """Note which shapes go with each text of the members that have few texts."""
        inner = [name for name, column in columns.items() if type(column[0]) is dict]
        for name, column in columns.items():
            if name in self.pairs and self.pairs[name] is None:
                continue
            member = self.members[name]
            if member.texts.count < member.count:
                self.pairs[name] = None
                continue
            texts = set(column)
            if len(texts) > _MOST_KINDS:
                self.pairs[name] = None
                continue
            known = self.pairs.setdefault(name, {})
            if known is None:
                continue
            if inner:
                nested = [map(_shape, columns[one]) for one in inner]
                for text, *shapes in set(zip(column, *nested)):
                    deep = [f"{one}/{key}" for one, keys in zip(inner, shapes) for key in keys]
                    known.setdefault(text, set()).add((*shape, *sorted(deep)))
            else:
                for text in texts:
                    known.setdefault(text, set()).add(shape)
            if len(known) > _MOST_KINDS or sum(map(len, known.values())) > _MOST_SHAPES:
                self.pairs[name] = None

    def _add_to_kinds(self, split: str, values: list[dict[str, Any]]) -> None:
        groups: dict[str, list[dict[str, Any]]] = {}
        for value in values:
            groups.setdefault(value[split], []).append(value)
        for text, group in groups.items():
            kind = self.kinds.get(text)
            if kind is None:
                kind = self.kinds[text] = self.inner(f"{split}={text}")
                kind.kind = text
            kind.count += len(group)
            kind.objects += len(group)
            kind._add_objects(group)

    def make_map(self) -> None:
        """Treat the objects as maps: the values under all keys are at one place."""
        self.entries = self.inner(ELEMENT)
        self.key_texts = self.key_texts or Texts()
        for name, member in self.members.items():
            unite(self.entries, member)
            self.key_texts.add([name])
        self.members, self.pairs, self.shapes = {}, {}, {}

    def _add_to_entries(self, values: list[dict[str, Any]]) -> None:
        if self.entries is None or self.key_texts is None:
            return
        self.entries.add(list(chain.from_iterable(map(dict.values, values))))
        keys = list(chain.from_iterable(values))
        if keys:
            self.key_texts.add(keys)

    def take(self, other: Place) -> None:
        """Take in the facts of the values of another place, without those of the places inside."""
        if other.integers:
            self._widen(other.low, other.high)
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.longest_array = max(self.longest_array, other.longest_array)
        self.digits = self.digits or other.digits
        self.beyond = self.beyond or other.beyond
        self.is_scalar_list = self.is_scalar_list and other.is_scalar_list
        self.texts.merge(other.texts)
        if self.text_values is None or other.text_values is None:
            self.text_values = None
        else:
            self.text_values.merge(other.text_values)
        self.integer_values.merge(other.integer_values)
        for shape, number in other.shapes.items():
            if shape in self.shapes or len(self.shapes) < _MOST_SHAPES:
                self.shapes[shape] = self.shapes.get(shape, 0) + number
        self._take_pairs(other)
        if other.key_texts is not None:
            if self.key_texts is None:
                self.key_texts = other.key_texts
            else:
                self.key_texts.merge(other.key_texts)

    def _take_pairs(self, other: Place) -> None:
        for name, known in other.pairs.items():
            mine = self.pairs.setdefault(name, {})
            if known is None or mine is None:
                self.pairs[name] = None
                continue
            for text, shapes in known.items():
                mine.setdefault(text, set()).update(shapes)


_COUNTS = (
    "count", "nulls", "booleans", "integers", "reals", "objects", "arrays", "empty_arrays",
    "empty_objects", "repeats",
)  # fmt: skip


def find(place: Place) -> Place:
    """Return the place that has the facts of a place, after all that were united."""
    while place.successor is not None:
        place = place.successor
    return place


def unite(one: Place, other: Place) -> None:
    """Make two places one, and the places inside them pair by pair.

    One may be inside the other, as in a tree of comments.
    """
    work = [(one, other)]
    while work:
        one, other = map(find, work.pop())
        if one is other:
            continue
        one.take(other)
        other.successor = one
        if one.entries is None and other.entries is not None:
            one.make_map()
        if one.entries is not None:
            inner = [*other.members.values(), *filter(None, [other.entries])]
            for place in inner:
                work.append((one.entries, place))
        else:
            _pair(one.members, other.members, work)
        _pair(one.kinds, other.kinds, work)
        if one.element is None:
            one.element = other.element
        elif other.element is not None:
            work.append((one.element, other.element))


def _pair(
    mine: dict[str, Place], others: dict[str, Place], work: list[tuple[Place, Place]]
) -> None:
    for name, place in others.items():
        if name in mine:
            work.append((mine[name], place))
        else:
            mine[name] = place


def _repeats(values: list[Any]) -> bool:
    return len(set(values)) < len(values)


def _shape(value: Any) -> Shape:
    return tuple(value) if type(value) is dict else ()
