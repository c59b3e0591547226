"""Reading and writing of JSON that nests deeper than Python's recursion limit, in loops."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

_after_space = re.compile(r"[ \t\n\r]*").match
_quote = json.encoder.encode_basestring


class TooDeepError(ValueError):
    """A value has more levels than the limit."""


def read(text: str, scan: Callable[[str, int], tuple[Any, int]]) -> Any:
    """Read valid JSON text of the library.

    Args:
        text: The text of one value.
        scan: The function that reads the scalar at an offset, and returns it with the offset after
            it.

    Returns:
        The value.

    """
    root: list[Any] = []
    container: Any = root
    outer: list[Any] = []
    key: Any = None
    at = _skip(text, 0)
    while True:
        value: Any
        begins = text[at]
        if begins in "[{":
            value = [] if begins == "[" else {}
            at = _skip(text, at + 1)
            _put(container, key, value)
            if text[at] not in "]}":
                outer.append(container)
                container = value
                if begins == "{":
                    key, at = _key(text, at, scan)
                continue
            at += 1
        else:
            value, at = scan(text, at)
            _put(container, key, value)
        at = _skip(text, at)
        while container is not root and text[at] != ",":
            container = outer.pop()
            at = _skip(text, at + 1)
        if container is root:
            return root[0]
        at = _skip(text, at + 1)
        if isinstance(container, dict):
            key, at = _key(text, at, scan)


def _skip(text: str, at: int) -> int:
    """Return the offset after white space."""
    found: Any = _after_space(text, at)
    end: int = found.end()
    return end


def _key(text: str, at: int, scan: Callable[[str, int], tuple[Any, int]]) -> tuple[Any, int]:
    """Read a key and its colon."""
    key, at = scan(text, at)
    return key, _skip(text, _skip(text, at) + 1)


def _put(container: Any, key: Any, value: Any) -> None:
    """Add a member."""
    if isinstance(container, dict):
        container[key] = value
    else:
        container.append(value)


def write(value: Any, scalar: Callable[[Any], Any], levels: int) -> str:
    """Write a value as JSON text.

    Args:
        value: The value.
        scalar: The function that returns the text of a scalar as `str`, or the container that
            replaces it; it may raise TypeError or ValueError.
        levels: The maximum number of levels. A value in a container is one level deeper.

    Returns:
        The text.

    Raises:
        TooDeepError: The value has more levels, or contains itself.
        TypeError: The value is not JSON.
        ValueError: The value is not JSON.

    """
    pieces: list[str] = []
    pending: list[tuple[Iterator[tuple[str, Any]], str]] = [(iter([("", value)]), "")]
    while pending:
        members, end = pending[-1]
        found = next(members, None)
        if found is None:
            pending.pop()
            pieces.append(end)
            continue
        if len(pending) > levels:
            raise TooDeepError
        before, member = found
        pieces.append(before)
        if not isinstance(member, (dict, list, tuple)):
            member = scalar(member)
        if isinstance(member, str):
            pieces.append(member)
        elif isinstance(member, dict):
            pieces.append("{")
            pending.append((_members(member), "}"))
        else:
            pieces.append("[")
            pending.append((_elements(member), "]"))
    return "".join(pieces)


def _elements(values: Any) -> Iterator[tuple[str, Any]]:
    """Yield the elements of a list, each with the text before it."""
    for index, value in enumerate(values):
        yield "," if index else "", value


def _members(values: dict[Any, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values of a dict, each with the text before it."""
    for index, (key, value) in enumerate(values.items()):
        # Keys that are not text are written as the encoder of `json` writes them.
        text = key if isinstance(key, str) else json.dumps({key: 0}, allow_nan=False)[2:-5]
        yield f"{',' if index else ''}{_quote(text)}:", value
