"""The objects and arrays that key paths lead through, as schemas."""

from __future__ import annotations

from dataclasses import dataclass, field

from groot.models._key_paths import Step
from groot.models.schemas._writing.values import NULL, Schema, either, nullable


@dataclass
class Place:
    """A place in JSON: the values that stand there, and the places below."""

    keys: dict[str, Place] = field(default_factory=dict)
    positions: dict[int, Place] = field(default_factory=dict)
    each: Place | None = None
    values: list[Schema] = field(default_factory=list)
    is_required: bool = False
    has_list: bool = False
    """Whether an array may stand here, through which a path leads without saying so."""
    is_loose: bool = False
    """Whether a scalar may stand here, which a policy passes over."""

    def add(
        self,
        steps: tuple[Step, ...],
        schema: Schema,
        required: bool = False,
        lists: bool = False,
        loose: bool = False,
    ) -> None:
        """Add the value at the end of a path."""
        place = self
        for step in steps:
            place.has_list = place.has_list or lists
            place.is_loose = place.is_loose or loose
            if step is None:
                # Only the array must be there: an element may lack the rest of the path.
                place.is_required, required = place.is_required or required, False
                place.each = place.each or Place()
                place = place.each
            elif isinstance(step, int):
                place = place.positions.setdefault(step, Place())
            else:
                place = place.keys.setdefault(step, Place())
        place.values.append(schema)
        place.is_required = place.is_required or required

    def needed(self) -> bool:
        """Return whether something must stand here."""
        below = [*self.keys.values(), *self.positions.values()]
        return self.is_required or any(one.needed() for one in below)

    def schema(self, direction: str, closed: bool) -> Schema:
        """Return the schema of the values here."""
        parts = [one for one in self.values if one]
        if self.keys:
            parts.append(self._object(direction, closed))
        if self.positions:
            parts.append(self._array(direction, closed))
        if self.each is not None:
            items = nullable(self.each.schema(direction, closed))
            parts.append({"type": "array", **({"items": items} if items else {})})
        if not parts:
            return {}
        return parts[0] if len(parts) == 1 else {"allOf": parts}

    def _object(self, direction: str, closed: bool) -> Schema:
        found: Schema = {
            "type": "object",
            "properties": {key: _below(one, direction, closed) for key, one in self.keys.items()},
        }
        required = [key for key, one in self.keys.items() if one.needed()]
        if required:
            found["required"] = required
        if closed:
            found["additionalProperties"] = False
        return found

    def _array(self, direction: str, closed: bool) -> Schema:
        length = max(self.positions) + 1
        gap: Schema = {} if direction == "read" or not closed else NULL
        found: Schema = {
            "type": "array",
            "prefixItems": [
                self._position(i, direction, closed) if i in self.positions else gap
                for i in range(length)
            ],
        }
        required = [i + 1 for i, one in self.positions.items() if one.needed()]
        if required:
            found["minItems"] = max(required)
        if closed:
            found["items"] = False
        return found

    def _position(self, index: int, direction: str, closed: bool) -> Schema:
        """Return the schema of a position; those before the last one are null without a value."""
        place = self.positions[index]
        found = _below(place, direction, closed)
        return found if place.needed() else nullable(found)


def _below(place: Place, direction: str, closed: bool) -> Schema:
    """Return the schema of a place in an object; on the way to optional values null may stand."""
    found = place.schema(direction, closed)
    if place.values:
        return found
    if direction == "read" and place.has_list and place.keys and not place.each:
        found = {**found, "type": ["object", "array"]}
    if place.is_loose:
        found = either([found, {"type": ["string", "number", "boolean"]}])
    return found if place.needed() else nullable(found)
