"""Entities as classes: their objects, their conditions, and the errors of both."""

from __future__ import annotations

import copy
import enum
import pickle
import threading
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, Optional, TypeVar

import pytest

import groot
from groot import Attribute, Entity, ToMany, ToOne, attribute, relationship

K = TypeVar("K")


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


@pytest.fixture
def heroes() -> groot.Context:
    context = groot.Context(Hero, Power, Publisher)
    context.load(Hero, [BATMAN, {"id": "2", "name": "Bane", "stats": {"rating": 5}, "powers": [4]}])
    return context


def names(found: Any) -> list[str]:
    return [one.name for one in found]


# Objects.


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


# Conditions.


@pytest.mark.parametrize(
    ("condition", "predicate"),
    [
        (lambda: Hero.name == "a", {"name": {"==": "a"}}),
        (lambda: Hero.name != "a", {"name": {"!=": "a"}}),
        (lambda: Hero.id < 3, {"id": {"<": 3}}),
        (lambda: 3 > Hero.id, {"id": {"<": 3}}),  # noqa: SIM300
        (lambda: 3 == Hero.id, {"id": {"==": 3}}),  # noqa: SIM300
        (lambda: Hero.id <= 3, {"id": {"<=": 3}}),
        (lambda: 3 <= Hero.id, {"id": {">=": 3}}),  # noqa: SIM300
        (lambda: Hero.rating > 8, {"rating": {">": 8}}),
        (lambda: Hero.rating > Decimal("8.5"), {"rating": {">": "8.5"}}),
        (lambda: Hero.height >= 2, {"height": {">=": 2}}),
        (lambda: Hero.rating == None, {"rating": {"==": None}}),  # noqa: E711
        (Hero.rating.is_null, {"rating": {"==": None}}),
        (lambda: Hero.side == Side.BAD, {"side": {"==": "bad"}}),
        (lambda: Hero.mood.in_(["calm", None]), {"mood": {"in": ["calm", None]}}),
        (lambda: Hero.id.between(1, 3), {"id": {"between": [1, 3]}}),
        (lambda: Hero.born < date(2024, 1, 2), {"born": {"<": "2024-01-02"}}),
        (
            lambda: Hero.seen < datetime(2024, 1, 2, tzinfo=timezone.utc),
            {"seen": {"<": "2024-01-02T00:00:00Z"}},
        ),
        (lambda: Hero.is_active == True, {"is_active": {"==": True}}),  # noqa: E712
        (lambda: Hero.extra == {"a": [1]}, {"extra": {"==": {"a": [1]}}}),
        (lambda: Hero.name.like("B*"), {"name": {"like": "B*"}}),
        (lambda: Hero.name.contains("b"), {"name": {"contains": "b"}}),
        (
            lambda: Hero.name.begins_with("b", ignore_case=True),
            {"name": {"beginsWith": "b", "ignoreCase": True}},
        ),
        (lambda: Hero.name.ends_with("n"), {"name": {"endsWith": "n"}}),
        (lambda: Hero.publisher.name == "DC", {"publisher.name": {"==": "DC"}}),
        (lambda: Hero.rival.publisher.id == 1, {"rival.publisher.id": {"==": 1}}),
        (lambda: groot.is_null(Hero.publisher), {"publisher": {"==": None}}),
        (lambda: groot.is_null(Hero.rival.publisher), {"rival.publisher": {"==": None}}),
        (lambda: Hero.powers.count() > 2, {"powers": {"count": {">": 2}}}),
        (lambda: 2 > Hero.powers.count(), {"powers": {"count": {"<": 2}}}),  # noqa: SIM300
        (lambda: Hero.powers.count().in_([1, 2]), {"powers": {"count": {"in": [1, 2]}}}),
        (lambda: Hero.powers.count().between(1, 2), {"powers": {"count": {"between": [1, 2]}}}),
        (lambda: Hero.powers.any(Power.id == 1), {"powers": {"any": {"id": {"==": 1}}}}),
        (lambda: Hero.powers.all(Power.id == 1), {"powers": {"all": {"id": {"==": 1}}}}),
        (
            lambda: Hero.rival.powers.none(Power.id == 1),
            {"rival.powers": {"none": {"id": {"==": 1}}}},
        ),
        (
            lambda: (Hero.id > 1) & (Hero.id < 3) & (Hero.name == "a"),
            {"and": [{"id": {">": 1}}, {"id": {"<": 3}}, {"name": {"==": "a"}}]},
        ),
        (
            lambda: (Hero.id > 1) | ~((Hero.id < 3) & (Hero.name == "a")),
            {
                "or": [
                    {"id": {">": 1}},
                    {"not": {"and": [{"id": {"<": 3}}, {"name": {"==": "a"}}]}},
                ]
            },
        ),
    ],
)
def test_a_condition_is_a_predicate(
    heroes: groot.Context, condition: Any, predicate: dict[str, Any]
) -> None:
    made = condition()
    assert isinstance(made, groot.Condition)
    assert made.plain == predicate
    assert heroes.fetch(Hero, made) == heroes.fetch("Hero", predicate)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Hero.rating > "x", r"Hero.rating: str 'x' where a decimal.Decimal"),
        (lambda: Hero.rating > 1.5, r"float 1.5 where a decimal.Decimal"),
        (lambda: Hero.id == 1.5, r"float 1.5 where an int"),
        (lambda: Hero.id == True, r"bool True where an int"),  # noqa: E712
        (lambda: Hero.id.in_(["1"]), r"str '1' where an int"),
        (lambda: Hero.id.in_("12"), r"'12' is not a list of values"),
        (lambda: Hero.id.in_(5), r"5 is not a list of values"),
        (lambda: Hero.id.between(1, None), r"compared with None; use is_null\(\)"),
        (lambda: Hero.name > None, r"compared with None; use is_null\(\)"),
        (lambda: Hero.seen < datetime(2024, 1, 1), r"Hero.seen: .*has no time zone"),
        (lambda: Hero.born < datetime(2024, 1, 1), r"Hero.born: datetime"),
        (lambda: Hero.side == 5, r"Hero.side: int 5 where a str"),
        (lambda: Hero.id.like("1*"), r"<Hero.id> is not a text; like is for texts"),
        (lambda: Hero.name.contains(5), r"Hero.name: int 5 where a str"),
        (lambda: Hero.extra < {}, r"holds JSON, which has no order"),
        (lambda: Hero.rating > Hero.id, r"one property cannot be compared with another"),
        (lambda: (Hero.id > 8) and (Hero.id < 9), r"write & for and"),
        (lambda: 1 < Hero.id < 3, r"between\(a, b\) for a < x < b"),
        (lambda: not (Hero.id > 8), r"~ for not"),
        (lambda: bool(Hero.is_active), r"is not a condition; compare it, as in Hero.is_active =="),
        (lambda: Hero.powers and 1, r"compare it, as in Hero.powers.count\(\) > 0"),
        (lambda: Hero.publisher and 1, r"compare it, as in Hero.publisher.is_null\(\)"),
        (lambda: bool(Hero.powers.count()), r"compare it, as in Hero.powers.count\(\) > 0"),
        (lambda: Hero.publisher == None, r"or write groot.is_null\(Hero.publisher\)"),  # noqa: E711
        (lambda: groot.is_null(Hero.powers), r"not a to-one relationship or an attribute"),
        (lambda: groot.is_null(Hero), r"not a to-one relationship or an attribute"),
        (lambda: Hero.powers.any(Hero.id == 1), r"is about Hero, and the members are of Power"),
        (lambda: Hero.powers.any(True), r"True is not a condition, as any takes"),
        (lambda: Hero.powers.count() > "2", r"'2' is not a number of members"),
        (lambda: Hero.powers.count() == True, r"True is not a number of members"),  # noqa: E712
        (lambda: Hero.powers.contains(5), r"5 is not a Power"),
        (lambda: (Hero.id == 1) & (Power.id == 1), r"about Hero, the other about Power"),
        (lambda: (Hero.id == 1) & True, r"unsupported operand"),
        (lambda: (-Hero.id) > 1, r"is a sort key"),
        (Hero.publisher, r"insert objects with context.insert"),
    ],
)
def test_a_wrong_condition_is_a_type_error_when_it_is_made(wrong: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        wrong()


def test_a_number_that_does_not_fit_is_a_value_error() -> None:
    for wrong in (lambda: Hero.id == 2**63, lambda: Hero.height > float("inf")):
        with pytest.raises(ValueError, match=r"does not fit|not finite"):
            wrong()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Hero.nmae, "Hero has no property 'nmae'; is 'name' meant?"),
        (lambda: Hero.publisher.nmae, "Publisher has no property 'nmae'; is 'name' meant?"),
        (lambda: Hero.publisher.xyz, "Publisher has no property 'xyz'"),
        (lambda: Hero.powers.name, r"has many members; write .any\(Power.name == ...\)"),
        (lambda: Hero.publisher.__wrapped__, "__wrapped__"),
    ],
)
def test_a_wrong_name_is_an_attribute_error_at_once(wrong: Any, message: str) -> None:
    with pytest.raises(AttributeError, match=message):
        wrong()


