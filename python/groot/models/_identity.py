"""The identity that the annotations of an entity declare."""

from __future__ import annotations

from typing import Any

from groot.models._lineage import listed

_NAMED = ("identityAttributes", "identityAttribute")
_MARKED = ("sync.isPrimaryKey", "hyper.isPrimaryKey")
_YES = ("YES", "true")


def own_identity(described: dict[str, Any]) -> list[str]:
    """Return the names of the properties in the identity that an entity itself declares.

    Args:
        described: The entity in a complete document.

    Returns:
        The names, in the order of the annotation.
    """
    for annotation in _NAMED:
        if names := listed(described["userInfo"].get(annotation)):
            return names
    return [
        name
        for name, one in described["attributes"].items()
        if any(one["userInfo"].get(mark) in _YES for mark in _MARKED)
    ]
