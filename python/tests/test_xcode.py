"""Xcode models, as model documents and in use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from case_format import registry_of
from case_runner import Runner
from conftest import BATMAN, CASE_FILES, CASES, document
from xcode_text import convert, thing

import groot
from groot.models import xcode

ROOT = CASES.parents[1]
MODELS = ROOT / "Tests" / "Models"
TWINS = {
    "comics": ("Comics.xcdatamodeld", "Comics"),
    "cards": ("Cards.xcdatamodel", None),
    "messages": ("Messages.xcdatamodel", None),
}
"""Models of the shared cases that there is an Xcode model of, with its version."""


def twin(name: str) -> groot.Model:
    folder, version = TWINS[name]
    return groot.Model.load(MODELS / folder, version)


def shared_cases() -> list[Any]:
    cases = []
    for path in CASE_FILES:
        case = json.loads(path.read_text())
        given = case["model"]
        # A case that changes its model or its mapping is about another model.
        plain = "steps" in case and not {"change", "mappingOptions", "dialect"} & case.keys()
        if isinstance(given, str) and given in TWINS and plain:
            cases.append(pytest.param(case, id=path.stem))
    return cases


# The same model in both forms


@pytest.mark.parametrize("name", TWINS)
def test_it_is_the_model_that_the_document_describes(name: str) -> None:
    assert twin(name).document == groot.Model(document(name)).document


def test_the_current_version_is_that_of_the_tour() -> None:
    expected = groot.Model.load(ROOT / "examples" / "comics.json")
    assert groot.Model.load(MODELS / "Comics.xcdatamodeld").document == expected.document


@pytest.mark.parametrize("case", shared_cases())
def test_shared_cases_run_on_it(case: dict[str, Any]) -> None:
    runner = Runner(groot.Mapping(twin(case["model"]), registry_of(case)), as_text=True)
    for step in case["steps"]:
        runner.step(step)


def test_the_three_example_shapes() -> None:
    registry = groot.Registry()
    registry.builtin("StringToInteger", "integer-text")
    comics = groot.Context(groot.Mapping(twin("comics"), registry))
    batman = comics.load("Character", BATMAN)
    assert comics.dump(batman) == BATMAN
    cards = groot.Context(groot.Mapping(twin("cards")))
    pair = [{"suit": "Clubs", "value": "Jack"}, {"suit": "Clubs", "value": "Jack", "played": 2}]
    assert len(set(cards.load("Card", pair))) == 1
    assert cards.dump(cards.fetch("Card")) == [pair[1]]
    registry.entity_mapper(
        "MessageMapper", lambda value: "TextMessage" if "text" in value else "PictureMessage"
    )
    inbox = groot.Context(groot.Mapping(twin("messages"), registry))
    loaded = inbox.load("Inbox", {"messages": [{"id": 1, "text": "hi"}, {"id": 2}]})
    assert [groot.entity_name(message) for message in loaded.messages] == [
        "TextMessage",
        "PictureMessage",
    ]


# All that Xcode writes


@pytest.fixture(scope="module")
def types() -> groot.Model:
    return groot.Model.load(MODELS / "Types.xcdatamodel")


def members(model: groot.Model, kind: str, member: str) -> dict[str, Any]:
    described = model.document["entities"]["Thing"][kind]
    return {name: one[member] for name, one in described.items() if one[member] is not None}


def test_types(types: groot.Model) -> None:
    assert members(types, "attributes", "type") == {
        "active": "boolean",
        "address": "composite",
        "anything": "transformable",
        "data": "binary",
        "extra": "transformable",
        "large": "integer64",
        "link": "uri",
        "made": "date",
        "medium": "integer32",
        "name": "string",
        "partCount": "integer64",
        "price": "decimal",
        "ratio": "double",
        "small": "integer16",
        "uuid": "uuid",
        "weight": "float",
    }


def test_defaults_and_limits(types: groot.Model) -> None:
    assert members(types, "attributes", "default") == {
        "active": True,
        "large": 9223372036854775807,
        "link": "https://example.org/",
        "made": "2016-02-07T10:30:00.250Z",
        "medium": 0,
        "name": "",
        "price": "12345678901234567890.123456789",
        "ratio": 0.1,
        "small": -32768,
        "weight": 0.5,
    }
    minimum, maximum = (members(types, "attributes", key) for key in ("min", "max"))
    assert minimum == {"made": "1970-01-01T00:00:00Z", "medium": -5, "price": "0"}
    assert maximum == {"made": "2101-01-02T00:00:00Z", "medium": 5, "ratio": 1.5}
    assert members(types, "attributes", "minLength") == {"name": 1}
    assert members(types, "attributes", "maxLength") == {"name": 64}
    assert members(types, "attributes", "pattern") == {"name": "^[-_A-Za-z0-9]{1,64}$"}


def test_flags_and_names(types: groot.Model) -> None:
    entities = types.document["entities"]
    attributes = entities["Thing"]["attributes"]
    assert entities["Record"]["abstract"]
    assert entities["Thing"]["parent"] == "Record"
    assert [name for name, one in attributes.items() if not one["optional"]] == ["active"]
    assert [name for name, one in attributes.items() if one["transient"]] == ["anything"]
    assert entities["Record"]["renamingIdentifier"] == "Row"
    assert entities["Record"]["attributes"]["id"]["renamingIdentifier"] == "recordID"
    assert members(types, "relationships", "renamingIdentifier") == {"parts": "pieces"}


def test_relationships(types: groot.Model) -> None:
    found = types.document["entities"]["Thing"]["relationships"]
    keys = ("toMany", "ordered", "minCount", "maxCount", "inverse", "optional", "deleteRule")
    assert {name: tuple(one[key] for key in keys) for name, one in found.items()} == {
        "label": (False, False, 0, 0, None, True, "noAction"),
        "owner": (False, False, 0, 0, "parts", False, "deny"),
        "parts": (True, True, 2, 9, "owner", True, "cascade"),
        "twin": (False, False, 0, 0, "twin", True, "nullify"),
    }


def test_annotations_at_every_level(types: groot.Model) -> None:
    entities = types.document["entities"]
    assert entities["Record"]["userInfo"] == {
        "a key with spaces.and.dots": 'a "quoted" value',
        "identityAttributes": "id",
    }
    thing = entities["Thing"]
    assert thing["userInfo"] == {}
    assert thing["attributes"]["name"]["userInfo"] == {"JSONKeyPath": "name", "empty": ""}
    assert thing["relationships"]["parts"]["userInfo"] == {"JSONKeyPath": "parts"}
    city = thing["attributes"]["address"]["elements"]["city"]
    assert (city["type"], city["userInfo"]) == ("string", {"JSONKeyPath": "town"})
    derived = thing["attributes"]["partCount"]["userInfo"]
    assert derived == {"xcode.derivationExpression": "parts.@count"}
    assert any("kept='out of the entity'" in str(issue) for issue in types.warnings)


def test_transformers() -> None:
    attributes = thing(
        """
        <attribute name="a" attributeType="Transformable" valueTransformerName="Upper"/>
        <attribute name="b" attributeType="Transformable" valueTransformerName=""/>
        <attribute name="c" attributeType="Transformable" valueTransformerName="Upper">
            <userInfo><entry key="valueTransformerName" value="Lower"/></userInfo>
        </attribute>
        <attribute name="d" attributeType="String" valueTransformerName="Upper"/>
        """
    )
    assert {name: one.get("userInfo") for name, one in attributes.items()} == {
        "a": {"valueTransformerName": "Upper"},
        "b": None,
        "c": {"valueTransformerName": "Lower"},
        "d": {"xcode.valueTransformerName": "Upper"},
    }


def test_conventions_know_the_transformers_of_xcode() -> None:
    read = convert(
        """<entity name="Thing">
        <attribute name="tags" optional="YES" attributeType="Transformable"
            valueTransformerName="Split"/>
        <attribute name="plain" optional="YES" attributeType="Transformable"
            valueTransformerName="NSSecureUnarchiveFromData"/>
        </entity>"""
    )
    model = read.make(groot.Model)
    with pytest.raises(groot.Error) as caught:
        groot.Mapping(model, dialect="hyper")
    assert [issue.property for issue in caught.value.issues] == ["tags"]
    registry = groot.Registry()
    registry.transformer("Split", lambda text: text.split(","))
    things = groot.Context(groot.Mapping(model, dialect="hyper", registry=registry))
    assert things.load("Thing", {"tags": "a,b", "plain": [1]}).tags == ["a", "b"]


# Defaults as they come


def test_dirty_values() -> None:
    model = groot.Model.load(MODELS / "Dirty.xcdatamodel")
    attributes = model.document["entities"]["Number"]["attributes"]
    defaults = {name: one["default"] for name, one in attributes.items()}
    assert {name: value for name, value in defaults.items() if value is not None} == {
        "fromBoolean": 0,
        "fromReal": 0,
        "grouped": 1000,
        "comma": 0.5,
        "german": "1234567.89",
        "french": "1234.5",
        "flagOne": True,
        "flagWord": True,
        "flagReal": False,
        "dateSeconds": "1970-01-01T00:00:00Z",
        "dateText": "2016-02-07T10:30:00Z",
    }
    warned = {issue.property for issue in model.warnings if issue.entity == "Number"}
    unread = {name for name, value in defaults.items() if value is None} - {"empty"}
    assert unread <= warned
    kept = attributes["tooLarge"]["userInfo"]
    assert kept == {"xcode.defaultValueString": "40000", "xcode.maxValueString": "65535"}


def test_dirty_relationships() -> None:
    read = xcode.read(MODELS / "Dirty.xcdatamodel")
    entities = read.make(groot.Model).document["entities"]
    others = entities["Number"]["relationships"]["others"]
    assert (others["toMany"], others["inverse"], others["maxCount"]) == (True, "number", 0)
    assert entities["Number"]["relationships"]["half"]["inverse"] is None
    assert entities["Other"]["relationships"]["number"]["inverse"] == "others"
    assert entities["Number"]["userInfo"] == {"twice": "second"}
    assert read.user_info == {"of": "the model"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-1.5", -1.5),
        ("\u22121,5", -1.5),
        ("1e3", 1000.0),
        ("1'234.5", 1234.5),
        ("1,234,567", 1234567.0),
        ("1.234.567", 1234567.0),
        ("0,125", 0.125),
        ("YES", 1.0),
        ("1.2.3", None),
        ("1,2,3", None),
        ("1,2.3", None),
        ("nan", None),
        ("1" * 1000, None),
    ],
)
def test_numbers(text: str, value: float | None) -> None:
    found = thing(f'<attribute name="a" attributeType="Double" defaultValueString="{text}"/>')
    assert found["a"].get("default") == value


def test_paths_may_be_text_or_paths(tmp_path: Path) -> None:
    assert groot.Model.load(str(MODELS / "Cards.xcdatamodel" / "contents")).document
    copied = tmp_path / "model.xml"
    copied.write_bytes((MODELS / "Cards.xcdatamodel" / "contents").read_bytes())
    assert groot.Model.load(copied).document == twin("cards").document
