"""The place of the records in documents."""

from __future__ import annotations

from dataclasses import dataclass

from groot.models._pointers import last, parts
from groot.models.infer._naming import COLLECTIONS
from groot.models.records import Member, Outline, Records

_BESIDE = ("included", "includes")
_DEPTH = 3


@dataclass(frozen=True)
class Found:
    """Records in a document."""

    pointer: str
    form: str
    key: str
    """The key of the records, of which the name of the entity is made; empty at the top."""
    reason: str
    is_certain: bool = True
    """Whether it is a root even if no other records refer to it."""


def find_roots(records: Records, told: str | None = None) -> list[Found]:
    """Find the records of documents.

    Args:
        records: The documents.
        told: The JSON Pointer of the records, if it is told.

    Returns:
        The places of records: one, or several of a document of several collections.
    """
    if told is not None:
        return [_told(records, told)]
    if records.is_collection:
        return [Found("", "array", "", "the records are at the top")]
    outline = records.outline()
    if outline.kind != "object":
        return [Found("", "array", "", "the records are at the top")]
    lists = list(_lists(outline.members, 1))
    return _chosen(outline, lists)


def _chosen(outline: Outline, lists: list[Member]) -> list[Found]:
    if not lists:
        return [_keyed(outline)]
    tops = [one for one in lists if one.pointer.count("/") == 1] or lists
    if len(tops) == 1:
        return [_found(tops[0], "the only list of objects")]
    named = [one for name in COLLECTIONS for one in tops if _key(one) == name]
    if named:
        first = _found(named[0], f"the list named {_key(named[0])}")
        others = [one for one in tops if one is not named[0]]
        return [first, *(_found(one, "beside", is_certain=_key(one) in _BESIDE) for one in others)]
    return [_found(one, f"one of {len(tops)} lists of objects") for one in tops]


def _lists(members: dict[str, Member], depth: int) -> list[Member]:
    """Return the lists of objects near the top; those inside a record do not count."""
    found = []
    for member in members.values():
        if member.kind == "array" and member.objects and member.objects == member.count:
            found.append(member)
        elif member.kind == "object" and depth < _DEPTH:
            found += _lists(member.members, depth + 1)
    return found


def _keyed(outline: Outline) -> Found:
    """Return the map of records at the top or below, or the one object that the document is."""
    top = outline.top
    if _is_map(top):
        return Found("", "keyed", "", "records under keys at the top")
    maps = [one for one in outline.members.values() if _is_map(one)]
    if len(maps) == 1:
        return Found(maps[0].pointer, "keyed", _key(maps[0]), "the only map of objects")
    inner = [one for one in outline.members.values() if one.kind == "object" and one.count]
    if len(inner) == 1 and _key(inner[0]) in COLLECTIONS:
        return Found(inner[0].pointer, "array", "", f"the object named {_key(inner[0])}")
    return Found("", "array", "", "one record, the document")


def _is_map(member: Member) -> bool:
    """Return whether an object has three or more objects with the same keys, and nothing else."""
    inner = list(member.members.values())
    if member.kind != "object" or len(inner) < 3 or member.objects < member.count:
        return False
    keys = [set(one.members) for one in inner]
    shared = set.intersection(*keys)
    return len(shared) > 1 or (len(shared) == 1 and all(len(one) == 1 for one in keys))


def _told(records: Records, pointer: str) -> Found:
    """Return the records at a place that is told; an object of objects is a map of them."""
    key = last(pointer)
    if records.is_collection:
        return Found(pointer, "array", key, "told")
    member = records.outline().top
    for part in parts(pointer):
        found = member.members.get(part)
        if found is None:
            return Found(pointer, "array", key, "told")
        member = found
    return Found(pointer, "keyed" if _is_map(member) else "array", key, "told")


def _found(member: Member, reason: str, is_certain: bool = True) -> Found:
    return Found(member.pointer, "array", _key(member), reason, is_certain)


def _key(member: Member) -> str:
    return last(member.pointer)
