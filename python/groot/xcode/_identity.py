"""Uniqueness constraints as a fallback for identity.

Core Data keeps objects unique by constraints, and importers find them by annotations. Where there
are not annotations, a constraint is what comes closest. It is written into the model document as an
annotation, so that everyone can see it and nothing but the document decides.
"""

from __future__ import annotations

from collections import defaultdict

from groot.xcode._members import Document

_ENTITY_KEYS = (
    "identityAttributes",
    "identityAttribute",
    "relatedByAttribute",
    "RKEntityIdentificationAttributes",
)
_ATTRIBUTE_KEYS = ("sync.isPrimaryKey", "hyper.isPrimaryKey")


def fall_back(entities: Document) -> None:
    """Annotate the topmost entities that have a usable constraint and need one.

    An identity is inherited and adds to those of ancestors. So no entity gets one when any above or
    below it says what its own is, or got one here.
    """
    children: dict[str, list[str]] = defaultdict(list)
    above: set[str] = set()
    for name, entity in entities.items():
        parent = entity.get("parent")
        if parent is not None:
            children[parent].append(name)
        if _says_identity(entity):
            while parent in entities and parent not in above:
                above.add(parent)
                parent = entities[parent].get("parent")
    # An entity that inherits from itself is under no root, and never looked at.
    pending = [(name, False) for name, entity in entities.items() if "parent" not in entity]
    while pending:
        name, covered = pending.pop()
        entity = entities[name]
        covered = covered or _says_identity(entity)
        if not covered and name not in above:
            constraint = _usable_constraint(entities, name)
            if constraint:
                entity.setdefault("userInfo", {})["identityAttributes"] = ", ".join(constraint)
                covered = True
        pending += [(child, covered) for child in children[name]]


def _says_identity(entity: Document) -> bool:
    if any(key in entity.get("userInfo", {}) for key in _ENTITY_KEYS):
        return True
    attributes = entity.get("attributes", {}).values()
    return any(key in one.get("userInfo", {}) for one in attributes for key in _ATTRIBUTE_KEYS)


def _usable_constraint(entities: Document, name: str) -> list[str] | None:
    """Return the first constraint all of whose attributes are read from JSON."""
    constraints: list[list[str]] = entities[name].get("uniquenessConstraints", [])
    for constraint in constraints:
        if all(_is_read(entities, name, attribute) for attribute in constraint):
            return constraint
    return None


def _is_read(entities: Document, entity: str | None, name: str) -> bool:
    while entity is not None:
        found = entities[entity].get("attributes", {}).get(name)
        if found is not None:
            return "JSONKeyPath" in found.get("userInfo", {}) and not found.get("transient")
        entity = entities[entity].get("parent")
    return False
