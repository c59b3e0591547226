"""The limit of memory of a context."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import one_attribute

import groot
from groot import Status


def powers(count: int) -> list[dict[str, str]]:
    return [
        {"id": str(number), "name": f"A power with a long name, {number}"}
        for number in range(count)
    ]


def test_limit(comics_mapping: groot.Mapping) -> None:
    with groot.Context(comics_mapping, memory_limit=1_000_000) as context:
        assert context.memory_limit == 1_000_000
        context.load("Power", powers(10))
        held = context.memory_in_use
        assert 0 < held <= 1_000_000
        with pytest.raises(groot.Error) as caught:
            context.load("Power", powers(20_000))
        assert caught.value.code == Status.LIMIT_EXCEEDED
        assert context.count("Power") == 10
        context.memory_limit = None
        assert context.memory_limit is None
        assert len(context.load("Power", powers(20_000))) == 20_000
        assert context.memory_in_use > 1_000_000


@pytest.mark.parametrize("limit", [0, -1, 1 << 64])
def test_no_number_of_bytes(comics_mapping: groot.Mapping, limit: int) -> None:
    with pytest.raises(groot.Error) as caught:
        groot.Context(comics_mapping, memory_limit=limit)
    assert caught.value.code == Status.INVALID_ARGUMENT


def test_closed(comics_mapping: groot.Mapping) -> None:
    context = groot.Context(comics_mapping)
    context.close()
    with pytest.raises(groot.Error):
        _ = context.memory_in_use


@pytest.mark.parametrize("errors", ["abort", "collect", "skip"])
def test_an_import_ends_at_the_record_that_there_is_no_memory_for(errors: str) -> None:
    model = one_attribute("string")
    thing = model["entities"]["Thing"]
    thing["userInfo"] = {"identityAttributes": "id"}
    thing["attributes"]["id"] = {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}
    key = {"JSONKeyPath": "key", "JSONTransformerName": "See"}
    thing["attributes"]["key"] = {"type": "integer64", "optional": True, "userInfo": key}
    seen: list[Any] = []

    def see(value: Any) -> Any:
        seen.append(value)
        return value

    registry = groot.Registry()
    registry.transformer("See", see)
    mapping = groot.Mapping(groot.Model(model), registry)
    records = [{"id": 1, "key": 1}, {"id": 2, "value": "x" * 2_000_000}, {"id": 3, "key": 3}]
    with groot.Context(mapping, memory_limit=500_000) as context:
        context.load("Thing", [{"id": 3, "value": "three"}])
        context.save()
        with pytest.raises(groot.Error) as caught:
            context.load("Thing", records, errors=errors)
        assert caught.value.code == Status.LIMIT_EXCEEDED
        assert seen == [1]
        assert context.changes == {"inserted": 0, "updated": 0, "deleted": 0}
        assert [thing.value for thing in context.fetch("Thing")] == ["three"]
        context.check()
