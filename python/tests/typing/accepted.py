"""A program of classes, whose every line type checkers accept (Scripts/lint/checkers.py)."""

from __future__ import annotations

import enum
from collections.abc import AsyncIterator, Iterator
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Generic, Literal, Optional, TypeVar
from uuid import UUID

from typing_extensions import assert_type

import groot
from groot import (
    Attribute,
    Condition,
    Entity,
    Expression,
    Members,
    Objects,
    ToMany,
    ToOne,
    attribute,
    relationship,
)

K = TypeVar("K")


class Side(enum.Enum):
    """The side of a hero."""

    GOOD = "good"
    BAD = "bad"


class Keyed(Entity, Generic[K], abstract=True):
    """An entity with a key."""

    id: Attribute[K] = attribute(identity=True)


class Publisher(Keyed[int]):
    """A publisher."""

    name: Attribute[str | None]
    founded: Attribute[date | None]
    heroes: ToMany[Hero] = relationship(inverse="publisher")


class Hero(Entity, version="changed", unknown_keys="report"):
    """A hero."""

    limit: ClassVar[int] = 10

    id: Attribute[int] = attribute("id", identity=True, transformer="integer-text")
    name: Attribute[str]
    rating: Attribute[Decimal | None] = attribute("stats.rating", minimum=0)
    height: Attribute[float] = attribute(default=1.8)
    age: Attribute[Annotated[int, groot.bits(16)]]
    side: Attribute[Side | None]
    mood: Attribute[Literal["calm", "angry"]]
    is_active: Attribute[bool] = attribute("active", default=True)
    changed: Attribute[datetime] = attribute(date_format=["unixSeconds", "iso8601"])
    code: Attribute[UUID | None]
    picture: Attribute[bytes | None]
    extra: Attribute[Any] = attribute("@rest")
    powers: ToMany[Power] = relationship(inverse="heroes", ordered=True)
    publisher: ToOne[Publisher | None] = relationship(inverse="heroes", path="publisher")
    rival: ToOne[Hero | None]
    city: ToOne[City] = relationship(delete_rule="deny")

    def shout(self) -> str:
        """Return the name in capitals."""
        return self.name.upper()

    @property
    def is_strong(self) -> bool:
        """Whether there are many powers."""
        return len(self.powers) > self.limit


class Villain(Hero, discriminator_value="villain"):
    """A hero of the other side."""

    plan: Attribute[dict[str, Any]]


class Power(Entity):
    """A power."""

    id: Attribute[int] = attribute(identity=True)
    name: Attribute[str]


class City(Entity):
    """A city."""

    name: Attribute[str] = attribute("@value", identity=True)


def reads(hero: Hero) -> None:
    """Read every property."""
    assert_type(hero.id, int)
    assert_type(hero.name, str)
    assert_type(hero.rating, Optional[Decimal])
    assert_type(hero.height, float)
    assert_type(hero.age, int)
    assert_type(hero.side, Optional[Side])
    assert_type(hero.is_active, bool)
    assert_type(hero.changed, datetime)
    assert_type(hero.code, Optional[UUID])
    assert_type(hero.picture, Optional[bytes])
    assert_type(hero.powers, Members[Power])
    assert_type(hero.powers[0], Power)
    assert_type(hero.powers[:2], list[Power])
    assert_type(hero.publisher, Optional[Publisher])
    assert_type(hero.rival, Optional[Hero])
    assert_type(hero.city, City)
    assert_type(hero.city.name, str)
    mood: Literal["calm", "angry"] = hero.mood
    assert mood
    assert hero.extra["a"]
    if hero.publisher is not None:
        assert_type(hero.publisher.id, int)
        assert_type(hero.publisher.heroes, Members[Hero])
        assert_type([one.name for one in hero.publisher.heroes], list[str])
    assert_type(hero.shout(), str)
    assert_type(hero.is_strong, bool)
    assert hero["name"] in dict(hero)


def writes(hero: Hero, publisher: Publisher, power: Power) -> None:
    """Write properties."""
    hero.name = "Batman"
    hero.rating = Decimal("8.5")
    hero.rating = None
    hero.side = Side.GOOD
    hero.mood = "calm"
    hero.changed = datetime.now(timezone.utc)
    hero.publisher = publisher
    hero.publisher = None
    hero.powers = [power]
    hero.powers.add(power)
    publisher.heroes.update([hero])


