#!/usr/bin/env python3
"""Writes a workload of the benchmark other than the characters: a JSON array of records.

usage: generate_workload.py NAME COUNT FILE

The names are those of the model documents in Benchmarks/workloads, and `update_hundredth`. Its file
has two lines: all characters, and every hundredth of them with other values. An export of `text`
writes other bytes than were read, as the text has escapes that it need not have: these bytes are in
FILE with the ending `.written`. The same name and count give the same bytes, with any Python 3.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, TextIO

from generate import EPOCH, PUBLISHERS, SPAN, Words, characters
from generate_shapes import SHAPES

NAMED = 500
"""The objects of each entity that many records lead to."""
BY_IDENTIFIER = "tags", "authors", "topics", "places", "languages"
IN_FULL = "series", "prizes", "events", "brands", "colours"
CYRILLIC = "ва го да жи ко ла мир но пра ро сто тель ущ хо че ши ять ем ой ёж".split()  # noqa: RUF001
HAN = "人大中国山水火木金土日月年天地風花雪星空東西南北海川"
FACES = "😀🎉🚀🌍🦊🎲"
VOCABULARY = 1_500
SIDES = "hp", "attack", "defense", "special_attack", "special_defense", "speed"

Json = dict[str, Any]


def compact(value: Any) -> str:
    """The bytes that an export writes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def short_text(words: Words) -> str:
    """A text of 3 to 12 characters."""
    text = words.word(2 + words.below(4))
    return text[: 3 + words.below(10)] if len(text) >= 3 else text + "x"


