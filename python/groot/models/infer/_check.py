"""The check of a model: the sample is imported, exported again and compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from groot.context import Context
from groot.errors import Error, Issue
from groot.mapping import Mapping
from groot.model import Model
from groot.models._pointers import parts
from groot.models.infer._chunks import Chunk, joined
from groot.models.infer._decisions import Root
from groot.models.infer._numbers import Decode, exactly, read
from groot.reports import report

_AT_ONCE = 10_000
_MOST = 100
Path = tuple["str | int", ...]


@dataclass
class Difference:
    """A place where an export is not what was imported."""

    root: Root
    record: Any
    path: Path
    before: Any
    after: Any
    number: int
    """The index of the record."""


@dataclass
class Outcome:
    """The result of a check."""

    issues: list[Issue] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether the export is equal, and no issue was met."""
        return not (self.issues or self.differences)


def check(
    document: dict[str, Any], samples: Sequence[tuple[Root, Iterable[Chunk]]], decode: Decode = read
) -> Outcome:
    """Import the records, export them again and compare.

    Args:
        document: The model document.
        samples: The records of each root, in pieces.
        decode: A function that reads JSON text.

    Returns:
        The issues, and the first differences.
    """
    outcome = Outcome()
    try:
        mapping = Mapping(Model(document))
    except Error as wrong:
        outcome.issues += wrong.issues
        return outcome
    plain = [(root, chunks) for root, chunks in samples if root.entity.around is None]
    for root, chunks in samples:
        if root.entity.around is not None:
            _check_documents(document, root, chunks, outcome)
    # The library imports and exports on another thread while this one reads and compares.
    with ThreadPoolExecutor(1) as worker:
        trips = _Trips(mapping, worker, is_alone=len(samples) == 1)
        for root, first, chunk, trip in trips.through(plain):
            _compare(root, chunk, first, trip.result(), decode, outcome)
            if len(outcome.differences) >= _MOST or outcome.issues:
                break
    return outcome


@dataclass
class _Trip:
    """The result of an import and an export."""

    issues: list[Issue]
    text: str | None


class _Trips:
    """Imports and exports of pieces of samples, one after another."""

    def __init__(self, mapping: Mapping, worker: ThreadPoolExecutor, *, is_alone: bool) -> None:
        self._mapping = mapping
        self._worker = worker
        self._is_alone = is_alone
        self._context = Context(mapping)

    def through(
        self, samples: Sequence[tuple[Root, Iterable[Chunk]]]
    ) -> Iterator[tuple[Root, int, Chunk, Future[_Trip]]]:
        """Yield each piece with its trip; the next trip has begun by then."""
        before = None
        for root, chunks in samples:
            first = 0
            for chunk in joined(chunks, _AT_ONCE):
                trip = self._worker.submit(self._trip, root, chunk)
                if before is not None:
                    yield before
                before = root, first, chunk, trip
                first += chunk.count
        if before is not None:
            yield before

    def _trip(self, root: Root, chunk: Chunk) -> _Trip:
        name: str = root.entity.name
        form: Any = root.form
        given: Any = chunk.array
        if given is None:
            given = chunk.records if form == "array" else dict(chunk.records)
        if self._is_alone:
            self._context = Context(self._mapping)
        try:
            options: Any = {"form": form, "errors": "collect", "max_issues": _MOST}
            objects = self._context.load(name, given, **options)
            issues = list(report(objects).issues)
            return _Trip(issues, self._context.dumps(objects, form=form))
        except Error as wrong:
            return _Trip(list(wrong.issues), None)


def _check_documents(
    document: dict[str, Any], root: Root, documents: Iterable[Chunk], outcome: Outcome
) -> None:
    """Check documents one by one, since an export writes a value of the document once."""
    mapping = Mapping(Model(document), roots={root.pointer: root.entity.name})
    first = 0
    for chunk in documents:
        whole = chunk.records[0]
        context = Context(mapping)
        objects = context.load(None, whole)
        outcome.issues += report(objects).issues
        written = read(context.dumps(None))
        before, after = (_at(one, root.pointer) for one in (whole, written))
        for number, (record, copy) in enumerate(zip(before, after)):
            for path, one, other in differences(record, copy):
                outcome.differences.append(
                    Difference(root, record, path, one, other, first + number)
                )
        if len(before) != len(after):
            outcome.differences.append(Difference(root, None, (), len(before), len(after), first))
        first += len(before)
        if len(outcome.differences) >= _MOST or outcome.issues:
            return


def _at(document: Any, pointer: str) -> list[Any]:
    for part in parts(pointer):
        document = document.get(part) if isinstance(document, dict) else None
    return document if isinstance(document, list) else []


def _compare(
    root: Root, chunk: Chunk, first: int, trip: _Trip, decode: Decode, outcome: Outcome
) -> None:
    """Compare records with their export."""
    outcome.issues += trip.issues
    # An export has no white space and the order of the sample, so most texts are equal as they are.
    if trip.text is None or trip.text == chunk.array:
        return
    written = decode(trip.text)
    records = chunk.records
    if root.form != "array":
        pairs = [(value, written.get(key)) for key, value in records]
    elif written == records:
        return
    else:
        pairs = list(zip(records, written))
        if len(written) != len(records):
            counts = len(records), len(written)
            outcome.differences.append(Difference(root, None, (), *counts, first))
            return
    for number, (before, after) in enumerate(pairs, first):
        if before != after and len(outcome.differences) < _MOST:
            for path, one, other in differences(before, after):
                outcome.differences.append(Difference(root, before, path, one, other, number))


def differences(before: Any, after: Any, path: Path = ()) -> Iterator[tuple[Path, Any, Any]]:
    """Yield the places where two values differ, each once.

    Args:
        before: A JSON value.
        after: Another.
        path: The keys and positions on the way to both.

    Yields:
        Path and both values; `...` stands for a value that is not there.
    """
    work = [(before, after, path)]
    while work:
        before, after, path = work.pop()
        if isinstance(before, dict) and isinstance(after, dict):
            for key in {**before, **after}:
                if key not in before or key not in after:
                    yield (*path, key), before.get(key, ...), after.get(key, ...)
                else:
                    work.append((before[key], after[key], (*path, key)))
        elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
            work.extend(
                (one, other, (*path, number))
                for number, (one, other) in enumerate(zip(before, after))
            )
        elif not _is_equal(before, after):
            yield path, before, after


def _is_equal(before: Any, after: Any) -> bool:
    """Return whether two scalars have one value, whatever the digits of a number are."""
    if isinstance(before, bool) or isinstance(after, bool):
        return before is after
    numbers = (int, float, Decimal)
    if isinstance(before, numbers) and isinstance(after, numbers):
        return bool(exactly(before) == exactly(after))
    return bool(before == after)
