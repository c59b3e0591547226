"""Inverses of relationships, after all entities are converted."""

from __future__ import annotations

from typing import NamedTuple

from groot.models.xcode._members import Document
from groot.models.xcode._notes import Location


class Inverse(NamedTuple):
    """A relationship that names its inverse."""

    location: Location
    """The location of the relationship."""
    relationship: Document
    """The relationship, converted."""
    entity: str | None
    """The declared entity of the inverse."""


def resolve(entities: Document, inverses: list[Inverse]) -> None:
    """Compare the two sides of each relationship, and complete an inverse that one side lacks."""
    claimed: set[tuple[str, str]] = set()
    for location, relationship, entity in inverses:
        destination = relationship["destination"]
        if entity is not None and entity not in _line(entities, destination):
            location.error(f"its destination is '{destination}', but its inverse is in '{entity}'")
            continue
        other = entities.get(destination, {}).get("relationships", {}).get(relationship["inverse"])
        if other is None or "inverse" in other or other["destination"] != location.entity:
            continue  # the check of the whole model reports it
        key = (destination, relationship["inverse"])
        if key not in claimed:
            claimed.add(key)
            other["inverse"] = location.property
            location.warn(
                f"its inverse '{destination}.{relationship['inverse']}' did not point back"
            )


def _line(entities: Document, name: str) -> set[str]:
    """Return an entity and its ancestors."""
    line: set[str] = set()
    current: str | None = name
    while current is not None and current not in line:
        line.add(current)
        current = entities.get(current, {}).get("parent")
    return line
