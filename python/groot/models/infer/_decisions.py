"""Decisions that a model document is made of, and the properties that it has."""

from __future__ import annotations

from dataclasses import dataclass, field

from groot.models.infer._counterexamples import Search
from groot.models.infer._entities import Entity

Key = tuple[str, str]
"""The name of an entity and the key of a member."""


@dataclass
class Choices:
    """Decisions that come before the evidence."""

    types: dict[Key, str] = field(default_factory=dict)
    """The types of attributes that are told."""
    json: dict[Key, str] = field(default_factory=dict)
    """Members that are kept as JSON or text, with the reason."""


@dataclass
class Root:
    """The place of the records in a document."""

    entity: Entity
    pointer: str
    form: str = "array"
    is_positional: bool = False
    """Whether a record is an array."""


@dataclass
class Property:
    """A property of the model, and the key whose values it has."""

    entity: str
    name: str
    key: str | None
    reason: str
    search: Search | None = None
    """The search for a counterexample."""
