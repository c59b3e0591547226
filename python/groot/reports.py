"""Reports: the changes of an import."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from groot import diff
from groot._core.json import decode
from groot._core.references import no_object
from groot._core.schema import Property, Schema
from groot._core.session import Session
from groot._core.stream import Imported
from groot.changes import Change, described
from groot.errors import Issue, Status, error, issue_of, without_location
from groot.objects import BaseObject, Object
from groot.values import from_json


@dataclass(frozen=True)
class Report:
    """The changes of an import, or those that a dry run would make."""

    inserted: int
    """The number of new objects."""
    updated: int
    """The number of existing objects that differ now, in a value or a link of either side."""
    unchanged: int
    """The number of existing objects that came as JSON objects and did not change."""
    deleted: int
    """The number of objects that no longer exist."""
    skipped: int
    """The number of records left out because they were wrong."""
    stale: int
    """The number of records left out because they are not newer than their objects.

    The annotation `groot.version` names the attribute that is compared.
    """
    issues: tuple[Issue, ...]
    """The issues of skipped records and of values that were not taken, each with its path."""
    changes: tuple[Change, ...]
    """The change of each object inserted, updated or deleted, if `changes` or `dry_run` is set."""
    stale_objects: tuple[Object, ...] = ()
    """The objects of the stale records, if `changes` or `dry_run` is set."""
    withheld: tuple[Object, ...] = ()
    """The objects that a `sync` keeps because an entry has no usable identity."""
    accessed: dict[str, tuple[Object, ...]] = field(default_factory=dict)
    """The objects that the import found or made, by entity, if `access` is set."""
    unaccessed: dict[str, tuple[Object, ...]] = field(default_factory=dict)
    """The other objects of the entities that the import is about, by entity, if `access` is set."""
    objects: Sequence[Object] = ()
    """The objects of the entries in order, an `Objects`; only in the report of a `sync`."""
    _schema: Schema | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """Write the counts on one line: `2 inserted, 1 updated, 5 unchanged, 1 deleted`.

        The numbers of `skipped`, `stale`, `issues` and `withheld` follow if they are not 0.
        """
        issues = len(self.issues)
        more = {
            "skipped": self.skipped,
            "stale": self.stale,
            "issue" if issues == 1 else "issues": issues,
            "withheld": len(self.withheld),
        }
        counts = [f"{getattr(self, name):,} {name}" for name in _COUNTS[:4]]
        return ", ".join(counts + [f"{count:,} {name}" for name, count in more.items() if count])

    def _repr_html_(self) -> str:
        """Show the counts and the changes in notebooks."""
        from groot._core.notebooks import report_page  # noqa: PLC0415 (only notebooks need it)

        return report_page(str(self), self.diff if self._schema else None)

    def diff(self, limit: int | None = 100) -> str:
        """Write the changes as text for people, one line for each object.

            Hero id=7: name 'A' → 'B', rating None → 9
            + Hero id=8: name='X', publisher=Publisher id=1
            - Hero id=3

        Objects appear with their identity, or with their number if they have none. Long values and
        lists are cut. A link of two inverse relationships appears on one side: the side that the
        mapping reads. If it reads both or none, that is a to-one relationship, or else the
        relationship of the entity whose name sorts first. It is called on the thread that uses the
        context.

        Args:
            limit: The maximum number of lines, 100 by default; None for all. A last line has the
                number of the others: `… 120 more changes`.

        Returns:
            The text without a newline at the end; empty if nothing has changed.

        Raises:
            groot.Error: With `Status.INVALID_ARGUMENT` for a report without changes, and for an
                invalid limit.
        """
        if self._schema is None:
            message = "the report has no changes; import with changes=True or dry_run=True"
            raise error(Status.INVALID_ARGUMENT, message)
        return diff.text(self.changes, self._schema, limit)

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON values: counts, issues and, if it has them, changes.

        A change has the keys `change`, `entity`, `identity` and `properties`, with `old` and `new`
        by name. An object is its identity: a value, or an object of values by name. Without an
        identity it is `{"object": number}`. It is called on the thread that uses the context.

        Returns:
            The dict.
        """
        found: dict[str, Any] = {name: getattr(self, name) for name in _COUNTS}
        found["withheld"] = len(self.withheld)
        found["issues"] = [
            {**dataclasses.asdict(one), "status": int(one.status)} for one in self.issues
        ]
        if self._schema is not None:
            found["changes"] = [described(one, self._schema) for one in self.changes]
        return found


class Reported:
    """The result of an import, or of another call, which then has no report."""

    __slots__ = ()

    _report: Callable[[], Report]
    """Reads the report; missing without one."""


def report(loaded: BaseObject | Reported) -> Report:
    """Return the report of the import that returned `loaded`: an object, or an `Objects`.

    A later import of the same object returns another `Object`, with another report. It is called on
    the thread that uses the context.

    Args:
        loaded: An object or a sequence, as an import returned it.

    Returns:
        The report.

    Raises:
        groot.Error: With `Status.INVALID_ARGUMENT` for an object or a sequence that is not the
            result of an import, and for any other value.
    """
    if not isinstance(loaded, (BaseObject, Reported)):
        raise no_object(loaded)
    try:
        reading = loaded._report
    except AttributeError:
        message = f"{loaded!r} is not the result of an import; only imports have reports"
        raise error(Status.INVALID_ARGUMENT, message) from None
    return reading()


def pending(imported: Imported) -> Callable[[], Report]:
    """Return a function that reads the report of an import when it is first called.

    It keeps the text until then, and neither the objects of the import nor its options.
    """
    kept: list[Any] = [_unread(imported)]

    def reading() -> Report:
        if not isinstance(kept[0], Report):
            kept[0] = _report(*kept[0])
        report: Report = kept[0]
        return report

    return reading


def read(imported: Imported) -> Report:
    """Read the report of an import."""
    return _report(*_unread(imported))


def _unread(imported: Imported) -> tuple[Session, bytes, bool, bool, Schema | None]:
    """Return the arguments of `_report`."""
    session, options = imported.objects.session, imported.options
    is_dry_run = bool(options.get("dry_run"))
    has_changes = is_dry_run or options.get("changes")
    schema = (options.get("mapping") or session.mapping)._schema if has_changes else None
    return session, imported.report, is_dry_run, imported.has_text, schema


def _report(
    session: Session, text: bytes, is_dry_run: bool, has_text: bool, schema: Schema | None
) -> Report:
    """Make a report from the library's JSON; it has changes if there is a schema to write them."""
    given = decode(text)
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
        _schema=schema,
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
