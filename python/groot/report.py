"""Reports: what an import did, or would have done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from groot._json import decode
from groot._schema import Property
from groot.errors import Issue, issue_of, without_place
from groot.objects import Object
from groot.values import from_json

if TYPE_CHECKING:
    from groot._session import Session


@dataclass(frozen=True)
class Change:
    """What became of one object."""

    id: int
    """The object's number."""
    entity: str
    """The name of its entity."""
    change: str
    """`"inserted"`, `"updated"` or `"deleted"`."""
    object: Object | None
    """The object; None when it is not there, because a dry run made it or it was deleted."""
    properties: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    """The old and the new value of each property that changed, by name.

    Attributes have the values that reading them gives. A to-one relationship has an object or
    None, a to-many a list of objects; in the place of an object that is not there (made by a dry
    run, or deleted) stands its number, the `id` of its change.
    """


@dataclass(frozen=True)
class Report:
    """What an import did, or what a dry run would have done."""

    inserted: int
    """The number of objects that are there and were not before."""
    updated: int
    """The number of objects that were there and differ, be it in a link that others named."""
    unchanged: int
    """The number of objects that were there, were given, and are as before."""
    deleted: int
    """The number of objects that were there and are not any more."""
    skipped: int
    """The number of records left out because they were wrong."""
    issues: tuple[Issue, ...]
    """What was wrong with them, and with values that were not taken, each with its path."""
    changes: tuple[Change, ...]
    """Each object inserted, updated or deleted, when `changes` or `dry_run` asked for it."""
    accessed: dict[str, tuple[Object, ...]] = field(default_factory=dict)
    """By entity the objects that the import found or made, when `access` asked for it."""
    unaccessed: dict[str, tuple[Object, ...]] = field(default_factory=dict)
    """The other objects of those entities that the import is about."""
    objects: Sequence[Object] = ()
    """The object of each entry in order, an `Objects`; in the report of a `sync` only."""


class Pending:
    """The report of one import, as the library wrote it; read when it is first asked for."""

    __slots__ = ("_has_text", "_is_dry_run", "_report", "_session", "_text")

    def __init__(
        self, session: Session, text: bytes, is_dry_run: bool = False, has_text: bool = True
    ) -> None:
        """Keep what a report is made of."""
        self._session = session
        self._text = text
        self._is_dry_run = is_dry_run
        self._has_text = has_text
        self._report: Report | None = None

    def get(self) -> Report:
        """Give the report."""
        if self._report is None:
            given = decode(self._text)
            self._report = _report(self._session, given, self._is_dry_run, self._has_text)
            self._text = b""
        return self._report


def _report(session: Session, given: dict[str, Any], is_dry_run: bool, has_text: bool) -> Report:
    """Make a report of the library's."""
    new = {one["object"] for one in given["changes"] if one["change"] == "inserted"}
    gone = new if is_dry_run else ()

    def there(identifier: int) -> Any:
        is_there = identifier not in gone and not session._status(identifier)
        return session._object(identifier) if is_there else identifier

    def listed(key: str) -> dict[str, tuple[Object, ...]]:
        return {
            name: tuple(one for one in map(there, ids) if isinstance(one, Object))
            for name, ids in given[key].items()
        }

    return Report(
        **{name: given[name] for name in _COUNTS},
        issues=tuple(
            issue_of(one) if has_text else without_place(issue_of(one)) for one in given["issues"]
        ),
        changes=tuple(_change(session, one, there) for one in given["changes"]),
        accessed=listed("accessed"),
        unaccessed=listed("unaccessed"),
    )


_COUNTS = ("inserted", "updated", "unchanged", "deleted", "skipped")


def _change(session: Session, given: dict[str, Any], there: Callable[[int], Any]) -> Change:
    entity = session._mapping._schema.entity(given["entity"])
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
    """Give a property's value as Python has it."""
    if property.type:
        return from_json(property.type, given)
    if property.to_many:
        return list(map(there, given or ()))
    return None if given is None else there(given)
