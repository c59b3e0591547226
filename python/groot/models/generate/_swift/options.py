"""The options of the written code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SwiftOptions:
    """The form of the Swift types."""

    public: bool = False
    """Whether the types are public, for use in other modules."""
    foundation: bool = False
    """Whether dates, UUIDs, URIs, bytes and decimals have Foundation's types."""
    namespace: str | None = None
    """The name of an enumeration around the types; None for types at the top level."""
    implicit: bool = False
    """Whether properties without a `JSONKeyPath` are read under their own names.

    If so, the entities have the annotation `groot.implicit`, and a mapping of the types does not
    need the option `implicit`.
    """
