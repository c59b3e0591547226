"""Comments of the types and members: the model's own documentation, or else its facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from groot.models.generate._json import text_of

_SHOWN_VALUES = 8
_ANNOTATIONS = ("documentation", "comment")
_KINDS = {
    "integer16": "whole number",
    "integer32": "whole number",
    "integer64": "whole number",
    "decimal": "decimal number",
    "double": "number",
    "float": "number",
    "string": "text",
    "boolean": "truth value",
    "date": "date",
    "day": "day",
    "binary": "sequence of bytes",
    "uuid": "UUID",
    "uri": "URI",
    "transformable": "JSON value",
    "composite": "composite value",
}


def visible(text: str) -> str:
    """Replace invisible characters, such as those that would end a line."""
    return "".join(character if character.isprintable() else " " for character in text)


def written(description: dict[str, Any]) -> str | None:
    """Return the documentation in the model, if there is any."""
    for annotation in _ANNOTATIONS:
        text: str = description["userInfo"].get(annotation, "")
        if visible(text).strip():
            return text.strip()
    return None


def about_entity(description: dict[str, Any], identity: Iterable[str]) -> str:
    """Describe an entity, and the names that identify its objects."""
    found = written(description)
    if found is not None:
        return found
    kind = "An abstract entity" if description["abstract"] else "An entity"
    names = [_code(name) for name in identity]
    if not names:
        return f"{kind} without identity."
    return f"{kind} whose objects are identified by {' and '.join(names)}."


def about_property(description: dict[str, Any], path: str | None) -> str:
    """Describe a property, and the key path that it is read from."""
    found = written(description)
    if found is not None:
        return found
    facts = _attribute if "type" in description else _relationship
    source = f", from {_code(path)}" if path else ""
    return f"{facts(description)}{source}."


def _attribute(description: dict[str, Any]) -> str:
    kind = _KINDS[description["type"]]
    fact = f"An optional {kind}" if description["optional"] else f"A required {kind}"
    return f"{fact}{_values(description['values'] or [])}"


def _values(values: list[Any]) -> str:
    """Describe the allowed values."""
    texts = [_code(value if isinstance(value, str) else text_of(value)) for value in values]
    if not texts:
        return ""
    if len(texts) > _SHOWN_VALUES:
        rest = len(texts) - _SHOWN_VALUES
        texts[_SHOWN_VALUES:] = [f"{rest} other{'s' if rest > 1 else ''}"]
    *others, last = texts
    return f", one of {', '.join(others)} or {last}" if others else f", always {last}"


def _relationship(description: dict[str, Any]) -> str:
    destination = _code(description["destination"])
    if not description["toMany"]:
        return f"One {destination}" + (" or none" if description["optional"] else "")
    least, most = description["minCount"], description["maxCount"]
    if least and most:
        count = f"{least} to {most}"
    elif most:
        count = f"Up to {most}"
    else:
        least = least or int(not description["optional"])
        count = f"{least} or more" if least else "Any number of"
    return f"{count} {destination}{' in order' if description['ordered'] else ''}"


def _code(name: str) -> str:
    """Mark a name as code."""
    return "`" + " ".join(visible(name).replace("`", "'").split()) + "`"
