"""The dialect of naming conventions in Python; the shared cases have the details."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hyper_users import JOHN, attributes, users

import groot
from groot import Status


@pytest.fixture
def context() -> Iterator[groot.Context]:
    """Return an empty context of the model of users."""
    with groot.Context(groot.Mapping(groot.Model(users()), dialect="hyper")) as made:
        yield made
        made.check()


def test_insert_and_update_by_primary_key(context: groot.Context) -> None:
    john = context.load("User", JOHN)
    assert (john["id"], john.firstName, john.lastName) == (7, "John", "Hyperseed")
    again = context.load("User", {"id": "7", "firstName": "Johnny"})
    assert again == john
    assert (john.firstName, john.lastName) == ("Johnny", "Hyperseed")
    assert groot.report(again).updated == 1


def test_a_property_has_its_name_whatever_that_is(context: groot.Context) -> None:
    john = context.load("User", {**JOHN, "entity": "person"})
    assert john.entity == john["entity"] == "person"
    assert groot.entity_name(john) == "User"
    assert john.id == john["id"] == 7
    john.id = 8
    assert context.dump(john, relationships="none")["id"] == 8


def test_values(context: groot.Context) -> None:
    john = context.load(
        "User",
        {
            "id": 1,
            "created_at": "2014-01-01T00:00:00+00:00",
            "updated_at": "2014-01-02",
            "published_at": "1441843200",
            "number_of_attendees": 20,
            "hobbies": ["football", "soccer", "code"],
            "expenses": {"cake": 12.5, "juice": 0.5},
            "balance": 12.2,
            "key": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
            "homepage": "https://example.com/",
        },
    )
    assert john.createdAt == datetime(2014, 1, 1, tzinfo=timezone.utc)
    assert john.updatedAt == datetime(2014, 1, 2, tzinfo=timezone.utc)
    assert john.publishedAt == datetime(2015, 9, 10, tzinfo=timezone.utc)
    assert john.publishedAt.utcoffset() is not None
    assert john.numberOfAttendees == 20
    assert john.hobbies == b'["football","soccer","code"]'
    assert john.expenses == {"cake": 12.5, "juice": 0.5}
    assert john.balance == Decimal("12.2")
    assert isinstance(john.balance, Decimal)
    assert john.key == UUID("e621e1f8-c36c-495a-93fc-0c247a3e6e5f")
    assert john.homepage == "https://example.com/"
    assert john.company is None
    dumped = context.dump(john, relationships="none")
    assert dumped["hobbies"] == ["football", "soccer", "code"]
    assert dumped["expenses"] == {"cake": 12.5, "juice": 0.5}
    assert dumped["key"] == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    assert dumped["published_at"] == "2015-09-10T00:00:00Z"


def test_refused_conversions(context: groot.Context) -> None:
    john = context.load("User", {"id": 1, "created_at": "2014-01-02", "number_of_attendees": 3})
    again = context.load("User", {"id": 1, "created_at": "hello", "number_of_attendees": []})
    assert again == john
    assert john.createdAt == datetime(2014, 1, 2, tzinfo=timezone.utc)
    assert john.numberOfAttendees == 3
    issues = {issue.property: issue for issue in groot.report(again).issues}
    assert issues.keys() == {"createdAt", "numberOfAttendees"}
    assert issues["createdAt"].path == "$.created_at"
    assert issues["numberOfAttendees"].path == "$.number_of_attendees"
    assert {issue.severity for issue in issues.values()} == {2}


def test_policies_for_what_cannot_be_converted(context: groot.Context) -> None:
    john = context.load("User", {"id": 1, "number_of_attendees": 3})
    data = {"id": 1, "number_of_attendees": "many"}
    cleared = context.load("User", data, policies={"invalid": "clear"})
    assert john.numberOfAttendees is None
    assert len(groot.report(cleared).issues) == 1
    with pytest.raises(groot.Error) as raised:
        context.load("User", data, policies={"invalid": "fail"})
    assert raised.value.issues[0].path == "$.number_of_attendees"


def test_without_a_primary_key_each_is_inserted() -> None:
    model = groot.Model({"entities": {"Log": {"attributes": attributes(line="string")}}})
    context = groot.Context(groot.Mapping(model, dialect="hyper"))
    context.load("Log", [{"line": "a"}, {"line": "a"}])
    assert context.count("Log") == 2
    with pytest.raises(groot.Error):
        context.sync("Log", [])


@pytest.fixture
def john(context: groot.Context) -> groot.Object:
    """Return John with two notes and a company."""
    notes = [{"id": 0, "text": "A"}, {"id": 1, "text": "B"}]
    return context.load("User", {**JOHN, "notes": notes, "company": {"id": 9, "name": "Hyper"}})


NAMES = {"first_name": "John", "last_name": "Hyperseed"}
OTHERS = [f"{name}_at" for name in ("created", "updated", "published")] + [
    *("number_of_attendees", "hobbies", "expenses", "balance", "key", "homepage", "entity")
]


def test_relationship_styles(context: groot.Context, john: groot.Object) -> None:
    exclude = [*OTHERS, "id"]
    company = {"id": 9, "name": "Hyper", "users": [{"id": 7}]}
    first, second = {"id": 0, "text": "A"}, {"id": 1, "text": "B"}
    assert context.dump(john, relationships="none", exclude=exclude) == NAMES
    array = {**NAMES, "notes": [first, second], "company": company}
    assert context.dump(john, relationships="array", exclude=exclude) == array
    assert context.dump(john, exclude=exclude) == array
    assert context.dump(john, relationships="nested", exclude=exclude) == {
        **NAMES,
        "notes_attributes": {"0": first, "1": second},
        "company_attributes": {"id": 9, "name": "Hyper", "users_attributes": {"0": {"id": 7}}},
    }


def test_inflection_and_excluded_keys(context: groot.Context, john: groot.Object) -> None:
    camel = context.dump(john, inflection="camel", relationships="none", exclude=["lastName"])
    assert camel["firstName"] == "John"
    assert "numberOfAttendees" in camel
    assert "lastName" not in camel
    assert "last_name" in context.dump(john, inflection="snake", exclude=["lastName"])
    assert "notes" not in context.dump(john, exclude=("notes", "company"))


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (None, "2014-01-02T03:04:05Z"),
        ("iso8601", "2014-01-02T03:04:05Z"),
        ("unixSeconds", 1388631845),
        ("unixMillis", 1388631845678),
        ("yyyy/MM/dd HH:mm:ss.SSS", "2014/01/02 03:04:05.678"),
    ],
)
def test_dates(context: groot.Context, john: groot.Object, dates: Any, expected: Any) -> None:
    john.createdAt = datetime(2014, 1, 2, 3, 4, 5, 678000, tzinfo=timezone.utc)
    assert context.dump(john, dates=dates)["created_at"] == expected
    assert f'"created_at":{expected if isinstance(expected, int) else ""}' in context.dumps(
        john, dates=dates
    )


@pytest.mark.parametrize(
    "option",
    [
        {"relationships": "all"},
        {"relationships": 1},
        {"inflection": "Snake"},
        {"exclude": "first_name"},
        {"exclude": [1]},
        {"dates": "a\0b"},
        {"dates": 5},
        {"depth": -1},
        {"mapping": "hyper"},
    ],
    ids=repr,
)
def test_options_that_do_not_exist(
    context: groot.Context, john: groot.Object, option: dict[str, Any]
) -> None:
    for dump in (context.dump, context.dumps):
        with pytest.raises(groot.Error) as raised:
            dump(john, **option)
        assert raised.value.code == Status.INVALID_ARGUMENT
        assert next(iter(option)) in str(raised.value)


@pytest.mark.parametrize("method", ["load", "load_file", "sync", "sync_file", "fill"])
def test_keywords_that_do_not_exist(context: groot.Context, method: str) -> None:
    with pytest.raises(TypeError, match="colour"):
        getattr(context, method)("User", [], colour="green")
    for dump in (context.dump, context.dumps):
        with pytest.raises(TypeError, match="colour"):
            dump([], colour="green")


def test_files(context: groot.Context, john: groot.Object, tmp_path: Any) -> None:
    for exported in (john, [john]):
        context.dump_file(exported, tmp_path / "x.json", relationships="none", inflection="camel")
        assert '"firstName":"John"' in (tmp_path / "x.json").read_text()
    again = context.load_file("User", tmp_path / "x.json")
    assert list(again) == [john]


def test_fill(context: groot.Context, john: groot.Object) -> None:
    report = context.fill(john, {"first_name": "Jack", "notes": [], "age": 5})
    assert (john.firstName, len(john.notes)) == ("Jack", 2)
    assert (report.updated, report.issues) == (1, ())
    report = context.fill(john, '{"number_of_attendees": "x", "last_name": null}')
    assert [issue.path for issue in report.issues] == ["$.number_of_attendees"]
    assert john.lastName is None
    with pytest.raises(groot.Error):
        context.fill(john, {"number_of_attendees": "x"}, policies={"invalid": "fail"})
    with pytest.raises(groot.Error) as raised:
        context.fill(john, [])
    assert raised.value.code == Status.WRONG_SHAPE
    context.delete(john)
    with pytest.raises(groot.Error) as raised:
        context.fill(john, {})
    assert raised.value.code == Status.OBJECT_DELETED


def test_a_fill_of_what_is_not_an_object(context: groot.Context, john: groot.Object) -> None:
    other = groot.Context(context.mapping)
    for filled, owner in ((john, other), ("john", context), (None, context)):
        with pytest.raises(groot.Error) as raised:
            owner.fill(filled, {})
        assert raised.value.code == Status.INVALID_ARGUMENT


def test_transformers() -> None:
    registry = groot.Registry()
    registry.transformer("Ampersand", lambda text: text.replace("&amp;", "&"))
    model = users()
    name = model["entities"]["User"]["attributes"]["firstName"]
    name["userInfo"] = {"hyper.valueTransformer": "Ampersand", "hyper.remoteKey": "person.name"}
    context = groot.Context(groot.Mapping(groot.Model(model), registry, "hyper"))
    john = context.load("User", {"id": 1, "person": {"name": "Foo &amp; bar"}})
    assert john.firstName == "Foo & bar"


WRONG = {
    "clashing keys": ({"firstName": {"hyper.remoteKey": "last_name"}}, Status.INVALID_MAPPING),
    "two primary keys": (
        {"firstName": {"hyper.isPrimaryKey": "YES"}, "lastName": {"hyper.isPrimaryKey": "true"}},
        Status.INVALID_MAPPING,
    ),
    "an unknown transformer": (
        {"firstName": {"sync.valueTransformer": "Nobody"}},
        Status.UNKNOWN_TRANSFORMER,
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_errors_of_a_mapping(wrong: str) -> None:
    model = users()
    annotations, status = WRONG[wrong]
    for name, user_info in annotations.items():
        model["entities"]["User"]["attributes"][name]["userInfo"] = user_info
    with pytest.raises(groot.Error) as raised:
        groot.Mapping(groot.Model(model), dialect="hyper")
    assert raised.value.code == status
    assert any(name in str(raised.value) for name in annotations)


def test_options_of_the_mapping() -> None:
    model = groot.Model(users())
    for options in ({"implicit": True}, {"rules": {}}):
        with pytest.raises(groot.Error) as raised:
            groot.Mapping(model, dialect="hyper", **options)
        assert raised.value.code == Status.INVALID_ARGUMENT
