"""Values of the documents around records, where these identify nothing without them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from groot.models._pointers import parts
from groot.models.infer._entities import Around
from groot.models.infer._naming import words_of
from groot.models.infer._paths import has_path

_DEPTH = 2
_PAGES = frozenset(
    (
        "page", "pages", "offset", "limit", "size", "total", "count", "next", "previous", "prev",
        "cursor", "token", "took", "time", "timestamp", "url", "href", "self", "link", "etag",
        "version", "status", "code",
    )
)  # fmt: skip
"""Words for values that tell pages of one collection apart, and not collections."""


def documents_of(records: Iterator[list[Any]]) -> Iterator[dict[str, Any]]:
    """Yield the documents among values."""
    for values in records:
        yield from (one for one in values if isinstance(one, dict))


def find_around(
    keys: list[str], pointer: str, documents: Iterator[dict[str, Any]]
) -> Around | None:
    """Find a value that tells the documents apart, if records are unique in each of them.

    Args:
        keys: The keys of the records that may identify them.
        pointer: The place of the records in a document.
        documents: All documents, each of which is in memory by itself.

    Returns:
        The value and the key, or None if there are not several documents that differ.
    """
    steps = list(parts(pointer))
    left, around, number = list(keys), None, 0
    for document in documents:
        number += 1
        records = _at(document, steps)
        left = [key for key in left if _is_unique(records, key)]
        found = dict(_scalars(document, steps))
        if around is None:
            around = {path: {value} for path, value in found.items()}
        else:
            around = {path: {*seen, found[path]} for path, seen in around.items() if path in found}
    several = {path: seen for path, seen in (around or {}).items() if len(seen) == number}
    if number < 2 or not left or not several:
        return None
    path = min(several, key=lambda one: (len(one), one))
    kinds = {type(value) for value in several[path]}
    if len(kinds) > 1:
        return None
    return Around(path, "string" if kinds == {str} else "integer64", left[0], number)


def _scalars(document: dict[str, Any], steps: list[str]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the texts and integers near the top that could name a document."""
    work: list[tuple[tuple[str, ...], Any]] = [((), document)]
    while work:
        path, value = work.pop()
        if isinstance(value, dict) and len(path) < _DEPTH:
            for key, inner in value.items():
                is_name = has_path(key) and not _PAGES.intersection(map(str.lower, words_of(key)))
                if is_name and [*path, key] != steps[: len(path) + 1]:
                    work.append(((*path, key), inner))
        elif type(value) in (str, int):
            yield path, value


def _at(document: dict[str, Any], steps: list[str]) -> list[Any]:
    value: Any = document
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def _is_unique(records: list[Any], key: str) -> bool:
    values = [one.get(key) for one in records if isinstance(one, dict)]
    return len(set(values)) == len(values)
