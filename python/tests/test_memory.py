"""What a context may hold."""

from __future__ import annotations

import pytest

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
