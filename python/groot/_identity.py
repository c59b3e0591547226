"""The identity of the objects of an entity in each dialect, as in the library."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_ANNOTATIONS = ("identityAttributes", "identityAttribute")
_PRIMARY = ("sync.isPrimaryKey", "hyper.isPrimaryKey")
_CONVENTIONAL = ("id", "remoteID")


def annotated(described: Mapping[str, Any]) -> list[str]:
    """Return the names in an entity's own annotation."""
    notes = described.get("userInfo", {})
    listed = next((notes[key] for key in _ANNOTATIONS if key in notes), "")
    return re.split(r"[,\s]+", str(listed).strip())


def conventional(attributes: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the identity by naming conventions, from the own and inherited attributes."""
    marked = [name for name, one in attributes.items() if _is_primary(one)]
    found = marked or [name for name in _CONVENTIONAL if name in attributes]
    return tuple(found[:1])


def _is_primary(attribute: Mapping[str, Any]) -> bool:
    notes = attribute.get("userInfo", {})
    return next((notes[key] for key in _PRIMARY if key in notes), "") in ("YES", "true")


def primary_keys(
    rules: Mapping[str, Any] | None, entities: Mapping[str, Any]
) -> dict[str, str | None]:
    """Return the primary key or None of each entity with rules; its first rules count."""
    keys: dict[str, str | None] = {}
    for name, group in (rules or {}).items():
        inner = list(group.items()) if isinstance(group, Mapping) else []
        candidates = [name]
        if len(inner) == 1 and isinstance(inner[0][1], Mapping):
            candidates.insert(0, inner[0][0])
        for candidate in candidates:
            entity, _, key = candidate.partition(".")
            if entity in entities:
                keys.setdefault(entity, key or None)
                break
    return keys
