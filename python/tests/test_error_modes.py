"""Wrong records in a load: abort, collect, skip."""

from __future__ import annotations

from typing import Any

import pytest

import groot
from groot import Status

FAULTY: list[Any] = [
    {"id": "20", "name": 5},
    None,
    {"id": "21", "name": "ok", "powers": ["x"]},
    {"id": "22", "name": "deep", "powers": [{"id": "500", "name": "new"}, {"id": "501"}]},
    "23",
    "q",
    {"id": "24", "name": "fine", "powers": ["4"]},
]
PATHS = ["$[0].name", "$[2].powers[0]", "$[3].powers[1].name", "$[5]"]
CODES = [61, 65, 63, 65]


def test_abort(comics: groot.Context) -> None:
    for options in ({}, {"errors": "abort"}):
        with pytest.raises(groot.Error) as raised:
            comics.load("Character", FAULTY, **options)
        assert [one.path for one in raised.value.issues] == PATHS[:1]
        assert comics.count("Character") == 0


def test_collect(comics: groot.Context) -> None:
    with pytest.raises(groot.Error) as raised:
        comics.load("Character", FAULTY, errors="collect")
    assert [one.path for one in raised.value.issues] == PATHS
    assert [one.status for one in raised.value.issues] == CODES
    assert raised.value.code == CODES[0]
    assert raised.value.__cause__ is None
    assert comics.count("Character") == comics.count("Power") == 0
    comics.check()


def test_collect_finds_all_of_one_object(comics: groot.Context) -> None:
    data = {"id": "1", "name": 5, "real_name": [], "powers": [{"id": "x"}, {"id": "4"}, "5"]}
    with pytest.raises(groot.Error) as raised:
        comics.load("Character", data, errors="collect")
    paths = ["$.name", "$.real_name", "$.powers[0].id", "$.powers[1].name"]
    assert [one.path for one in raised.value.issues] == paths


def test_collect_of_what_is_right(comics: groot.Context, batman_json: dict[str, Any]) -> None:
    batman = comics.load("Character", batman_json, errors="collect")
    assert comics.dump(batman) == batman_json
    assert groot.report(batman).issues == ()


def test_skip(comics: groot.Context) -> None:
    found = comics.load("Character", FAULTY, errors="skip")
    assert [one.identifier for one in found] == [23, 24]
    assert [one.path for one in groot.report(found).issues] == PATHS
    assert [one.status for one in groot.report(found).issues] == CODES
    assert (groot.report(found).skipped, groot.report(found).inserted) == (4, 3)
    assert comics.count("Character") == 2
    assert [one.identifier for one in comics.fetch("Power")] == [4]


def test_issues_have_their_place_in_the_text(comics: groot.Context) -> None:
    text = '[{"id": "1", "name": "x"},\n {"id": "2", "name": 5}]'
    found = comics.load("Character", text, errors="skip")
    (issue,) = groot.report(found).issues
    assert (issue.line, issue.column, issue.offset) == (2, 22, text.index("5"))
    assert (issue.entity, issue.property, issue.severity) == ("Character", "name", 2)


def test_skip_leaves_objects_that_were_there_as_they_were(
    comics: groot.Context, batman: groot.Object, batman_json: dict[str, Any]
) -> None:
    wrong = {"id": "1699", "name": "Bat", "powers": [{"id": "4", "name": "x"}, {"id": "z"}]}
    found = comics.load("Character", [wrong, "1699"], errors="skip", changes=True)
    assert list(found) == [batman]
    assert groot.report(found).changes == ()
    assert comics.dump(batman) == batman_json


def test_skip_of_one_object(comics: groot.Context) -> None:
    found = comics.load("Character", {"id": "1", "name": 5}, errors="skip")
    assert isinstance(found, groot.Objects)
    assert not found
    assert groot.report(found) is not None
    assert groot.report(found).skipped == 1
    right = comics.load("Character", {"id": "1", "name": "x"}, errors="skip")
    assert isinstance(right, groot.Object)


def test_skip_and_a_dry_run(comics: groot.Context) -> None:
    found = comics.load("Character", FAULTY, errors="skip", dry_run=True)
    assert len(found) == 0
    assert (groot.report(found).skipped, groot.report(found).inserted) == (4, 3)
    assert comics.count("Character") == 0


@pytest.mark.parametrize("errors", ["abort", "collect", "skip"])
@pytest.mark.parametrize("data", ['[{"id": "1", "name": "x"}, {"id": 5}, nope]', [float("nan")]])
def test_invalid_json_fails_in_every_mode(comics: groot.Context, errors: Any, data: Any) -> None:
    with pytest.raises(groot.Error) as raised:
        comics.load("Character", data, errors=errors)
    assert raised.value.code in (Status.INVALID_JSON, Status.WRONG_TYPE)
    assert len(raised.value.issues) == 1
    assert comics.count("Character") == 0


@pytest.mark.parametrize("errors", ["collect", "skip"])
def test_too_many_issues(comics: groot.Context, errors: Any) -> None:
    data = [{"id": str(number), "name": number} for number in range(200)]
    for limit, most in ((100, 102), (None, 200), (3, 5), (1, 3), (2**70, 200)):
        try:
            found = comics.load("Character", data, errors=errors, max_issues=limit)
            issues = groot.report(found).issues
        except groot.Error as error:
            issues = error.issues
        assert len(issues) == most
        assert comics.count("Character") == 0


@pytest.mark.parametrize(
    "options",
    [
        {"errors": "ignore"},
        {"errors": None},
        {"errors": 1},
        {"max_issues": 0},
        {"max_issues": -1},
        {"max_issues": True},
        {"max_issues": "5"},
    ],
    ids=repr,
)
def test_invalid_options(comics: groot.Context, options: dict[str, Any]) -> None:
    with pytest.raises(groot.Error) as raised:
        comics.load("Character", [], **options)
    assert raised.value.code == Status.INVALID_ARGUMENT
    assert next(iter(options)) in str(raised.value)
