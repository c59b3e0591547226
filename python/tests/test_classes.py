"""Entities as classes: their objects, and the classes themselves."""

from __future__ import annotations

import copy
import pickle
import threading
from decimal import Decimal
from pathlib import Path
from typing import Any, Generic, Optional, TypeVar

import pytest
from typed_heroes import BATMAN, Hero, Power, Publisher, Side, loaded, names

import groot
from groot import Attribute, Entity, ToMany, ToOne, attribute, relationship

K = TypeVar("K")


@pytest.fixture
def heroes() -> groot.Context:
    return loaded()


def test_objects_are_instances_of_the_classes(heroes: groot.Context) -> None:
    batman = heroes.get(Hero, 1699)
    assert isinstance(batman, Hero)
    assert isinstance(batman, groot.Object)
    assert isinstance(batman.publisher, Publisher)
    assert type(heroes.get("Hero", 2)) is type(batman)
    assert (batman.shout(), batman.is_known, batman.size(), batman.words("a b")) == (
        "BATMAN",
        True,
        10,
        ["a", "b"],
    )
    assert (type(batman).__name__, type(batman).__doc__) == ("Hero", "A hero.")
    assert copy.copy(batman) == batman


def test_inverses_that_nobody_declares_are_there(heroes: groot.Context) -> None:
    batman = heroes.get(Hero, 1699)
    assert batman is not None
    assert list(batman.powers[0].heroes) == list(heroes.fetch(Hero))
    assert list(batman.publisher.heroes) == [batman]


def test_values_of_enums_are_its_members(heroes: groot.Context) -> None:
    batman = heroes.get(Hero, 1699)
    assert batman is not None
    assert (batman.side, batman["side"], dict(batman)["side"]) == (Side.GOOD,) * 3
    batman.side = Side.BAD
    assert heroes.dump(batman)["side"] == "bad"
    assert heroes.count(Hero, Hero.side == Side.BAD) == 1
    assert heroes.insert(Hero, id=3, name="x", side=Side.GOOD).side is Side.GOOD
    batman.side = None
    assert batman.side is None
    with pytest.raises(groot.Error, match=r"Hero\.side"):
        batman.side = 5


def test_a_made_object_says_how_it_is_made() -> None:
    with pytest.raises(TypeError, match=r"insert it with context.insert\(Hero, id=...\)"):
        Hero(id=1)


def test_an_unknown_attribute_of_an_object_cannot_be_set(heroes: groot.Context) -> None:
    batman = heroes.get(Hero, 1699)
    with pytest.raises(AttributeError):
        batman.nmae = "x"


def test_insert_checks_names_types_and_required_values(heroes: groot.Context) -> None:
    for values, message in (
        ({"id": 3}, "Hero.name: the property is required"),
        ({"id": 3, "name": None}, "Hero.name: the property is required"),
        ({"id": 3, "nmae": "x"}, "no property 'nmae'; is 'name' meant?"),
        ({"id": "3", "name": "x"}, "Hero.id: str '3' where an int is expected"),
        ({"id": 3, "name": "x", "powers": 5}, "Hero.powers"),
    ):
        with pytest.raises(groot.Error) as raised:
            heroes.insert(Hero, **values)
        assert message in str(raised.value)
    assert heroes.count(Hero) == 2
    power = heroes.insert(Power, id=9, name="Flight")
    assert heroes.insert(Hero, id=3, name="x", powers=[power]).powers[0] == power


def test_entities_by_name_and_by_class_are_the_same(heroes: groot.Context) -> None:
    assert heroes.fetch("Hero") == heroes.fetch(Hero)
    assert heroes.insert("Power", id=7).name is None
    assert heroes.dump(heroes.fetch("Hero", {"name": "Bane"}))[0]["powers"] == [
        {"id": 4, "name": "Wealth"}
    ]


def test_every_call_takes_a_class(heroes: groot.Context, tmp_path: Path) -> None:
    file = tmp_path / "heroes.json"
    assert heroes.dump_fetched(Hero, file, Hero.id > 0, sort=-Hero.name) == 2
    assert names(heroes.load_file(Hero, file)) == ["Batman", "Bane"]
    with heroes.importing(Hero) as stream:
        stream.write('[{"id": "1699"}]')
    assert stream.result is not None
    assert names(stream.result) == ["Batman"]
    assert heroes.count(Hero, Hero.rating >= 9) == 1
    assert heroes.distinct(Hero, Hero.publisher.name) == [None, "DC"]
    assert heroes.distinct(Hero, -Hero.name) == ["Batman", "Bane"]
    assert heroes.aggregate(Hero, {"best": {"max": Hero.rating}}) == {"best": Decimal(9)}
    assert heroes.aggregate(Hero, {"n": "count"}, by=[Hero.publisher.name, "name"]) == [
        {"publisher.name": None, "name": "Bane", "n": 1},
        {"publisher.name": "DC", "name": "Batman", "n": 1},
    ]
    assert heroes.sync(Hero, [BATMAN], where=Hero.rating > 6).deleted == 0
    assert heroes.sync_file(Hero, file, delete=False).updated == 0
    assert names(heroes.fetch(Hero, sort=[-Hero.publisher.name, "name"])) == ["Batman", "Bane"]


