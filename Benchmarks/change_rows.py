#!/usr/bin/env python3
"""The rows of the benchmark that change what a store has, through Python."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import groot
from groot_rows import mapping_for
from row import Input, main, require, timed

Change = Callable[[list[groot.Object], list[groot.Object]], None]
EACH = 10
"""Of how many characters in a feed one is changed."""


@contextmanager
def filled(given: Input) -> Iterator[groot.Context]:
    """A store with the characters, opened anew."""
    mapping = mapping_for(given)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "characters.sqlite"
        context = groot.Context(mapping, store=path)
        context.load_file("Character", given.path)
        context.save()
        del context
        yield groot.Context(mapping, store=path)


def save(given: Input, change: Change) -> None:
    """A save of a change of each character."""
    with filled(given) as context:
        characters, powers = list(context.fetch("Character")), list(context.fetch("Power"))
        change(characters, powers)
        with timed(given.count):
            context.save()


def change_name(characters: list[groot.Object], _: list[groot.Object]) -> None:
    for character in characters:
        character.name = f"{character.name} II"


def change_first(characters: list[groot.Object], powers: list[groot.Object]) -> None:
    for number, character in enumerate(characters):
        first = powers[number * 7 % len(powers)]
        character.powers = [first, *list(character.powers)[1:]]


def python_save_attributes(given: Input) -> None:
    save(given, change_name)


def python_save_lists(given: Input) -> None:
    save(given, change_first)


def update(given: Input, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
    """An import of the characters into a store that has them, with some of them changed."""
    records = json.loads(given.path.read_text())
    for number in range(0, given.count, EACH):
        change(records[number], records[number * 7 % given.count])
    text = json.dumps(records, ensure_ascii=False, separators=(",", ":")).encode()
    with filled(given) as context:
        with timed(given.count):
            changed = context.load("Character", text)
            context.save()
        require(len(changed) == given.count, "not as many characters as expected")


def change_values(record: dict[str, Any], _: dict[str, Any]) -> None:
    record["name"] += " II"
    record["rating"] += 1


def change_list(record: dict[str, Any], other: dict[str, Any]) -> None:
    change_values(record, other)
    record["powers"][:1] = other["powers"][:1]


def python_tenth_attributes(given: Input) -> None:
    update(given, change_values)


def python_tenth_lists(given: Input) -> None:
    update(given, change_list)


if __name__ == "__main__":
    rows = (python_save_attributes, python_save_lists, python_tenth_attributes, python_tenth_lists)
    main({row.__name__: row for row in rows})
