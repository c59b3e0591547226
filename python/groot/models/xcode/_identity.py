"""Uniqueness constraints as a fallback for identity.

Core Data keeps objects unique by constraints, and importers find them by annotations. Without
annotations, a constraint is the closest substitute. It is written into the model document as an
annotation, so that the document alone shows and decides the identity.
"""

from __future__ import annotations

from collections import defaultdict

from groot.models.xcode._members import Document

_ENTITY_KEYS = (
    "identityAttributes",
    "identityAttribute",
    "relatedByAttribute",
    "RKEntityIdentificationAttributes",
)
_ATTRIBUTE_KEYS = ("sync.isPrimaryKey", "hyper.isPrimaryKey")


def fall_back(entities: Document) -> None:
    """Annotate the topmost entities that have a usable constraint and need one.

    An identity is inherited and adds to those of ancestors. So an entity gets none if an
    ancestor or a descendant declares one or got one here.
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
    # An entity that inherits from itself is not under a root, and so is skipped.
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
    """Return the first constraint whose attributes are all read from JSON."""
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
