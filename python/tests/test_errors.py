"""Errors: bad input gives a status and an issue, and leaves the graph unchanged."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from conftest import messages, one_attribute

import groot
from groot import Status

Fails = Callable[..., groot.Issue]


@pytest.fixture
def refused(comics: groot.Context, batman: groot.Object) -> Fails:
    """Return a function that expects an import to fail and the graph to be unchanged."""

    def check(entity: str, data: Any, status: int | set[Status]) -> groot.Issue:
        before = comics.dump(comics.fetch("Character")), comics.changes
        with pytest.raises(groot.Error) as raised:
            comics.load(entity, data)
        expected = status if isinstance(status, set) else {status}
        assert raised.value.code in expected, str(raised.value)
        assert (comics.dump(comics.fetch("Character")), comics.changes) == before
        comics.check()
        return raised.value.issues[0]

    return check


@pytest.mark.parametrize(
    "text", ["", "  ", "{", "nope", '{"id": "1",}', '["1" "2"]', '{"id": "1699"} x']
)
def test_invalid_json(refused: Fails, text: str) -> None:
    issue = refused("Character", text, Status.INVALID_JSON)
    assert issue.line == 1
    assert issue.message


def test_the_place_of_a_syntax_error(refused: Fails) -> None:
    issue = refused("Character", '[{"id": "1", "name": "One"},\n  {"id": nope}]', 20)
    assert issue.line == 2
    assert issue.column is not None
    assert issue.offset is not None


def test_invalid_utf8(refused: Fails) -> None:
    text = b'{"id": "1", "name": "\xff\xfe"}'
    refused("Character", text, {Status.INVALID_JSON, Status.INVALID_UTF8})


def test_a_surrogate_without_its_pair(refused: Fails) -> None:
    refused("Character", '{"id": "1", "name": "\ud800"}', Status.INVALID_UTF8)
    issue = refused("Character", {"id": "1", "name": "\ud800"}, Status.INVALID_UTF8)
    assert issue.path == "$.name"


def test_absurd_nesting(refused: Fails) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    for text in (deep, '{"id": "1", "name": ' + deep + "}"):
        refused("Character", text, {Status.INVALID_JSON, Status.LIMIT_EXCEEDED})


def test_nesting_of_values(refused: Fails) -> None:
    value: Any = "x"
    for _ in range(5000):
        value = [value]
    refused("Character", {"id": "1", "name": value}, Status.LIMIT_EXCEEDED)
    value.append(value)
    refused("Character", {"id": "1", "name": value}, Status.LIMIT_EXCEEDED)
    itself: list[Any] = []
    itself.append(itself)
    issue = refused("Character", {"id": "1", "powers": [itself]}, Status.WRONG_SHAPE)
    assert issue.path == "$.powers[0][0]"


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        {1, 2},
        b"bytes",
        object(),
        Decimal("Infinity"),
        datetime(2020, 1, 1),
        uuid4(),
        1j,
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_other_than_json(refused: Fails, value: Any) -> None:
    issue = refused("Character", {"id": "1", "name": "x", "powers": ["4", value]}, 61)
    assert issue.path == "$.powers[1]"
    assert type(value).__name__ in issue.message or repr(value) in issue.message


def test_keys_other_than_strings(refused: Fails) -> None:
    issue = refused("Character", [{"id": "1"}, {"powers": {(1, 2): 3}}], Status.WRONG_TYPE)
    assert issue.path == "$[1].powers"


@pytest.mark.parametrize("data", [None, 5, 1.5, True, {1}, object(), {}.keys()])
def test_data_that_cannot_be_loaded(refused: Fails, data: Any) -> None:
    refused("Character", data, Status.WRONG_SHAPE)


def test_the_data_is_left_alone(comics: groot.Context, batman_json: dict[str, Any]) -> None:
    before = repr(batman_json)
    comics.load("Character", batman_json)
    assert repr(batman_json) == before


def test_wrong_shape(refused: Fails) -> None:
    issue = refused("Character", {"id": "1699", "powers": {"id": "4"}}, Status.WRONG_SHAPE)
    assert (issue.path, issue.entity, issue.property) == ("$.powers", "Character", "powers")
    issue = refused("Character", [{"id": "1699", "publisher": ["10"]}], Status.WRONG_SHAPE)
    assert issue.path == "$[0].publisher"


def test_wrong_type(refused: Fails) -> None:
    issue = refused("Character", {"id": "1699", "name": 5}, Status.WRONG_TYPE)
    assert (issue.path, issue.entity, issue.property) == ("$.name", "Character", "name")
    assert "5" in issue.message


def test_a_builtin_that_refuses(refused: Fails) -> None:
    issue = refused("Character", {"id": "one", "name": "x"}, Status.TRANSFORM_FAILED)
    assert (issue.path, issue.property) == ("$.id", "identifier")


def test_missing_value(refused: Fails) -> None:
    issue = refused("Character", [{"id": "1699"}, {"id": "2"}], Status.MISSING_VALUE)
    assert (issue.entity, issue.property) == ("Character", "name")


def test_unknown_entity(comics: groot.Context, refused: Fails) -> None:
    refused("Villain", {"id": "1"}, Status.UNKNOWN_ENTITY)
    for call in (comics.fetch, comics.count, comics.insert):
        with pytest.raises(groot.Error) as raised:
            call("Villain")
        assert raised.value.code == Status.UNKNOWN_ENTITY
        assert "Villain" in str(raised.value)


def test_abstract_entity() -> None:
    context = messages(lambda _: None)
    with pytest.raises(groot.Error) as raised:
        context.insert("Message")
    assert raised.value.code == Status.ABSTRACT_ENTITY
    with pytest.raises(groot.Error) as raised:
        context.load("Message", {"id": 1})
    assert raised.value.code == Status.MAPPER_FAILED
    assert context.count("Message") == 0


@pytest.mark.parametrize("names", [5, None, b"Character"])
def test_names_other_than_strings(comics: groot.Context, names: Any) -> None:
    with pytest.raises(groot.Error) as raised:
        comics.fetch(names)
    assert raised.value.code == Status.INVALID_ARGUMENT


def test_files(comics: groot.Context, tmp_path: Any) -> None:
    for call in (
        lambda: comics.load_file("Character", tmp_path / "none.json"),
        lambda: comics.dump_file([], tmp_path / "none" / "x.json"),
        lambda: groot.Model.load(tmp_path / "none.json"),
    ):
        with pytest.raises(groot.Error) as raised:
            call()
        assert raised.value.code == Status.FILE_ERROR
        assert "none" in str(raised.value)


def test_objects_that_do_not_exist_yet(comics_mapping: groot.Mapping) -> None:
    with pytest.raises(groot.Error) as raised:
        groot.Mapping(comics_mapping.model, dialect="xml")
    assert raised.value.code == Status.UNSUPPORTED


def test_all_errors_of_a_model() -> None:
    faulty = one_attribute("text")
    faulty["entities"]["Other"] = {"parent": "Nobody"}
    with pytest.raises(groot.Error) as raised:
        groot.Model(faulty)
    assert raised.value.code == Status.INVALID_MODEL
    assert len(raised.value.issues) >= 2
    assert str(raised.value).count("\n") == len(raised.value.issues) - 1


def test_an_error_describes_itself(refused: Fails) -> None:
    with pytest.raises(groot.Error) as raised:
        groot.Model("{")
    error = raised.value
    assert error.name == "invalid JSON"
    assert error.code is Status.INVALID_JSON
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.issues) == (str(error), error.code, error.issues)


def test_nothing_is_printed(refused: Fails, capfd: pytest.CaptureFixture[str]) -> None:
    refused("Character", "{", Status.INVALID_JSON)
    refused("Character", {"id": "x"}, Status.TRANSFORM_FAILED)
    assert capfd.readouterr() == ("", "")
