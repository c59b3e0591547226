"""A picture of the top of documents, for choosing the root of records."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from groot.models._pointers import joined
from groot.models.records._sources import FileSource, Source
from groot.models.records._window import Window

_DEPTH = 3
_KEYS = 100
_DOCUMENTS = 100
_SMALL = 1000


@dataclass
class Member:
    """A value near the top of the documents."""

    pointer: str
    """The JSON Pointer to the value."""
    kind: str = "scalar"
    """"array", "object", "scalar", or "mixed" if it differs among the documents."""
    count: int = 0
    """The elements of an array, or the keys of an object."""
    objects: int = 0
    """The number of elements or values that are objects."""
    arrays: int = 0
    """The number of those that are arrays."""
    scalars: int = 0
    """The number of those that are neither."""
    sample: Any = None
    """A scalar, or the first element of an array if it is small."""
    members: dict[str, Member] = field(default_factory=dict)
    """The values of an object by key, the first hundred, three objects deep."""


@dataclass
class Outline:
    """The top of documents."""

    kind: str
    """"array", "object" or "scalar"; "values" for several values one after another."""
    members: dict[str, Member]
    """The values of an object at the top, by key."""
    top: Member
    """The document itself, or all values one after another as if they were an array."""


def of(sources: Iterable[Source], is_lines: bool) -> Outline:
    """Return the outline of all sources together.

    Args:
        sources: The inputs.
        is_lines: Whether their values stand one after another.

    Returns:
        The outline.
    """
    top: Member | None = None
    kinds = set()
    for source in sources:
        has_lines = is_lines or source.has_lines
        if isinstance(source, FileSource):
            with source.open() as file:
                found, is_one = _documents(Window(source.name, file), has_lines)
        else:
            text = json.dumps(source.value, default=str).encode()
            found, is_one = _documents(Window(source.name, io.BytesIO(text)), has_lines)
        if found is not None:
            kinds.add(found.kind if is_one else "values")
            top = found if top is None else _merged(top, found)
    if top is None:
        return Outline("values", {}, Member("", "array"))
    return Outline(kinds.pop() if len(kinds) == 1 else "values", top.members, top)


def _documents(window: Window, has_lines: bool) -> tuple[Member | None, bool]:
    """Describe the documents of a text, and tell whether there is exactly one."""
    first: Member | None = None
    every = Member("", "array")
    while window.peek(is_between=True):
        if every.count < _DOCUMENTS:
            one = _described(window, "", 0)
            first = one if first is None else _merged(first, one)
            _count(every, one.kind)
            if every.count == 1 and one.kind == "scalar":
                every.sample = one.sample
        else:
            _count(every, _kind(window.peek()))
            window.skip()
    if first is None or (every.count == 1 and not has_lines):
        return first, True
    every.members = first.members
    return every, False


def _described(window: Window, pointer: str, depth: int) -> Member:
    """Describe the value at the place of a window, and pass over it."""
    kind = _kind(window.peek())
    found = Member(pointer, kind)
    if kind == "array":
        for _ in window.elements():
            _count(found, _kind(window.peek()))
            if found.count == 1:
                found.sample = _small(window)
            else:
                window.skip()
    elif kind == "object" and depth < _DEPTH:
        for key in window.members():
            _count(found, _kind(window.peek()))
            if key not in found.members and len(found.members) == _KEYS:
                window.skip()
            else:
                found.members[key] = _described(window, joined(pointer, key), depth + 1)
    elif kind == "object":
        for _ in window.members():
            _count(found, _kind(window.peek()))
            window.skip()
    else:
        found.sample = _small(window)
    return found


def _small(window: Window) -> Any:
    """Pass over a value and return it if it is small."""
    if not window.fits():
        window.skip()
        return None
    start = window.at
    value = window.value()
    return value if window.at - start <= _SMALL else None


def _kind(start: str) -> str:
    return {"[": "array", "{": "object"}.get(start, "scalar")


def _count(member: Member, kind: str) -> None:
    member.count += 1
    if kind == "object":
        member.objects += 1
    elif kind == "array":
        member.arrays += 1
    else:
        member.scalars += 1


def _merged(one: Member, other: Member) -> Member:
    """Put the values at the same pointer in two documents together; null is of any kind."""
    if _is_null(other):
        return one
    if _is_null(one):
        return other
    members = dict(one.members)
    for key, member in other.members.items():
        if key in members:
            members[key] = _merged(members[key], member)
        elif len(members) < _KEYS:
            members[key] = member
    return Member(
        one.pointer,
        one.kind if one.kind == other.kind else "mixed",
        one.count + other.count,
        one.objects + other.objects,
        one.arrays + other.arrays,
        one.scalars + other.scalars,
        one.sample if one.sample is not None else other.sample,
        members,
    )


def _is_null(member: Member) -> bool:
    return member.kind == "scalar" and member.sample is None
