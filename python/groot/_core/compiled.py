"""Compiled mappings, as the library knows them."""

from __future__ import annotations

from typing import Any

from groot._core.handle import Handle, Unchanging
from groot._core.schema import Schema


class Compiled(Unchanging):
    """A compiled mapping with its schema: the base of `groot.Mapping`."""

    _handle: Handle
    _schema: Schema
    _classes: dict[str, Any]
    """The classes of objects by the names of entities; contexts add them on demand."""
    _declared: dict[str, Any]
    """The classes of the program by the names of entities; empty for a model of a document."""
