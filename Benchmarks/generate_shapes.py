"""Records of the benchmark for each shape of feed: lists under keys, in groups and by position,
sub-entities by a discriminator, and unmapped keys that are kept.

A record has 200 to 500 bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from generate import EPOCH, SPAN, Words

CURRENCIES = "aud brl cad chf cny czk dkk eur gbp huf inr jpy nok nzd pln sek".split()
GROUPS = "accessory care cover filter manual part refill spare".split()
MAKERS = 500

Json = dict[str, Any]


def chosen(words: Words, names: list[str], least: int, most: int) -> list[str]:
    """Between `least` and `most` different names, in any order."""
    found: dict[str, None] = {}
    count = least + words.below(most + 1 - least)
    while len(found) < count:
        found[names[words.below(len(names))]] = None
    return list(found)


def moment(words: Words) -> str:
    return f"{EPOCH + timedelta(seconds=words.below(SPAN)):%Y-%m-%dT%H:%M:%SZ}"


def maker(words: Words) -> Json:
    number = words.below(MAKERS)
    return {"id": 10 + 3 * number, "name": f"maker of {number * number}"}


def keyed(words: Words, index: int) -> Json:
    """A list under keys: a price in each of some currencies."""
    return {
        "id": 1 + 3 * index,
        "name": f"{words.word(3)} {words.word(2)}",
        "prices": {
            currency: {
                "amount": words.below(1_000_000) / 100,
                "stock": words.below(10_000),
                "note": words.word(2 + words.below(3)),
            }
            for currency in chosen(words, CURRENCIES, 4, 8)
        },
    }


def grouped(words: Words, index: int) -> Json:
    """A list in groups: items of some sorts, which their position tells apart."""
    return {
        "id": 1 + 3 * index,
        "name": f"{words.word(3)} {words.word(2)}",
        "items": {
            group: [
                {
                    "price": words.below(100_000) / 100,
                    "count": words.below(500),
                    "label": words.word(2 + words.below(3)),
                }
                for _ in range(1 + words.below(3))
            ]
            for group in chosen(words, GROUPS, 2, 4)
        },
    }


def positions(words: Words, index: int) -> Json:
    """Two lists by position: stops, and points that are arrays."""
    below = words.below
    return {
        "id": 1 + 3 * index,
        "name": f"{words.word(2)} {words.word(2)}",
        "stops": [
            {"name": words.word(2 + below(2)), "minutes": below(600)} for _ in range(2 + below(4))
        ],
        "points": [
            [
                (below(360_000_000) - 180_000_000) / 1_000_000,
                (below(180_000_000) - 90_000_000) / 1_000_000,
                below(4_000),
            ]
            for _ in range(4 + below(5))
        ],
    }


def discriminator(words: Words, index: int) -> Json:
    """One of three kinds, with keys of its own."""
    below, word = words.below, words.word
    kind = ("article", "film", "recording")[below(3)]
    record: Json = {
        "kind": kind,
        "id": 1 + 3 * index,
        "title": f"{word(3)} {word(2)} {word(3)}",
        "updated_at": moment(words),
        "rating": below(10_001) / 1_000,
        "url": f"https://media.example.com/{kind}/{below(1_000_000)}",
    }
    if kind == "article":
        summary = " ".join(word(2).lower() for _ in range(10))
        record |= {"pages": below(900), "language": word(1), "summary": summary}
    elif kind == "film":
        record |= {"seconds": below(1_000_000) / 100, "width": below(4_000)}
        record |= {"height": below(4_000), "is_colour": below(2) == 1, "codec": word(2)}
    else:
        record |= {"seconds": below(100_000) / 100, "channels": 1 + below(8), "label": word(4)}
    return record | {"maker": maker(words)}


def rest(words: Words, index: int) -> Json:
    """Three unmapped keys after the mapped ones, in the order of exports, and one further in."""
    below, word = words.below, words.word
    return {
        "id": 1 + 3 * index,
        "name": f"{word(3)} {word(2)}",
        "updated_at": moment(words),
        "rating": below(10_001) / 1_000,
        "active": below(2) == 1,
        "size": {"width": below(3_000), "height": below(3_000), "unit": ("mm", "cm")[below(2)]},
        "maker": maker(words),
        "colour": word(2),
        "origin": {
            "codes": [below(1_000) for _ in range(below(4))],
            "is_checked": below(2) == 1,
            "town": word(3),
        },
        "revision": below(100_000),
    }


SHAPES: dict[str, Callable[[Words, int], Json]] = {
    f"shape_{make.__name__}": make for make in (keyed, grouped, positions, discriminator, rest)
}
