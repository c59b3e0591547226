"""The words of a schema that become annotations: comments, directions, and `x-groot`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groot.models._pointers import joined
from groot.models.schemas._notes import Notes

_OF_ENTITIES = [
    "identityAttributes",
    "identityAttribute",
    "entityMapperName",
    "JSONDictionaryTransformerName",
    "groot.implicit",
    "groot.unknownKeys",
    "groot.unknownDiscriminator",
    "groot.discriminatorValue",
    "groot.version",
    "groot.versionRule",
    "groot.tombstone",
    "groot.deletionMark",
    "groot.root",
]


def of_entity(said: Mapping[str, Any], pointer: str, notes: Notes) -> dict[str, str]:
    """Return the annotations of an entity."""
    words = ("description", "title") if pointer else ("description",)
    return {**_comment(said, words), **given(said, pointer, notes)}


def of_property(
    said: Mapping[str, Any], pointer: str, notes: Notes, is_inline: bool = False
) -> dict[str, str]:
    """Return the annotations of a property; an inline schema also has those of its entity."""
    found = {} if is_inline else _comment(said)
    if said.get("readOnly") is True:
        found["groot.direction"] = "import"
    elif said.get("writeOnly") is True:
        found["groot.direction"] = "export"
    noted = given(said, pointer, notes)
    if is_inline:
        noted = {name: text for name, text in noted.items() if name not in _OF_ENTITIES}
    return {**found, **noted}


def of_inline_entity(said: Mapping[str, Any], pointer: str, notes: Notes) -> dict[str, str]:
    """Return the annotations of an entity whose schema is also that of a property."""
    noted = given(said, pointer, notes)
    mine = {name: text for name, text in noted.items() if name in _OF_ENTITIES}
    return {**_comment(said, ("description",)), **mine}


def _comment(
    said: Mapping[str, Any], words: tuple[str, ...] = ("description", "title")
) -> dict[str, str]:
    """Return the comment in a schema, from the first of the words that it has."""
    for word in words:
        text = said.get(word)
        if isinstance(text, str) and text.strip():
            return {"comment": text}
    return {}


def given(said: Mapping[str, Any], pointer: str, notes: Notes) -> dict[str, str]:
    """Return the entries of `x-groot` as text."""
    entries = said.get("x-groot", {})
    place = joined(pointer, "x-groot")
    if not isinstance(entries, dict):
        notes.error(place, "it is not an object of annotations by name")
        return {}
    found = {}
    for name, value in entries.items():
        if isinstance(value, bool):
            found[name] = "true" if value else "false"
        elif isinstance(value, (str, int, float)):
            found[name] = str(value)
        else:
            notes.error(joined(place, name), "an annotation is text, a number or a truth value")
    return found
