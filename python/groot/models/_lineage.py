"""The entities of a model document, with what they inherit."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any


class Lineage:
    """The entities of a document that the library has completed, and their descent."""

    def __init__(self, document: dict[str, Any]) -> None:
        """Take the entities of a document.

        Args:
            document: The document, with every default.
        """
        self.entities: dict[str, dict[str, Any]] = document["entities"]
        self._children: dict[str, list[str]] = defaultdict(list)
        for name, described in self.entities.items():
            if described["parent"] is not None:
                self._children[described["parent"]].append(name)

    def line(self, name: str) -> list[str]:
        """Return an entity and its ancestors, the nearest first."""
        line = [name]
        while (parent := self.entities[line[-1]]["parent"]) is not None:
            line.append(parent)
        return line

    def children(self, name: str) -> list[str]:
        """Return the entities whose parent is an entity, in the order of the document."""
        return list(self._children[name])

    def family(self, name: str) -> list[str]:
        """Return an entity and all its descendants."""
        found = [name]
        for each in found:
            found += self._children[each]
        return found

    def annotation(self, name: str, annotation: str) -> str | None:
        """Return an annotation of an entity, own or inherited."""
        for each in self.line(name):
            found: str | None = self.entities[each]["userInfo"].get(annotation)
            if found is not None:
                return found
        return None

    def is_implicit(self, name: str) -> bool:
        """Return whether properties that an entity declares have their names as keys."""
        return bool(self.entities[name]["userInfo"].get("groot.implicit") == "true")

    def identity_names(self, name: str) -> list[str]:
        """Return the names of the identity, those of its ancestors first."""
        names = []
        for each in reversed(self.line(name)):
            own = self.entities[each]["userInfo"]
            names += listed(own.get("identityAttributes") or own.get("identityAttribute"))
        return names


def listed(text: str | None) -> list[str]:
    """Return the entries of an annotation that is a list."""
    return [one for one in re.split(r"[\s,]+", text or "") if one]
