"""Checks of inferred models, by an import and export of their own."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import groot
from groot.models.infer import Inference, InferOptions, infer
from groot.models.infer._check import differences
from groot.models.records import Records


def inferred(sample: Any, **options: Any) -> Inference:
    """Infer a model of values, and check that the sample comes back."""
    with Records([sample]) as records:
        inference = infer(records, InferOptions(**options))
    assert_comes_back(inference, sample)
    return inference


def assert_comes_back(inference: Inference, sample: Any) -> None:
    """Check an inference on its sample: no issue, an equal export, no change by another import.

    Objects without identity are made again by an import, as the model says.
    """
    assert not inference.issues
    assert inference.is_equal, inference.differences
    mapping = groot.Mapping(groot.Model(inference.document))
    assert not mapping.warnings
    context = groot.Context(mapping)
    for root in inference.roots:
        records = at(sample, root.pointer)
        if root.form == "array" and not isinstance(records, list):
            records = [records]
        options: Any = {"form": root.form}
        objects = context.load(root.entity.name, records, **options)
        assert not groot.report(objects).issues
        written = json.loads(context.dumps(objects, **options), parse_float=Decimal)
        found = list(differences(records, written))
        assert not found
    for root in inference.roots:
        if not inference.document["entities"][root.entity.name]["userInfo"].get(
            "identityAttributes"
        ):
            continue
        records = at(sample, root.pointer)
        if root.form == "array" and not isinstance(records, list):
            records = [records]
        options = {"form": root.form}
        report = groot.report(context.load(root.entity.name, records, **options))
        assert (report.inserted, report.updated, report.deleted) == (0, 0, 0)


def at(sample: Any, pointer: str) -> Any:
    """Return the value at a JSON Pointer."""
    for part in pointer.split("/")[1:]:
        sample = sample[part.replace("~1", "/").replace("~0", "~")]
    return sample


def identities(inference: Inference) -> dict[str, str]:
    """Return the identity of each entity, empty where there is none."""
    return {
        name: entity["userInfo"].get("identityAttributes", "")
        for name, entity in inference.document["entities"].items()
    }


def links(inference: Inference) -> set[str]:
    """Return the relationships that are read: `Hero.friends -> Hero[]`."""
    found = set()
    for name, entity in inference.document["entities"].items():
        for key, described in entity.get("relationships", {}).items():
            if "JSONKeyPath" in described.get("userInfo", {}):
                many = "[]" if described.get("toMany") else ""
                found.add(f"{name}.{key} -> {described['destination']}{many}")
    return found


def types(inference: Inference, entity: str) -> dict[str, str]:
    """Return the types of the attributes of an entity."""
    attributes = inference.document["entities"][entity].get("attributes", {})
    return {name: described["type"] for name, described in attributes.items()}
