"""The command `info`: the objects in a store, and whether it is sound."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from groot.cli import _codes

if TYPE_CHECKING:
    from groot.cli._store_facts import EntityFacts, Facts

DESCRIPTION = (
    "Says how many objects a store has, for which model it was made, and whether the file is "
    "sound. The store is not changed, and other processes may be using it. The exit code is 1 if "
    "the file is damaged, and 2 if it is missing or not a store."
)
EXAMPLES = (
    "groot info heroes.sqlite",
    "groot info heroes.sqlite --quick --json    # one JSON object, for programs",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("store", help="the store, a file or a URL")
    command.add_argument(
        "--quick", action="store_true", help="do not compare indexes with their tables"
    )
    command.add_argument("--json", action="store_true", help="write a JSON object")


def run(options: argparse.Namespace) -> int:
    """Write the facts."""
    from groot.cli import _store_facts  # noqa: PLC0415, no other command needs it

    facts = _store_facts.read(options.store, is_quick=options.quick)
    if options.json:
        print(json.dumps(facts.as_json(), ensure_ascii=False))
    else:
        print("\n".join(_lines(facts)))
    return _codes.FAULTY if facts.faults else _codes.GOOD


def _lines(facts: Facts) -> Iterator[str]:
    journal = f", and {facts.wal_size:,} in its journal" if facts.wal_size else ""
    check = "quick check" if facts.check == "quick" else "full check"
    sound = _counted(len(facts.faults), "fault", "faults") if facts.faults else "good"
    yield f"store         {_shown(facts.file)}"
    if facts.size is not None:
        yield f"size          {facts.size:,} bytes{journal}"
    if facts.journal_mode is not None:
        yield f"journal mode  {facts.journal_mode}"
    if facts.model is not None:
        dialect = "" if facts.dialect is None else f", dialect {facts.dialect}"
        entities = _counted(len(facts.entities), "entity", "entities")
        number = facts.application_id
        own = "" if number is None else f", application id 0x{number:08x}"
        yield f"format        {facts.format}{own}"
        yield f"model         {facts.model}, {entities}{dialect}"
        yield f"views         {'yes' if facts.views else 'no'}"
    yield f"integrity     {sound} ({check})"
    yield from (f"  {_shown(fault)}" for fault in facts.faults)
    if facts.entities:
        yield ""
        yield from _table(list(_tree(facts.entities)))


def _tree(entities: list[EntityFacts]) -> Iterator[tuple[str, EntityFacts]]:
    """Yield the entities with indented names, each before its sub-entities."""
    children: dict[str | None, list[EntityFacts]] = {}
    for one in entities:
        children.setdefault(one.parent, []).append(one)
    rest = [(0, one) for one in reversed(children.get(None, []))]
    while rest:
        depth, one = rest.pop()
        yield "  " * depth + _shown(one.name), one
        rest += [(depth + 1, child) for child in reversed(children.get(one.name, []))]


def _table(rows: list[tuple[str, EntityFacts]]) -> Iterator[str]:
    counts = [_count(one) for _, one in rows]
    left = max((len(name) for name, _ in rows), default=0)
    right = max(map(len, counts), default=0)
    for (name, one), count in zip(rows, counts):
        more = f"  {_counted(one.placeholders, 'placeholder', 'placeholders')}"
        yield f"{name:<{left}}  {count:>{right}}{more if one.placeholders else ''}"


def _count(one: EntityFacts) -> str:
    if one.objects is None:
        return "?"
    return "abstract" if one.abstract and not one.objects else f"{one.objects:,}"


def _counted(count: int | None, one: str, several: str) -> str:
    return f"{count or 0:,} {one if count == 1 else several}"


def _shown(text: str) -> str:
    """Return a text on one line, with codes for characters that a terminal would obey."""
    return text if text.isprintable() else repr(text)
