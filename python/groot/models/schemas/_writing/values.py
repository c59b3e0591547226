"""The schemas of the values of attributes."""

from __future__ import annotations

import json
from typing import Any

from groot.models.schemas._patterns import of_schema
from groot.models.schemas._writing.facts import Property

Schema = dict[str, Any]

_BITS = {"integer16": 16, "integer32": 32, "integer64": 64}
_TYPES: dict[str, Schema] = {
    "decimal": {"type": ["number", "string"], "format": "decimal"},
    "double": {"type": "number", "format": "double"},
    "float": {"type": "number", "format": "float"},
    "string": {"type": "string"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date-time"},
    "day": {"type": "string", "format": "date"},
    "binary": {"type": "string", "contentEncoding": "base64"},
    "uuid": {"type": "string", "format": "uuid"},
    "uri": {"type": "string", "format": "uri-reference"},
    "transformable": {},
}
_LISTED = ("string", "uri", "boolean", "double", *_BITS)
NULL: Schema = {"type": "null"}


def value(property: Property, direction: str) -> Schema:
    """Return the schema of the values of an attribute, without null."""
    described = property.described
    if "JSONTransformerName" in described["userInfo"]:
        return {}
    is_read = direction == "read"
    if is_read and property.says("groot.conversion", "exact") != "exact":
        return {}
    if is_read and property.says("groot.invalid", "fail") != "fail":
        return {}
    found = typed(described)
    if described["type"] in ("date", "day") and "groot.dateFormat" in described["userInfo"]:
        found = _date(property.says("groot.dateFormat"), direction)
    elif not is_read or property.says("groot.validation", "import") == "import":
        _limit(found, described)
    if is_read and property.says("groot.emptyText") == "null" and found:
        found = either([found, {"const": ""}])
    return found


def typed(described: dict[str, Any]) -> Schema:
    """Return the schema of the values of a type."""
    type = described["type"]
    if type == "composite":
        return _composite(described.get("elements") or {})
    if type in _BITS:
        limit = 1 << (_BITS[type] - 1)
        bits = f"int{_BITS[type]}"
        return {"type": "integer", "format": bits, "minimum": -limit, "maximum": limit - 1}
    return dict(_TYPES[type])


def _composite(elements: dict[str, Any]) -> Schema:
    if not elements:
        return {"type": "object"}
    names = [
        name for name, one in elements.items() if not one["optional"] and one["default"] is None
    ]
    found: Schema = {
        "type": "object",
        "properties": {name: nullable(typed(one)) for name, one in elements.items()},
        "additionalProperties": False,
    }
    return {**found, "required": names} if names else found


def _date(forms: str, direction: str) -> Schema:
    """Return the schema of the forms of a date, of which the first is written."""
    listed = [one.strip() for one in forms.split(" | ")]
    found: list[Schema] = []
    for form in listed if direction == "read" else listed[:1]:
        is_number = form in ("unixSeconds", "unixMillis")
        one: Schema = {"type": "number"} if is_number else {"type": "string"}
        if one not in found:
            found.append(one)
    return either(found)


def _limit(found: Schema, described: dict[str, Any]) -> None:
    """Add the limits and the listed values."""
    type = described["type"]
    if type in _BITS or type in ("double", "float", "decimal"):
        for key, keyword in (("min", "minimum"), ("max", "maximum")):
            limit = described.get(key)
            if limit is not None:
                # The document has limits of decimals as text, to keep all digits.
                found[keyword] = json.loads(limit) if isinstance(limit, str) else limit
    if type in ("string", "uri"):
        for keyword in ("minLength", "maxLength"):
            if described.get(keyword) is not None:
                found[keyword] = described[keyword]
        pattern = described.get("pattern")
        translated = None if pattern is None else of_schema(pattern)
        if translated is not None:
            found["pattern"] = translated
    if described.get("values") and type in _LISTED:
        found["enum"] = list(described["values"])


def nullable(schema: Schema) -> Schema:
    """Return a schema that takes null, too."""
    if not schema or schema == NULL:
        return schema
    types = schema.get("type")
    if types is None or "const" in schema:
        return either([schema, NULL])
    listed = [types] if isinstance(types, str) else types
    if "null" in listed:
        return schema
    found = {**schema, "type": [*listed, "null"]}
    if "enum" in schema:
        found["enum"] = [*schema["enum"], None]
    return found


def either(schemas: list[Schema]) -> Schema:
    """Return a schema that takes the values of each of several."""
    listed: list[Schema] = []
    for one in schemas:
        for part in one["anyOf"] if one.keys() == {"anyOf"} else [one]:
            if not part:
                return {}
            if part not in listed:
                listed.append(part)
    return listed[0] if len(listed) == 1 else {"anyOf": listed}