class Animal(Entity, discriminator="kind", identity="id", abstract=True):
    id: Attribute[int]
    name: Attribute[str | None]

    def label(self) -> str:
        return f"{self.name}!"


class Bird(Animal, discriminator_value="aves"):
    wings: Attribute[int] = attribute(default=2)

    def label(self) -> str:
        return "bird " + super().label()


class Fish(Animal):
    depth: Attribute[int | None]


def test_classes_inherit_as_entities_do() -> None:
    zoo = groot.Context(Bird, Fish)
    bird, fish = zoo.load(
        Animal, [{"kind": "aves", "id": 1, "name": "a"}, {"kind": "Fish", "id": 2, "depth": 4}]
    )
    assert isinstance(bird, Bird)
    assert isinstance(fish, Fish)
    assert isinstance(fish, Animal)
    assert bird.label() == "bird a!"
    assert list(zoo.fetch(Animal, Animal.id > 1)) == [fish]
    assert list(zoo.fetch(Bird, (Animal.id > 0) & (Bird.wings == 2) & (Bird.name == "a"))) == [bird]
    with pytest.raises(groot.Error, match="is about Bird, and the request is about Animal"):
        zoo.fetch(Animal, Bird.wings == 2)
    with pytest.raises(groot.Error) as raised:
        zoo.insert(Animal, id=1)
    assert raised.value.code == groot.Status.ABSTRACT_ENTITY


def test_a_placeholder_takes_the_class_of_its_record() -> None:
    class Base(Entity, discriminator="kind", identity="id"):
        id: Attribute[int]
        other: ToOne[Base | None]

    class Leaf(Base):
        value: Attribute[int | None]

    context = groot.Context(Leaf)
    first = context.load(Base, {"kind": "Base", "id": 1, "other": 2})
    other = first.other
    context.load(Base, {"kind": "Leaf", "id": 2, "value": 5})
    assert groot.entity_name(other) == "Leaf"
    assert isinstance(other, Leaf)
    assert other.value == 5


def test_two_contexts_of_the_same_classes_share_a_mapping_and_no_objects(
    heroes: groot.Context,
) -> None:
    other = groot.Context(Hero, Power, Publisher)
    assert other.mapping is heroes.mapping
    assert other.count(Hero) == 0
    batman = heroes.get(Hero, 1699)
    assert batman is not None
    with pytest.raises(groot.Error, match="another context"):
        other.dump(batman)
    third = groot.Context(Hero)
    assert third.mapping is not heroes.mapping
    assert isinstance(third.load(Hero, BATMAN), Hero)
    assert type(third.fetch(Hero)[0]) is not type(batman)


def test_one_class_is_made_of_an_entity() -> None:
    one, two = groot.Context(Hero, Power), groot.Context(Hero, Power)
    assert type(one.load(Hero, BATMAN)) is type(two.load(Hero, BATMAN))


def test_two_classes_of_one_name_need_two_names() -> None:
    class Other(Entity, name="Hero"):
        id: Attribute[int]

    with pytest.raises(groot.Error, match="declare an entity of the same name"):
        groot.Context(Hero, Other)
    with pytest.raises(
        groot.Error, match=r"not a class of this context; make it with Context\(Hero"
    ):
        groot.Context(Hero).fetch(Other)
    with pytest.raises(groot.Error, match="not a class of this context"):
        groot.Context(Hero).fetch(Hero, Other.id == 1)


def test_a_class_that_is_defined_again_replaces_the_earlier_one() -> None:
    def define(with_name: bool) -> Any:
        class Thing(Entity):
            id: Attribute[int] = attribute(identity=True)
            parts: ToMany[Part] = relationship(inverse="thing")
            if with_name:
                name: Attribute[str | None]

        return Thing

    class Part(Entity):
        id: Attribute[int] = attribute(identity=True)

    define(False)
    thing = define(True)
    context = groot.Context(thing, Part)
    assert context.load(thing, {"id": 1, "name": "x", "parts": [1]}).parts[0].thing[0].name == "x"


