"""Values as text for people, on one line and of limited length."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from groot._core.references import Reference
from groot.errors import Error
from groot.values import plain

LENGTH = 60
"""The number of characters from which on a value is cut."""


def value_text(value: Any) -> str:
    """Write the value of an attribute; a long one is cut, with its length."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, str):
        if len(value) <= LENGTH:
            return repr(value)
        quoted = repr(value[:LENGTH])
        return f"{quoted[:-1]}… ({len(value):,} characters){quoted[-1]}"
    if isinstance(value, (bytes, bytearray)):
        if len(value) <= LENGTH:
            return repr(value)
        return f"{bytes(value[:LENGTH])!r}… ({len(value):,} bytes)"
    try:
        is_plain = isinstance(value, (date, datetime, Decimal, UUID))
        text = str(plain(value)) if is_plain else repr(value)
    except (RecursionError, ValueError):  # JSON may have more levels, and more digits, than Python
        return f"a {type(value).__name__} that is too deep or too long to show"
    return text if len(text) <= LENGTH else f"{text[:LENGTH]}… ({len(text):,} characters)"


def name_text(name: str) -> str:
    """Write the name of an entity or a property, which may have any characters."""
    return cut(name if name.isprintable() else repr(name))


def cut(text: str) -> str:
    """Cut a text that is too long."""
    return text if len(text) <= LENGTH else f"{text[:LENGTH]}… ({len(text):,} characters)"


def identity_text(found: Any) -> str:
    """Write an object as its entity and identity; its number stands for a missing identity."""
    entity = found._entity
    parts = []
    try:
        for name in entity.identity:
            value = found._fields[name].read(found)
            text = short_text(value) if isinstance(value, Reference) else value_text(value)
            parts.append(f"{name_text(name)}={text}")
    except (Error, OverflowError):  # deleted, or a date beyond datetime
        parts = []
    return f"{name_text(entity.name)} {' '.join(parts) or f'#{found._number}'}"


def short_text(found: Any) -> str:
    """Write an object as its entity and number."""
    return f"{name_text(found._entity.name)} #{found._number}"
