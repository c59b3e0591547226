"""Synchronization: flags, scope, report."""

from __future__ import annotations

import gc
import weakref
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from hyper_users import users

import groot
from groot import Status


@pytest.fixture(scope="module")
def mapping() -> groot.Mapping:
    """Make the mapping of users."""
    return groot.Mapping(groot.Model(users()), dialect="hyper")


@pytest.fixture
def context(mapping: groot.Mapping) -> Any:
    """Return a context with three users, saved."""
    with groot.Context(mapping) as made:
        made.load("User", [{"id": 1, "first_name": "A"}, {"id": 2}, {"id": 3, "first_name": "C"}])
        made.save()
        yield made
        made.check()


def counts(report: groot.Report) -> tuple[int, int, int, int]:
    return report.inserted, report.updated, report.deleted, report.unchanged


def ids(context: groot.Context, entity: str = "User") -> list[int]:
    return sorted(one["id"] for one in context.fetch(entity))


CHANGES = [{"id": 4, "first_name": "D"}, {"id": 1, "first_name": "A"}, {"id": 2, "first_name": "B"}]


def test_all_that_a_sync_does(context: groot.Context) -> None:
    first, second, third = context.fetch("User")
    report = context.sync("User", CHANGES)
    assert counts(report) == (1, 1, 1, 1)
    assert report.issues == ()
    assert (first.firstName, second.firstName, groot.is_deleted(third)) == ("A", "B", True)
    assert ids(context) == [1, 2, 4]
    assert isinstance(report.objects, groot.Objects)
    assert [one["id"] for one in report.objects] == [4, 1, 2]
    assert list(report.objects[1:]) == [first, second]


@pytest.mark.parametrize(
    ("options", "expected", "left"),
    [
        ({"insert": False}, (0, 1, 1, 1), [1, 2]),
        ({"update": False}, (1, 0, 1, 2), [1, 2, 4]),
        ({"delete": False}, (1, 1, 0, 1), [1, 2, 3, 4]),
        ({"insert": False, "update": False, "delete": False}, (0, 0, 0, 2), [1, 2, 3]),
        ({"insert": True, "update": True, "delete": True}, (1, 1, 1, 1), [1, 2, 4]),
        ({"where": None, "parent": None}, (1, 1, 1, 1), [1, 2, 4]),
    ],
)
def test_flags(context: groot.Context, options: Any, expected: Any, left: list[int]) -> None:
    assert counts(context.sync("User", CHANGES, **options)) == expected
    assert ids(context) == left


def test_kinds_of_data(context: groot.Context, tmp_path: Path) -> None:
    assert counts(context.sync("User", b'[{"id": 1}]')) == (0, 0, 2, 1)
    assert counts(context.sync("User", {"id": 1})) == (0, 0, 0, 1)
    assert counts(context.sync("User", ({"id": 1}, {"id": 5}))) == (1, 0, 0, 1)
    file = tmp_path / "users.json"
    file.write_text('[{"id": 5, "first_name": "E"}]')
    assert counts(context.sync_file("User", file)) == (0, 1, 1, 0)
    assert counts(context.sync("User", "[]")) == (0, 0, 1, 0)
    with pytest.raises(groot.Error) as raised:
        context.sync_file("User", tmp_path / "nothing.json")
    assert raised.value.code == Status.FILE_ERROR


def test_a_predicate_is_the_scope(context: groot.Context) -> None:
    day = datetime(2024, 2, 29, tzinfo=timezone.utc)
    context.fetch("User")[0].createdAt = day
    report = context.sync("User", [{"id": 9, "created_at": "2024-02-29"}], where={"createdAt": day})
    assert counts(report) == (1, 0, 1, 0)
    assert ids(context) == [2, 3, 9]
    report = context.sync("User", [], where={"firstName": None, "id": {"<": 9}})
    assert ids(context) == [3, 9]
    assert counts(context.sync("User", [], where={"id": 5})) == (0, 0, 0, 0)


def test_a_parent_is_the_scope(context: groot.Context) -> None:
    first, second, _ = context.fetch("User")
    context.load("Note", [{"id": 1, "user_id": 1}, {"id": 2, "user_id": 2}])
    report = context.sync("Note", [{"id": 5, "text": "new"}], parent=first)
    assert counts(report) == (1, 1, 1, 0)  # the parent has another member
    assert [one["id"] for one in first.notes] == [5]
    assert [one["id"] for one in second.notes] == [2]


