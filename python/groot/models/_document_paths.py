"""Paths of issues in model documents."""

from __future__ import annotations

import json
import re

_MEMBER = r"""(?:\.(\w+)|\[("(?:[^"\\]|\\.)*")\])"""
_PROPERTY = re.compile(rf"\$\.entities{_MEMBER}(?:\.(?:attributes|relationships){_MEMBER})?")


def names_at(path: str) -> tuple[str | None, str | None]:
    """Return the entity and the property at a path in a model document."""
    found = _PROPERTY.match(path)
    if found is None:
        return None, None
    entity, quoted_entity, property, quoted_property = found.groups()
    return (
        json.loads(quoted_entity) if quoted_entity else entity,
        json.loads(quoted_property) if quoted_property else property,
    )
