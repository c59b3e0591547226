"""Properties of classes: their annotations, and the calls with their options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from groot.models.generate._json import Number
from groot.models.generate._python.layout import Code, Group, flat, json, labelled, text

_TYPES = {
    "integer16": "Annotated[int, bits(16)]",
    "integer32": "Annotated[int, bits(32)]",
    "integer64": "int",
    "decimal": "Decimal",
    "double": "float",
    "float": "Annotated[float, bits(32)]",
    "string": "str",
    "boolean": "bool",
    "date": "dt.datetime",
    "day": "dt.date",
    "binary": "bytes",
    "uuid": "UUID",
    "uri": "str",
    "transformable": "Any",
    "composite": "dict[str, Any]",
}
_UNTOLD = ("uri", "composite")
"""The types that the annotation does not tell."""
_LITERAL = ("string", "integer64", "boolean")
_ATTRIBUTE = {
    "min": "minimum",
    "max": "maximum",
    "minLength": "minimum_length",
    "maxLength": "maximum_length",
    "pattern": "pattern",
}
_NOTES = {
    "JSONTransformerName": "transformer",
    "groot.dateFormat": "date_format",
    "groot.alternatives": "alternatives",
    "groot.direction": "direction",
    "groot.discriminator": "discriminator",
    "groot.export": "export",
    "groot.exportNull": "nulls",
    "groot.exportProperties": "properties",
    "groot.form": "form",
}
_POLICIES = (
    *("assignment", "conversion", "emptyText", "invalid", "missing"),
    *("null", "shape", "unknownIdentifier", "validation"),
)
_LONGEST = 70

NO_PATH = object()
"""The path of a property that the class leaves out by itself."""


def attribute(
    name: str, member: str, described: dict[str, Any], path: object, *, is_identity: bool
) -> tuple[str, Code | None]:
    """Return the annotation of an attribute, and its options if it has any."""
    type = described["type"]
    content = _TYPES[type]
    values = described["values"]
    literal = f"Literal[{', '.join(flat(json(one)) for one in values or ())}]"
    is_literal = bool(values) and type in _LITERAL and len(literal) <= _LONGEST
    if is_literal:
        content = literal
    is_optional = described["optional"] or type == "transformable"
    if described["optional"] and type != "transformable":
        content += " | None"
    parts = list(_beginning(name, member, path, is_identity=is_identity))
    if type in _UNTOLD:
        parts.append(f"type={text(type)}")
    if is_optional != described["optional"]:
        parts.append(f"optional={described['optional']}")
    if described["default"] is not None:
        parts.append(labelled("default", _value(type, described["default"])))
    for key, option in _ATTRIBUTE.items():
        if described[key] is not None:
            parts.append(labelled(option, _value(type, described[key])))
    if values is not None and not is_literal:
        parts.append(labelled("values", Group("[", [_value(type, one) for one in values], "]")))
    if described["transient"]:
        parts.append("transient=True")
    if described.get("elements"):
        parts.append(labelled("elements", json(_elements(described["elements"]))))
    parts += _end(described, _ATTRIBUTE_NOTES)
    return f"Attribute[{content}]", Group("attribute(", parts, ")") if parts else None


_RELATIONSHIP_ONLY = ("groot.discriminator", "groot.export", "groot.exportProperties", "groot.form")
_ATTRIBUTE_ONLY = ("JSONTransformerName", "groot.dateFormat")
_ATTRIBUTE_NOTES = {key: one for key, one in _NOTES.items() if key not in _RELATIONSHIP_ONLY}
_RELATIONSHIP_NOTES = {key: one for key, one in _NOTES.items() if key not in _ATTRIBUTE_ONLY}


def relationship(
    name: str,
    member: str,
    described: dict[str, Any],
    path: object,
    destination: str,
    *,
    is_identity: bool,
) -> tuple[str, Code | None]:
    """Return the annotation of a relationship, and its options if it has any."""
    is_to_many = described["toMany"]
    parts = list(_beginning(name, member, path, is_identity=is_identity))
    if described["inverse"] is not None:
        parts.append(f"inverse={text(described['inverse'])}")
    if is_to_many and not described["optional"]:
        parts.append("optional=False")
    if described["ordered"]:
        parts.append("ordered=True")
    for key, option in (("minCount", "minimum_count"), ("maxCount", "maximum_count")):
        if described[key]:
            parts.append(f"{option}={described[key]}")
    if described["deleteRule"] != "nullify":
        parts.append(f"delete_rule={text(described['deleteRule'])}")
    parts += _end(described, _RELATIONSHIP_NOTES)
    is_none = described["optional"] and not is_to_many
    content = f"{destination} | None" if is_none else destination
    annotation = f"{'ToMany' if is_to_many else 'ToOne'}[{content}]"
    return annotation, Group("relationship(", parts, ")") if parts else None


def _beginning(name: str, member: str, path: object, *, is_identity: bool) -> Iterator[Code]:
    if path is not NO_PATH:
        yield "None" if path is None else text(str(path))
    if name != member:
        yield f"name={text(name)}"
    if is_identity:
        yield "identity=True"


def _value(type: str, value: Any) -> Code:
    if type == "decimal":
        return f'Decimal("{value}")'
    if type in ("double", "float") and isinstance(value, Number):
        return repr(float(value))
    return json(value)


def _elements(elements: dict[str, Any]) -> dict[str, Any]:
    """Return descriptions of elements without the members that are missing anyway."""
    found = {}
    for name, described in elements.items():
        kept = {key: one for key, one in described.items() if not (one is None or one is False)}
        if "elements" in kept:
            kept["elements"] = _elements(kept["elements"])
        found[name] = kept
    return found


def _end(described: dict[str, Any], known: dict[str, str]) -> Iterator[Code]:
    """Yield the annotations, and the name in an earlier version."""
    notes = dict(described["userInfo"])
    notes.pop("JSONKeyPath", None)
    for note, option in known.items():
        if note in notes:
            yield f"{option}={text(notes.pop(note))}"
    policies = {one: notes.pop(f"groot.{one}") for one in _POLICIES if f"groot.{one}" in notes}
    if policies:
        yield labelled("policies", json(policies))
    if described["renamingIdentifier"] is not None:
        yield f"renaming_identifier={text(described['renamingIdentifier'])}"
    if notes:
        yield labelled("annotations", json(notes))
