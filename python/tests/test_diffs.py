"""Reports as text: the counts on one line, and the changes as a diff."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import groot
from groot._core.sides import Sides


def attribute(type: str = "string", **more: Any) -> dict[str, Any]:
    """Describe an optional attribute."""
    return {"type": type, "optional": True, **more}


def link(destination: str, inverse: str, **more: Any) -> dict[str, Any]:
    """Describe an optional relationship."""
    return {"destination": destination, "inverse": inverse, "optional": True, **more}


KEY = {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}
BY_ID = {"identityAttributes": "id"}


def read(described: dict[str, Any], key: str) -> dict[str, Any]:
    """Add a key path."""
    return {**described, "userInfo": {"JSONKeyPath": key}}


def heroes(**sides: bool) -> groot.Context:
    """Make a context of heroes; `sides` are the relationships that the mapping reads."""
    publisher, members = link("Publisher", "heroes"), link("Hero", "publisher", toMany=True)
    powers = link("Power", "heroes", toMany=True, ordered=True)
    chosen = {"publisher": True, "heroes": False, **sides}
    return groot.Context(
        groot.Mapping(
            groot.Model(
                {
                    "entities": {
                        "Hero": {
                            "userInfo": BY_ID,
                            "attributes": {
                                "id": KEY,
                                "name": read(attribute(), "name"),
                                "rating": read(attribute("integer64"), "rating"),
                                "notes": read(attribute("transformable"), "notes"),
                            },
                            "relationships": {
                                "publisher": read(publisher, "publisher")
                                if chosen["publisher"]
                                else publisher,
                                "powers": read(powers, "powers"),
                                "friend": read(link("Hero", "friend"), "friend"),
                            },
                        },
                        "Publisher": {
                            "userInfo": BY_ID,
                            "attributes": {"id": KEY},
                            "relationships": {
                                "heroes": read(members, "heroes") if chosen["heroes"] else members
                            },
                        },
                        "Power": {
                            "userInfo": BY_ID,
                            "attributes": {"id": KEY},
                            "relationships": {"heroes": link("Hero", "powers", toMany=True)},
                        },
                    }
                }
            )
        )
    )


def diff(context: groot.Context, data: Any, entity: str = "Hero", **options: Any) -> list[str]:
    """Import with changes, and return the lines of the diff."""
    limit = options.pop("limit", 100)
    loaded = context.load(entity, data, **{"changes": True, **options})
    return groot.report(loaded).diff(limit).splitlines()


def test_a_report_prints_its_counts_on_one_line() -> None:
    context = heroes()
    context.load("Hero", [{"id": 1}, {"id": 2, "name": "A"}, {"id": 3}])
    report = context.sync("Hero", [{"id": 2, "name": "B"}, {"id": 3}, {"id": 4}])
    assert str(report) == "1 inserted, 1 updated, 1 unchanged, 1 deleted"


def test_a_report_prints_issues_only_if_there_are_any() -> None:
    context = heroes()
    context.load("Hero", {"id": 1})
    report = context.sync("Hero", [{"name": "nobody"}])
    assert str(report) == "0 inserted, 0 updated, 0 unchanged, 0 deleted, 1 issue, 1 withheld"
    skipped = groot.report(context.load("Hero", [{"id": "?"}, {"id": "?"}], errors="skip"))
    assert str(skipped).endswith("0 deleted, 2 skipped, 2 issues")


def test_a_diff_has_a_line_for_each_object() -> None:
    context = heroes()
    context.load("Hero", [{"id": 7, "name": "A"}, {"id": 3}])
    report = context.sync("Hero", [{"id": 7, "name": "B", "rating": 9}, {"id": 8}], changes=True)
    lines = ["Hero id=7: name 'A' → 'B', rating None → 9", "+ Hero id=8", "- Hero id=3"]
    assert report.diff().splitlines() == lines


def test_a_diff_names_related_objects_by_identity() -> None:
    context = heroes()
    context.load("Hero", {"id": 7, "publisher": 1, "powers": [5, 6]})
    assert diff(context, {"id": 7, "publisher": 2, "powers": [6, 4]}) == [
        "Hero id=7: publisher Publisher id=1 → Publisher id=2, powers + Power id=4, - Power id=5",
        "+ Publisher id=2",
        "+ Power id=4",
    ]
    assert diff(context, {"id": 7, "powers": [4, 6]}) == ["Hero id=7: powers in another order"]
    assert diff(context, {"id": 7, "publisher": None}) == [
        "Hero id=7: publisher Publisher id=2 → None"
    ]


def test_a_diff_shows_values_of_new_objects() -> None:
    assert diff(heroes(), {"id": 8, "name": "X", "publisher": 1, "powers": [4]}) == [
        "+ Hero id=8: name='X', publisher=Publisher id=1, powers=[Power id=4]",
        "+ Publisher id=1",
        "+ Power id=4",
    ]


def test_a_dry_run_has_a_diff_with_identities_of_objects_that_never_were() -> None:
    context = heroes()
    context.load("Hero", {"id": 7, "publisher": 1})
    assert diff(context, {"id": 7, "publisher": {"id": 2}}, changes=False, dry_run=True) == [
        "Hero id=7: publisher Publisher id=1 → Publisher id=2",
        "+ Publisher id=2",
    ]


def test_a_diff_names_deleted_objects_after_everything_is_gone() -> None:
    context = heroes()
    context.load("Hero", {"id": 7, "publisher": 1})
    report = context.sync("Publisher", [], changes=True)
    lines = ["Hero id=7: publisher Publisher id=1 → None", "- Publisher id=1"]
    assert report.diff().splitlines() == lines
    context.sync("Hero", [])
    lines[0] = lines[0].replace("id=7", f"#{report.changes[0].id}")
    assert report.diff().splitlines() == lines
    context.close()
    assert report.diff().splitlines() == lines


@pytest.mark.parametrize(
    ("sides", "line"),
    [
        ({}, "Hero id=7: publisher None → Publisher id=1"),
        ({"heroes": True}, "Hero id=7: publisher None → Publisher id=1"),
        ({"publisher": False, "heroes": True}, "Publisher id=1: heroes + Hero id=7"),
        ({"publisher": False}, "Hero id=7: publisher None → Publisher id=1"),
    ],
)
def test_a_link_appears_on_the_side_that_is_read(sides: dict[str, bool], line: str) -> None:
    context = heroes(**sides)
    hero, publisher = context.load("Hero", {"id": 7}), context.load("Publisher", {"id": 1})
    if sides == {"publisher": False}:  # nothing reads the link, so deleting the hero changes it
        hero.publisher = publisher
        report = context.sync("Hero", [], changes=True)
        assert report.diff() == "- Hero id=7"
        return
    if sides.get("publisher", True):
        assert diff(context, {"id": 7, "publisher": 1}) == [line]
    else:
        assert diff(context, {"id": 1, "heroes": [7]}, "Publisher") == [line]


def test_a_link_that_is_its_own_inverse_appears_once() -> None:
    context = heroes()
    context.load("Hero", [{"id": 1}, {"id": 2}])
    assert diff(context, {"id": 2, "friend": 1}) == ["Hero id=1: friend None → Hero id=2"]


def test_a_link_read_on_no_side_appears_on_the_first_entity() -> None:
    entities = {
        "B": {"attributes": {"n": attribute()}, "relationships": {"a": link("A", "b")}},
        "A": {"attributes": {"n": attribute()}, "relationships": {"b": link("B", "a")}},
    }
    for dialect in ("groot", "hyper"):
        model = groot.Model({"entities": entities})
        sides = Sides(groot.Mapping(model, dialect=dialect)._schema)
        assert not sides.is_derived("A", "b")
        assert sides.is_derived("B", "a")


def test_the_side_of_rules_is_the_one_that_they_set() -> None:
    entities = {
        "Person": {
            "attributes": {"name": attribute()},
            "relationships": {"home": link("City", "people")},
        },
        "City": {
            "attributes": {"code": attribute()},
            "relationships": {"people": link("Person", "home", toMany=True)},
        },
    }
    nested = {"people.name": {"called": "name"}}
    rules = {"cities": {"City.code": {"id": "code", "inhabitants": nested}}}
    model = groot.Model({"entities": entities})
    sides = Sides(groot.Mapping(model, dialect="kvc", rules=rules)._schema)
    assert sides.is_derived("Person", "home")


def test_long_values_are_cut_with_their_length() -> None:
    context = heroes()
    lines = diff(context, {"id": 1, "name": "x" * 2431, "notes": list(range(1000))})
    assert f"name='{'x' * 60}… (2,431 characters)'" in lines[0]
    assert "… (4,890 characters)" in lines[0]
    assert len(lines[0]) < 250


def test_values_stay_on_one_line() -> None:
    assert diff(heroes(), {"id": 1, "name": "a\nb"}) == [r"+ Hero id=1: name='a\nb'"]


def test_values_that_nest_deep_do_not_fail() -> None:
    text = '{"id": 1, "notes": ' + "[" * 400 + "]" * 400 + "}"
    assert len(diff(heroes(), text)) == 1


def test_long_lists_are_cut_with_their_number() -> None:
    lines = diff(heroes(), {"id": 1, "powers": list(range(1, 26))})
    assert "Power id=10, … 15 more]" in lines[0]
    assert "id=11" not in lines[0]


def test_a_long_diff_is_cut_with_the_number_of_changes() -> None:
    data = [{"id": number} for number in range(1, 131)]
    lines = diff(heroes(), data)
    assert (len(lines), lines[-1]) == (101, "… 30 more changes")
    assert len(diff(heroes(), data, limit=None)) == 130
    assert diff(heroes(), data, limit=129)[-1] == "… 1 more change"


@pytest.mark.parametrize("limit", [0, -1, True, "9", 1.5])
def test_an_invalid_limit_is_refused(limit: Any) -> None:
    with pytest.raises(groot.Error, match="limit is"):
        diff(heroes(), {"id": 1}, limit=limit)


def test_a_diff_of_nothing_is_empty() -> None:
    context = heroes()
    context.load("Hero", {"id": 1})
    assert diff(context, {"id": 1}) == []


def test_a_diff_needs_changes() -> None:
    report = groot.report(heroes().load("Hero", {"id": 1}))
    with pytest.raises(groot.Error, match="changes=True") as raised:
        report.diff()
    assert raised.value.code == groot.Status.INVALID_ARGUMENT


def test_an_identity_may_have_several_parts_and_objects() -> None:
    entities = {
        "Book": {
            "userInfo": BY_ID,
            "attributes": {"id": KEY},
            "relationships": {"pages": read(link("Page", "book", toMany=True), "pages")},
        },
        "Page": {
            "userInfo": {"identityAttributes": "book, number"},
            "attributes": {"number": read({"type": "integer64"}, "number")},
            "relationships": {"book": link("Book", "pages")},
        },
    }
    context = groot.Context(groot.Mapping(groot.Model({"entities": entities})))
    lines = diff(context, {"id": 1, "pages": [{"number": 2}]}, "Book")
    assert lines == [
        "+ Book id=1: pages=[Page book=(Book id=1) number=2]",
        "+ Page book=(Book id=1) number=2",
    ]


def test_an_object_without_identity_appears_with_its_number() -> None:
    model = groot.Model({"entities": {"Word": {"attributes": {"text": read(attribute(), "t")}}}})
    context = groot.Context(groot.Mapping(model))
    report = groot.report(context.load("Word", {"t": "x"}, changes=True))
    assert report.diff() == f"+ Word #{report.changes[0].id}: text='x'"


@pytest.mark.parametrize("use", [copy.copy, copy.deepcopy])
def test_a_copy_of_a_report_is_equal_and_has_its_diff(use: Any) -> None:
    context = heroes()
    context.load("Hero", [{"id": 1}])
    report = context.sync("Hero", [{"id": 2}], changes=True)
    copied = use(report)
    assert copied == report
    assert copied.diff() == report.diff()
    assert copied.objects == report.objects
