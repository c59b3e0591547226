"""JSON Schema, read into models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from schema_text import attribute, context, convert, errors, thing, warnings

import groot
from groot.cli import main
from groot.models import schemas

FOREST: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Forest",
    "description": "Trees of one owner.",
    "type": "object",
    "required": ["id", "trees"],
    "x-groot-identity": "id",
    "properties": {
        "id": {"type": "integer"},
        "name": {"type": ["string", "null"], "maxLength": 40},
        "trees": {"type": "array", "items": {"$ref": "#/$defs/Tree"}, "maxItems": 9},
        "keeper": {"anyOf": [{"$ref": "#/$defs/keeper"}, {"type": "null"}]},
        "entrance": {
            "type": "object",
            "properties": {"north": {"type": "number"}, "at.sea": {"type": "boolean"}},
        },
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "byCode": {
            "type": "object",
            "propertyNames": {"pattern": "^[A-Z]+$"},
            "additionalProperties": {"$ref": "#/$defs/Path"},
        },
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "$defs": {
        "Tree": {
            "type": "object",
            "properties": {"height": {"type": "number"}, "beside": {"$ref": "#/$defs/Tree"}},
        },
        "keeper": {"type": "object", "properties": {"since": {"type": "string", "format": "date"}}},
        "Path": {"type": "object", "properties": {"length": {"type": "integer"}}},
    },
}
FEED = {
    "id": 1,
    "name": None,
    "trees": [{"height": 3.5, "beside": None}, {"height": None, "beside": {"height": 2.0}}],
    "keeper": {"since": "1999-12-31"},
    "entrance": {"north": 62.5, "at.sea": False},
    "labels": {"no": "skog", "en": "forest"},
    "byCode": {"A": {"length": 4}},
    "tags": ["old", "wet"],
}


def test_a_schema_becomes_a_model_that_reads_its_feed() -> None:
    read = schemas.read_document(FOREST)
    assert (read.errors, read.warnings) == ((), ())
    forests = groot.Context(groot.Mapping(read.make(groot.Model)))
    forest = forests.load("Forest", FEED)
    dumped = forests.dump(forest)
    assert dumped["trees"][1]["beside"]["height"] == 2.0
    assert {key: dumped[key] for key in FEED if key != "trees"} == {
        key: FEED[key] for key in FEED if key != "trees"
    }
    assert forests.load("Forest", {"id": 1, "trees": []}) == forest


def test_entities_have_the_names_of_definitions_titles_and_owners() -> None:
    names = ["Tree", "keeper", "Path", "Forest", "ForestEntrance", "ForestLabels"]
    assert list(convert(FOREST)) == names


def test_names_are_identifiers_and_unique() -> None:
    found = convert(
        {
            "$defs": {
                "my.Thing": thing({"a-b": {"type": "string"}, "a b": {"type": "string"}}),
                "my Thing": thing({"1st": {"type": "string"}}),
            }
        }
    )
    assert list(found) == ["my_Thing", "my_Thing2"]
    assert list(found["my_Thing"]["attributes"]) == ["a_b", "a_b2"]
    assert list(found["my_Thing2"]["attributes"]) == ["_1st"]


def test_the_identity_is_chosen_only_by_the_schema() -> None:
    properties = {"id": {"type": "integer"}, "kind": {"type": "string"}}
    assert "identityAttributes" not in str(convert(thing(properties)))
    for given, expected in (("id", "id"), ("kind, id", "kind, id"), (["kind", "id"], "kind, id")):
        found = convert(thing(properties, **{"x-groot-identity": given}))
        assert found["Thing"]["userInfo"]["identityAttributes"] == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer"}, {"type": "integer64"}),
        ({"type": "integer", "format": "int32"}, {"type": "integer32"}),
        ({"type": "integer", "minimum": 0.5, "exclusiveMaximum": 9}, {"min": 1, "max": 8}),
        ({"type": "number"}, {"type": "double"}),
        ({"type": "number", "format": "float"}, {"type": "float"}),
        ({"type": ["number", "string"], "format": "decimal"}, {"type": "decimal"}),
        ({"type": "boolean", "default": False}, {"type": "boolean", "default": False}),
        ({"type": "string", "format": "date-time"}, {"type": "date"}),
        ({"type": "string", "format": "date"}, {"type": "day"}),
        ({"format": "uuid"}, {"type": "uuid"}),
        ({"type": "string", "format": "uri"}, {"type": "uri"}),
        ({"type": "string", "format": "byte"}, {"type": "binary"}),
        ({"type": "string", "contentEncoding": "base64"}, {"type": "binary"}),
        ({"type": "string", "format": "email"}, {"userInfo": {"schema.format": "email"}}),
        ({"type": "string", "minLength": 1, "maxLength": 9}, {"minLength": 1, "maxLength": 9}),
        ({"enum": ["a", "b", None]}, {"type": "string", "values": ["a", "b"]}),
        ({"const": 3}, {"type": "integer64", "values": [3]}),
        ({"oneOf": [{"const": "a"}, {"const": "b"}]}, {"type": "string", "values": ["a", "b"]}),
        ({"type": "array", "items": {"type": "integer"}}, {"type": "transformable"}),
        ({"type": "object"}, {"type": "transformable"}),
        (True, {"type": "transformable"}),
        ({"type": "string", "title": "A", "description": "B"}, {"userInfo": {"comment": "B"}}),
        ({"type": "string", "readOnly": True}, {"userInfo": {"groot.direction": "import"}}),
        ({"type": "string", "writeOnly": True}, {"userInfo": {"groot.direction": "export"}}),
        (
            {"type": "string", "x-groot": {"groot.null": "keep"}},
            {"userInfo": {"groot.null": "keep"}},
        ),
    ],
    ids=str,
)
def test_a_schema_of_a_value_becomes_an_attribute(schema: Any, expected: dict[str, Any]) -> None:
    found = attribute(schema)
    assert found == {**found, **expected}
    assert found["optional"]


@pytest.mark.parametrize(
    ("schema", "optional"),
    [
        ({"type": "string"}, False),
        ({"type": ["string", "null"]}, True),
        ({"enum": ["a", None]}, True),
    ],
    ids=str,
)
def test_a_required_value_that_may_be_null_is_optional(schema: Any, optional: bool) -> None:
    assert attribute(schema, required=["value"])["optional"] == optional


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        ("^[0-9]+$", "12", "a12"),
        ("b", "abc", "ac"),
        ("^a|c$", "bc", "cb"),
        (r"^\d$", "5", "\u0665"),
        ("\\u0041", "xA", "xa"),
        ("^[[]$", "[", "]"),
        ("[$]$", "a$", "$a"),
    ],
)
def test_a_pattern_matches_a_part_of_the_text(pattern: str, good: str, bad: str) -> None:
    schema = thing({"value": {"type": "string", "pattern": pattern}})
    things = context(schemas.read_document(schema).make(groot.Model))
    assert things.load("Thing", {"value": good}).value == good
    with pytest.raises(groot.Error) as caught:
        things.load("Thing", {"value": bad})
    assert caught.value.issues[0].status == groot.Status.PATTERN_MISMATCH


def test_parts_of_all_of_are_merged() -> None:
    found = convert(
        {
            "$defs": {
                "Named": thing({"name": {"type": "string"}}, required=["name"]),
                "Ship": {
                    "allOf": [{"$ref": "#/$defs/Named"}, thing({"masts": {"type": "integer"}})]
                },
            }
        }
    )
    assert list(found["Ship"]["attributes"]) == ["name", "masts"]
    assert not found["Ship"]["attributes"]["name"]["optional"]
    assert "parent" not in found["Ship"]


def kinds(**more: Any) -> dict[str, Any]:
    circle = thing({"kind": {"const": "circle"}, "radius": {"type": "number"}})
    square = thing({"kind": {"enum": ["square"]}, "side": {"type": "number"}})
    shape = {"oneOf": [{"$ref": "#/$defs/Circle"}, {"$ref": "#/$defs/Square"}], **more}
    return {"$defs": {"Shape": shape, "Circle": circle, "Square": square}}


def test_a_constant_that_differs_chooses_a_kind() -> None:
    found = convert(kinds())
    assert found["Shape"] == {"abstract": True, "userInfo": {"groot.discriminator": "kind"}}
    assert found["Circle"]["parent"] == "Shape"
    assert found["Square"]["userInfo"]["groot.discriminatorValue"] == "square"
    assert list(found["Circle"]["attributes"]) == ["radius"]
    shapes = context(groot.Model({"entities": found}))
    feed = [{"kind": "circle", "radius": 2.0}, {"kind": "square", "side": 3.0}]
    assert shapes.dump(shapes.load("Shape", feed)) == feed


def test_annotations_of_an_inline_object_go_to_the_entity_or_the_property() -> None:
    inner = thing({"a": {"type": "string"}})
    inner["x-groot"] = {"groot.unknownKeys": "report", "groot.export": "object"}
    found = convert({"title": "Outer", "type": "object", "properties": {"inner": inner}})
    assert found["Thing"]["userInfo"] == {"groot.unknownKeys": "report"}
    relationship = found["Outer"]["relationships"]["inner"]
    assert relationship["userInfo"] == {"JSONKeyPath": "inner", "groot.export": "object"}


def test_references_use_pointers_anchors_and_the_own_address() -> None:
    document = thing(
        {
            "a": {"$ref": "#/$defs/x~1y%20z"},
            "b": {"$ref": "#word"},
            "c": {"$ref": "https://example.com/feed#/$defs/n"},
        }
    )
    document["$id"] = "https://example.com/feed"
    document["$defs"] = {
        "x/y z": {"type": "boolean"},
        "w": {"$anchor": "word", "type": "integer"},
        "n": {"type": "number"},
    }
    types = [one["type"] for one in convert(document)["Thing"]["attributes"].values()]
    assert types == ["boolean", "integer64", "double"]


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "object", "properties": {"a": {}}, "not": {}}, "/not"),
        ({"type": "string", "if": {}}, "/if"),
        ({"type": "object", "patternProperties": {"^a": {}}}, "/patternProperties"),
        ({"type": "object", "dependentSchemas": {}}, "/dependentSchemas"),
        ({"type": "number", "multipleOf": 0.5}, "/multipleOf"),
        ({"type": "number", "exclusiveMinimum": 0}, "/exclusiveMinimum"),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "/oneOf"),
        ({"type": ["string", "integer"]}, "/type"),
        ({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, "/uniqueItems"),
        ({"type": "integer", "default": "x"}, "/default"),
        ({"type": "string", "pattern": "^[\\uD800-\\uDBFF]$"}, "/pattern"),
    ],
    ids=str,
)
def test_a_loss_is_a_warning_with_its_pointer(schema: Any, pointer: str) -> None:
    document = thing({"value": schema, "other": {"type": "string"}})
    assert warnings(document) == [f"/properties/value{pointer}"]


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        (5, ""),
        ({"type": "text"}, "/type"),
        ({"$ref": "other.json#/a"}, "/$ref"),
        ({"$ref": "#/$defs/missing"}, "/$ref"),
        ({"$ref": 7}, "/$ref"),
        ({"type": "string", "enum": [5]}, "/enum"),
        ({"type": "string", "minLength": -1}, "/minLength"),
        ({"type": "integer", "minimum": "0"}, "/minimum"),
        ({"properties": {"a": {"x-groot": {"b": []}}}}, "/properties/a/x-groot/b"),
        ({"properties": {"a": {}}, "x-groot-identity": "b"}, "/x-groot-identity"),
        ({"properties": [], "type": "object"}, "/properties"),
        ({"allOf": 5}, "/allOf"),
    ],
    ids=str,
)
def test_a_wrong_schema_is_an_error_with_its_pointer(schema: Any, pointer: str) -> None:
    document = thing({"value": schema, "other": {"type": "string"}})
    assert f"/properties/value{pointer}" in errors(document)


def test_an_error_of_the_model_has_the_pointer_of_its_property() -> None:
    read = schemas.read_document(thing({"value": {"type": "string", "pattern": "("}}), "f.json")
    with pytest.raises(groot.Error) as caught:
        read.make(groot.Model)
    (issue,) = caught.value.issues
    assert (issue.path, issue.property) == ("f.json#/properties/value", "value")


def test_files_are_recognized_by_their_keywords(tmp_path: Path) -> None:
    texts = {
        "schema.json": (json.dumps(FOREST), True),
        "model.json": ('{"entities": {"properties": {"attributes": {}}}}', False),
        "broken.json": ('{"$schema": "https://json-schema.org/draft/2020-12/schema",', True),
        "other.json": ('{"a": {"properties": {}}}', False),
    }
    for name, (text, expected) in texts.items():
        (tmp_path / name).write_text(text)
        assert schemas.is_schema(tmp_path / name) == expected, name
    assert not schemas.is_schema(tmp_path / "missing.json")


def test_load_and_convert_read_the_same_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "forest.schema.json"
    file.write_text(json.dumps({**FOREST, "not": {"type": "null"}}))
    model = groot.Model.load(file)
    assert [one.path for one in model.warnings] == [f"{file}#/not"]
    assert main(["convert", str(file)]) == 0
    written, noted = capsys.readouterr()
    assert groot.Model(written).document == model.document
    assert f"{file}#/not" in noted


def test_the_root_has_the_name_of_the_file_without_a_title(tmp_path: Path) -> None:
    file = tmp_path / "tall ships.schema.json"
    file.write_text('{"properties": {"name": {"type": "string"}}}')
    assert list(groot.Model.load(file).document["entities"]) == ["TallShips"]


def test_convert_refuses_a_wrong_schema_and_a_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "wrong.json"
    file.write_text('{"$defs": {"A": {"properties": {"a": {"$ref": "b.json"}}}}}')
    assert main(["convert", str(file)]) == 1
    assert "#/$defs/A/properties/a/$ref" in capsys.readouterr().err
    assert main(["convert", str(file), "--version", "2"]) == 2