def test_generic_classes_are_templates() -> None:
    class Keyed(Entity, Generic[K]):
        id: Attribute[K] = attribute(identity=True)
        others: ToMany[Tag]

    class Tag(Entity):
        name: Attribute[str] = attribute("@value", identity=True)

    class Number(Keyed[int]):
        value: Attribute[str | None]

    class Word(Keyed[str]):
        pass

    model = groot.Model.of(Number, Word)
    attributes = {
        name: one["attributes"]["id"]["type"]
        for name, one in model.document["entities"].items()
        if name != "Tag"
    }
    assert attributes == {"Number": "integer64", "Word": "string"}
    context = groot.Context(Number, Word)
    assert context.load(Word, {"id": "a", "others": ["x"]}).others[0].name == "x"
    assert context.count(Word, Word.id == "a") == 1
    with pytest.raises(TypeError, match="str 'a' where an int"):
        Number.id == "a"  # noqa: B015
    with pytest.raises(groot.Error, match="has type parameters"):
        groot.Context(Keyed)


def test_names_of_properties_may_be_any_words() -> None:
    words = "names properties required owner compose name expression declared keys items root"
    body = dict.fromkeys(words.split(), Attribute[Optional[int]])
    thing: Any = type(Entity)("Thing", (Entity,), {"__annotations__": body, "__module__": __name__})
    context = groot.Context(thing)
    made = context.insert(thing, **dict.fromkeys(body, 1))
    assert all(getattr(made, word) == 1 for word in body)
    for word in body:
        assert context.count(thing, getattr(thing, word) == 1) == 1


def test_a_method_stays_where_an_inverse_has_its_name() -> None:
    class Owner(Entity):
        id: Attribute[int] = attribute(identity=True)
        parts: ToMany[Owned] = relationship(inverse="owners")

    class Owned(Entity):
        id: Attribute[int] = attribute(identity=True)

        def owners(self) -> str:
            return "mine"

    owner = groot.Context(Owner).load(Owner, {"id": 1, "parts": [2]})
    assert owner.parts[0].owners() == "mine"
    assert list(owner.parts[0]["owners"]) == [owner]


def test_a_registry_may_have_functions_that_classes_name() -> None:
    class Thing(Entity):
        id: Attribute[int] = attribute(transformer="double")
        text: Attribute[str | None] = attribute(transformer=str.upper, reverse=str.lower)
        number: Attribute[int | None] = attribute(transformer="integer-text")

    registry = groot.Registry()
    registry.transformer("double", lambda value: value * 2)
    registry.transformer("integer-text", int)
    context = groot.Context(Thing, registry=registry)
    thing = context.load(Thing, {"id": 2, "text": "a", "number": 5})
    assert (thing.id, thing.text, thing.number) == (4, "A", 5)
    with pytest.raises(groot.Error) as raised:
        groot.Context(Thing)
    assert raised.value.code == groot.Status.UNKNOWN_TRANSFORMER
    assert not groot.Mapping(groot.Model.of(Thing), registry).warnings


def test_models_of_classes_are_pickled_by_name() -> None:
    model = groot.Model.of(Hero, Power)
    again = pickle.loads(pickle.dumps(model))
    assert again.document == model.document
    assert isinstance(groot.Context(groot.Mapping(again)).load("Hero", BATMAN), Hero)


def test_several_threads_may_use_a_class_first() -> None:
    class Thing(Entity):
        id: Attribute[int] = attribute(identity=True)
        next: ToOne[Thing | None]

    found: list[Any] = []

    def use() -> None:
        context = groot.Context(Thing)
        context.load(Thing, {"id": 1, "next": {"id": 2}})
        found.append(context.count(Thing, Thing.next.id == 2))

    threads = [threading.Thread(target=use) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [1] * 8


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: groot.Context(int), "not a groot.Mapping of a model, or a class"),
        (lambda: groot.Context(Hero, int), "are not classes of groot.Entity"),
        (lambda: groot.Context(Hero, "heroes.sqlite"), "are not classes of groot.Entity"),
        (lambda: groot.Context(Entity), "not a groot.Mapping of a model, or a class"),
        (groot.Model.of, "are not classes of groot.Entity"),
        (
            lambda: groot.Context(groot.Mapping(groot.Model.of(Hero)), registry=groot.Registry()),
            "a mapping has its functions already",
        ),
    ],
)
def test_wrong_classes_of_a_context_are_named(make: Any, message: str) -> None:
    with pytest.raises(groot.Error, match=message):
        make()


def test_wrong_heads_and_options_are_type_errors() -> None:
    with pytest.raises(TypeError, match="unknown option 'versoin'; is 'version' meant"):

        class Wrong(Entity, versoin="x"):  # type: ignore[call-arg]
            pass

    with pytest.raises(TypeError, match="Bat inherits from Bird, Fish; an entity has one parent"):

        class Bat(Bird, Fish):
            pass

    with pytest.raises(TypeError, match="unexpected keyword argument 'idntity'"):
        attribute(idntity=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="reverse belongs to a function"):
        attribute(transformer="x", reverse=str)
