"""The differences between a feed and a model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from groot.models.drift._keys import NewKey
from groot.models.drift._values import Misfit

LISTED = 100


@dataclass(frozen=True)
class Gone:
    """A property whose key paths led to nothing in the whole feed."""

    entity: str
    property: str | None
    """The property; None if it is the collection of the entity that is missing."""
    paths: tuple[str, ...]
    records: int
    """The number of objects that could have had it."""

    def __str__(self) -> str:
        """Write the property, its paths, and the number of records."""
        paths = " or ".join(self.paths)
        if self.property is None:
            return f"{self.entity}: nothing at {paths}"
        return f"{self.entity}.{self.property}: nothing at {paths} in {_of_records(self.records)}"


@dataclass
class Drift:
    """The differences between a feed and a model."""

    records: dict[str, int] = field(default_factory=dict)
    """By entity the number of its objects in the feed."""
    gone: list[Gone] = field(default_factory=list)
    """The properties whose paths led to nothing."""
    retyped: list[Misfit] = field(default_factory=list)
    """The properties whose values have another JSON type."""
    misfits: list[Misfit] = field(default_factory=list)
    """The other values that do not fit."""
    new: dict[str, NewKey] = field(default_factory=dict)
    """The unmapped keys, by their paths."""
    unchecked: list[str] = field(default_factory=list)
    """Notes on parts that the check passed over."""
    says_all: bool = False
    """Whether the model says all that was known of the feed, so that a new key is a change."""

    @property
    def is_changed(self) -> bool:
        """Whether the feed has changed."""
        return bool(self.gone or self.retyped or self.misfits or (self.says_all and self.new))

    def lines(self) -> Iterator[str]:
        """Yield the differences in words, a line each.

        Yields:
            Headings, and lines below them.
        """
        yield from _part("gone", map(str, self.gone), len(self.gone))
        yield from _part("retyped", map(self._retyped, self.retyped), len(self.retyped))
        count = sum(one.count for one in self.misfits)
        yield from _part("values that do not fit", map(_misfit, self.misfits), count)
        keys = (f"{path}: {_times(one.count)}{_place(one)}" for path, one in self.new.items())
        yield from _part("new keys", keys, len(self.new))
        yield from _part("not checked", iter(self.unchecked), len(self.unchecked))
        found = ", ".join(f"{count} {entity}" for entity, count in self.records.items())
        result = "the feed has changed" if self.is_changed else "the feed fits the model"
        yield f"{found or 'no records'}: {result}"

    def _retyped(self, one: Misfit) -> str:
        place = f"first {one.path}{_place(one)}"
        if one.property is None:
            times = _times(one.count)
            return f"{one.entity}: {one.found}, {times}, {one.expected} before; {place}"
        records = _of_records(self.records.get(one.entity or "", one.count))
        title = f"{one.entity}.{one.property}: {one.found} in {one.count} of {records}"
        return f"{title}, {one.expected} before; {place}"

    def as_json(self) -> dict[str, Any]:
        """Return the differences as JSON.

        Returns:
            The JSON object.
        """
        return {
            "changed": self.is_changed,
            "records": self.records,
            "gone": [
                {
                    "entity": one.entity,
                    "property": one.property,
                    "paths": list(one.paths),
                    "records": one.records,
                }
                for one in self.gone
            ],
            "retyped": [
                {**_issue(one), "found": one.found, "expected": one.expected}
                for one in self.retyped
            ],
            "misfits": [_issue(one) for one in self.misfits[:LISTED]],
            "misfitCount": sum(one.count for one in self.misfits),
            "newKeys": [
                {"path": path, "count": one.count, "file": one.file, "line": one.line or None}
                for path, one in self.new.items()
            ],
            "unchecked": self.unchecked,
        }


def _part(title: str, lines: Iterator[str], count: int) -> Iterator[str]:
    if not count:
        return
    yield f"{title} ({count}):"
    for index, line in enumerate(lines):
        if index == LISTED:
            yield "  ..."
            return
        yield f"  {line}"


def _misfit(one: Misfit) -> str:
    subject = ".".join(part for part in (one.entity, one.property) if part)
    title = f"{subject}: " if subject else ""
    return f"{title}{one.message}, {_times(one.count)}; first {one.path}{_place(one)}"


def _issue(one: Misfit) -> dict[str, Any]:
    return {
        "entity": one.entity,
        "property": one.property,
        "status": int(one.status),
        "message": one.message,
        "path": one.path,
        "file": one.file,
        "line": one.line or None,
        "count": one.count,
    }


def _place(one: Misfit | NewKey) -> str:
    return f" ({json.dumps(one.file)[1:-1]}:{one.line})" if one.line else ""


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _of_records(count: int) -> str:
    return "1 record" if count == 1 else f"{count} records"
