"""The records at a root: elements of an array, or members of an object, in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from groot.errors import Status, error
from groot.models.records._pointers import found, nothing_at, parts
from groot.models.records._window import Window

Piece = tuple[list[Any], list[int]]
"""Records, and the numbers of the lines where they begin."""

MANY = 4096
"""The records of a piece of Python values, or of members of an object."""


def of_text(window: Window, root: str, form: str, is_lines: bool) -> Iterator[Piece]:
    """Yield the records of all documents of a text.

    Args:
        window: The text.
        root: The pointer to the records in each document.
        form: "array", "keyed" or "grouped".
        is_lines: Whether an array at the top is a record, as the other values are.

    Yields:
        Records, never none.
    """
    tokens = parts(root)
    while following := window.peek(is_between=True):
        if tokens or form != "array" or (following == "[" and not is_lines):
            yield from _inside(window, root, tokens, form)
        else:
            yield from _taken(window, "")


def of_value(value: Any, root: str, form: str) -> Iterator[Piece]:
    """Yield the records of a value of Python, all with the line 0.

    Args:
        value: The value.
        root: The pointer to the records.
        form: "array", "keyed" or "grouped".

    Yields:
        Records, never none.
    """
    at_root = found(value, root)
    if form == "array":
        records = at_root if isinstance(at_root, list) else [at_root]
    elif isinstance(at_root, dict):
        records = [_pair(form, key, one) for key, one in at_root.items()]
    else:
        raise error(Status.WRONG_SHAPE, _no_object(form))
    for start in range(0, len(records), MANY):
        piece = records[start : start + MANY]
        yield piece, [0] * len(piece)


def _inside(window: Window, root: str, tokens: tuple[str, ...], form: str) -> Iterator[Piece]:
    """Yield the records below the value at the place of the window, and read that value."""
    if not tokens:
        yield from _at_root(window, form)
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
            yield from _inside(window, root, tokens[1:], form)
    elif start == "[":
        for index in window.elements():
            if str(index) != tokens[0]:
                window.skip()
                continue
            is_found = True
            yield from _inside(window, root, tokens[1:], form)
    else:
        window.skip()
    if not is_found:
        raise window.missing(line, nothing_at(root))


def _at_root(window: Window, form: str) -> Iterator[Piece]:
    start = window.peek()
    if form == "array":
        if start == "[":
            window.at += 1
            if window.peek() == "]":
                window.at += 1
                return
            yield from _taken(window, "]")
        else:
            line = window.line()
            yield [window.value()], [line]
        return
    if start != "{":
        raise window.wrong(window.at, _no_object(form), Status.WRONG_SHAPE)
    records: list[Any] = []
    lines: list[int] = []
    for key in window.members():
        lines.append(window.line())
        records.append(_pair(form, key, window.value()))
        if len(records) == MANY:
            yield records, lines
            records, lines = [], []
    if records:
        yield records, lines


def _taken(window: Window, closing: str) -> Iterator[Piece]:
    """Yield all elements of an array, or the values up to the end of the text."""
    while True:
        values: list[Any] = []
        starts: list[int] = []
        is_over = window.take(values, starts, closing)
        if values:
            yield values, window.lines(starts)
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
