"""The JSON Schema of the JSON that a model reads and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from schema_feeds import FEEDS, NAME, Feed, Json, attribute, entity, to_one

import groot
from groot.cli import main
from groot.models import schemas


def context(feed: Feed) -> groot.Context:
    return groot.Context(groot.Mapping(groot.Model({"entities": feed.entities})))


def validator(schema: Json) -> Any:
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def of(feed: Feed, direction: str) -> Any:
    model = groot.Model({"entities": feed.entities})
    return validator(schemas.json_schema(model, feed.entity, direction))


@pytest.mark.parametrize("name", FEEDS)
def test_a_feed_that_is_read_has_the_schema_for_reading(name: str) -> None:
    feed = FEEDS[name]
    assert context(feed).load(feed.entity, feed.records) is not None
    of(feed, "read").validate(feed.records)
    for record in feed.records:
        of(feed, "read").validate(record)


@pytest.mark.parametrize("name", FEEDS)
def test_an_export_has_the_schema_for_writing(name: str) -> None:
    feed = FEEDS[name]
    feeds = context(feed)
    feeds.load(feed.entity, feed.records)
    exported = feeds.dump(feeds.fetch(feed.entity))
    assert exported
    of(feed, "write").validate(exported)


WRONG = [
    pytest.param(feed, record, id=f"{name}-{json.dumps(record)}")
    for name, feed in FEEDS.items()
    for record in feed.wrong
]


@pytest.mark.parametrize(("feed", "record"), WRONG)
def test_a_record_that_is_refused_does_not_have_the_schema(feed: Feed, record: Any) -> None:
    assert not of(feed, "read").is_valid([record])
    with pytest.raises(groot.Error):
        context(feed).load(feed.entity, [record])


@pytest.mark.parametrize("name", sorted(FEEDS.keys() - {"rest", "paths"}))
def test_an_unknown_key_is_not_written(name: str) -> None:
    feed = FEEDS[name]
    feeds = context(feed)
    feeds.load(feed.entity, feed.records)
    exported = feeds.dump(feeds.fetch(feed.entity))
    exported[0]["unknown"] = 5
    assert not of(feed, "write").is_valid(exported)


@pytest.mark.parametrize("name", FEEDS)
def test_a_missing_key_is_not_written(name: str) -> None:
    feed = FEEDS[name]
    feeds = context(feed)
    feeds.load(feed.entity, feed.records)
    exported = feeds.dump(feeds.fetch(feed.entity))
    del exported[0]["name" if name == "rest" else "id"]
    assert not of(feed, "write").is_valid(exported)


# The schema itself


def thing(described: Json, direction: str = "read", **more: Any) -> Json:
    model = groot.Model({"entities": {"Thing": {"attributes": {"value": described}}}})
    found = schemas.json_schema(model, "Thing", direction, **more)["$defs"]["Thing"]
    return dict(found)


def test_null_is_a_value_only_of_what_is_optional() -> None:
    assert thing(attribute("string", "v"))["properties"]["v"] == {"type": "string"}
    optional = thing(attribute("string", "v", optional=True))["properties"]["v"]
    assert optional == {"type": ["string", "null"]}


def test_a_transformer_may_take_anything() -> None:
    found = thing(attribute("integer64", "v", notes={"JSONTransformerName": "t"}))
    assert found["properties"]["v"] == {}


def test_a_pattern_of_pcre_alone_is_left_out() -> None:
    for pattern, expected in (("[a-z]+", "^(?:[a-z]+)$"), (r"(?i)\p{L}", None), ("^a$", "^a$")):
        schema = thing(attribute("string", "v", pattern=pattern))["properties"]["v"]
        assert schema.get("pattern") == expected


def test_options_of_mappings_are_followed() -> None:
    plain = {"type": "string", "optional": True}
    assert "properties" not in thing(plain)
    assert "value" in thing(plain, implicit=True)["properties"]
    assert thing(plain, "write", implicit=True)["required"] == ["value"]
    assert "required" not in thing(plain, "write", implicit=True, nulls="omit")


def test_comments_and_directions_are_kept() -> None:
    notes = {"comment": "A value.", "groot.direction": "import"}
    found = thing(attribute("string", "v", notes=notes))["properties"]["v"]
    assert found == {"type": "string", "description": "A value.", "readOnly": True}
    assert "properties" not in thing(attribute("string", "v", notes=notes), "write")


def test_a_root_holds_the_records_at_its_pointer() -> None:
    entities = {"A": entity("", {"name": NAME}, notes={"groot.root": "/data/0/items"})}
    check = validator(schemas.json_schema(groot.Model({"entities": entities})))
    check.validate({"data": [{"items": [{"name": "a"}]}], "more": 5})
    assert not check.is_valid({"data": [{"items": [{"name": 5}]}]})


def test_names_of_definitions_are_escaped() -> None:
    entities = {
        "A/b c%~": entity("", {"name": NAME}),
        "B": entity("", {}, {"a": to_one("A/b c%~", "a")}),
    }
    check = validator(schemas.json_schema(groot.Model({"entities": entities}), "B"))
    check.validate({"a": {"name": "x"}})
    assert not check.is_valid({"a": {"name": 5}})


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({"entity": "Missing"}, groot.Status.UNKNOWN_ENTITY),
        ({"direction": "both"}, groot.Status.INVALID_ARGUMENT),
        ({"nulls": "keep"}, groot.Status.INVALID_ARGUMENT),
        ({"model": {}}, groot.Status.INVALID_ARGUMENT),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused(arguments: Json, status: int) -> None:
    model = groot.Model({"entities": {"A": entity("", {"name": NAME})}})
    with pytest.raises(groot.Error) as caught:
        schemas.json_schema(**{"model": model, **arguments})
    assert caught.value.code == status


# There and back


@pytest.mark.parametrize("name", ["values", "keyed", "kinds", "identifiers", "rest"])
def test_the_model_of_a_schema_of_a_model_reads_the_same_feed(name: str) -> None:
    feed = FEEDS[name]
    schema = schemas.json_schema(groot.Model({"entities": feed.entities}), feed.entity)
    read = schemas.read_document(schema)
    again = groot.Context(groot.Mapping(read.make(groot.Model)))
    loaded = again.load(feed.entity, feed.records)
    assert len(loaded) == len(feed.records)
    assert [groot.entity_name(one) for one in loaded] == [
        groot.entity_name(one) for one in context(feed).load(feed.entity, feed.records)
    ]


def test_a_schema_of_plain_values_is_the_same_there_and_back() -> None:
    feed = FEEDS["identifiers"]
    schema = schemas.json_schema(groot.Model({"entities": feed.entities}), "Team")
    model = schemas.read_document(schema).make(groot.Model)
    assert schemas.json_schema(model, "Team")["$defs"]["Team"] == schema["$defs"]["Team"]


def test_the_command_writes_the_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = groot.Model({"entities": FEEDS["kinds"].entities})
    file = tmp_path / "model.json"
    file.write_text(model.document_text)
    for arguments, expected in (
        ([], schemas.json_schema(model)),
        (["--json-schema", "--entity", "Event"], schemas.json_schema(model, "Event")),
        (["--json-schema=write"], schemas.json_schema(model, direction="write")),
    ):
        assert main(["schema", str(file), *arguments]) == 0
        assert json.loads(capsys.readouterr().out) == expected
    assert main(["schema", str(file), "--entity", "Missing"]) == 2
