"""The last steps, after all entities are converted: keys of members, and inherited properties."""

from __future__ import annotations

from groot.key_paths import escaped
from groot.models.schemas._attributes import Document, attribute
from groot.models.schemas._entities import Entities

_LEVELS = 256
_NUMBERS = ("integer16", "integer32", "integer64")


def complete(entities: Entities) -> None:
    """Add the attributes of keys, and leave out properties that an ancestor has."""
    converted = entities.converted
    lines = {name: _line(converted, name) for name in converted}
    for name, line in lines.items():
        if len(line) > _LEVELS:
            place = entities.places[name, ""]
            raise entities.notes.limit(place, f"kinds nest more than {_LEVELS} levels deep")
    for name, keys in entities.keyed.items():
        _add_key(entities, lines[name][0], keys)
    for name, line in sorted(lines.items(), key=lambda item: len(item[1])):
        _inherit(converted, name, line)
    for found in converted.values():
        info = found.get("userInfo", {})
        if "groot.discriminator" in info:
            info["groot.discriminator"] = escaped(info["groot.discriminator"])
        for member in [key for key, value in found.items() if not value]:
            del found[member]


def _line(entities: dict[str, Document], name: str) -> list[str]:
    """Return the ancestors of an entity from the root, and the entity itself."""
    line = [name]
    while (
        (parent := entities[line[-1]].get("parent")) is not None
        and parent not in line
        and len(line) <= _LEVELS
    ):
        line.append(parent)
    return line[::-1]


def _add_key(entities: Entities, name: str, keys: str | None) -> None:
    """Give an entity an attribute for the key under which its objects stand."""
    entity = entities.converted[name]
    attributes = entity.setdefault("attributes", {})
    if any(one["userInfo"].get("JSONKeyPath") == "@key" for one in attributes.values()):
        return
    key, number = "key", 2
    while key in attributes or key in entity.get("relationships", {}):
        key, number = f"key{number}", number + 1
    found: Document = {"type": "string", "optional": True}
    if keys is not None:
        shape = entities.meanings.of(keys).shape
        if set(shape.types) <= {"string"}:
            found = {**attribute(shape, True, entities.notes), "type": "string"}
            found.pop("default", None)
    found["userInfo"] = {"JSONKeyPath": "@key"}
    entity["attributes"] = {key: found, **attributes}


def _inherit(entities: dict[str, Document], name: str, line: list[str]) -> None:
    """Leave out what ancestors have, and the key that only says the kind."""
    above: dict[str, str] = {}
    keys = set()
    inherited: list[str] = []
    for each in line:
        info = entities[each].get("userInfo", {})
        keys.add(escaped(info.get("groot.discriminator", "")))
        if each == name:
            break
        inherited += _identity(info)
        for kind in ("attributes", "relationships"):
            for property, one in entities[each].get(kind, {}).items():
                above[property] = one["userInfo"]["JSONKeyPath"]
    found = entities[name]
    info = found.get("userInfo", {})
    identity = _identity(info)
    if identity and set(identity) <= set(inherited):
        del info["identityAttributes"]
    for kind in ("attributes", "relationships"):
        for property, one in list(found.get(kind, {}).items()):
            path = one["userInfo"]["JSONKeyPath"]
            says_kind = path in keys and one.get("type") not in _NUMBERS
            if above.get(property) == path or (says_kind and property not in identity):
                del found[kind][property]
            elif property in above:
                number = 2
                while f"{property}{number}" in above or f"{property}{number}" in found[kind]:
                    number += 1
                found[kind][f"{property}{number}"] = found[kind].pop(property)


def _identity(info: dict[str, str]) -> list[str]:
    return info.get("identityAttributes", "").replace(",", " ").split()