def test_members(context: groot.Context) -> None:
    context.sync("User", [{"id": 1, "notes": [{"id": 10, "text": "x"}, {"id": 11}]}], delete=False)
    changed = [{"id": 1, "notes": [{"id": 10, "text": "y"}, {"id": 12}]}]
    context.sync("User", changed, delete=False)
    assert ids(context, "Note") == [10, 11, 12]
    context.sync("User", changed, delete=False, members={"delete": True})
    assert ids(context, "Note") == [10, 11, 12]  # it was no longer a member
    changed = [{"id": 1, "notes": [{"id": 10, "text": "z"}, {"id": 13}]}]
    context.sync("User", changed, members={"insert": False, "update": False})
    assert ids(context, "Note") == [10, 11]
    user = context.fetch("User")[0]
    assert [(one["id"], one.text) for one in user.notes] == [(10, "y")]


def test_entries_that_cannot_be_used(context: groot.Context) -> None:
    data = [{"id": 1}, {"first_name": "x"}, {"id": None}, True, {"id": "x"}, {"id": 2}]
    report = context.sync("User", data)
    assert sorted(one["id"] for one in report.withheld) == [3]
    report = context.sync("User", data, withhold=False)
    assert report.withheld == ()
    assert [issue.path for issue in report.issues] == ["$[1]", "$[2]", "$[3]", "$[4]"]
    assert {issue.severity for issue in report.issues} == {2}
    assert [one["id"] for one in report.objects] == [1, 2]
    assert ids(context) == [1, 2]


def test_dry_run_and_changes(context: groot.Context) -> None:
    before = context.dump(context.fetch("User"))
    report = context.sync("User", CHANGES, dry_run=True)
    assert counts(report) == (1, 1, 1, 1)
    assert context.dump(context.fetch("User")) == before
    assert [one["id"] for one in report.objects] == [1, 2]
    assert [one.change for one in report.changes] == ["updated", "inserted", "deleted"]
    assert report.changes[2].properties["id"][1] is None
    assert context.sync("User", CHANGES, dry_run=False).changes == ()
    assert len(context.sync("User", [{"id": 1, "first_name": "Z"}], changes=True).changes) >= 1


@pytest.mark.parametrize("limit", [1, 0, 0.5, 0.0])
@pytest.mark.parametrize("dry_run", [False, True])
def test_too_many_deletions_are_refused(
    context: groot.Context, limit: float, dry_run: bool
) -> None:
    before = context.dump(context.fetch("User"))
    with pytest.raises(groot.Error) as caught:
        context.sync("User", [{"id": 1, "first_name": "B"}], max_deletions=limit, dry_run=dry_run)
    assert caught.value.code == Status.TOO_MANY_DELETIONS
    assert caught.value.issues[0].entity == "User"
    assert context.dump(context.fetch("User")) == before
    assert not any(context.changes.values())


@pytest.mark.parametrize("limit", [None, 2, 2**80, 0.67, 1.0])
def test_a_limit_allows_as_many_deletions(context: groot.Context, limit: float | None) -> None:
    assert context.sync("User", [{"id": 1}], max_deletions=limit).deleted == 2


def test_a_limit_applies_to_a_file(context: groot.Context, tmp_path: Path) -> None:
    path = tmp_path / "feed.json"
    path.write_text("[]")
    with pytest.raises(groot.Error, match="3 of the 3"):
        context.sync_file("User", path, max_deletions=0.9)
    assert context.sync_file("User", path, max_deletions=3).deleted == 3


@pytest.mark.parametrize(
    "limit", [True, False, -1, -0.5, 1.5, float("nan"), float("inf"), "1", [1], 1j]
)
def test_a_wrong_limit_is_refused_by_its_name(context: groot.Context, limit: Any) -> None:
    with pytest.raises(groot.Error, match="max_deletions") as caught:
        context.sync("User", [], max_deletions=limit)
    assert caught.value.code == Status.INVALID_ARGUMENT


