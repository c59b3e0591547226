"""Lines that type checkers refuse, each with those that do (Scripts/lint/checkers.py)."""

from __future__ import annotations

from decimal import Decimal

import groot
from groot import Attribute, Entity, ToMany, ToOne, attribute, relationship


class Power(Entity):
    """A power."""

    id: Attribute[int] = attribute(identity=True)
    name: Attribute[str]


class Publisher(Entity):
    """A publisher."""

    id: Attribute[int] = attribute(identity=True)
    name: Attribute[str]


class Hero(Entity):
    """A hero."""

    id: Attribute[int] = attribute(identity=True)
    name: Attribute[str]
    rating: Attribute[Decimal | None]
    height: Attribute[float]
    is_active: Attribute[bool]
    powers: ToMany[Power] = relationship(inverse="heroes")
    publisher: ToOne[Publisher | None] = relationship(path="publisher")
    rival: ToOne[Hero | None]


heroes = groot.Context(Hero)
hero = heroes.insert(Hero, id=1, name="Batman")
power = heroes.insert(Power, id=4, name="Wealth")
found = heroes.fetch(Hero)

# Names of properties.
print(hero.nmae)  # refused: mypy pyright ty pyrefly
hero.nmae = "x"  # refused: mypy pyright ty pyrefly
print(Hero.nmae)  # refused: mypy pyright ty pyrefly
print(Hero.publisher.nmae)  # refused: mypy pyright ty pyrefly
print(Hero.powers.name)  # refused: mypy pyright ty pyrefly
print(found[0].nmae)  # refused: mypy pyright ty pyrefly
print(hero.powers[0].nmae)  # refused: mypy pyright ty pyrefly
print(hero.rival.name)  # refused: mypy pyright ty pyrefly

# Types of values.
hero.name = 5  # refused: mypy pyright ty pyrefly
hero.name = None  # refused: mypy pyright ty pyrefly
hero.rating = "8"  # refused: mypy pyright ty pyrefly
hero.id = "1"  # refused: mypy pyright ty pyrefly
hero.publisher = power  # refused: mypy pyright ty pyrefly
hero.powers = [hero]  # refused: mypy pyright ty pyrefly
hero.powers.add(hero)  # refused: mypy pyright ty pyrefly
text: str = found[0].id  # refused: mypy pyright ty pyrefly
number: Decimal = found[0].rating  # refused: mypy pyright ty pyrefly
one: Power = found[0]  # refused: mypy pyright ty pyrefly

# Conditions.
print(Hero.rating > "8")  # refused: mypy pyright ty pyrefly
print(Hero.rating > 8.5)  # refused: mypy pyright ty pyrefly
heroes.fetch(Hero, Hero.name == 5)  # refused: mypy pyright ty pyrefly
print(Hero.name < 5)  # refused: mypy pyright ty pyrefly
print(Hero.height >= "tall")  # refused: mypy pyright ty pyrefly
print(Hero.id < "3")  # refused: mypy pyright ty pyrefly
print(Hero.id.in_(["1"]))  # refused: mypy pyright ty pyrefly
print(Hero.id.between(1, "2"))  # refused: mypy pyright ty pyrefly
print(Hero.id.contains("1"))  # refused: mypy pyright ty pyrefly
print(Hero.name.like(5))  # refused: mypy pyright ty pyrefly
print(Hero.rating > Hero.name)  # refused: mypy pyright ty pyrefly
print(Hero.powers.count() > "2")  # refused: mypy pyright ty pyrefly
print(Hero.powers.any(True))  # refused: mypy pyright ty pyrefly
print(Hero.powers.contains(hero))  # refused: mypy pyright ty pyrefly
print((Hero.id > 8) & True)  # refused: mypy pyright ty pyrefly
print(groot.is_null(Hero.powers))  # refused: mypy pyright ty pyrefly

# Calls of a context.
heroes.fetch(Hero, True)  # refused: mypy pyright ty pyrefly
heroes.fetch(Hero, Hero.is_active)  # refused: mypy pyright ty pyrefly
heroes.fetch(Hero, sort=Hero.id > 1)  # refused: mypy pyright ty pyrefly
heroes.fetch(5)  # refused: mypy pyright ty pyrefly
heroes.load(Hero, {"id": 1}, erors="skip")  # refused: mypy pyright pyrefly
print(heroes.get(Hero, 1).name)  # refused: mypy pyright ty pyrefly
loaded: Power = heroes.load(Hero, {"id": 1})  # refused: mypy pyright ty pyrefly
Hero(id=1)  # refused: mypy pyright ty pyrefly
groot.Context(int)  # refused: mypy pyright ty pyrefly


class Wrong(Entity, versoin="rev"):  # refused: pyright ty
    """A class with a misspelt option."""

    id: Attribute[int] = attribute(idntity=True)  # refused: mypy pyright ty pyrefly
    other: ToMany[int]  # refused: mypy pyright ty pyrefly
