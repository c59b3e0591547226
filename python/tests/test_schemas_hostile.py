"""Schemas from anywhere: neither their size nor their references stop the program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from schema_text import convert, errors, thing

import groot
from groot.models import schemas


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def chain(count: int, **more: Any) -> dict[str, Any]:
    """Return definitions, each of which has the next as a part."""
    named = {
        f"a{i}": {"properties": {f"p{i}": {}}, "allOf": [ref(f"a{i + 1}")], **more}
        for i in range(count)
    }
    return {"$defs": {**named, f"a{count}": thing({"z": {}}, **more)}}


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def test_nested_objects_become_entities() -> None:
    assert len(convert(nested(100))) == 100


def test_an_entity_may_lead_to_itself() -> None:
    found = convert({"$defs": {"a": thing({"a": ref("a"), "list": {"items": ref("a")}})}})
    assert {one["destination"] for one in found["a"]["relationships"].values()} == {"a"}


@pytest.mark.parametrize("length", [1, 2, 50])
def test_references_that_lead_back_are_errors(length: int) -> None:
    loop = {f"a{i}": ref(f"a{(i + 1) % length}") for i in range(length)}
    assert errors({"$defs": loop})[0].startswith("/$defs/a")


def test_parts_that_lead_back_are_merged_once() -> None:
    found = convert(
        {
            "$defs": {
                "a": {"allOf": [ref("b"), thing({"x": {"type": "string"}})]},
                "b": {"allOf": [ref("a"), thing({"y": {"type": "string"}})]},
            }
        }
    )
    assert [sorted(found[name]["attributes"]) for name in ("a", "b")] == [["x", "y"], ["x", "y"]]


def test_kinds_of_themselves_are_an_error_of_the_model() -> None:
    chooser = {"propertyName": "k"}
    document = {
        "$defs": {
            f"a{i}": {
                "allOf": [ref(f"a{(i + 1) % 3}")],
                "properties": {"q": {}},
                "discriminator": chooser,
            }
            for i in range(3)
        }
    }
    with pytest.raises(groot.Error) as caught:
        schemas.read_document(document).make(groot.Model)
    assert caught.value.code == groot.Status.INVALID_MODEL


def test_a_choice_of_itself_is_any_value() -> None:
    choice = {"oneOf": [ref("a"), ref("b")], "discriminator": {"propertyName": "k"}}
    document = {"$defs": {"a": choice, "b": thing({"a": ref("a")})}}
    assert convert(document)["b"]["attributes"]["a"]["type"] == "transformable"


CHOICES = {
    f"a{i}": {"oneOf": [ref(f"a{i + 1}"), ref("x")], "discriminator": {"propertyName": "k"}}
    for i in range(3000)
}


def test_choices_nest_only_so_deep() -> None:
    ends = {"x": thing({"k": {"const": "x"}}), "a3000": thing({"k": {"const": "y"}})}
    read = schemas.read_document({"$defs": {**CHOICES, **ends}})
    assert read.errors == ()
    assert any("nest too deep" in one.message for one in read.warnings)


MANY = {f"p{i}": {"type": "string"} for i in range(5_000)}
TOO_LARGE = {
    "properties": thing({f"p{i}": {"type": "string"} for i in range(100_000)}),
    "levels": nested(400),
    "parts": chain(1_500),
    "kinds": chain(300, discriminator={"propertyName": "k"}),
    "references": {"$defs": {f"a{i}": ref(f"a{i + 1}") for i in range(1_500)}},
    "copies": {
        "$defs": {
            "base": thing(MANY),
            **{f"a{i}": {"allOf": [ref("base"), thing({"q": {}})]} for i in range(500)},
        }
    },
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_schema_beyond_a_limit_is_refused(name: str) -> None:
    with pytest.raises(groot.Error) as caught:
        schemas.read_document(TOO_LARGE[name], "big.json")
    assert caught.value.code == groot.Status.LIMIT_EXCEEDED
    assert str(caught.value.issues[0].path).startswith("big.json")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("[" * 100_000, groot.Status.LIMIT_EXCEEDED),
        ('{"$defs": ' * 3_000, groot.Status.LIMIT_EXCEEDED),
        ('{"$defs": {"a": {"default": 1e999}}}', groot.Status.INVALID_JSON),
        ('{"$defs": {"a": {"default": NaN}}}', groot.Status.INVALID_JSON),
        (f'{{"$defs": {{"a": {{"default": {"9" * 5_000}}}}}}}', groot.Status.INVALID_JSON),
        ('{"$defs": {"a": {}', groot.Status.INVALID_JSON),
        ('{"$defs": "\xff"}', groot.Status.INVALID_UTF8),
    ],
    ids=lambda value: str(value)[:20],
)
def test_unreadable_text_is_refused(tmp_path: Path, text: str, status: int) -> None:
    file = tmp_path / "schema.json"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(groot.Error) as caught:
        schemas.read(file)
    assert caught.value.code == status
    assert str(file) in str(caught.value)


def test_a_missing_file_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(groot.FileError):
        schemas.read(tmp_path / "missing.json")


def test_folders_and_devices_are_left_to_other_readers(tmp_path: Path) -> None:
    assert not schemas.is_schema(tmp_path)
    assert not schemas.is_schema("/dev/null")


def test_every_wrong_keyword_is_an_error_and_not_a_failure() -> None:
    wrong: list[Any] = [None, 5, "x", [], {}, [5], {"a": 5}, [{"$ref": "#/no"}], {"$ref": 5}, 1.5]
    # fmt: off
    keywords = [
        "type", "properties", "required", "items", "additionalProperties", "allOf", "oneOf",
        "anyOf", "enum", "const", "format", "minimum", "maximum", "exclusiveMinimum",
        "minLength", "maxLength", "pattern", "minItems", "maxItems", "default", "title",
        "description", "nullable", "readOnly", "discriminator", "propertyNames", "prefixItems",
        "x-groot", "x-groot-identity", "$ref", "$defs", "$id", "$anchor", "multipleOf",
        "contentEncoding",
    ]
    # fmt: on
    for base in (
        {},
        {"type": "object", "properties": {"q": {}}},
        {"type": "string"},
        {"items": {}},
    ):
        for keyword in keywords:
            for value in wrong:
                schema = {**base, keyword: value}
                for document in (thing({"value": schema}), {"$defs": {"A": schema}}, schema):
                    json.dumps(schemas.read_document(document).document)
