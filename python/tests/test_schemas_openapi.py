"""OpenAPI documents, read into models."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from schema_text import context, convert, errors, thing, warnings

import groot
from groot.cli import main
from groot.models import schemas

PLACE = "/components/schemas"


def api(version: str = "3.0.3", **named: Any) -> dict[str, Any]:
    return {"openapi": version, "paths": {}, "components": {"schemas": named}}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#{PLACE}/{name}"}


def pets(**discriminator: Any) -> dict[str, Any]:
    chooser = {"propertyName": "kind", **discriminator}
    pet = thing(
        {"kind": {"type": "string"}, "id": {"type": "integer"}},
        required=["kind", "id"],
        discriminator=chooser,
        **{"x-groot-identity": "id"},
    )
    cat = {"allOf": [ref("Pet"), thing({"lives": {"type": "integer", "format": "int32"}})]}
    dog = {"allOf": [ref("Pet")], "description": "A friend."}
    return api(Pet=pet, Cat=cat, Dog=dog)


def test_a_part_of_all_of_with_a_discriminator_is_the_parent() -> None:
    found = convert(pets(mapping={"feline": f"#{PLACE}/Cat", "Dog": "Dog"}))
    assert found["Pet"]["userInfo"]["groot.discriminator"] == "kind"
    assert found["Cat"]["parent"] == found["Dog"]["parent"] == "Pet"
    assert list(found["Pet"]["attributes"]) == ["id"]
    assert list(found["Cat"]["attributes"]) == ["lives"]
    assert found["Cat"]["userInfo"]["groot.discriminatorValue"] == "feline"
    assert found["Dog"]["userInfo"] == {"comment": "A friend.", "groot.discriminatorValue": "Dog"}
    zoo = context(groot.Model({"entities": found}))
    feed = [{"kind": "feline", "id": 1, "lives": 9}, {"kind": "Dog", "id": 2}]
    assert zoo.dump(zoo.load("Pet", feed)) == feed


def test_one_of_with_a_discriminator_is_an_abstract_entity() -> None:
    event = {
        "oneOf": [ref("Started"), ref("Stopped")],
        "discriminator": {"propertyName": "type", "mapping": {"start": "Started"}},
    }
    one = thing({"type": {"type": "string"}, "at": {"type": "string", "format": "date-time"}})
    two = thing({"type": {"type": "string"}, "why": {"type": "string"}})
    log = thing({"events": {"type": "array", "items": ref("Event")}})
    found = convert(api(Event=event, Started=one, Stopped=two, Log=log))
    assert found["Event"]["abstract"]
    values = [
        found[name]["userInfo"]["groot.discriminatorValue"] for name in ("Started", "Stopped")
    ]
    assert values == ["start", "Stopped"]
    logs = context(groot.Model({"entities": found}))
    feed = {
        "events": [
            {"type": "start", "at": "2020-01-01T00:00:00Z"},
            {"type": "Stopped", "why": "tired"},
        ]
    }
    assert logs.dump(logs.load("Log", feed)) == feed


def test_a_choice_among_the_kinds_of_an_entity_leads_to_the_entity() -> None:
    document = pets()
    choice = {"oneOf": [ref("Cat"), ref("Dog")], "discriminator": {"propertyName": "kind"}}
    document["components"]["schemas"]["Home"] = thing({"pet": choice})
    assert convert(document)["Home"]["relationships"]["pet"]["destination"] == "Pet"


def test_a_kind_of_two_entities_is_a_warning() -> None:
    def choice(*names: str) -> dict[str, Any]:
        return {"oneOf": [ref(name) for name in names], "discriminator": {"propertyName": "t"}}

    named = {name: thing({"t": {"type": "string"}, name: {}}) for name in ("A", "B", "C")}
    document = api(First=choice("A", "B"), Second=choice("B", "C"), **named)
    assert f"{PLACE}/Second" in warnings(document)
    assert convert(document)["B"]["parent"] == "First"


@pytest.mark.parametrize(
    ("version", "schema"),
    [
        ("3.0.3", {"type": "string", "nullable": True}),
        ("3.1.0", {"type": ["string", "null"]}),
        ("3.0.3", {"allOf": [ref("Text")], "nullable": True}),
        ("3.1.0", {"anyOf": [ref("Text"), {"type": "null"}]}),
    ],
    ids=str,
)
def test_null_is_said_in_the_way_of_the_version(version: str, schema: Any) -> None:
    named = {"Thing": thing({"value": schema}, required=["value"]), "Text": {"type": "string"}}
    found = convert(api(version, **named))["Thing"]["attributes"]["value"]
    assert (found["type"], found["optional"]) == ("string", True)


def test_exclusive_limits_of_both_versions() -> None:
    old = {"type": "integer", "minimum": 3, "exclusiveMinimum": True}
    new = {"type": "integer", "exclusiveMinimum": 3}
    for schema in (old, new):
        assert (
            convert(api(Thing=thing({"value": schema})))["Thing"]["attributes"]["value"]["min"] == 4
        )


def test_a_reference_with_a_description_keeps_its_entity() -> None:
    team = thing({"boss": {"allOf": [ref("User")], "description": "Leads it.", "readOnly": True}})
    found = convert(api(User=thing({"name": {"type": "string"}}), Team=team))
    boss = found["Team"]["relationships"]["boss"]
    assert boss["destination"] == "User"
    assert boss["userInfo"] == {
        "JSONKeyPath": "boss",
        "comment": "Leads it.",
        "groot.direction": "import",
    }


def test_a_list_under_each_key_is_grouped() -> None:
    rates = {"type": "object", "additionalProperties": {"type": "array", "items": ref("Rate")}}
    found = convert(api(Rate=thing({"price": {"type": "integer"}}), Hall=thing({"rates": rates})))
    assert found["Hall"]["relationships"]["rates"]["userInfo"]["groot.form"] == "grouped"
    halls = context(groot.Model({"entities": found}))
    feed = {"rates": {"evening": [{"price": 30}, {"price": 20}], "matinee": [{"price": 12}]}}
    assert halls.dump(halls.load("Hall", feed)) == feed


def test_other_keys_with_a_schema_are_kept_with_a_warning() -> None:
    document = api(Thing=thing({"a": {"type": "string"}}, additionalProperties={"type": "integer"}))
    assert warnings(document) == [f"{PLACE}/Thing/additionalProperties"]
    things = context(groot.Model({"entities": convert(document)}))
    assert things.dump(things.load("Thing", {"a": "x", "b": 5})) == {"a": "x", "b": 5}


def test_a_closed_object_refuses_unknown_keys() -> None:
    document = api(Thing=thing({"a": {"type": "string"}}, additionalProperties=False))
    things = context(groot.Model({"entities": convert(document)}))
    with pytest.raises(groot.Error) as caught:
        things.load("Thing", {"a": "x", "b": 5})
    assert caught.value.issues[0].status == groot.Status.UNKNOWN_KEY


@pytest.mark.parametrize(
    ("discriminator", "pointer"),
    [
        ("kind", "/discriminator"),
        ({"mapping": {}}, "/discriminator"),
        ({"propertyName": "kind", "mapping": {"x": "Missing"}}, "/discriminator/mapping/x"),
        ({"propertyName": "kind", "mapping": []}, "/discriminator/mapping"),
    ],
    ids=str,
)
def test_a_wrong_discriminator_is_an_error(discriminator: Any, pointer: str) -> None:
    document = api(Pet=thing({"kind": {"type": "string"}}, discriminator=discriminator))
    assert errors(document) == [f"{PLACE}/Pet{pointer}"]


@pytest.mark.parametrize("document", [{"swagger": "2.0"}, {"openapi": "2.9"}, {"openapi": 4}])
def test_other_versions_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(groot.Error) as caught:
        schemas.read_document(document, "api.json")
    assert caught.value.code == groot.Status.INVALID_MODEL
    assert caught.value.issues[0].path == "api.json"


YAML = """\
openapi: 3.1.0
paths: {/things: {get: {responses: {200: {description: ok}}}}}
components:
  schemas:
    Thing:
      type: object
      required: [id]
      x-groot-identity: id
      properties:
        id: {type: integer}
        since: {type: string, format: date, default: 2020-02-29}
"""


def test_yaml_is_read_with_pyyaml(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    file = tmp_path / "api.yaml"
    file.write_text(YAML)
    things = context(groot.Model.load(file))
    assert str(things.load("Thing", {"id": 1}).since) == "2020-02-29"


def test_yaml_that_contains_itself_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    lines = ["a0: &a0 [x, x]"] + [
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)
    ]
    for text in ("openapi: 3.1.0\npaths: &a [*a]\n", "\n".join(["openapi: 3.1.0", *lines])):
        file = tmp_path / "api.yaml"
        file.write_text(text)
        with pytest.raises(groot.Error) as caught:
            groot.Model.load(file)
        assert caught.value.code == groot.Status.LIMIT_EXCEEDED


def test_yaml_without_pyyaml_is_an_error_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    file = tmp_path / "api.yml"
    file.write_text(YAML)
    assert main(["convert", str(file)]) == 2
    assert "pip install pyyaml" in capsys.readouterr().err


def test_json_of_openapi_is_recognized(tmp_path: Path) -> None:
    file = tmp_path / "api.json"
    file.write_text(json.dumps(pets()))
    assert list(groot.Model.load(file).document["entities"]) == ["Pet", "Cat", "Dog"]
