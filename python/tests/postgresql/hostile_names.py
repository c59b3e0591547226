"""Names of entities and properties that a database may stumble over."""

from __future__ import annotations

from typing import Any

KEYWORDS = [
    *("all", "analyse", "and", "any", "array", "as", "asc", "case", "check", "column"),
    *("constraint", "create", "default", "desc", "do", "else", "end", "except", "false", "for"),
    *("foreign", "from", "grant", "group", "having", "in", "into", "limit", "not", "null"),
    *("offset", "on", "only", "or", "order", "primary", "references", "returning", "select"),
    *("some", "table", "then", "to", "true", "union", "unique", "user", "using", "when"),
    *("where", "window", "with"),
]
SYSTEM = [
    *("ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "oid", "_id", "_entity", "_version"),
    *("_groot", "_order", "_Thing_key", "pg_class", "pg_attribute", "pg_catalog", "source"),
    *("target", "source_order", "key", "w", "t", "value_0", "information_schema"),
]
CHARACTERS = [
    *('quo"te', '"', '""', "apo'strophe", "'", "back\\slash", "\\", "E'\\''", "semi;colon"),
    *('x"; DROP TABLE _groot; --', "x'); DROP TABLE _groot; --", "/*", "--", "*/"),
    *("100%", "%s", "%%", "$1", "$$", "$tag$", "?", ":name", "@x", "#", "&", "{", "}", "(", ")"),
    *("with space", " ", "  ", "tab\there", "new\nline", "\r\n", "\u0001", "\u007f", "\u0085"),
    *("é", "e\u0301", "ß", "İ", "\u0131", "名前", "😀", "\u200b", "\ufeff", "\u202e", "\uffff"),
]
CASES = ["name", "Name", "NAME", "nAME", "é_x", "É_x"]
LONG = [
    *("x" * 62, "x" * 63, "x" * 64, "x" * 63 + "a", "x" * 63 + "b", "x" * 200, "x" * 63 + "a_2"),
    # The end of these is in the middle of a character.
    *("y" * 62 + "é", "é" * 32, "é" * 32 + "a", "名" * 21 + "a", "名" * 22, "y" + "😀" * 16),
    *("y" + "😀" * 16 + "a", "_" * 64, "_" * 65, "pg_" + "z" * 61, "pg_" + "z" * 62),
]
NAMES = [*KEYWORDS, *SYSTEM, *CHARACTERS, *CASES, *LONG]
"""All of them; none is twice."""
SOME = [*KEYWORDS[::6], *SYSTEM, *CHARACTERS[::3], *CASES, *LONG]
"""Those for relationships, each of which is a constraint with an index."""


def attribute(type: str = "string") -> dict[str, Any]:
    return {"type": type, "optional": True}


def thing(attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "userInfo": {"identityAttributes": "number"},
        "attributes": {
            "number": {**attribute("integer64"), "userInfo": {"JSONKeyPath": "number"}},
            **attributes,
        },
        **more,
    }


def entities_of_all_names() -> dict[str, Any]:
    """Make a model with an entity of each name, which has an attribute of the same name."""
    return {"entities": {name: thing({name: attribute()}) for name in NAMES}}


def attributes_of_all_names() -> dict[str, Any]:
    """Make a model with an entity that has an attribute of each name."""
    return {"entities": {"Thing": thing({name: attribute() for name in NAMES})}}


def references_of_some_names() -> dict[str, Any]:
    """Make a model with a to-one relationship of some names."""
    there = {name: {"destination": "Other", "optional": True, "inverse": name} for name in SOME}
    back = {
        name: {
            "destination": "Thing", "optional": True, "inverse": name,
            "toMany": True, "ordered": True,
        }
        for name in SOME
    }  # fmt: skip
    return {
        "entities": {
            "Thing": thing({}, relationships=there),
            "Other": thing({}, relationships=back),
        }
    }


def links_of_some_names() -> dict[str, Any]:
    """Make a model with a many-to-many relationship of some names."""

    def sides(destination: str) -> dict[str, Any]:
        return {
            name: {"destination": destination, "optional": True, "inverse": name, "toMany": True}
            for name in SOME
        }

    return {
        "entities": {
            "Thing": thing({}, relationships=sides("Other")),
            "Other": thing({}, relationships=sides("Thing")),
        }
    }
