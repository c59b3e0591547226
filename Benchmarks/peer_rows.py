#!/usr/bin/env python3
"""The rows of the benchmark that do the same work in Python without Groot.

A library decodes the text, and a loop written by hand for this model keeps one object per identity
and both directions of every relationship. Libraries that are not installed give no rows.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from row import Input, Row, main, require, timed


@dataclass(slots=True, eq=False)
class Named:
    """A power or a publisher."""

    identifier: int
    name: str
    characters: list[Character] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Character:
    identifier: int
    name: str = ""
    real_name: str = ""
    created_at: datetime | None = None
    rating: float = 0.0
    active: bool = False
    strength: int = 0
    speed: int = 0
    powers: list[Named] = field(default_factory=list)
    publisher: Named | None = None


class Graph:
    def __init__(self) -> None:
        self.characters: dict[int, Character] = {}
        self.powers: dict[int, Named] = {}
        self.publishers: dict[int, Named] = {}


def named(known: dict[int, Named], identifier: int, name: str) -> Named:
    found = known.get(identifier)
    if found is None:
        found = known[identifier] = Named(identifier, name)
    else:
        found.name = name
    return found


def link(character: Character, powers: list[Named], publisher: Named) -> None:
    if character.publisher is not publisher:
        if character.publisher is not None:
            character.publisher.characters.remove(character)
        character.publisher = publisher
        publisher.characters.append(character)
    if character.powers != powers:
        for power in character.powers:
            power.characters.remove(character)
        character.powers = powers
        for power in powers:
            power.characters.append(character)


def link_dicts(records: Iterable[dict[str, Any]], graph: Graph) -> None:
    """Link what a JSON library made: ids and dates are text."""
    read_date = datetime.fromisoformat
    for record in records:
        identifier = int(record["id"])
        character = graph.characters.get(identifier)
        if character is None:
            character = graph.characters[identifier] = Character(identifier)
        character.name = record["name"]
        character.real_name = record["real_name"]
        character.created_at = read_date(record["created_at"].replace("Z", "+00:00"))
        character.rating = record["rating"]
        character.active = record["active"]
        character.strength = record["stats"]["strength"]
        character.speed = record["stats"]["speed"]
        powers = [named(graph.powers, int(one["id"]), one["name"]) for one in record["powers"]]
        one = record["publisher"]
        link(character, powers, named(graph.publishers, int(one["id"]), one["name"]))


def link_structs(records: Iterable[Any], graph: Graph) -> None:
    """Link what msgspec or pydantic made: they converted ids and dates themselves."""
    for record in records:
        character = graph.characters.get(record.id)
        if character is None:
            character = graph.characters[record.id] = Character(record.id)
        character.name = record.name
        character.real_name = record.real_name
        character.created_at = record.created_at
        character.rating = record.rating
        character.active = record.active
        character.strength = record.stats.strength
        character.speed = record.stats.speed
        powers = [named(graph.powers, one.id, one.name) for one in record.powers]
        one = record.publisher
        link(character, powers, named(graph.publishers, one.id, one.name))


def date_text(date: datetime | None) -> str | None:
    return date and f"{date:%Y-%m-%dT%H:%M:%SZ}"


def same(date: datetime | None) -> datetime | None:
    """For libraries that write dates themselves."""
    return date


def unlink(
    graph: Graph, record: Callable[..., Any], one: Callable[..., Any], date: Callable[..., Any]
) -> list[Any]:
    """Make records, dictionaries or structs, of the characters."""
    return [
        record(
            id=str(it.identifier),
            name=it.name,
            real_name=it.real_name,
            created_at=date(it.created_at),
            rating=it.rating,
            active=it.active,
            stats={"strength": it.strength, "speed": it.speed},
            powers=[one(id=str(power.identifier), name=power.name) for power in it.powers],
            publisher=it.publisher and one(id=str(it.publisher.identifier), name=it.publisher.name),
        )
        for it in graph.characters.values()
    ]


def msgspec_decoder(msgspec: Any) -> Callable[[bytes], Any]:
    one = msgspec.defstruct("One", [("id", int), ("name", str)])
    stats = msgspec.defstruct("Stats", [("strength", int), ("speed", int)])
    record = msgspec.defstruct(
        "Record",
        [
            ("id", int),
            ("name", str),
            ("real_name", str),
            ("created_at", datetime),
            ("rating", float),
            ("active", bool),
            ("stats", stats),
            ("powers", list[one]),
            ("publisher", one),
        ],
    )
    decoder: Callable[[bytes], Any] = msgspec.json.Decoder(list[record], strict=False).decode
    return decoder


def pydantic_decoder(pydantic: Any) -> Callable[[bytes], Any]:
    one = pydantic.create_model("One", id=int, name=str)
    record = pydantic.create_model(
        "Record",
        id=int,
        name=str,
        real_name=str,
        created_at=datetime,
        rating=float,
        active=bool,
        stats=pydantic.create_model("Stats", strength=int, speed=int),
        powers=list[one],
        publisher=one,
    )
    decoder: Callable[[bytes], Any] = pydantic.TypeAdapter(list[record]).validate_json
    return decoder


def importing(decode: Callable[[bytes], Any], link_all: Any, collects: bool, given: Input) -> None:
    """Import as this library does it, with Python's garbage collector on or off."""
    text = given.path.read_bytes()
    graph = Graph()
    if not collects:
        gc.disable()
    with timed(given.count):
        link_all(decode(text), graph)
    require(len(graph.characters) == given.count, "not as many characters as expected")
    created = next(iter(graph.characters.values())).created_at
    require(created is not None and created.utcoffset() == timedelta(0), "a date is wrong")
    links = sum(len(character.powers) for character in graph.characters.values())
    for known, expected in ((graph.powers, links), (graph.publishers, given.count)):
        number = sum(len(one.characters) for one in known.values())
        require(number == expected, "not as many links as expected")


