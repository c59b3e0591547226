"""Heroes as classes of entities."""

from __future__ import annotations

import enum
from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar, Literal

import groot
from groot import Attribute, Entity, ToMany, ToOne, attribute, relationship


class Side(enum.Enum):
    GOOD = "good"
    BAD = "bad"


class Publisher(Entity):
    id: Attribute[int] = attribute(identity=True)
    name: Attribute[str | None]


class Hero(Entity):
    """A hero."""

    limit: ClassVar[int] = 10
    known = ("Batman",)

    id: Attribute[int] = attribute("id", identity=True, transformer="integer-text")
    name: Attribute[str]
    rating: Attribute[Decimal | None] = attribute("stats.rating")
    height: Attribute[float | None]
    side: Attribute[Side | None]
    mood: Attribute[Literal["calm", "angry"] | None]
    seen: Attribute[datetime | None]
    born: Attribute[date | None]
    is_active: Attribute[bool | None]
    extra: Attribute[Any]
    powers: ToMany[Power] = relationship(inverse="heroes")
    publisher: ToOne[Publisher | None] = relationship(inverse="heroes", path="publisher")
    rival: ToOne[Hero | None]

    def shout(self) -> str:
        return self.name.upper()

    @property
    def is_known(self) -> bool:
        return self.name in self.known

    @classmethod
    def size(cls) -> int:
        return cls.limit

    @staticmethod
    def words(text: str) -> list[str]:
        return text.split()


class Power(Entity):
    id: Attribute[int] = attribute(identity=True)
    name: Attribute[str]


BATMAN = {
    "id": "1699",
    "name": "Batman",
    "stats": {"rating": 9},
    "height": 1.9,
    "side": "good",
    "powers": [{"id": 4, "name": "Wealth"}],
    "publisher": {"id": 1, "name": "DC"},
}


def loaded() -> groot.Context:
    """Make a context of two heroes."""
    context = groot.Context(Hero, Power, Publisher)
    context.load(Hero, [BATMAN, {"id": "2", "name": "Bane", "stats": {"rating": 5}, "powers": [4]}])
    return context


def names(found: Any) -> list[str]:
    return [one.name for one in found]
