"""Conditions of classes, and the errors of wrong ones."""

from __future__ import annotations

from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

import pytest
from typed_heroes import Hero, Power, Side, loaded, names

import groot
from groot import Attribute, Entity, ToMany, ToOne, attribute, relationship


@pytest.fixture
def heroes() -> groot.Context:
    return loaded()


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
