"""Places of a sample, with the facts of all values there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from groot.models.infer._forms import Texts
from groot.models.infer._values import Spill, Values

MOST_SHAPES = 4_000
ELEMENT = "*"
"""The name of the place of elements in descriptions of places."""

Shape = tuple[str, ...]
Path = tuple[str, ...]


@dataclass
class Known:
    """Facts about a sample that are known before its values are taken in."""

    spill: Spill
    """The file of sets that outgrow the memory."""
    splits: dict[Path, str] = field(default_factory=dict)
    """By path of a place the key of the text that chooses the kind of its objects."""
    has_long_numbers: bool = False
    """Whether a number may have more digits than a double; found by the survey."""
    maps: set[Path] = field(default_factory=set)
    """The places of objects whose keys are data."""


class Place:
    """A place in a sample, such as `/actor/login`, with the facts of all values there.

    The facts do not depend on the order of the values, and those of two places can be merged. The
    places inside have the values of members, of elements of arrays, and of maps.
    """

    def __init__(self, path: Path, known: Known) -> None:
        """Begin without values.

        Args:
            path: The keys on the way from a record to this place.
            known: The facts that are known before the values.
        """
        self.path = path
        self.known = known
        spill = known.spill
        self.count = self.nulls = self.booleans = self.integers = self.reals = 0
        self.objects = self.arrays = self.empty_arrays = self.empty_objects = 0
        self.repeats = 0
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
        self.contents: dict[str, Values] | None = {}
        """By key of an identifier the hashes of different contents; None if they are not known."""
        self.list_repeats: dict[str, int] | None = None
        """By key of an identifier the number of lists that have one twice, once it is counted."""
        self.split = known.splits.get(path)
        """The key whose text chooses the kind."""
        self.kinds: dict[str, Place] = {}
        self.kind: str | None = None
        """The text that chooses this kind."""
        self.successor: Place | None = None
        """The place that has taken in this one."""
        if path in known.maps:
            self.make_map()

    def inner(self, key: str) -> Place:
        """Make a place inside this one."""
        return Place((*self.path, key), self.known)

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

    def widen(self, low: int, high: int) -> None:
        """Take in the limits of integers, before they are counted."""
        if self.integers:
            low, high = min(self.low, low), max(self.high, high)
        self.low, self.high = low, high

    def make_map(self) -> None:
        """Treat the objects as maps: the values under all keys are at one place."""
        self.entries = self.inner(ELEMENT)
        self.key_texts = self.key_texts or Texts()
        for name, member in self.members.items():
            unite(self.entries, member)
            self.key_texts.add([name], [name])
        self.members, self.pairs, self.shapes = {}, {}, {}

    def take(self, other: Place) -> None:
        """Take in the facts of the values of another place, without those of the places inside."""
        if other.integers:
            self.widen(other.low, other.high)
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
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
            if shape in self.shapes or len(self.shapes) < MOST_SHAPES:
                self.shapes[shape] = self.shapes.get(shape, 0) + number
        self._take_pairs(other)
        self._take_contents(other)
        if other.key_texts is not None:
            if self.key_texts is None:
                self.key_texts = other.key_texts
            else:
                self.key_texts.merge(other.key_texts)

    def _take_contents(self, other: Place) -> None:
        if self.contents is None or other.contents is None:
            self.contents = None
        else:
            for key, values in other.contents.items():
                if key in self.contents:
                    self.contents[key].merge(values)
                else:
                    self.contents[key] = values
        mine, theirs = self.list_repeats, other.list_repeats
        if mine is None or theirs is None:
            self.list_repeats = theirs if mine is None else mine
        else:
            self.list_repeats = {key: mine[key] + theirs[key] for key in mine if key in theirs}

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
