"""The records at a root: elements of an array, or members of an object, in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from groot.errors import Error, Status, error
from groot.models._pointers import found, nothing_at, parts
from groot.models.records._window import Window

Piece = tuple[list[Any], list[int], "str | None"]
"""Records, the lines where they begin, and their text if they are elements of an array."""

MANY = 4096
"""The records of a piece of Python values, or of members of an object."""


@dataclass(frozen=True)
class Place:
    """The place of records in each document."""

    root: str = ""
    """The pointer to them."""
    form: str = "array"
    """"array", "keyed", "grouped", or "value" for the value at the root as it is."""
    is_optional: bool = False
    """Whether a document may lack the root."""


def of_text(window: Window, place: Place, is_lines: bool) -> Iterator[Piece]:
    """Yield the records of all documents of a text.

    Args:
        window: The text.
        place: The place of the records.
        is_lines: Whether an array at the top is a record, as the other values are.

    Yields:
        Records, never none.
    """
    tokens = parts(place.root)
    while following := window.peek(is_between=True):
        if tokens or place.form != "array" or (following == "[" and not is_lines):
            yield from _inside(window, place, tokens)
        else:
            yield from _taken(window, "")


def of_value(value: Any, place: Place) -> Iterator[Piece]:
    """Yield the records of a value of Python, all with the line 0.

    Args:
        value: The value.
        place: The place of the records.

    Yields:
        Records, never none.
    """
    try:
        at_root = found(value, place.root)
    except Error:
        if place.is_optional:
            return
        raise
    form = place.form
    records: list[Any]
    if form == "value":
        records = [at_root]
    elif at_root is None and place.root:
        records = []
    elif form == "array":
        records = at_root if isinstance(at_root, list) else [at_root]
    elif isinstance(at_root, dict):
        records = [_pair(form, key, one) for key, one in at_root.items()]
    else:
        raise error(Status.WRONG_SHAPE, _no_object(form))
    for start in range(0, len(records), MANY):
        piece = records[start : start + MANY]
        yield piece, [0] * len(piece), None


def _inside(window: Window, place: Place, tokens: tuple[str, ...]) -> Iterator[Piece]:
    """Yield the records below the value at the place of the window, and read that value."""
    if not tokens:
        yield from _at_root(window, place)
        return
    is_found = False
    start = window.peek()
    line = window.line()
    if start == "{":
        for key in window.members():
            if key != tokens[0]:
                window.skip()
                continue
            if is_found:
                message = f"the key {key!r} of the root is there twice"
                raise window.wrong(window.at, message, Status.WRONG_SHAPE)
            is_found = True
            yield from _inside(window, place, tokens[1:])
    elif start == "[":
        for index in window.elements():
            if str(index) != tokens[0]:
                window.skip()
                continue
            is_found = True
            yield from _inside(window, place, tokens[1:])
    else:
        window.skip()
    if not is_found and not place.is_optional:
        raise window.missing(line, nothing_at(place.root))


def _at_root(window: Window, place: Place) -> Iterator[Piece]:
    start = window.peek()
    form = place.form
    if start == "n" and place.root and form != "value":
        window.value()
        return
    if form in ("array", "value"):
        if start == "[" and form == "array":
            window.at += 1
            if window.peek() == "]":
                window.at += 1
                return
            yield from _taken(window, "]")
        else:
            line = window.line()
            yield [window.value()], [line], None
        return
    if start != "{":
        raise window.wrong(window.at, _no_object(form), Status.WRONG_SHAPE)
    records: list[Any] = []
    lines: list[int] = []
    for key in window.members():
        lines.append(window.line())
        records.append(_pair(form, key, window.value()))
        if len(records) == MANY:
            yield records, lines, None
            records, lines = [], []
    if records:
        yield records, lines, None


def _taken(window: Window, closing: str) -> Iterator[Piece]:
    """Yield all elements of an array, or the values up to the end of the text."""
    while True:
        values: list[Any] = []
        starts: list[int] = []
        is_over = window.take(values, starts, closing)
        if values:
            text = window.text[starts[0] : window.last] if closing else None
            yield values, window.lines(starts), text
        elif not is_over:
            window.more()
        if is_over or not (closing or window.peek(is_between=True)):
            return


def _pair(form: str, key: str, value: Any) -> tuple[str, Any]:
    if form == "grouped" and not isinstance(value, list):
        return key, [] if value is None else [value]
    return key, value


def _no_object(form: str) -> str:
    return f"the root of the form {form!r} is not an object"
