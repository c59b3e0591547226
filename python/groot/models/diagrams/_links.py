"""The links of a model: a relationship with its inverse, or one that has none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class End:
    """The number of objects at an end of a link."""

    is_optional: bool
    """Whether the number may be 0."""
    is_many: bool
    """Whether the number may be 2 or more."""


@dataclass(frozen=True)
class Link:
    """A relationship with its inverse."""

    source: str
    """The entity that declares the relationship."""
    name: str
    """The name of the relationship."""
    end: End
    """The number of members of an object of the source."""
    target: str
    """The destination."""
    inverse: str | None
    """The name of the inverse, if there is one."""
    start: End
    """The number of members of an object of the target; any number without an inverse."""
    is_own_inverse: bool
    """Whether the relationship is its own inverse."""

    @property
    def label(self) -> str:
        """The names of both sides."""
        if self.inverse is None or self.is_own_inverse:
            return self.name
        return f"{self.name} / {self.inverse}"


def links_of(entities: dict[str, dict[str, Any]]) -> Iterator[Link]:
    """Yield each pair of inverses once, and each relationship without an inverse.

    Args:
        entities: The entities of a complete document.

    Yields:
        The links, in the order of the first relationship of each.
    """
    done = set()
    for source, described in entities.items():
        for name, one in described["relationships"].items():
            if (source, name) in done:
                continue
            target, inverse = one["destination"], one["inverse"]
            start = End(is_optional=True, is_many=True)
            if inverse is not None:
                done.add((target, inverse))
                start = _end(entities[target]["relationships"][inverse])
            is_own_inverse = (target, inverse) == (source, name)
            yield Link(source, name, _end(one), target, inverse, start, is_own_inverse)


def _end(relationship: dict[str, Any]) -> End:
    is_many = relationship["toMany"] and relationship["maxCount"] != 1
    return End(relationship["optional"], is_many)
