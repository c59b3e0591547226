"""Laws of inference, on feeds of random models over the grammar of shapes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from infer_checks import assert_comes_back
from test_shape_laws import Feed

from groot.models.infer import Inference, InferOptions, infer
from groot.models.records import Records

SEEDS = range(60)
ENOUGH = 10
Place = tuple[str, ...]


class Sample(Feed):
    """A feed of at least thirty records."""

    def __init__(self, seed: int) -> None:
        """Make the records."""
        super().__init__(seed)
        count = self.chance.randint(30, 40)
        self.records = [self.record("Top", number) for number in range(count)]


def inferred(sample: Sample) -> Inference:
    """Infer a model of a feed."""
    with Records([sample.records]) as records:
        return infer(records, InferOptions(entity="Top"))


@pytest.mark.parametrize("seed", SEEDS)
def test_an_inferred_model_imports_its_sample_and_exports_it_as_it_came(seed: int) -> None:
    sample = Sample(seed)
    assert_comes_back(inferred(sample), sample.records)


def test_an_inferred_model_has_the_identities_of_the_model() -> None:
    expected = found = 0
    for seed in SEEDS:
        sample = Sample(seed)
        counts = objects_of(sample.records)
        known = identities(sample.entities, counts)
        mine = identities(inferred(sample).document["entities"], counts)
        assert known
        for place, identity in known.items():
            expected += 1
            found += mine.get(place) == identity
    # Most others are objects that stand as scalars in lists, as plain values do.
    assert found >= 0.9 * expected, (found, expected)


def identities(entities: dict[str, Any], counts: dict[Place, int]) -> dict[Place, frozenset[str]]:
    """Return by place the identity of the objects there, as key paths; `owner` is the owner."""
    found: dict[Place, frozenset[str]] = {}
    work: list[tuple[str, Place]] = [("Top", ())]
    while work:
        name, place = work.pop()
        entity = entities[name]
        if place in found or counts.get(place, 0) < ENOUGH:
            continue
        info = entity.get("userInfo", {})
        parts = [one for one in re.split(r"[,\s]+", info.get("identityAttributes", "")) if one]
        found[place] = frozenset(_part(entity, part) for part in parts)
        for described in entity.get("relationships", {}).values():
            steps = _steps(described)
            if steps is not None:
                work.append((described["destination"], (*place, *steps)))
    return found


def _part(entity: dict[str, Any], name: str) -> str:
    path = entity.get("attributes", {}).get(name, {}).get("userInfo", {}).get("JSONKeyPath")
    return "owner" if path is None else str(path)


def _steps(described: dict[str, Any]) -> Place | None:
    """Return the keys to the members of a relationship; None if they are identifiers."""
    info = described.get("userInfo", {})
    path = info.get("JSONKeyPath")
    if path is None or info.get("groot.export") == "identifier" or "groot.discriminator" in info:
        return None
    steps = [step.replace("\\", "") for step in path.replace("[]", ".*").split(".")]
    form = {"keyed": ["*"], "grouped": ["*", "*"]}.get(info.get("groot.form"), ["*"])
    is_list = described.get("toMany") and "*" not in steps
    return (*steps, *form) if is_list else tuple(steps)


def objects_of(records: list[Any]) -> dict[Place, int]:
    """Count the objects at each place, where keys of maps are `*`, too."""
    counts: dict[Place, int] = {}
    work: list[tuple[Any, Place]] = [(record, ()) for record in records]
    while work:
        value, place = work.pop()
        if isinstance(value, dict):
            counts[place] = counts.get(place, 0) + 1
            work.extend((inner, (*place, key)) for key, inner in value.items())
            work.extend((inner, (*place, "*")) for inner in value.values())
        elif isinstance(value, list):
            work.extend((inner, (*place, "*")) for inner in value)
    return counts
