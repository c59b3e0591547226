"""docs/reference/model-document.schema.json and the library accept the same model documents."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import CASES
from jsonschema import Draft202012Validator

import groot

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "reference" / "model-document.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)

MODELS = [
    *sorted((CASES / "models").glob("*.json")),
    ROOT / "examples" / "comics.json",
    ROOT / "Benchmarks" / "characters.json",
    *sorted((ROOT / "Benchmarks" / "workloads").glob("*.json")),
]

# A document with every member that a model document may have.
FULL: dict[str, Any] = {
    "version": 1,
    "entities": {
        "Base": {
            "abstract": True,
            "userInfo": {"identityAttributes": "id", "number": 1, "truth": True, "none": None},
            "uniquenessConstraints": [["id"]],
            "renamingIdentifier": "Root",
            "attributes": {
                "id": {"type": "integer64", "default": 1, "min": 0, "max": 10},
                "small": {"type": "integer16", "optional": True, "transient": True},
                "middle": {"type": "integer32", "default": -7, "values": [-7, 7]},
                "price": {"type": "decimal", "default": "12.50", "min": 0.5, "max": 99},
                "ratio": {"type": "double", "default": 0.5, "min": 0, "max": 1},
                "weight": {"type": "float", "default": 1.5},
                "name": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 9,
                    "pattern": "a+",
                    "values": ["a"],
                },
                "active": {"type": "boolean", "default": True},
                "made": {"type": "date", "default": "2020-01-01", "min": "2000-01-01"},
                "born": {"type": "day", "default": "2020-01-01", "max": "2030-01-01"},
                "data": {"type": "binary", "default": "AAE=", "maxLength": 100},
                "key": {"type": "uuid", "default": "7d444840-9dc0-11d1-b245-5ffdce74fad2"},
                "link": {"type": "uri", "default": "https://example.com"},
                "extra": {"type": "transformable", "default": [1, {"a": None}]},
                "place": {
                    "type": "composite",
                    "default": {"x": 1},
                    "elements": {"x": {"type": "double", "min": 0}},
                },
            },
        },
        "Thing": {
            "parent": "Base",
            "relationships": {
                "parts": {
                    "destination": "Thing",
                    "toMany": True,
                    "ordered": True,
                    "inverse": "owner",
                    "optional": True,
                    "minCount": 1,
                    "maxCount": 3,
                    "deleteRule": "cascade",
                    "renamingIdentifier": "pieces",
                },
                "owner": {"destination": "Thing", "inverse": "parts", "userInfo": {"a": "b"}},
            },
        },
    },
}


def is_valid(document: Any) -> bool:
    return VALIDATOR.is_valid(document)


def is_model(document: Any) -> bool:
    try:
        groot.Model(json.dumps(document))
    except groot.Error:
        return False
    return True


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Walk over every place in a document below the root."""
    if isinstance(value, (dict, list)):
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for key, member in members:
            yield (*path, key)
            yield from places(member, (*path, key))


def changed(path: tuple[Any, ...], value: Any) -> Any:
    """Copy the full document with another value at a place."""
    document = copy.deepcopy(FULL)
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return document


def test_it_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_it_takes_models(path: Path):
    document = json.loads(path.read_text())
    VALIDATOR.validate(document)
    VALIDATOR.validate(groot.Model(document).document)


def test_it_takes_every_member():
    VALIDATOR.validate(FULL)
    VALIDATOR.validate(groot.Model(FULL).document)


def test_it_refuses_the_shape_of_the_faulty_case():
    case = json.loads((CASES / "11-models" / "model-errors.json").read_text())
    assert not is_valid(case["model"])


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        {"entities": []},
        {"entities": {"": {}}},
        {"entities": {"A": []}},
        {"entities": {"A": {"atributes": {}}}},
        {"entities": {"A": {"attributes": {"": {"type": "string"}}}}},
        {"entities": {"A": {"attributes": {"x": {}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "text"}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "string", "default": 1}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "integer16", "default": 40000}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "string", "min": "a"}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "date", "maxLength": 5}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "day", "min": 5}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "string", "values": []}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "string", "values": [1]}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "integer16", "values": [40000]}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "string", "values": [None]}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "composite", "values": [{}]}}}}},
        {"entities": {"A": {"attributes": {"x": {"type": "date", "elements": {"y": {}}}}}}},
        {"entities": {"A": {"relationships": {"x": {}}}}},
        {"entities": {"A": {"relationships": {"x": {"destination": "A", "ordered": True}}}}},
        {"entities": {"A": {"relationships": {"x": {"destination": "A", "minCount": -1}}}}},
        {"entities": {"A": {"relationships": {"x": {"destination": "A", "deleteRule": "no"}}}}},
        {"entities": {"A": {"userInfo": {"x": []}}}},
    ],
    ids=json.dumps,
)
def test_both_refuse(document: Any):
    assert not is_valid(document)
    assert not is_model(document)


# The library takes "type": null as transformable and drops a relationship with "destination": null.
@pytest.mark.parametrize("value", [None, True, 1, -1, 1.5, "", "text", [], {}, {"x": {}}], ids=repr)
def test_the_schema_takes_the_models_of_the_library(value: Any):
    for path in places(FULL):
        document = changed(path, value)
        if is_model(document):
            VALIDATOR.validate(document)


@pytest.mark.parametrize("value", [True, 1, 1.5, "text", [], {"x": {}}], ids=repr)
def test_the_schema_refuses_wrong_types_as_the_library_does(value: Any):
    """A place whose value has another JSON type is refused by both, or by none."""
    for path in places(FULL):
        document = changed(path, value)
        if is_valid(document) and not is_model(document):
            # The others are errors of content: names, forms of text, contradicting limits.
            with pytest.raises(groot.Error) as caught:
                groot.Model(json.dumps(document))
            for issue in caught.value.issues:
                assert " is an object" not in issue.message, path
                assert " is text" not in issue.message, path
                assert " true or false" not in issue.message, path
                assert "not known here" not in issue.message, path
