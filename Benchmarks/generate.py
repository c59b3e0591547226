#!/usr/bin/env python3
"""Writes the benchmark's workload: a JSON array of comic-book characters, about 340 bytes each.

usage: generate.py COUNT FILE [SEED [PUBLISHERS]]

Every character has texts, numbers, a date and a boolean, up to six of 2,000 powers and one of 200
publishers, written out each time, so that nearly every nested object is one that was met before.
The same count and seed give the same bytes, with any Python 3. Only one character at a time is in
memory.
"""

import sys
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from random import Random

POWERS = 2_000
PUBLISHERS = 200
EPOCH = datetime(2000, 1, 1, tzinfo=timezone.utc)
SPAN = 25 * 365 * 24 * 3600

# Two or three letters each; a few are not ASCII, as in real names.
SYLLABLES = (
    "an ber cas dor el fen gri hal is jun kor lum mar nox or pel qui ros sten tu "
    "vas wyn yor zed ö â ši ño"
).split()


class Words:
    """Draws words and numbers; the same ones for the same seed.

    Only `Random.random` is used, whose numbers are the same in every Python.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def below(self, limit: int) -> int:
        return int(self._random() * limit)

    def word(self, syllables: int) -> str:
        text = "".join(SYLLABLES[self.below(len(SYLLABLES))] for _ in range(syllables))
        return text.capitalize()

    def some(self, items: list[str], most: int) -> list[str]:
        """Up to `most` different items."""
        chosen: dict[int, str] = {}
        for _ in range(self.below(most + 1)):
            index = self.below(len(items))
            while index in chosen:
                index = self.below(len(items))
            chosen[index] = items[index]
        return list(chosen.values())


def named(identifier: int, name: str) -> str:
    return f'{{"id":"{identifier}","name":"{name}"}}'


def characters(count: int, seed: int, used_publishers: int) -> Iterator[str]:
    """The characters as JSON text; only the first `used_publishers` publishers have any."""
    words = Words(seed)
    word, below = words.word, words.below
    powers = [named(5_000 + 7 * i, f"{word(3)} {word(2)}") for i in range(POWERS)]
    publishers = [named(10 + 3 * i, f"{word(2)} Comics") for i in range(PUBLISHERS)]
    for i in range(count):
        created = EPOCH + timedelta(seconds=below(SPAN))
        rating = below(10_001)
        yield (
            f'{{"id":"{1_000 + 3 * i}","name":"{word(3)}","real_name":"{word(2)} {word(3)}",'
            f'"created_at":"{created:%Y-%m-%dT%H:%M:%SZ}","rating":{rating / 1000},'
            f'"active":{"true" if below(2) else "false"},'
            f'"stats":{{"strength":{below(101)},"speed":{below(101)}}},'
            f'"powers":[{",".join(words.some(powers, 6))}],'
            f'"publisher":{publishers[below(used_publishers)]}}}'
        )


def main() -> None:
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    count, path = int(sys.argv[1]), sys.argv[2]
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    used_publishers = int(sys.argv[4]) if len(sys.argv) > 4 else PUBLISHERS
    with open(path, "w", encoding="utf-8", newline="") as file:
        for i, character in enumerate(characters(count, seed, used_publishers)):
            file.write("," if i else "[")
            file.write(character)
        file.write("]" if count else "[]")


if __name__ == "__main__":
    main()
