"""Sets of different values are counted exactly, in memory, as hashes and in a file."""

from __future__ import annotations

import random

import pytest

from groot.models.infer import _values
from groot.models.infer._values import Spill, Values


@pytest.mark.parametrize("seed", range(20))
def test_a_set_has_the_count_of_its_different_values(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(_values, "_IN_MEMORY", 20)
    monkeypatch.setattr(_values, "_IN_ARRAY", 100)
    chance = random.Random(seed)  # noqa: S311 (a repeatable choice)
    spill = Spill()
    sets = [(Values(spill), set[int]()) for _ in range(3)]
    for _ in range(200):
        values, expected = chance.choice(sets)
        other, others = chance.choice(sets)
        step = chance.randrange(8)
        if step < 5:
            added = [chance.randrange(400) for _ in range(chance.randrange(12))]
            values.add(added if step else set(added))
            expected |= set(added)
        elif step == 5 and values is not other and chance.random() < 0.2:
            values.merge(other)
            expected |= others
        elif step == 6:
            limit = chance.randrange(300)
            assert values.is_over(limit) == (len(expected) > limit)
        else:
            assert values.shared(other) == len(expected & others)
            assert values.is_within(other) == (expected <= others)
        if chance.random() < 0.3:
            assert values.count() == len(expected)
    assert [values.count() for values, _ in sets] == [len(expected) for _, expected in sets]
    spill.close()
