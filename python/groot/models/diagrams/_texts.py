"""Texts of a model for people: types, notes, and names without invisible characters."""

from __future__ import annotations

import reprlib
from typing import Any

from groot.errors import Status, error
from groot.model import Model
from groot.models.generate import _json
from groot.models.generate._comments import visible, written


def entities_of(model: Any) -> dict[str, dict[str, Any]]:
    """Return the entities of a model, complete, exact and in the order of the document.

    Args:
        model: The model.

    Returns:
        The entities.

    Raises:
        groot.Error: With `Status.INVALID_ARGUMENT` for something other than a model, and with
            `Status.LIMIT_EXCEEDED` for a default that nests too deep.
    """
    if not isinstance(model, Model):
        message = f"model is {reprlib.repr(model)}, not a groot.Model"
        raise error(Status.INVALID_ARGUMENT, message)
    try:
        entities: dict[str, dict[str, Any]] = _json.read(model.document_text)["entities"]
    except RecursionError:
        raise error(Status.LIMIT_EXCEEDED, "a default nests too deep for Python") from None
    return entities


def shown(name: str) -> str:
    """Return a name on one line, with codes for characters that are invisible."""
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in name
    )


def type_of(attribute: dict[str, Any]) -> str:
    """Return the type of an attribute; that of a composite has its elements."""
    kind: str = attribute["type"]
    if kind != "composite":
        return kind
    parts = (f"{type_of(one)} {shown(name)}" for name, one in attribute["elements"].items())
    return f"{kind} ({', '.join(parts)})"


def note_of(described: dict[str, Any]) -> str | None:
    """Return the documentation of an entity or a property on one line, if there is any."""
    text = written(described)
    return None if text is None else " ".join(visible(text).split())
