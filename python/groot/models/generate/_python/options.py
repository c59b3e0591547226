"""The options of Python classes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PythonOptions:
    """The form of the classes."""

    implicit: bool = False
    """Whether properties without a `JSONKeyPath` are read under their own names."""
