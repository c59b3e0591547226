"""The reports of `load`, and dry runs, which change nothing."""

from __future__ import annotations

import gc
import weakref
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from conftest import messages

import groot


def counts(report: groot.Report | None) -> dict[str, int]:
    """Return the numbers of a report that are not 0."""
    assert report is not None
    names = ("inserted", "updated", "unchanged", "deleted", "skipped")
    return {name: getattr(report, name) for name in names if getattr(report, name)}


def test_counts(comics: groot.Context, batman_json: dict[str, Any]) -> None:
    batman = comics.load("Character", batman_json)
    assert counts(groot.report(batman)) == {"inserted": 4}
    again = comics.load("Character", batman_json)
    assert counts(groot.report(again)) == {"unchanged": 4}
    assert counts(groot.report(batman)) == {"inserted": 4}
    several = comics.load("Character", [{"id": "1699", "name": "Bat"}, "2", None])
    assert counts(groot.report(several)) == {"inserted": 1, "updated": 1}
    assert groot.report(several).issues == ()
    assert groot.report(several).changes == ()
    assert counts(groot.report(comics.load("Character", []))) == {}


def test_files_have_reports(comics: groot.Context, tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    file.write_text('{"id": "1", "name": "One"}')
    assert counts(groot.report(comics.load_file("Character", file))) == {"inserted": 1}
    file.write_text('["1", "2"]')
    assert counts(groot.report(comics.load_file("Character", file, dry_run=True))) == {
        "inserted": 1
    }
    assert comics.count("Character") == 1


def test_objects_without_a_load_have_no_report(comics: groot.Context, batman: groot.Object) -> None:
    found = comics.fetch("Character")
    for one in (found, found[0], comics.insert("Power"), batman.powers[0], batman.publisher):
        with pytest.raises(groot.Error, match="not the result of an import"):
            groot.report(one)
    loaded = comics.load("Character", ["1", "2"])
    assert groot.report(loaded).inserted == 2
    for part in (loaded[0], loaded[:1]):
        with pytest.raises(groot.Error, match="not the result of an import"):
            groot.report(part)
    with pytest.raises(AttributeError):
        batman.report = None


def test_a_report_is_read_when_it_is_asked_for(comics_mapping: groot.Mapping) -> None:
    context = groot.Context(comics_mapping)
    loaded = context.load("Character", ["1"])
    context.close()
    assert counts(groot.report(loaded)) == {"inserted": 1}
    assert groot.report(loaded) is groot.report(loaded)


def test_changes(comics: groot.Context, batman: groot.Object) -> None:
    agility, rich = batman.powers
    data = {"id": "1699", "name": "Bat", "powers": ["4", "77"], "publisher": None}
    report = groot.report(comics.load("Character", data, changes=True))
    assert report is not None
    assert counts(report) == {"inserted": 1, "updated": 3}
    flight = comics.fetch("Power", where={"identifier": 77})[0]
    dc = comics.fetch("Publisher")[0]
    of = {one.object: one for one in report.changes}
    assert len(of) == 4
    assert of[rich].properties == of[dc].properties == {"characters": ([batman], [])}
    updated, inserted = of[batman], of[flight]
    assert (updated.entity, updated.change) == ("Character", "updated")
    assert updated.id == groot.object_id(batman)
    assert updated.object == batman
    assert updated.properties == {
        "name": ("Batman", "Bat"),
        "powers": ([agility, rich], [agility, flight]),
        "publisher": (dc, None),
    }
    assert (inserted.entity, inserted.change) == ("Power", "inserted")
    assert inserted.id == groot.object_id(flight)
    assert inserted.object == flight
    assert groot.report(comics.load("Character", data, changes=True)).changes == ()


VALUES = {
    "small": (1, 1),
    "price": ("1.25", Decimal("1.25")),
    "ratio": (1, 1.0),
    "weight": (0.5, 0.5),
    "name": ("n", "n"),
    "active": (True, True),
    "made": ("2024-02-29T12:00:00.25Z", datetime(2024, 2, 29, 12, 0, 0, 250000, timezone.utc)),
    "born": ("1968-03-01", date(1968, 3, 1)),
    "data": ("AP8=", b"\x00\xff"),
    "uuid": (str(UUID(int=5)), UUID(int=5)),
    "link": ("http://x", "http://x"),
    "extra": ({"a": [1, None]}, {"a": [1, None]}),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_of_changes_are_those_of_properties(types: groot.Context, name: str) -> None:
    given, value = VALUES[name]
    if name == "price":
        given = 1.25
    thing = types.load("Thing", {"id": 1, name: given}, changes=True)
    assert groot.report(thing).changes[0].properties[name] == (None, value)
    assert type(groot.report(thing).changes[0].properties[name][1]) is type(thing[name])
    again = types.load("Thing", {"id": 1, name: None}, changes=True)
    assert groot.report(again).changes[0].properties == {name: (value, None)}


def test_dates_that_datetime_lacks(types: groot.Context) -> None:
    text = "+012024-02-29T12:00:00Z"
    thing = types.load("Thing", {"id": 1, "made": text}, changes=True)
    assert groot.report(thing).changes[0].properties["made"] == (None, text)
    thing = types.load("Thing", {"id": 1, "born": "+012024-02-29"}, changes=True)
    assert groot.report(thing).changes[0].properties["born"] == (None, "+012024-02-29")


def test_objects_that_are_gone_are_numbers(types: groot.Context) -> None:
    whole = types.load("Thing", {"id": 1, "parts": [{"id": 2}, {"id": 3}]})
    first, second = whole.parts
    only_first = {"id": 1, "parts": [{"id": 2}]}
    policies = {"assignment": "deleteMissing"}
    report = groot.report(types.load("Thing", only_first, policies=policies, changes=True))
    assert counts(report) == {"updated": 1, "unchanged": 1, "deleted": 1}
    assert groot.is_deleted(second)
    assert report.changes[0].properties == {"parts": ([first, groot.object_id(second)], [first])}
    gone = report.changes[1]
    assert (gone.change, gone.entity, gone.object) == ("deleted", "Thing", None)
    assert gone.properties["id"] == (3, None)
    # The object has the same number everywhere.
    assert gone.id == groot.object_id(second)
    assert repr(second) == f"<Thing #{groot.object_id(second)} deleted>"
    with pytest.raises(groot.Error, match=f"the object #{groot.object_id(second)} was deleted"):
        second.name  # noqa: B018


def test_objects_of_the_same_import_are_not_missing(types: groot.Context) -> None:
    whole = types.load("Thing", {"id": 1, "parts": [{"id": 2}, {"id": 3}, {"id": 4}]})
    third, fourth = whole.parts[1:]
    data = [{"id": 3, "name": "x"}, {"id": 1, "parts": [2]}]
    found = types.load("Thing", data, policies={"assignment": "deleteMissing"}, changes=True)
    assert [groot.is_deleted(one) for one in found] == [False, False]
    assert [one.object for one in groot.report(found).changes] == [whole, third, None]
    assert groot.report(found).changes[1].properties == {
        "name": (None, "x"),
        "owner": (whole, None),
    }
    assert groot.report(found).changes[2].id == groot.object_id(fourth)
    assert groot.is_deleted(fourth)
    assert len(whole.parts) == 1


@pytest.fixture
def untouched(comics: groot.Context, batman: groot.Object) -> Any:
    """Check that a test left the graph unchanged."""

    def state() -> Any:
        everything = [comics.fetch(one) for one in ("Character", "Power", "Publisher")]
        return [(list(one), comics.dump(one)) for one in everything], comics.changes

    before = state()
    yield
    assert state() == before
    comics.check()


@pytest.mark.usefixtures("untouched")
def test_a_dry_run(comics: groot.Context, batman: groot.Object) -> None:
    agility, rich = batman.powers
    data = [
        {"id": "1699", "name": "Bat", "powers": ["4", {"id": "77", "name": "Flight"}]},
        {"id": "5", "name": "Robin", "publisher": "10"},
        None,
        "5",
        "1699",
    ]
    found = comics.load("Character", data, dry_run=True)
    assert list(found) == [batman, batman]
    assert (len(found), found[-1], found[1:] == [batman]) == (2, batman, True)
    assert comics.dump(found) == comics.dump([batman, batman])
    assert comics.dump(found[1:]) == comics.dump([batman])
    assert counts(groot.report(found)) == {"inserted": 2, "updated": 3}
    new = {one.entity: one for one in groot.report(found).changes if one.change == "inserted"}
    assert all(one.object is None for one in new.values())
    assert new["Character"].properties["publisher"] == (None, batman.publisher)
    updated = {one.object: one for one in groot.report(found).changes if one.change == "updated"}
    assert updated.keys() == {batman, rich, batman.publisher}
    assert updated[batman].properties == {
        "name": ("Batman", "Bat"),
        "powers": ([agility, rich], [agility, new["Power"].id]),
    }


@pytest.mark.usefixtures("untouched")
def test_a_dry_run_of_one_object(comics: groot.Context, batman: groot.Object) -> None:
    new = comics.load("Character", {"id": "5", "name": "Robin"}, dry_run=True)
    assert isinstance(new, groot.Objects)
    assert not new
    assert counts(groot.report(new)) == {"inserted": 1}
    old = comics.load("Character", {"id": "1699", "name": "Bat"}, dry_run=True)
    assert old == batman
    assert counts(groot.report(old)) == {"updated": 1}
    same = comics.load("Character", {"id": "1699", "name": "Batman"}, dry_run=True)
    assert counts(groot.report(same)) == {"unchanged": 1}
    assert groot.report(same).changes == ()


@pytest.mark.usefixtures("untouched")
def test_a_dry_run_fails_as_the_import_would(comics: groot.Context) -> None:
    for data in ([{"id": "5", "name": "x"}, {"id": "6", "name": 5}], "[", {"id": "x"}):
        with pytest.raises(groot.Error) as dry:
            comics.load("Character", data, dry_run=True)
        with pytest.raises(groot.Error) as wet:
            comics.load("Character", data)
        assert dry.value.issues == wet.value.issues


def test_a_dry_run_says_what_the_import_does(
    comics: groot.Context, comics_mapping: groot.Mapping, batman_json: dict[str, Any]
) -> None:
    data = [{"id": "5", "name": "Robin", "powers": ["4", "5"]}, {**batman_json, "publisher": None}]
    dry = groot.report(comics.load("Character", data, dry_run=True))
    wet = groot.report(comics.load("Character", data, changes=True))
    assert counts(dry) == counts(wet)
    assert [(one.entity, one.change, list(one.properties)) for one in dry.changes] == [
        (one.entity, one.change, list(one.properties)) for one in wet.changes
    ]


def test_objects_of_sub_entities() -> None:
    context = messages(lambda json: f"{json['type'].title()}Message")
    inbox = {"messages": [{"id": 1, "type": "text"}, {"id": 2, "type": "picture"}]}
    report = groot.report(context.load("Inbox", inbox, changes=True))
    assert {one.entity for one in report.changes} == {"Inbox", "TextMessage", "PictureMessage"}
    members = next(one for one in report.changes if one.entity == "Inbox").properties["messages"]
    assert [groot.entity_name(one) for one in members[1]] == ["TextMessage", "PictureMessage"]


def test_no_report_keeps_a_context(comics_mapping: groot.Mapping) -> None:
    gc.collect()
    gc.disable()
    try:
        context = groot.Context(comics_mapping)
        loaded = context.load("Character", ["1", "2"], changes=True)
        single = context.load("Character", {"id": "1", "name": "x"})
        assert counts(groot.report(single)) == {"updated": 1}
        assert len(groot.report(loaded).changes) == 2
        watched = weakref.ref(context)
        del context, loaded, single
        assert watched() is None
    finally:
        gc.enable()
