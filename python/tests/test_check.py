"""The check of a feed against a model: values that do not fit, collections, the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from check_models import ID, OTHERS, POWER, checked, entity, link, links, read

from groot.cli import main
from groot.models.drift import Drift


def gone(drift: Drift) -> list[str]:
    return [str(one) for one in drift.gone]


TYPES: list[tuple[dict[str, Any], Any, str]] = [
    (read("a", "integer32"), "x", "text in 1 of 2 records, an integer before"),
    (read("a", "integer32"), [1], "an array in 1 of 2 records, an integer before"),
    (read("a", "string"), 5, "a number in 1 of 2 records, text before"),
    (read("a", "boolean"), 1, "a number in 1 of 2 records, true or false before"),
    (read("a", "date"), 1, "a number in 1 of 2 records, a date before"),
    (read("a", "double"), True, "true or false in 1 of 2 records, a number before"),
    (read("a.b", "string"), "x", "text in 1 of 2 records, an object before"),
    (link("Power", "a"), [{}], "an array in 1 of 2 records, an object before"),
    (links("Power", "a"), {"level": 1}, "an object in 1 of 2 records, an array before"),
    (links("Power", "a.b"), 3, "a number in 1 of 2 records, an object before"),
    (links("Price", "a", form="keyed"), [1], "an array in 1 of 2 records, an object before"),
]


@pytest.mark.parametrize(("property", "value", "text"), TYPES)
def test_a_value_of_another_json_type_is_retyped(
    property: dict[str, Any], value: Any, text: str
) -> None:
    is_link = "destination" in property
    hero = entity({} if is_link else {"a": property}, {"a": property} if is_link else {})
    drift = checked({"Hero": hero, **OTHERS}, [{"a": None}, {"a": value}], entity="Hero")
    assert drift.is_changed
    assert not drift.misfits
    lines = list(drift.lines())
    assert lines[:2] == ["retyped (1):", f"  Hero.a: {text}; first $[1].a"]


def test_an_identifier_of_an_entity_without_identity_is_retyped() -> None:
    drift = checked(
        {"Hero": entity({}, {"a": link("Power", "a")}), "Power": POWER}, [{"a": {}}, {"a": "x"}]
    )
    assert "  Power: text, once, an object before; first $[1].a" in drift.lines()


FITS: list[tuple[dict[str, Any], Any, bool]] = [
    (read("a", "integer32"), 3.5, False),
    (read("a", "integer32"), 3.0, True),
    (read("a", "integer32"), 2**31, False),
    (read("a", "date"), "yesterday", False),
    (read("a", "date", annotations={"groot.dateFormat": "unixSeconds"}), 12, True),
    (read("a", "decimal"), "1.5", True),
    (read("a", "string", maxLength=2), "abc", False),
    (read("a", "string", values=["x"]), "y", False),
    (read("a", "string", optional=False), None, False),
    (read("a", "integer32", annotations={"JSONTransformerName": "unknown"}), "any", True),
    (read("a", "integer32", annotations={"groot.conversion": "lenient"}), "5", True),
]


@pytest.mark.parametrize(("attribute", "value", "fits"), FITS)
def test_a_value_of_the_same_json_type_may_not_fit(
    attribute: dict[str, Any], value: Any, fits: bool
) -> None:
    drift = checked({"Hero": entity({"a": attribute})}, [{"a": value}, {"a": value}])
    assert not drift.retyped
    assert not drift.gone
    assert [(one.path, one.count) for one in drift.misfits] == ([] if fits else [("$[0].a", 2)])


def test_digits_of_numbers_count(tmp_path: Path) -> None:
    path = tmp_path / "feed.json"
    path.write_text('[{"a": 2.99999999999999999999}, {"a": 30e-1}, {"a": 1e400}]')
    drift = checked({"Hero": entity({"a": read("a", "integer32")})}, str(path))
    assert [(one.path, one.line) for one in drift.misfits] == [("$[0].a", 1), ("$[2].a", 1)]


def test_a_required_property_that_is_gone_is_said_once() -> None:
    drift = checked({"Hero": entity({"a": read("a", optional=False)})}, [{"b": 1}, {"b": 2}])
    assert gone(drift) == ["Hero.a: nothing at a in 2 records"]
    assert drift.misfits == []


def test_identifiers_may_name_other_records() -> None:
    strict = link("Hero", "friend", unknownIdentifier="error")
    hero = entity({"id": ID}, {"friend": strict}, identityAttributes="id")
    drift = checked({"Hero": hero}, [{"id": 1, "friend": 9}])
    assert not drift.is_changed


HEROES = {
    "Hero": entity(
        {"id": ID, "page": read("@parent.page", "integer32"), "made": read("@root.made.by")},
        groot={"root": "/data/heroes"},
    ),
    "Land": entity(
        {"code": read("@key"), "name": read("name")}, groot={"root": "/lands", "rootForm": "keyed"}
    ),
}


def test_all_collections_of_the_model_are_checked() -> None:
    document = {
        "made": {"by": "x"},
        "data": {"page": 1, "heroes": [{"id": "a"}]},
        "lands": {"N O": {"name": 5, "x": 1}},
    }
    drift = checked(HEROES, document)
    assert drift.records == {"Hero": 1, "Land": 1}
    assert [one.path for one in drift.retyped] == ["$.data.heroes[0].id", '$.lands["N O"].name']
    assert gone(drift) == []
    assert list(drift.new) == ["$.lands.*.x"]
    assert checked(HEROES, document, entity="Land").records == {"Land": 1}
    assert checked(HEROES, document, root="/data/heroes").records == {"Hero": 1}


def test_values_around_the_records_may_be_gone_or_wrong() -> None:
    drift = checked(HEROES, {"data": {"page": "x", "heroes": [{"id": 1}]}, "lands": {}})
    assert gone(drift) == ["Hero.made: nothing at @root.made.by in 1 record"]
    assert [one.path for one in (*drift.retyped, *drift.misfits)] == ["$.data.page"]


def test_a_collection_may_be_gone_or_empty() -> None:
    drift = checked(HEROES, {"data": {"heroes": []}})
    assert gone(drift) == ["Land: nothing at /lands"]
    assert not checked(HEROES, {"data": {"heroes": None}, "lands": {}}).is_changed


def test_the_document_of_a_single_record_is_the_record() -> None:
    town = entity({"land": read("@root.land"), "code": read("@root.code")})
    entities = {"Map": entity({}, {"towns": links("Town", "towns")}), "Town": town}
    drift = checked(entities, {"land": "NO", "towns": [{}, {}]}, entity="Map")
    assert gone(drift) == ["Town.code: nothing at @root.code in 2 records"]
    assert list(drift.new) == []


def test_a_dictionary_transformer_hides_the_keys() -> None:
    hero = entity({"id": ID}, JSONDictionaryTransformerName="flat")
    drift = checked({"Hero": hero}, [{"x": 1}])
    assert not drift.is_changed
    assert not drift.new
    assert drift.unchecked == [
        "Hero: keys are not checked, since a dictionary transformer changes the records"
    ]


def test_batches_have_the_indexes_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "feed.json"
    rows = [{"a": 1, "pad": "x" * 500}] * 5000 + [{"a": "wrong"}]
    path.write_text("[" + ",\n".join(map(json.dumps, rows)) + "]")
    drift = checked({"Hero": entity({"a": read("a", "integer32"), "pad": read("pad")})}, str(path))
    assert [(one.path, one.line) for one in drift.retyped] == [("$[5000].a", 5001)]


def files(folder: Path, entities: dict[str, Any], text: str) -> list[str]:
    model, feed = folder / "model.json", folder / "feed.json"
    model.write_text(json.dumps({"entities": entities}))
    feed.write_text(text)
    return ["check", str(model), str(feed)]


@pytest.mark.parametrize(
    ("text", "inferred", "options", "code"),
    [
        ('[{"id": 1}]', False, [], 0),
        ('[{"id": "x"}]', False, [], 1),
        ('[{"name": 1}]', False, [], 1),
        ('[{"id": 1, "x": 1}]', False, [], 0),
        ('[{"id": 1, "x": 1}]', False, ["--strict"], 1),
        ('[{"id": 1, "x": 1}]', True, [], 1),
        ('{"id": 1}\n{"id": 2}', False, ["--lines"], 0),
        ('{"d": {"1": [{"id": 1}]}}', False, ["--root", "/d", "--form", "grouped"], 0),
        ('{"d": {"1": {"id": 1}}}', False, ["--root", "/d", "--form", "grouped"], 1),
        ("[1", False, [], 2),
        ("[]", False, ["--entity", "Nobody"], 2),
        ("[]", False, ["--root", "d"], 2),
    ],
)
def test_the_exit_code_says_whether_the_feed_has_changed(
    text: str,
    inferred: bool,
    options: list[str],
    code: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    own = {"groot": {"inferred": "true"}} if inferred else {}
    hero = entity({"id": ID}, identityAttributes="id", **own)
    assert main([*files(tmp_path, {"Hero": hero}, text), *options]) == code
    written = capsys.readouterr()
    assert bool(written.out) == (code != 2)


def test_a_missing_file_and_a_faulty_model_are_errors(tmp_path: Path) -> None:
    arguments = files(tmp_path, {"Hero": entity({"id": ID})}, "[]")
    assert main([*arguments, str(tmp_path / "none.json")]) == 2
    Path(arguments[1]).write_text('{"entities": {"A": {"attributes": {"b": {"type": "c"}}}}}')
    assert main(arguments) == 2


def test_an_unclear_entity_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entities = {"Hero": entity({"id": ID}), "Power": POWER}
    assert main(files(tmp_path, entities, "[]")) == 2
    assert "name one of Hero, Power" in capsys.readouterr().err


def test_the_result_is_written_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hero = entity({"id": ID, "name": read("name"), "age": read("age", "integer32", max=9)})
    text = '[{"id": "1", "age": 10, "x": 1}]'
    assert main([*files(tmp_path, {"Hero": hero}, text), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["changed"], found["records"], found["misfitCount"]) == (True, {"Hero": 1}, 1)
    assert found["gone"][0]["paths"] == ["name"]
    assert found["retyped"][0]["found"] == "text"
    assert (found["misfits"][0]["path"], found["misfits"][0]["line"]) == ("$[0].age", 1)
    assert [one["path"] for one in found["newKeys"]] == ["$[].x"]