def expressions() -> Iterator[Condition]:
    """Make conditions."""
    assert_type(Hero.name, Expression[str])
    assert_type(Hero.id, Expression[int])
    assert_type(Publisher.name, Expression[Optional[str]])
    assert_type(Hero.publisher.name, Expression[Optional[str]])
    assert_type(Hero.publisher, type[Publisher])
    assert_type(Hero.rival.city.name, Expression[str])
    assert_type(Villain.name, Expression[str])
    yield Hero.rating > 8
    yield Hero.rating >= Decimal("8.5")
    yield 3 > Hero.age  # noqa: SIM300
    yield Hero.height < 2
    yield Hero.name == "Batman"
    yield Publisher.name == None  # noqa: E711
    yield Hero.side != Side.BAD
    yield Hero.changed <= datetime.now(timezone.utc)
    yield Hero.publisher.founded < date(1950, 1, 1)
    yield Hero.name.like("B*") & Hero.name.contains("man", ignore_case=True)
    yield Hero.name.begins_with("B") | ~Hero.publisher.name.ends_with("n")
    yield Hero.age.in_([1, 2]) & Hero.age.between(3, 4)
    yield Hero.rating.is_null() | groot.is_null(Hero.publisher)
    yield Hero.powers.any(Power.name == "Flight") | Hero.powers.all(Power.id > 3)
    yield (Hero.powers.count() > 2) & Hero.powers.none(Power.id == 1)
    yield Hero.is_active == True  # noqa: E712


def calls(hero: Hero, power: Power) -> None:
    """Use a context."""
    heroes = groot.Context(Hero, Power, Publisher, City, store="heroes.sqlite", durability="normal")
    assert_type(heroes.load(Hero, {"id": 1}), Hero)
    assert_type(heroes.load(Hero, [{"id": 1}], errors="skip"), Objects[Hero])
    assert_type(heroes.load("Hero", {"id": 1}), groot.Object)
    assert heroes.load("Hero", {"id": 1}).anything
    assert_type(heroes.get(Hero, 1699), Optional[Hero])
    found = heroes.fetch(Hero, (Hero.rating > 8) & (Hero.publisher.name == "DC"), sort=Hero.name)
    assert_type(found, Objects[Hero])
    assert_type(found[0].name, str)
    assert_type(found[1:], Objects[Hero])
    assert heroes.fetch(Hero, {"name": "Batman"}, sort=[-Hero.rating, "name"], limit=3)
    assert heroes.fetch(Hero, Hero.powers.contains(power), sort=-Hero.publisher.name)
    assert_type(heroes.count(Hero, Hero.rating > 8), int)
    assert heroes.distinct(Hero, Hero.publisher.name)
    assert heroes.aggregate(Hero, {"best": {"max": Hero.rating}}, by=Hero.side)
    assert_type(heroes.insert(Hero, id=1, name="x"), Hero)
    assert heroes.sync(Hero, [], where=Hero.is_active == True, parent=hero)  # noqa: E712
    assert [heroes.dump(hero), heroes.dump(found), heroes.dumps([hero, power])]
    assert [groot.report(hero).inserted, groot.object_id(hero), groot.is_deleted(hero)]
    with heroes.importing(Hero) as stream:
        assert_type(stream.finish(), Objects[Hero])
    heroes.delete(hero)
    assert str(groot.report(found)) + groot.report(found).diff(limit=None)
    heroes.progress = True
    assert heroes.load_file(Hero, "heroes.json", progress=True)
    assert groot.Model.of(Hero, Power).document
    assert isinstance(hero, Entity)


async def tasks(heroes: groot.Context, pieces: AsyncIterator[bytes]) -> None:
    """Use a context in a task."""
    assert_type(await heroes.load_async(Hero, {"id": 1}), Hero)
    assert_type(await heroes.load_async(Hero, pieces), Objects[Hero])
    assert_type(await heroes.load_async("Hero", [{"id": 1}], errors="skip"), Objects)
    assert_type(await heroes.sync_async(Hero, [], delete=False), groot.Report)
