"""The options of properties as their descriptions in a model document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from groot.typed.properties import UNSET
from groot.typed.resolved import Property
from groot.typed.types import Content
from groot.values import plain

_MEMBERS = {
    "minimum": "min",
    "maximum": "max",
    "minimum_length": "minLength",
    "maximum_length": "maxLength",
    "minimum_count": "minCount",
    "maximum_count": "maxCount",
    "pattern": "pattern",
    "default": "default",
    "delete_rule": "deleteRule",
    "elements": "elements",
    "inverse": "inverse",
    "ordered": "ordered",
    "renaming_identifier": "renamingIdentifier",
    "transient": "transient",
    "type": "type",
    "optional": "optional",
}
_NOTES = {
    "alternatives": ("groot.alternatives", ", "),
    "date_format": ("groot.dateFormat", " | "),
    "direction": ("groot.direction", ""),
    "discriminator": ("groot.discriminator", ""),
    "export": ("groot.export", ""),
    "form": ("groot.form", ""),
    "nulls": ("groot.exportNull", ""),
    "properties": ("groot.exportProperties", ", "),
}


def attribute(member: str, owner: str, content: Content, options: Mapping[str, Any]) -> Property:
    """Describe an attribute of an entity."""
    described = {"type": content.type, "optional": content.is_optional, **_members(options)}
    values = options.get("values", content.values)
    if values is not None:
        described["values"] = [plain(_value_of(content, one)) for one in values]
    if "default" in options:
        default = _value_of(content, options["default"])
        is_json = described["type"] in ("transformable", "composite")
        described["default"] = default if is_json else plain(default)
    return _property(member, owner, described, options, choices=content.choices)


def relationship(
    member: str,
    owner: str,
    destination: Any,
    options: Mapping[str, Any],
    *,
    is_to_many: bool,
    is_optional: bool,
) -> Property:
    """Describe a relationship of an entity to a class."""
    described = {"toMany": is_to_many, "optional": is_optional, **_members(options)}
    return _property(member, owner, described, options, destination=destination)


def named(
    note: str, function: str | Callable[..., Any], kind: str, name: str, *more: Any
) -> tuple[dict[str, str], dict[str, tuple[str, tuple[Any, ...]]]]:
    """Return the annotation with the name of a function, and the function if it is one."""
    if callable(function):
        return {note: name}, {name: (kind, (function, *more))}
    return {note: function}, {}


def _property(
    member: str, owner: str, described: dict[str, Any], options: Mapping[str, Any], **more: Any
) -> Property:
    name = options.get("name", member)
    notes: dict[str, str] = {}
    functions: dict[str, tuple[str, tuple[Any, ...]]] = {}
    path = options.get("path", UNSET)
    if path is not UNSET and path is not None:
        notes["JSONKeyPath"] = path
    for key, (note, separator) in _NOTES.items():
        if key in options:
            given = options[key]
            notes[note] = given if isinstance(given, str) else separator.join(given)
    for key, policy in options.get("policies", {}).items():
        notes[f"groot.{key}"] = policy
    if "transformer" in options:
        given, reverse = options["transformer"], options.get("reverse")
        place = f"{owner}.{name}"
        found, functions = named("JSONTransformerName", given, "transformer", place, reverse)
        notes.update(found)
    notes.update(options.get("annotations", {}))
    if notes:
        described["userInfo"] = notes
    return Property(
        member,
        name,
        owner,
        described,
        functions,
        is_identity=options.get("identity", False),
        is_path_given=path is not UNSET,
        has_path="JSONKeyPath" in notes,
        **more,
    )


def _members(options: Mapping[str, Any]) -> dict[str, Any]:
    return {_MEMBERS[key]: plain(one) for key, one in options.items() if key in _MEMBERS}


def _value_of(content: Content, value: Any) -> Any:
    choices = content.choices
    return value.value if choices is not None and isinstance(value, choices) else value