def wide(words: Words, index: int) -> Json:
    """Counts of 16, 32 and 64 bits, values with two and with six decimals, labels."""
    below = words.below
    record: Json = {"id": 1 + 3 * index}
    limits = [20_000] * 8 + [2_000_000_000] * 6 + [1_000_000_000_000] * 6
    record |= {f"count_{i + 1}": below(limit) - limit // 4 for i, limit in enumerate(limits)}
    record |= {f"value_{i + 1}": below(10_000_000) / 100 for i in range(5)}
    record |= {f"value_{i + 6}": (below(360_000_000) - 180_000_000) / 1_000_000 for i in range(5)}
    return record | {f"label_{i + 1}": short_text(words) for i in range(10)}


def pools(words: Words) -> list[list[str]]:
    """Words to draw texts from: Latin, Cyrillic, Chinese, and all three with emoji."""
    below, letters = words.below, (CYRILLIC, list(HAN))
    latin = [words.word(1 + below(3)).lower() for _ in range(VOCABULARY)]
    cyrillic, chinese = (
        ["".join(some[below(len(some))] for _ in range(1 + below(5))) for _ in range(VOCABULARY)]
        for some in letters
    )
    faces = [FACES[i % len(FACES)] for i in range(VOCABULARY // 30)]
    found = [latin, cyrillic, chinese, latin + cyrillic + chinese + faces]
    for pool in found:
        for i in range(0, len(pool), 30):
            pool[i] += ".\n"
            pool[i + 1] = f'"{pool[i + 1]}"'
    return found


def prose(words: Words, drawn: list[list[str]], size: int) -> str:
    """Sentences of at most `size` characters in one script or in all of them."""
    pool, parts, length = drawn[words.below(len(drawn))], [], 0
    while length < size:
        parts.append(pool[words.below(len(pool))])
        length += len(parts[-1]) + 1
    return " ".join(parts)[:size].rstrip()


def text(words: Words, drawn: list[list[str]], index: int) -> Json:
    """A title and three long texts."""
    below = words.below
    record: Json = {"id": 1 + 3 * index, "title": prose(words, drawn, 20 + below(80))}
    for name in ("summary", "body", "comment"):
        record[name] = prose(words, drawn, 200 + below(1_801))
    return record


def escaped(words: Words, record: Json) -> str:
    """The text with escapes: for é always, in one record of four for all beyond ASCII."""
    if words.below(4) == 0:
        return json.dumps(record, separators=(",", ":"))
    return compact(record).replace("é", "\\u00e9").replace("ö", "\\u00f6")


def members(words: Words, most: int) -> list[int]:
    """Up to `most` different numbers below NAMED."""
    return list(dict.fromkeys(words.below(NAMED) for _ in range(words.below(most + 1))))


def links(words: Words, index: int) -> Json:
    """Ten lists, half of them of identifiers."""
    record: Json = {"id": 1 + 3 * index, "name": words.word(3)}
    for place, key in enumerate(BY_IDENTIFIER):
        record[key] = [100 + 7 * i + place for i in members(words, 8)]
    for key in IN_FULL:
        record[key] = [{"id": 10 + 3 * i, "name": f"{key} of {i * i}"} for i in members(words, 8)]
    return record


def sprite(words: Words, path: str) -> str | None:
    """An address of about 60 characters; one in eight is missing."""
    if words.below(8) == 0:
        return None
    return f"https://sprites.example.com/pokemon/{path}/{words.below(100_000)}.png"


def media(words: Words, index: int) -> list[Json]:
    """Members of three kinds, each with keys of its own."""
    found: list[Json] = []
    for place in range(words.below(5)):
        kind = ("image", "sound", "film")[words.below(3)]
        one: Json = {"kind": kind, "id": 10 * index + place}
        one["url"] = f"https://media.example.com/{kind}/{one['id']}"
        if kind == "image":
            one |= {"width": words.below(2_000), "height": words.below(2_000)}
        elif kind == "sound":
            one["seconds"] = words.below(10_000) / 100
        else:
            one |= {"frames": words.below(5_000), "codec": ("av1", "h264")[words.below(2)]}
        found.append(one)
    return found


def deep(words: Words, index: int) -> Json:
    """A record like those of PokéAPI: about 60 values in nested objects, and three lists."""
    below, word = words.below, words.word

    def sprites(path: str, *names: str) -> Json:
        return {name: sprite(words, f"{path}{name}") for name in names}

    created = EPOCH + timedelta(seconds=below(SPAN))
    pictures = sprites(
        *("", "back_default", "back_female", "back_shiny"),
        *("front_default", "front_female", "front_shiny"),
    )
    pictures["other"] = {
        "dream_world": sprites("dream/", "front_default", "front_female"),
        "home": sprites("home/", "front_default", "front_shiny"),
        "artwork": sprites("artwork/", "front_default", "front_shiny"),
    }
    pictures["versions"] = {
        "red": sprites("red/", "back_default", "back_gray", "front_default", "front_gray"),
        "gold": sprites("gold/", "back_default", "back_shiny", "front_default", "front_shiny"),
    }
    low = below(4_000) / 100 - 20
    return {
        "id": 1 + 3 * index,
        "name": word(3),
        "base_experience": below(400),
        "height": below(200),
        "weight": below(10_000),
        "order": index,
        "is_default": below(2) == 1,
        "updated_at": f"{created:%Y-%m-%dT%H:%M:%SZ}",
        "sprites": pictures,
        "cries": {"latest": sprite(words, "latest"), "legacy": sprite(words, "legacy")},
        "base": {side: below(256) for side in SIDES}
        | {"effort": {side: below(4) for side in SIDES}},
        "species": {
            "name": word(2),
            "url": f"https://example.com/species/{below(1_000)}",
            "genus": {"en": f"{word(2)} species", "ja": HAN[below(len(HAN))] + "の"},
            "color": {"name": word(1)},
            "habitat": {"name": word(2)},
            "growth": {"rate": ("slow", "medium", "fast")[below(3)], "levels": below(100)},
        },
        "range": {
            "name": f"{word(2)} {word(2)}",
            "area": {
                "north": below(180_000_000) / 1_000_000,
                "east": below(180_000_000) / 1_000_000,
                "size": below(100_000) / 10,
            },
            "climate": {
                "rain": below(4_000),
                "temperature": {"low": round(low, 2), "high": round(low + below(2_000) / 100, 2)},
            },
        },
        "breeding": {
            "gender_rate": below(9) - 1,
            "hatch": {"counter": below(120), "steps": below(30_000)},
            "groups": {"first": word(2), "second": word(2)},
        },
        "abilities": [
            {
                "is_hidden": below(2) == 1,
                "slot": slot + 1,
                "ability": {"id": 1 + i, "name": f"ability-{i * i}"},
            }
            for slot, i in enumerate(members(words, 4))
        ],
        "moves": [
            {"level": below(100), "move": {"id": 1_000 + i, "name": f"move-{i * i}"}}
            for i in members(words, 8)
        ],
        "media": media(words, index),
    }


RECORDS: dict[str, Callable[[Words, int], Json]] = {
    "wide": wide,
    "links": links,
    "deep": deep,
    **SHAPES,
}


def changed(count: int) -> Iterator[str]:
    """Every hundredth character with another name, rating and strength."""
    for index, one in enumerate(characters(count, 1, PUBLISHERS)):
        if index % 100 == 99:
            record = json.loads(one)
            record["name"] += " II"
            record["rating"] = index % 1_000 / 1_000
            record["stats"]["strength"] = index % 97
            yield compact(record)


def write(file: TextIO, records: Iterable[str]) -> None:
    """Write an array."""
    file.write("[")
    for i, record in enumerate(records):
        file.write("," if i else "")
        file.write(record)
    file.write("]")


def write_texts(file: TextIO, written: TextIO, count: int) -> None:
    """Write the texts with escapes, and as an export writes them."""
    words, escapes = Words(1), Words(2)
    drawn = pools(words)
    for index in range(count):
        record = text(words, drawn, index)
        file.write("," if index else "[")
        file.write(escaped(escapes, record))
        written.write("," if index else "[")
        written.write(compact(record))
    file.write("]")
    written.write("]")


def main() -> None:
    if len(sys.argv) != 4 or sys.argv[1] not in {*RECORDS, "text", "update_hundredth"}:
        sys.exit(__doc__)
    name, count, path = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    with path.open("w", encoding="utf-8", newline="") as file:
        if name == "text":
            with path.with_suffix(".written").open("w", encoding="utf-8", newline="") as written:
                write_texts(file, written, count)
        elif name == "update_hundredth":
            write(file, characters(count, 1, PUBLISHERS))
            file.write("\n")
            write(file, changed(count))
        else:
            words = Words(1)
            write(file, (compact(RECORDS[name](words, index)) for index in range(count)))


if __name__ == "__main__":
    main()