def test_another_mapping(context: groot.Context) -> None:
    rules = {"people": {"User.id": {"number": "id", "called": "firstName"}}}
    mapping = groot.Mapping(context.mapping.model, dialect="kvc", rules=rules)
    report = context.sync("User", [{"number": 1, "called": "New"}], mapping=mapping)
    assert counts(report) == (0, 1, 2, 0)
    assert report.objects[0].firstName == "New"
    other = groot.Mapping(groot.Model(users()), dialect="hyper")
    with pytest.raises(groot.Error) as raised:
        context.sync("User", [], mapping=other)
    assert raised.value.code == Status.INVALID_ARGUMENT
    assert context.count("User") == 1


def test_progress(context: groot.Context) -> None:
    seen: list[groot.Progress] = []
    context.sync("User", CHANGES, progress=seen.append)
    assert seen
    assert seen[-1].records == 3
    with pytest.raises(groot.Error) as raised:
        context.sync("User", [], progress=lambda at: False)
    assert raised.value.code == Status.CANCELLED

    def fail(at: groot.Progress) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        context.sync("User", [], progress=fail)
    assert context.count("User") == 3


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({"where": {"nothing": 1}}, Status.UNKNOWN_PROPERTY),
        ({"where": []}, Status.WRONG_SHAPE),
        ({"parent": 5}, Status.INVALID_ARGUMENT),
        ({"members": {"deletes": True}}, Status.INVALID_ARGUMENT),
        ({"members": True}, Status.INVALID_ARGUMENT),
        ({"max_issues": 0}, Status.INVALID_ARGUMENT),
        ({"mapping": "hyper"}, Status.INVALID_ARGUMENT),
    ],
    ids=repr,
)
def test_refused_synchronizations(context: groot.Context, options: Any, status: Status) -> None:
    with pytest.raises(groot.Error) as raised:
        context.sync("User", [], **options)
    assert raised.value.code == status
    assert context.count("User") == 3


def test_parents_that_do_not_do(context: groot.Context, mapping: groot.Mapping) -> None:
    gone = context.fetch("User")[2]
    context.delete(gone)
    foreign = groot.Context(mapping).load("User", {"id": 1})
    company = context.load("Company", {"id": 1})
    for parent, status in (
        (gone, Status.OBJECT_DELETED),
        (foreign, Status.INVALID_ARGUMENT),
        (company, Status.INVALID_ARGUMENT),
    ):
        with pytest.raises(groot.Error) as raised:
            context.sync("Note", [{"id": 1}], parent=parent)
        assert raised.value.code == status
    assert context.count("Note") == 0


def test_a_failure_leaves_all_as_it_was(context: groot.Context) -> None:
    before = context.dump(context.fetch("User"))
    for data, status in (
        ('[{"id": 1, "first_name": "X"}, {"id": 77}', Status.INVALID_JSON),
        (5, Status.WRONG_SHAPE),
    ):
        with pytest.raises(groot.Error) as raised:
            context.sync("User", data)
        assert raised.value.code == status
    with pytest.raises(groot.Error) as raised:
        context.sync("Nobody", [])
    assert raised.value.code == Status.UNKNOWN_ENTITY
    assert context.dump(context.fetch("User")) == before


def test_annotated_models_can_be_synchronized(
    comics: groot.Context, batman_json: dict[str, Any]
) -> None:
    comics.load("Character", batman_json)
    robin = {"id": "5", "name": "Robin", "powers": [{"id": "4", "name": "Agility"}]}
    report = comics.sync("Character", [robin])
    assert (report.inserted, report.deleted) == (1, 1)
    assert [one.name for one in comics.fetch("Character")] == ["Robin"]


def test_no_report_keeps_a_context(mapping: groot.Mapping) -> None:
    gc.collect()
    gc.disable()
    try:
        context = groot.Context(mapping)
        report = context.sync("User", CHANGES, changes=True)
        watched = weakref.ref(context)
        del context, report
        assert watched() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("entity", [None, 5])
def test_the_entity_is_named_in_words_of_python(
    comics: groot.Context, entity: Any, tmp_path: Path
) -> None:
    file = tmp_path / "none.json"
    file.write_text("[]")
    for call in (lambda: comics.sync(entity, []), lambda: comics.sync_file(entity, file)):
        with pytest.raises(groot.Error) as raised:
            call()
        assert raised.value.code == Status.INVALID_ARGUMENT
        assert str(raised.value) == f"entity is {entity}, not the name of an entity or its class"
