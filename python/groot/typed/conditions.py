"""Conditions: the predicates of fetches, made of the properties of classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groot._core.declared import ConditionBase, Selector
from groot.errors import Status, error

_DEPTH = 64
"""The levels at which the library refuses a predicate (docs/reference/fetching.md)."""


class Condition(ConditionBase):
    """A condition on the objects of a class: `(Hero.rating > 8) & (Hero.publisher.name == "DC")`.

    Conditions are combined by `&`, `|` and `~`, with parentheses around comparisons, since Python's
    `and`, `or` and `not` cannot be redefined. A condition serves any number of requests.
    """

    __slots__ = ("_parts", "_root", "_word")

    def __init__(self, root: Any, parts: Any, word: str = "") -> None:
        """Make a condition on a class: a predicate, or conditions joined by a word."""
        self._root = root
        self._parts = parts
        self._word = word

    @property
    def plain(self) -> dict[str, Any]:
        """The condition as a predicate, in the form of docs/reference/fetching.md."""
        return self._predicate(0)

    @property
    def root(self) -> Any:
        """The class that the condition is on."""
        return self._root

    def __and__(self, other: Condition) -> Condition:
        """Return the condition that both hold."""
        joined: Condition = self._joined("and", other)
        return joined

    def __or__(self, other: Condition) -> Condition:
        """Return the condition that at least one of both holds."""
        joined: Condition = self._joined("or", other)
        return joined

    def __invert__(self) -> Condition:
        """Return the condition that this one does not hold."""
        return Condition(self._root, (self,), "not")

    def __bool__(self) -> bool:
        """Refuse `and`, `or`, `not` and chained comparisons, which would lose a condition.

        Raises:
            TypeError: Always.
        """
        raise TypeError(
            "a condition has no truth value: write & for and, | for or, ~ for not, with "
            "parentheses around comparisons, and between(a, b) for a < x < b"
        )

    def __repr__(self) -> str:
        """Show the class and the predicate."""
        return f"<{self._root.__name__}: {self.plain}>"

    def _joined(self, word: str, other: object) -> Any:
        if not isinstance(other, Condition):
            return NotImplemented
        return Condition(common_root(self, other), (self, other), word)

    def _predicate(self, depth: int) -> dict[str, Any]:
        if depth > _DEPTH:
            message = f"the condition nests more than {_DEPTH} levels deep; split it"
            raise error(Status.LIMIT_EXCEEDED, message)
        if not self._word:
            found: Mapping[str, Any] = self._parts
            return dict(found)
        parts = [one._predicate(depth + 1) for one in self._flat()]
        return {self._word: parts[0] if self._word == "not" else parts}

    def _flat(self) -> list[Condition]:
        """Return the conditions that a word joins, however they were grouped."""
        if self._word == "not":
            return list(self._parts)
        found: list[Condition] = []
        rest = [self]
        while rest:
            one = rest.pop()
            if one._word == self._word:
                rest += reversed(one._parts)
            else:
                found.append(one)
        return found


def common_root(first: Selector, second: Selector) -> Any:
    """Return the class that two parts of a condition are both on.

    Raises:
        TypeError: For two classes of which neither inherits from the other.
    """
    one, other = first.root, second.root
    if issubclass(one, other):
        return one
    if issubclass(other, one):
        return other
    raise TypeError(
        f"one part is about {one.__name__}, the other about {other.__name__}; begin both at one "
        "class, as in Hero.publisher.name"
    )
