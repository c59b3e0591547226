"""Reports, made from the library's JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groot._json import decode
from groot._schema import Property
from groot._session import Session
from groot.errors import issue_of, without_location
from groot.objects import Change, Object, Report
from groot.values import from_json


class PendingReport:
    """The report of one import as JSON text, which is read on demand."""

    __slots__ = ("_has_text", "_is_dry_run", "_report", "_session", "_text")

    def __init__(
        self, session: Session, text: bytes, is_dry_run: bool = False, has_text: bool = True
    ) -> None:
        """Keep the text of the report."""
        self._session = session
        self._text = text
        self._is_dry_run = is_dry_run
        self._has_text = has_text
        self._report: Report | None = None

    def __call__(self) -> Report:
        """Return the report."""
        if self._report is None:
            given = decode(self._text)
            self._report = _report(self._session, given, self._is_dry_run, self._has_text)
            self._text = b""
        return self._report


def _report(session: Session, given: dict[str, Any], is_dry_run: bool, has_text: bool) -> Report:
    """Make a report from the library's JSON."""
    new = {one["object"] for one in given["changes"] if one["change"] == "inserted"}
    gone = new if is_dry_run else ()

    def there(identifier: int) -> Any:
        is_there = identifier not in gone and not session.status(identifier)
        return session.object(identifier) if is_there else identifier

    def objects(identifiers: list[int]) -> tuple[Object, ...]:
        return tuple(one for one in map(there, identifiers) if isinstance(one, Object))

    def listed(key: str) -> dict[str, tuple[Object, ...]]:
        return {name: objects(ids) for name, ids in given[key].items()}

    return Report(
        **{name: given[name] for name in _COUNTS},
        issues=tuple(
            issue_of(one) if has_text else without_location(issue_of(one))
            for one in given["issues"]
        ),
        changes=tuple(_change(session, one, there) for one in given["changes"]),
        stale_objects=objects(given["staleObjects"]),
        withheld=objects(given["withheld"]),
        accessed=listed("accessed"),
        unaccessed=listed("unaccessed"),
    )


_COUNTS = ("inserted", "updated", "unchanged", "deleted", "skipped", "stale")


def _change(session: Session, given: dict[str, Any], there: Callable[[int], Any]) -> Change:
    entity = session.schema.entity(given["entity"])
    found = there(given["object"])
    return Change(
        id=given["object"],
        entity=entity.name,
        change=given["change"],
        object=found if isinstance(found, Object) else None,
        properties={
            name: (
                _value(entity.properties[name], values["old"], there),
                _value(entity.properties[name], values["new"], there),
            )
            for name, values in given["properties"].items()
        },
    )


def _value(property: Property, given: Any, there: Callable[[int], Any]) -> Any:
    """Return the Python value of a property."""
    if property.type:
        return from_json(property.type, given)
    if property.to_many:
        return list(map(there, given or ()))
    return None if given is None else there(given)
