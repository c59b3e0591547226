"""Members of `Properties`: attributes and relationships with their declaration in the model."""

from __future__ import annotations

from typing import Any

from groot.models.generate._swift import literals
from groot.models.generate._swift.layout import Code, Group, labelled
from groot.models.generate._swift.schema import Property, Schema
from groot.models.generate._swift.values import as_value, content, member_type, needs_type

_PATH = "JSONKeyPath"
_TRANSFORMER = "JSONTransformerName"


def attribute(property: Property, foundation: bool) -> Code:
    """Write the initial value of an attribute's member."""
    described = property.description
    type, default = described["type"], described["default"]
    member = member_type(described, foundation)
    # A placeholder has only its identity so far, even if other properties are required.
    has_value = not described["optional"] and (property.is_identity or default is not None)
    parts: list[Code] = [literals.text(property.name)]
    parts += _annotation("path", described, _PATH)
    if needs_type(type, member):
        parts.append(f"type: .{type}")
    if not described["optional"] and not has_value:
        parts.append("isOptional: false")
    parts += _annotation("transformer", described, _TRANSFORMER)
    if default is not None:
        parts.append(labelled("default", content(type, member, default)))
    parts += _rest_of_attribute(described)
    parts += _end(described, "annotations", (_PATH, _TRANSFORMER))
    return Group(f"Attribute<{member}{'' if has_value else '?'}>(", parts)


def _element(name: str, described: dict[str, Any]) -> Code:
    """Write an attribute of a composite."""
    parts: list[Code] = [literals.text(name), f".{described['type']}"]
    if described["optional"]:
        parts.append("isOptional: true")
    if described["default"] is not None:
        value = as_value(described["type"], described["default"])
        parts.append(labelled("defaultValue", value))
    parts += _rest_of_attribute(described)
    parts += _end(described, "userInfo", ())
    return Group("AttributeDescription(", parts)


def _rest_of_attribute(described: dict[str, Any]) -> list[Code]:
    parts: list[Code] = []
    constraints = _constraints(described)
    if constraints:
        parts.append(Group("constraints: AttributeDescription.Constraints(", constraints))
    if described["transient"]:
        parts.append("isTransient: true")
    elements = [_element(*each) for each in sorted(described.get("elements", {}).items())]
    if elements:
        parts.append(Group("elements: [", elements, "]"))
    return parts


def _constraints(described: dict[str, Any]) -> list[Code]:
    parts: list[Code] = []
    for label, key in (("minimum", "min"), ("maximum", "max")):
        if described[key] is not None:
            parts.append(labelled(label, as_value(described["type"], described[key])))
    for label, key in (("minimumLength", "minLength"), ("maximumLength", "maxLength")):
        if described[key] is not None:
            parts.append(f"{label}: {described[key]}")
    if described["pattern"] is not None:
        parts.append(f"pattern: {literals.text(described['pattern'])}")
    if described["values"] is not None:
        values = [as_value(described["type"], value) for value in described["values"]]
        parts.append(Group("values: [", values, "]"))
    return parts


def relationship(property: Property, schema: Schema) -> Code:
    """Write the initial value of a relationship's member."""
    described = property.description
    parts: list[Code] = [literals.text(property.name)]
    parts += _annotation("path", described, _PATH)
    if described["inverse"] is not None:
        parts.append(f"inverse: {literals.text(described['inverse'])}")
    if described["ordered"]:
        parts.append("isOrdered: true")
    if not described["optional"]:
        parts.append("isOptional: false")
    for label, key in (("minimumCount", "minCount"), ("maximumCount", "maxCount")):
        if described[key]:
            parts.append(f"{label}: {described[key]}")
    if described["deleteRule"] != "nullify":
        parts.append(f"deleteRule: .{described['deleteRule']}")
    parts += _end(described, "annotations", (_PATH,))
    kind = "ToMany" if described["toMany"] else "ToOne"
    return Group(f"{kind}<{schema.types[described['destination']]}>(", parts)


def entity(name: str, described: dict[str, Any]) -> Code:
    """Write the description of an entity without its properties."""
    parts: list[Code] = [literals.text(name)]
    if described["parent"] is not None:
        parts.append(f"parent: {literals.text(described['parent'])}")
    if described["abstract"]:
        parts.append("isAbstract: true")
    constraints: list[Code] = [
        Group("[", [literals.text(each) for each in constraint], "]")
        for constraint in described["uniquenessConstraints"]
    ]
    if constraints:
        parts.append(Group("uniquenessConstraints: [", constraints, "]"))
    return Group("EntityDescription(", [*parts, *_end(described, "userInfo", ())])


def _annotation(label: str, described: dict[str, Any], name: str) -> list[Code]:
    """Write an annotation that has a separate parameter."""
    found = described["userInfo"].get(name)
    return [] if found is None else [f"{label}: {literals.text(found)}"]


def _end(described: dict[str, Any], label: str, own: tuple[str, ...]) -> list[Code]:
    """Write the end of all descriptions: the renaming identifier and the other annotations."""
    parts: list[Code] = []
    if described["renamingIdentifier"] is not None:
        parts.append(f"renamingIdentifier: {literals.text(described['renamingIdentifier'])}")
    annotations: list[Code] = [
        f"{literals.text(name)}: {literals.text(value)}"
        for name, value in sorted(described["userInfo"].items())
        if name not in own
    ]
    if annotations:
        parts.append(Group(f"{label}: [", annotations, "]"))
    return parts
