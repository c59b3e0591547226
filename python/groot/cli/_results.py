"""The results of imports and synchronizations: faults, counts, changes."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
from collections.abc import Iterator
from typing import Any

from groot.cli import _codes
from groot.cli._feeds import Feed, Listed
from groot.cli._interrupts import UNCHANGED
from groot.cli._mappings import Place, no_root
from groot.cli._talk import Talk
from groot.errors import Error, Status
from groot.models.records import FileSource
from groot.reports import Report, report

_COUNTS = ("inserted", "updated", "unchanged", "deleted", "skipped", "stale")
_SHOWN = 100
_REMEDY = "correct the records, or leave them out with --errors skip"
_NEXT = {
    Status.TOO_MANY_DELETIONS: "if that is right, run the command again with --yes, or allow a "
    "number or a share with --max-deletions N or N%",
    Status.INVALID_JSON: "if each line is a record, give --lines",
}


class Results:
    """The results of a command for its files, told when all are read."""

    def __init__(self, options: argparse.Namespace, feed: Feed, place: Place, entity: str) -> None:
        """Take the options of a command, its files, and the place of their records."""
        self._options = options
        self._feed = feed
        self.place = place
        self.entity = entity
        self._talk: Talk = options.talk
        self._talk.remedies.update(_NEXT)
        if options.errors is not None:
            for status in _RECORD_FAULTS:
                self._talk.remedies[status] = _REMEDY
        self.reports: list[Report] = []
        self.failure: Error | None = None
        """The last failure of a file, whose faults were written."""

    @contextlib.contextmanager
    def listing(self, listed: Listed) -> Iterator[None]:
        """Read the records of several files in the block; their faults are written."""
        self._talk.locate = listed.located
        try:
            yield
        except Error as failure:
            if _codes.code_of(failure.code) != _codes.FAULTY:
                raise
            self.failure = failure
            self._talk.faults(failure.issues, is_failure=True)
        finally:
            self._talk.locate = None

    @contextlib.contextmanager
    def reading(self, source: FileSource) -> Iterator[None]:
        """Read a file in the block; its faults are written, and the next file may be read."""
        try:
            with self._talk.reading(source.name):
                yield
        except Error as failure:
            if _is_missing_root(failure, self.place):
                raise no_root(source.name, self.place.root or "") from failure
            if _codes.code_of(failure.code) != _codes.FAULTY:
                raise
            self.failure = failure
            self._talk.faults(failure.issues, is_failure=True)
            self._talk.leave()

    def add(self, loaded: Any) -> None:
        """Take the result of an import or a synchronization."""
        found = loaded if isinstance(loaded, Report) else report(loaded)
        self.reports.append(found)
        issues = found.issues if self._talk.is_json else found.issues[:_SHOWN]
        self._talk.faults(issues)
        more = len(found.issues) - len(issues)
        if more:
            self._talk.say(f"… {more:,} more faults")

    def fail(self) -> int:
        """Tell that nothing was changed, and return the exit code."""
        self._talk.say(f"{self._talk.command}: {self.outcome}")
        return _codes.FAULTY if self.failure is None else _codes.code_of(self.failure.code)

    @property
    def outcome(self) -> str:
        """The state of the store after a failure, in words."""
        is_committed = self._options.commits == "each"
        return "the batches that were committed before stay" if is_committed else UNCHANGED

    @property
    def counts(self) -> dict[str, Any]:
        """The sums of the counts of all files."""
        return {name: sum(getattr(one, name) for one in self.reports) for name in _COUNTS}

    @property
    def is_empty(self) -> bool:
        """Whether no record was used."""
        counts = self.counts
        is_used = any(counts[name] for name in ("inserted", "updated", "skipped"))
        return not is_used and counts["unchanged"] <= counts["stale"]

    def tell(self) -> int:
        """Write the changes of a dry run and the counts, and return the exit code."""
        self._tell_left_out()
        options = self._options
        if options.report == "json":
            print(json.dumps(self.described(), ensure_ascii=False))
        else:
            if options.dry_run:
                for one in self.reports:
                    if text := one.diff(limit=None):
                        print(text)
            if not self._talk.is_quiet:
                print(self._sum())
        has_faults = options.errors != "skip" and any(one.issues for one in self.reports)
        is_good = not has_faults and not (self.is_empty and options.fail_empty)
        return _codes.GOOD if is_good else _codes.FAULTY

    def _tell_left_out(self) -> None:
        counts = self.counts
        if counts["skipped"]:
            self._talk.say(f"{_number(counts['skipped'], 'wrong record')} left out")
        if counts["stale"]:
            self._talk.say(f"{_number(counts['stale'], 'record')} older than the store left out")
        withheld = sum(len(one.withheld) for one in self.reports)
        if withheld:
            self._talk.say(
                f"{_number(withheld, 'object')} kept that the feed does not list, since an entry "
                "has no identity"
            )
        if self.is_empty:
            self._talk.say(f"no records: {self._reason()}")

    def _reason(self) -> str:
        """Say why records are missing."""
        if self.counts["stale"]:
            return "all are older than the objects in the store"
        if self.place.root:
            return f"the list at {self.place.root} in {self._feed.name} is empty"
        if any(map(self._feed.has_lines, self._feed.sources)):
            return f"{self._feed.name} has no lines"
        return f"the list in {self._feed.name} is empty"

    def _sum(self) -> str:
        """Write the counts of all files on one line."""
        if len(self.reports) == 1:
            return str(self.reports[0])
        more: dict[str, Any] = {
            "issues": tuple(issue for one in self.reports for issue in one.issues),
            "withheld": tuple(kept for one in self.reports for kept in one.withheld),
        }
        return str(dataclasses.replace(self.reports[0], **self.counts, **more))

    def described(self, limit: int | None = None) -> dict[str, Any]:
        """Return the report as JSON, with at most so many changes."""
        found: dict[str, Any] = {
            "version": 1,
            "entity": self.entity,
            "dryRun": self._options.dry_run,
            **self.counts,
            "withheld": sum(len(one.withheld) for one in self.reports),
            "issues": sum(len(one.issues) for one in self.reports),
        }
        if self._options.dry_run:
            changes = [change for one in self.reports for change in one.as_json()["changes"]]
            found["changes"] = changes[:limit]
        return found


_RECORD_FAULTS = (
    Status.WRONG_SHAPE,
    Status.WRONG_TYPE,
    Status.OUT_OF_RANGE,
    Status.MISSING_VALUE,
    Status.MAPPER_FAILED,
    Status.TRANSFORM_FAILED,
    Status.UNKNOWN_IDENTIFIER,
    Status.UNKNOWN_KEY,
    Status.TOO_FEW,
    Status.TOO_MANY,
    Status.TOO_LARGE,
    Status.TOO_SMALL,
    Status.TOO_LONG,
    Status.TOO_SHORT,
    Status.PATTERN_MISMATCH,
    Status.UNLISTED_VALUE,
)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _is_missing_root(failure: Error, place: Place) -> bool:
    """Whether an import failed since the root of the records leads nowhere."""
    issue = failure.issues[0]
    return failure.code == Status.MISSING_VALUE and place.root is not None and not issue.entity
