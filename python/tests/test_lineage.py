"""The parts of a model that entities inherit, as the check of a feed and schemas see them."""

from __future__ import annotations

from typing import Any

import pytest

import groot
from groot.models import drift, schemas
from groot.models.records import Records

RECORDS = [{"b": "1", "s": "2"}]


def model(info: str) -> groot.Model:
    """Make a model in which an entity and its sub-entity have a property without a key path."""
    text = {"type": "string", "optional": True}
    return groot.Model({
        "entities": {
            "Base": {"userInfo": {"groot.implicit": info}, "attributes": {"b": text}},
            "Sub": {"parent": "Base", "attributes": {"s": text}},
        }
    })  # fmt: skip


def properties_of(schema: Any) -> set[str]:
    """Return all properties that a schema names."""
    if isinstance(schema, list):
        return {name for one in schema for name in properties_of(one)}
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", {})) | properties_of(list(schema.values()))


@pytest.mark.parametrize(("info", "keys"), [("true", {"b"}), ("YES", set())])
def test_implicit_keys_are_those_of_an_import(info: str, keys: set[str]) -> None:
    made = model(info)
    loaded: Any = groot.Context(groot.Mapping(made)).load("Sub", RECORDS)[0]
    assert {key for key in ("b", "s") if getattr(loaded, key) is not None} == keys
    schema = schemas.json_schema(made, "Sub")
    assert properties_of(schema) == keys
    with Records([RECORDS]) as records:
        found = drift.check(made, records, entity="Sub")
    assert set(found.new) == {f"$[].{key}" for key in {"b", "s"} - keys}