def importing_by_pydantic(collects: bool, given: Input) -> None:
    """Import with pydantic, whose modules take memory that is not to count for other rows."""
    pydantic = importlib.import_module("pydantic")
    importing(pydantic_decoder(pydantic), link_structs, collects, given)


def exporting(encode: Callable[[Any], bytes], make: Any, collects: bool, given: Input) -> None:
    """Export as this library does it."""
    graph = Graph()
    gc.disable()
    link_dicts(json.loads(given.path.read_bytes()), graph)
    if collects:
        gc.enable()
    with timed(given.count):
        text = encode(unlink(graph, *make))
    require(text == given.path.read_bytes(), "the output differs from the input")


def rows() -> dict[str, Row]:
    """The rows of the libraries that are installed."""
    found: dict[str, Row] = {}

    def add(name: str, decode: Any, link_all: Any, encode: Any, make: Any) -> None:
        for collects, ending in ((True, ""), (False, "_nogc")):
            found[f"{name}_import{ending}"] = partial(importing, decode, link_all, collects)
            found[f"{name}_export{ending}"] = partial(exporting, encode, make, collects)

    def dump(value: Any) -> bytes:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

    add("json", json.loads, link_dicts, dump, (dict, dict, date_text))
    try:
        orjson = importlib.import_module("orjson")
        encode = partial(orjson.dumps, option=orjson.OPT_UTC_Z)
        add("orjson", orjson.loads, link_dicts, encode, (dict, dict, same))
    except ImportError:
        pass
    try:
        msgspec = importlib.import_module("msgspec")
        names = "id name real_name created_at rating active stats powers publisher".split()
        record = msgspec.defstruct("Record", names)
        make = (record, msgspec.defstruct("One", ["id", "name"]), same)
        add("msgspec", msgspec_decoder(msgspec), link_structs, msgspec.json.encode, make)
    except ImportError:
        pass
    if importlib.util.find_spec("pydantic"):
        for collects, ending in ((True, ""), (False, "_nogc")):
            found[f"pydantic_import{ending}"] = partial(importing_by_pydantic, collects)
    return found


if __name__ == "__main__":
    main(rows())
