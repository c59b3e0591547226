"""Many heroes and two models, for the tests of progress and logs."""

from __future__ import annotations

from typing import Any

import groot

COUNT = 5000
HEROES = [{"id": number, "name": f"hero number {number}"} for number in range(COUNT)]


def mapping_of(*more: str) -> groot.Mapping:
    """Make the mapping of heroes with an id, a name and more attributes."""
    attributes: dict[str, Any] = {"id": {"type": "integer64"}, "name": {"type": "string"}}
    attributes |= {name: {"type": "integer64", "optional": True} for name in more}
    for name, attribute in attributes.items():
        attribute["userInfo"] = {"JSONKeyPath": name}
    identity = {"identityAttributes": "id"}
    return groot.Mapping(
        groot.Model({"entities": {"Hero": {"userInfo": identity, "attributes": attributes}}})
    )


MAPPING = mapping_of()
NEXT_MAPPING = mapping_of("age")
