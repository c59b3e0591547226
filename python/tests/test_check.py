"""The check of a feed against a model: gone paths, new keys, values that do not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groot
from groot.cli import main
from groot.models.drift import Drift, check
from groot.models.records import Records


def read(path: str, type: str = "string", **more: Any) -> dict[str, Any]:
    annotations = more.pop("annotations", {})
    return {
        "type": type, "optional": True, "userInfo": {"JSONKeyPath": path, **annotations}, **more
    }  # fmt: skip


def link(to: str, path: str, **annotations: str) -> dict[str, Any]:
    form = {f"groot.{name}": value for name, value in annotations.items()}
    return {"destination": to, "optional": True, "userInfo": {"JSONKeyPath": path, **form}}


def links(to: str, path: str, **annotations: str) -> dict[str, Any]:
    return {**link(to, path, **annotations), "toMany": True}


def entity(
    attributes: dict[str, Any], relationships: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    parent = {"parent": more.pop("parent")} if "parent" in more else {}
    own = {f"groot.{name}": str(value) for name, value in more.pop("groot", {}).items()}
    return {
        "attributes": attributes, "relationships": relationships or {},
        "userInfo": {**own, **more}, **parent,
    }  # fmt: skip


def checked(entities: dict[str, Any], *documents: Any, **options: Any) -> Drift:
    return check(groot.Model({"entities": entities}), Records(documents), **options)


def gone(drift: Drift) -> list[str]:
    return [str(one) for one in drift.gone]


ID = read("id", "integer64")
POWER = entity({"level": read("level", "integer32")})

# the attributes and relationships of Hero, a document, what is gone, the new keys
KEYS: dict[str, tuple[dict[str, Any], dict[str, Any], Any, list[str], list[str]]] = {
    "missing_everywhere": (
        {"id": ID, "home": read("home.city")},
        {},
        [{"id": 1, "home": {"town": "Ulm"}}, {"id": 2, "home": {}}],
        ["Hero.home: nothing at home.city in 2 records"],
        ["$[].home.town"],
    ),
    "there_once": ({"id": ID, "home": read("home")}, {}, [{"id": 1}, {"home": None}], [], []),
    "null_on_the_way": ({"home": read("home.city")}, {}, [{"home": None}], [], []),
    "null_beside_objects": (
        {"home": read("home.city")},
        {},
        [{"home": None}, {"home": {"x": 1}}],
        ["Hero.home: nothing at home.city in 2 records"],
        ["$[].home.x"],
    ),
    "alternatives": (
        {
            "name": read("name.en", annotations={"groot.alternatives": "name.de, title"}),
            "age": read("age", "integer32", annotations={"groot.alternatives": "years"}),
        },
        {},
        [{"title": "A"}, {"name": {"de": "B"}}],
        ["Hero.age: nothing at age or years in 2 records"],
        [],
    ),
    "escaped_dots": (
        {"page": read(r"links.ex\.org")},
        {},
        [{"links": {"ex.org": "", "b": 1}}],
        [],
        ["$[].links.b"],
    ),
    "positions": (
        {"x": read("at[0]", "double"), "y": read("at[1]", "double"), "z": read("at[2]", "double")},
        {},
        [{"at": [1.5, 2]}],
        ["Hero.z: nothing at at[2] in 1 record"],
        [],
    ),
    "more_positions": ({"x": read("at[0]", "double")}, {}, [{"at": [1, 2]}], [], ["$[].at[1]"]),
    "elements": (
        {
            "codes": read("langs[].code", "transformable"),
            "names": read(
                "langs[].name", "transformable", annotations={"groot.direction": "import"}
            ),
        },
        {},
        [{"langs": [{"code": 1, "x": 2}, {"code": 2}]}],
        ["Hero.names: nothing at langs[].name in 1 record"],
        ["$[].langs[].x"],
    ),
    "arrays_on_the_way": (
        {"names": read("powers.name", "transformable")},
        {},
        [{"powers": [{"name": "A"}, {"id": 1}]}],
        [],
        ["$[].powers[].id"],
    ),
    "below_values": (
        {"rest": read("rest", "transformable"), "all": read("all", "composite")},
        {},
        [{"rest": {"a": [{"b": 1}]}, "all": {"c": {}}}],
        [],
        [],
    ),
    "exports": (
        {"id": ID, "seen": read("seen", annotations={"groot.direction": "export"})},
        {},
        [{"id": 1}, {"id": 2, "seen": {"x": 1}}],
        [],
        [],
    ),
    "members": (
        {"id": ID},
        {"powers": links("Power", "powers")},
        [{"id": 1, "powers": [{"level": 1, "x": 2}, None]}, {"id": 2, "powers": [{"x": 1}]}],
        [],
        ["$[].powers[].x"],
    ),
    "members_without_a_key": (
        {},
        {"powers": links("Power", "map.edges[].node")},
        [{"map": {"edges": [{"node": {"lvl": 1}, "cursor": 2}]}}],
        ["Power.level: nothing at level in 1 record"],
        ["$[].map.edges[].cursor", "$[].map.edges[].node.lvl"],
    ),
    "no_members": (
        {"id": ID},
        {"powers": links("Power", "powers")},
        [{"id": 1, "powers": []}],
        [],
        [],
    ),
    "keyed_members": (
        {},
        {"prices": links("Price", "prices", form="keyed")},
        [{"prices": {"EUR": {"value": 3, "x": 1}, "USD": 4}}],
        [],
        ["$[].prices.*.x"],
    ),
    "grouped_members": (
        {},
        {"prices": links("Price", "prices", form="grouped")},
        [{"prices": {"EUR": [{"amount": 3}, 4], "USD": None}}],
        [],
        ["$[].prices.*[].amount"],
    ),
    "recursion": (
        {"id": ID},
        {"friends": links("Hero", "friends")},
        [{"id": 1, "friends": [{"id": 2, "x": 1, "friends": [{"id": 3, "x": 1}]}]}],
        [],
        ["$[].friends[].x"],
    ),
    "rest": (
        {"id": ID, "more": read("@rest", "transformable")},
        {},
        [{"id": 1, "a": {"b": 1}}],
        [],
        ["$[].a"],
    ),
    "parent": (
        {"id": ID},
        {"towns": links("Town", "map.towns")},
        [{"id": 1, "map": {"land": "NO", "towns": [{"name": "Oslo"}]}}],
        ["Town.code: nothing at @parent.code in 1 record"],
        [],
    ),
}

OTHERS: dict[str, Any] = {
    "Power": POWER,
    "Price": entity(
        {
            "code": read("@key"),
            "value": read("@value", "double", annotations={"groot.alternatives": "value"}),
        }
    ),
    "Town": entity(
        {"name": read("name"), "land": read("@parent.land"), "code": read("@parent.code")}
    ),
}


@pytest.mark.parametrize("name", KEYS)
def test_paths_are_gone_and_keys_are_new(name: str) -> None:
    attributes, relationships, document, is_gone, is_new = KEYS[name]
    own = {"identityAttributes": "id"} if "id" in attributes else {}
    entities = {"Hero": entity(attributes, relationships, **own), **OTHERS}
    drift = checked(entities, document, entity="Hero")
    assert gone(drift) == is_gone
    assert sorted(drift.new) == is_new
    assert (drift.retyped, drift.misfits) == ([], [])
    assert drift.is_changed == bool(is_gone)


def test_new_keys_are_counted_with_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "feed.json"
    path.write_text('[{"id": 1},\n{"id": 2, "x": 1},\n{"id": 3, "x": null}]')
    drift = checked({"Hero": entity({"id": ID})}, str(path))
    assert [(one.count, one.file, one.line) for one in drift.new.values()] == [(2, str(path), 2)]


def test_an_attribute_that_keys_stand_for_is_not_gone() -> None:
    code = entity({"code": read("code"), "name": read("name")}, identityAttributes="code")
    hero = entity({"id": ID}, {"lands": links("Land", "lands", form="keyed")})
    lands = {"NO": {"name": "Norway"}}
    entities = {"Hero": hero, "Land": code}
    assert gone(checked(entities, {"id": 1, "lands": lands}, entity="Hero")) == []
    assert gone(checked({"Land": code}, lands, entity="Land", form="keyed")) == []
    assert gone(checked({"Land": code}, [{"name": "Norway"}])) == [
        "Land.code: nothing at code in 1 record"
    ]


ANIMALS = {
    "Animal": {
        **entity({"id": ID}, groot={"discriminator": "type", "unknownDiscriminator": "skip"}),
        "abstract": True,
    },
    "Bird": entity(
        {"wings": read("wings", "integer32")}, parent="Animal", groot={"discriminatorValue": "aves"}
    ),
    "Fish": entity({"depth": read("depth", "integer32")}, parent="Animal"),
}


def test_a_path_of_a_sub_entity_counts_for_its_records() -> None:
    birds = [{"type": "aves", "id": 1, "depth": 3}, {"type": "aves", "id": 2}]
    drift = checked(ANIMALS, birds)
    assert gone(drift) == ["Bird.wings: nothing at wings in 2 records"]
    assert list(drift.new) == ["$[].depth"]
    assert drift.records == {"Animal": 2, "Bird": 2}
    drift = checked(ANIMALS, [*birds, {"type": "Fish", "id": 3, "depth": 1}, {"type": "Ant"}])
    assert gone(drift) == ["Bird.wings: nothing at wings in 2 records"]
    assert drift.records["Animal"] == 3


def test_sub_entities_that_nothing_tells_apart_share_their_paths() -> None:
    entities = {
        "Animal": entity({"id": ID}, entityMapperName="kinds"),
        "Bird": entity({"wings": read("wings", "integer32")}, parent="Animal"),
        "Fish": entity({"depth": read("depth", "integer32")}, parent="Animal"),
    }
    drift = checked(entities, [{"id": 1, "wings": 2, "x": 1}])
    assert gone(drift) == ["Fish.depth: nothing at depth in 1 record"]
    assert list(drift.new) == ["$[].x"]


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
