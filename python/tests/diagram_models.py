"""Two models for diagrams: a plain one, and one with names that the formats do not take."""

from __future__ import annotations

from typing import Any

import groot

PLAIN: dict[str, Any] = {
    "entities": {
        "Hero": {
            "userInfo": {"identityAttributes": "id", "comment": "It's a person."},
            "attributes": {
                "id": {"type": "integer64"},
                "name": {"type": "string", "optional": True, "default": "nobody"},
                "side": {"type": "string", "values": ["good", "evil"], "default": "good"},
                "place": {
                    "type": "composite",
                    "optional": True,
                    "elements": {"x": {"type": "double"}, "y": {"type": "double"}},
                },
            },
            "relationships": {
                "powers": {
                    "destination": "Power", "toMany": True, "optional": True, "inverse": "heroes",
                },
                "publisher": {"destination": "Publisher", "inverse": "heroes"},
                "mentor": {"destination": "Hero", "optional": True},
                "friends": {
                    "destination": "Hero", "toMany": True, "optional": True, "inverse": "friends",
                },
            },
        },
        "Villain": {
            "parent": "Hero",
            "relationships": {
                "plan": {"destination": "Plan", "optional": True, "inverse": "villain"}
            },
        },
        "Power": {
            "attributes": {"name": {"type": "string"}},
            "relationships": {
                "heroes": {"destination": "Hero", "toMany": True, "inverse": "powers"}
            },
        },
        "Publisher": {
            "relationships": {
                "heroes": {
                    "destination": "Hero", "toMany": True, "optional": True, "inverse": "publisher",
                }
            }
        },
        "Plan": {"relationships": {"villain": {"destination": "Villain", "inverse": "plan"}}},
    }
}  # fmt: skip

_NAMES = [
    *[
        "two words",
        'a "quote"',
        "it's",
        "back\\slash\\",
        "Zürich",
        "日本",
        "😀",
        "line\nbreak",
        "\x1b[",
    ],
    *[
        "<b>&amp;</b>",
        "#34;",
        "a%%b",
        "~a~",
        "a:b;",
        "{x}",
        "[x]",
        "]",
        "a.b.c",
        "*/",
        "//",
        "-",
        "2nd",
    ],
    *["end", "class", "to", "one", "table", "note", "node", "graph", "direction TB", "style:#1;"],
    *["pk", "FK x", "_id", "__", "a_b", "a b", "a-b", "A-B", "%{init}%", "$x", "??/", "erDiagram"],
]
"""Names that a format reads as something else, or that become the same name in one."""


def hard() -> groot.Model:
    """Make a model in which each name is that of an entity, an attribute and a relationship."""
    entities: dict[str, Any] = {}
    for number, name in enumerate(_NAMES):
        after = _NAMES[(number + 1) % len(_NAMES)]
        entities[name] = {
            "parent": _NAMES[number - 1] if number % 5 == 1 else None,
            "abstract": number % 7 == 0,
            "userInfo": {"comment": f"{name} {after}"},
            "relationships": {
                f"{name}!": {"destination": after, "optional": True},
                f"{name}?": {"destination": name, "toMany": True, "optional": True},
            },
        }
    entities["attributes"] = {
        "userInfo": {"identityAttributes": "a-b,-"},
        "attributes": {name: {"type": "string", "default": name} for name in _NAMES},
    }
    entities["values"] = {
        "attributes": {
            "texts": {"type": "string", "optional": True, "values": ["plain", "two words"]},
            "odd": {"type": "string", "optional": True, "values": _NAMES},
            "numbers": {"type": "integer16", "values": [-1, 2], "default": -1},
            "exact": {"type": "decimal", "default": "0.12345678901234567890"},
            "large": {"type": "double", "default": 1e300},
            "json": {"type": "transformable", "default": {"it's": ['"', "\\"]}},
        }
    }
    return groot.Model({"entities": entities})
