"""The options of the written code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SwiftOptions:
    """How types of Swift are written."""

    public: bool = False
    """Whether other modules see them."""
    foundation: bool = False
    """Whether dates, UUIDs, URIs, bytes and decimals are types of Foundation."""
    namespace: str | None = None
    """The enumeration that the types are put into; None for none."""
    implicit: bool = False
    """Whether properties without a `JSONKeyPath` are read under their own names.

    The entities then have the annotation `groot.implicit`, so that a mapping of the types needs no
    option for it.
    """
