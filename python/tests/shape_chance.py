"""Random values and random JSON of members."""

from __future__ import annotations

import random
from typing import Any

Members = dict[str, Any]


class Chance:
    """A world without a model yet."""

    def __init__(self, seed: int) -> None:
        """Begin without entities."""
        self.chance = random.Random(seed)  # noqa: S311 - it need not be secret
        self.numbers = 100
        self.features: set[str] = set()
        self.entities: Members = {}
        self.makers: dict[str, list[Any]] = {}
        self.known: dict[str, list[int]] = {}
        self.around: Members = {}
        self.is_changing = False
        self.has_key = False
        self.call = self.form = "array"

    def some(self, *choices: Any) -> Any:
        """Return a random value of several."""
        return self.chance.choice(choices)

    def rarely(self, share: float = 0.25) -> bool:
        """Return True with a probability."""
        return self.chance.random() < share

    def name(self, prefix: str) -> str:
        """Return an unused name."""
        self.numbers += 1
        return f"{prefix}{self.numbers}"

    def scalar(self) -> Any:
        """Return a text, or often None."""
        return self.some(None, "", "x", "\u00e9\U0001f600", 'a "b" \\', str(self.chance.random()))

    def known_number(self, entity: str) -> int:
        """Return the number of a member: a new one, or in changes sometimes an existing one."""
        numbers = self.known.setdefault(entity, [])
        if self.is_changing and numbers and self.rarely(0.6):
            return self.chance.choice(numbers)
        self.numbers += 1
        numbers.append(self.numbers)
        return self.numbers

    # JSON

    def member(self, entity: str, number: int | None = None) -> Members:
        """Make a record of a member."""
        record: Members = {} if number is None else {"id": number}
        for make in self.makers[entity]:
            make(record, number or 0)
        return record

    def members(self, form: str, member: str) -> Any:
        """Make the JSON of some members."""
        count = self.some(0, 1, 2, 4)

        def numbers() -> list[int]:
            return list({self.known_number(member): None for _ in range(count)})

        def numbered() -> list[Members]:
            return [self.member(member, number) for number in numbers()]

        def keys(*names: str) -> list[str]:
            return self.chance.sample(names, count)

        if form == "array":
            return numbered()
        if form == "wrapped":
            return {"edges": [{"node": one} for one in numbered()]}
        if form == "keyed by id":
            return {str(number): self.member(member, number) for number in numbers()}
        if form == "keys alone":
            return {f"key {number}": self.member(member) for number in numbers()}
        if form == "identifiers":
            return numbers()
        if form == "one with id":
            return self.member(member, self.known_number(member)) if count else None
        if form == "keyed":
            return {key: self.member(member) for key in keys("", "en", "a.b", "@x", "\u00e9", "0")}
        if form == "grouped":
            return {
                key: [self.member(member) for _ in range(self.some(1, 3))]
                for key in keys("P31", "", "2", "x y", "[]")
            }
        if form == "rows":
            return [[self.scalar(), self.scalar()] for _ in range(count)]
        if form == "one":
            return self.member(member) if count else None
        if form == "scalars":
            return [self.tag(number) for number in numbers()]
        return [self.member(member) for _ in range(count)]

    def tag(self, number: int) -> Any:
        """Make a scalar, or sometimes an object with further members."""
        return f"tag {number}" if self.rarely(0.7) else {"text": f"tag {number}", "more": "m"}