def test_a_condition_about_another_entity_is_refused(heroes: groot.Context) -> None:
    with pytest.raises(groot.Error, match="is about Power, and the request is about Hero"):
        heroes.fetch(Hero, Power.id == 1)
    with pytest.raises(groot.Error, match="is about Power, and the request is about Hero"):
        heroes.fetch(Hero, {"and": [Power.id == 1]})
    with pytest.raises(groot.Error, match="is about Power, and the request is about Hero"):
        heroes.fetch("Hero", sort=Power.id)


def test_a_condition_may_be_a_part_of_a_predicate(heroes: groot.Context) -> None:
    assert names(heroes.fetch(Hero, {"or": [Hero.id == 2, {"name": "x"}]})) == ["Bane"]
    assert heroes.count(Hero, {"powers": {"any": Power.name == "Wealth"}, "id": 2}) == 1


def test_contains_finds_by_the_identity(heroes: groot.Context) -> None:
    power = heroes.fetch(Power)[0]
    assert heroes.count(Hero, Hero.powers.contains(power)) == 2

    class Page(Entity, identity=("book", "number")):
        number: Attribute[int]
        book: ToOne[Book] = relationship(None, inverse="pages")

    class Book(Entity):
        day: Attribute[date] = attribute(identity=True)
        pages: ToMany[Page] = relationship(inverse="book")
        notes: ToMany[Note]

    class Note(Entity):
        text: Attribute[str]

    books = groot.Context(Book)
    data = [
        {"day": f"2024-01-0{n}", "pages": [{"number": 1}], "notes": [{"text": "x"}]} for n in (1, 2)
    ]
    first, second = books.load(Book, data)
    assert list(books.fetch(Book, Book.pages.contains(second.pages[0]))) == [second]
    with pytest.raises(groot.Error, match="no identity to find a member by"):
        Book.notes.contains(first.notes[0])


def test_a_long_chain_is_one_list(heroes: groot.Context) -> None:
    condition = Hero.id == 0
    for number in range(1, 3000):
        condition = condition | (Hero.id == number)
    assert len(condition.plain["or"]) == 3000
    assert heroes.count(Hero, condition) == 2


def test_a_condition_that_nests_too_deep_is_refused() -> None:
    condition = Hero.id == 0
    for _ in range(100):
        condition = ~condition
    with pytest.raises(groot.Error) as raised:
        condition.plain  # noqa: B018
    assert raised.value.code == groot.Status.LIMIT_EXCEEDED


# Classes.


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
