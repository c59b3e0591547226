"""The entities of a model, with the properties and annotations that they inherit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from groot.model import Model
from groot.models._key_paths import Path, parsed
from groot.models._lineage import Lineage


@dataclass(frozen=True)
class Property:
    """An attribute or a relationship of an entity, own or inherited."""

    name: str
    described: dict[str, Any]
    path: Path | None
    """The key path; None for a property that takes no part in imports and exports."""

    @property
    def is_attribute(self) -> bool:
        """Whether it is an attribute."""
        return "type" in self.described

    def says(self, annotation: str, default: str = "") -> str:
        """Return an annotation."""
        found: str = self.described["userInfo"].get(annotation, default)
        return found

    def goes(self, direction: str) -> bool:
        """Return whether it is read, or written."""
        word = "import" if direction == "read" else "export"
        return self.path is not None and self.says("groot.direction", "both") in ("both", word)


class Facts(Lineage):
    """The entities of a model."""

    def __init__(self, model: Model, implicit: bool) -> None:
        """Read the document of a model, which the library has completed."""
        super().__init__(model.document)
        self._implicit = implicit
        self._properties: dict[str, dict[str, Property]] = {}

    def concrete(self, name: str) -> list[str]:
        """Return the entities that an object of an entity may have."""
        return [each for each in self.family(name) if not self.entities[each]["abstract"]]

    def properties(self, name: str) -> dict[str, Property]:
        """Return all properties of an entity, those of its ancestors first."""
        found = self._properties.get(name)
        if found is None:
            found = self._properties[name] = {}
            for each in reversed(self.line(name)):
                entity = self.entities[each]
                implicit = self._implicit or self.is_implicit(each)
                for kind in ("attributes", "relationships"):
                    for own, described in entity[kind].items():
                        path = _path(own, described, implicit)
                        found[own] = Property(own, described, path)
        return found

    def identity(self, name: str) -> list[Property]:
        """Return the properties that identify the objects of an entity."""
        known = self.properties(name)
        return [known[one] for one in dict.fromkeys(self.identity_names(name)) if one in known]

    def identifier(self, name: str) -> Property | None:
        """Return the one attribute whose value can stand in the place of an object."""
        found = self.identity(name)
        return found[0] if len(found) == 1 and found[0].is_attribute else None

    def at(self, name: str, start: str) -> Property | None:
        """Return the property whose path is a word such as `@key`."""
        for one in self.properties(name).values():
            if one.path is not None and one.path == Path(start, ()):
                return one
        return None

    def leads_out(self, name: str, direction: str) -> bool:
        """Return whether a path of an entity leads to the object around its own."""
        return any(
            one.path is not None and one.path.start in ("@parent", "@root") and one.goes(direction)
            for each in self.family(name)
            for one in self.properties(each).values()
        )


def _path(name: str, described: dict[str, Any], implicit: bool) -> Path | None:
    text = described["userInfo"].get("JSONKeyPath")
    if text is not None:
        return parsed(text)
    return Path("", (name,)) if implicit else None
