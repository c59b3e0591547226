"""Counterexamples: where in a sample a value is that the evidence for a property counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from groot.models.infer._places import ELEMENT, Path
from groot.models.records import Batch


@dataclass(frozen=True)
class Odd:
    """A value that is not as most others at its place."""

    text: str | None = None
    """The value, if it is a text."""
    type: type[Any] | None = None
    """The type of the value otherwise; `float` stands for all numbers with a fraction."""

    def is_met(self, value: Any) -> bool:
        """Return whether a value is the one."""
        if self.text is not None:
            return bool(value == self.text)
        if self.type is float:
            return not isinstance(value, (bool, int, str, list, dict, type(None)))
        return type(value) is self.type


@dataclass
class Search:
    """A search for the first counterexample at some places."""

    odd: Odd
    paths: list[Path]
    found: str = ""


def find(searches: list[Search], batches: Iterable[Batch]) -> None:
    """Find counterexamples, until all are found.

    Args:
        searches: The searches, each of which gets the line and the value.
        batches: The records.
    """
    for batch in batches:
        for number, record in enumerate(batch.records):
            for search in searches:
                values = [] if search.found else _values(search, record)
                value = next(filter(search.odd.is_met, values), None)
                if value is not None:
                    search.found = f"{_place(batch, number)}: {_short(value)}"
        if all(search.found for search in searches):
            return


def _values(search: Search, record: Any) -> Iterator[Any]:
    for path in search.paths:
        yield from _at(record, path)


def _at(record: Any, path: Path) -> Iterator[Any]:
    """Yield the values of a record at a path, whose steps may be kinds and all elements."""
    work = [(record, 0)]
    while work:
        value, depth = work.pop()
        if depth == len(path):
            yield value
            continue
        step = path[depth]
        if isinstance(value, dict) and step in value:
            work.append((value[step], depth + 1))
        elif step == ELEMENT and isinstance(value, (list, dict)):
            inner = value.values() if isinstance(value, dict) else value
            work.extend((one, depth + 1) for one in inner)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            work.append((value[int(step)], depth + 1))
        elif isinstance(value, dict) and "=" in step:
            key, _, text = step.partition("=")
            if value.get(key) == text:
                work.append((value, depth + 1))


def _place(batch: Batch, number: int) -> str:
    line = batch.places[number]
    # Text without lines has all records in the first.
    return f"line {line}" if line > 1 else f"record {batch.first + number}"


def _short(value: Any) -> str:
    text = repr(value) if isinstance(value, (str, list, dict, bool, type(None))) else str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
