"""Models inferred of feeds in the shapes of well-known APIs, beside lists made by hand."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from infer_checks import at, identities, inferred, links
from infer_feeds import (
    articles,
    bundle,
    clubs,
    countries,
    events,
    orders,
    places,
    species,
    stations,
    statuses,
    stops,
    threads,
)

import groot
from groot.models.drift import check
from groot.models.infer import Inference, InferOptions, infer
from groot.models.records import Records
from groot.models.schemas import json_schema

MODULES = (
    events, species, articles, bundle, stations, countries, orders, places, statuses, clubs,
    threads, stops,
)  # fmt: skip
FEEDS = {module.__name__.rpartition(".")[2]: module for module in MODULES}
_LISTS = ("identityAttributes", "groot.exportProperties")


def parts(text: str) -> list[str]:
    """Return the names of a list in an annotation, sorted."""
    return sorted(text.split(", "))


def model_of(feed: ModuleType) -> Inference:
    """Infer the model of a feed, and check that the feed comes back."""
    return inferred(feed.SAMPLE, entity=feed.ENTITY)


@pytest.mark.parametrize("name", FEEDS)
def test_a_feed_has_the_roots_identities_and_links_of_a_modeller(name: str) -> None:
    feed = FEEDS[name]
    inference = model_of(feed)
    found = {entity: parts(identity) for entity, identity in identities(inference).items()}
    assert [root.pointer for root in inference.roots] == feed.ROOTS
    assert found == {entity: parts(identity) for entity, identity in feed.IDENTITIES.items()}
    assert links(inference) == feed.LINKS


def test_both_sides_of_a_link_are_inverse_to_each_other() -> None:
    entities = model_of(clubs).document["entities"]
    found = {
        (f"{name}.{key}", f"{one['destination']}.{one['inverse']}")
        for name, entity in entities.items()
        for key, one in entity.get("relationships", {}).items()
        if one.get("userInfo", {}).get("groot.export") == "identifier" and "inverse" in one
    }
    assert found == clubs.INVERSES


def shuffled(value: Any, chance: random.Random, roots: list[str], pointer: str = "") -> Any:
    """Return a value with its keys, and its records, in another order."""
    if isinstance(value, dict):
        keys = list(value)
        chance.shuffle(keys)
        return {key: shuffled(value[key], chance, roots, f"{pointer}/{key}") for key in keys}
    if isinstance(value, list):
        inner = [shuffled(one, chance, roots, f"{pointer}/*") for one in value]
        if pointer in roots:
            chance.shuffle(inner)
        return inner
    return value


def plain(value: Any) -> Any:
    """Return a model without evidence, and what has no order sorted."""
    if isinstance(value, dict):
        return {
            key: parts(one) if key in _LISTS else plain(one)
            for key, one in sorted(value.items())
            if key != "groot.inferred"
        }
    return value


@pytest.mark.parametrize("name", FEEDS)
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_records_and_keys_changes_no_model(name: str, seed: int) -> None:
    feed = FEEDS[name]
    options = InferOptions(entity=feed.ENTITY)
    documents = []
    chance = random.Random(seed)  # noqa: S311, no secret
    for sample in (feed.SAMPLE, shuffled(feed.SAMPLE, chance, feed.ROOTS)):
        with Records([sample]) as records:
            inference = infer(records, options)
        assert inference.is_equal
        documents.append(plain(inference.document))
    assert documents[0] == documents[1]


@pytest.mark.parametrize("name", FEEDS)
def test_a_feed_is_as_its_inferred_model_says(name: str) -> None:
    feed = FEEDS[name]
    model = groot.Model(model_of(feed).document)
    with Records([feed.SAMPLE]) as records:
        drift = check(model, records)
    assert not drift.is_changed
    assert (drift.gone, drift.new) == ([], {})


@pytest.mark.parametrize("direction", ["read", "write"])
@pytest.mark.parametrize("name", FEEDS)
def test_the_schema_of_an_inferred_model_takes_the_feed(name: str, direction: Any) -> None:
    feed = FEEDS[name]
    inference = model_of(feed)
    for root in inference.roots:
        schema = json_schema(groot.Model(inference.document), root.entity.name, direction)
        validator = jsonschema.Draft202012Validator(schema)
        records = at(feed.SAMPLE, root.pointer)
        for record in records if root.form == "array" else records.values():
            validator.validate(record)
