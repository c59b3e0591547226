"""Changes: the objects that an import inserted, updated or deleted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from groot.objects import Object


@dataclass(frozen=True)
class Change:
    """The change of one object."""

    id: int
    """The object's number."""
    entity: str
    """The name of its entity."""
    change: str
    """`"inserted"`, `"updated"` or `"deleted"`."""
    object: Object | None
    """The object; None if it was deleted, or was made by a dry run."""
    properties: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    """The old and the new value of each property that changed, by name.

    An attribute has the values that reading it gives. A to-one relationship has an object or None,
    a to-many relationship a list of objects. An object that was deleted, or was made by a dry run,
    is given as its number: the `id` of its change.
    """
