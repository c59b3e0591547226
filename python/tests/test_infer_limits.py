"""Inference of any JSON: random values, great depth and width, hostile keys and numbers."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from infer_checks import assert_comes_back, inferred

import groot
from groot.models.infer import InferOptions, infer
from groot.models.records import Records

KEYS = [
    "id", "name", "type", "url", "a", "b", "items", "x_id", "data", "key", "parent", "@value", "",
    "a.b", "children",
]  # fmt: skip
SCALARS = [
    None, True, False, 0, 1, 2, -1, 1.5, 2**40, 2**64, 1e300, 10**30, "a", "", "2020-01-01", "1",
    "2020-01-01T00:00:00Z", "http://a/b", "é", "true",
]  # fmt: skip


class Noise:
    """Random JSON: records without a plan, or of a random shape with exceptions."""

    def __init__(self, seed: int) -> None:
        """Make records."""
        self.chance = random.Random(seed)  # noqa: S311 - it need not be secret
        count = self.chance.choice([1, 2, 5, 12, 40])
        if seed % 3 == 0:
            self.records = [self.record(3) for _ in range(count)]
        else:
            make = self.shape(4)
            self.records = [make() for _ in range(count)]

    def value(self, depth: int) -> Any:
        """Make any value."""
        kind = self.chance.random()
        if depth <= 0 or kind < 0.5:
            return self.chance.choice(SCALARS)
        if kind < 0.7:
            return [self.value(depth - 1) for _ in range(self.chance.randint(0, 3))]
        return self.record(depth - 1)

    def record(self, depth: int) -> dict[str, Any]:
        """Make any object."""
        keys = self.chance.sample(KEYS, self.chance.randint(0, 4))
        return {key: self.value(depth) for key in keys}

    def shape(self, depth: int) -> Callable[[], dict[str, Any]]:
        """Make a maker of objects of one shape, which may lack members."""
        keys = self.chance.sample(KEYS, self.chance.randint(1, 5))
        makers = {
            key: (self.maker(depth - 1), self.chance.choice([1, 1, 0.5, 0.1])) for key in keys
        }
        return lambda: {
            key: make() for key, (make, often) in makers.items() if self.chance.random() < often
        }

    def maker(self, depth: int) -> Callable[[], Any]:
        """Make a maker of values."""
        kind, chance = self.chance.random(), self.chance
        if depth <= 0 or kind < 0.45:
            values = chance.sample(SCALARS, chance.randint(1, 3))
            most = chance.choice([3, 10, 1000])
            is_number = chance.random() < 0.5
            return lambda: chance.randrange(most) if is_number else chance.choice(values)
        inner, other = self.maker(depth - 1), self.maker(depth - 2)
        if kind < 0.6:
            return lambda: [inner() for _ in range(chance.randint(0, 3))]
        if kind < 0.7:
            return lambda: {
                f"k{chance.randrange(30)}": inner() for _ in range(chance.randint(0, 3))
            }
        if kind < 0.75:
            return self.either(inner, other)
        return self.shape(depth)

    def either(self, *makers: Callable[[], Any]) -> Callable[[], Any]:
        """Make a maker of values of several shapes."""

        def make() -> Any:
            return self.chance.choice(makers)()

        return make


@pytest.mark.parametrize("seed", range(120))
def test_any_records_come_back(seed: int) -> None:
    noise = Noise(seed)
    if not any(noise.records):
        return
    with Records([noise.records]) as records:
        inference = infer(records, InferOptions(entity="Top"))
    assert_comes_back(inference, noise.records)


def nested(depth: int, wrap: Callable[[Any, int], Any], innermost: Any = 1) -> Any:
    """Return a value that is wrapped so many times."""
    value = innermost
    for level in range(depth):
        value = wrap(value, level)
    return value


LARGE: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "lists in lists": lambda: [{"id": 1, "a": nested(450, lambda value, _: [value])}],
    "one key in itself": lambda: [{"id": 1, "a": nested(450, lambda value, _: {"a": value})}],
    "objects of many shapes in each other": lambda: [
        {"id": 1, "a": nested(450, lambda value, level: {f"k{level}": value, "v": 1})}
    ],
    "maps in maps": lambda: [
        {"id": number, "a": nested(450, lambda value, _, key=str(number): {key: value})}
        for number in range(3)
    ],
    "a deep tree": lambda: [
        {"id": 1, "a": nested(200, lambda value, _: {"t": "a", "of": [value]}, {"t": "", "of": []})}
    ],
    "thousands of fixed keys": lambda: [{f"k{n}": n for n in range(3000)}] * 2,
    "thousands of keys that vary": lambda: [
        {f"k{record}_{n}": n for n in range(30)} for record in range(200)
    ],
    "hundreds of entities": lambda: [
        {"id": n, **{f"k{i}": {f"a{i}": 1, "b": n} for i in range(300)}} for n in range(3)
    ],
}  # fmt: skip


@pytest.mark.parametrize("rule", LARGE)
def test_a_large_sample_comes_back(rule: str) -> None:
    sample = LARGE[rule]()
    with Records([sample]) as records:
        assert infer(records, InferOptions(entity="Top")).is_equal


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": 1, "x": 1e400}, {"id": 2, "x": 1}]',
        f'[{{"id": 1, "x": {"1" * 5000}}}]',
        '[{"id": 1, "x": "a\\u0000b"}]',
        '[{"id": 1, "a\\u0000b": 1}]',
        '[{"id": 1, "x": -0.0}, {"id": 2, "x": 0.1e1}, {"id": 3, "x": 1E5}]',
        '[{"id": 1e0}, {"id": 2.0}]',
    ],
    ids=["beyond doubles", "a long integer", "NUL", "NUL in a key", "forms of numbers", "real ids"],
)
def test_numbers_and_texts_at_the_limits_come_back(text: str, tmp_path: Path) -> None:
    file = tmp_path / "top.json"
    file.write_text(text)
    with Records([file]) as records:
        assert infer(records).is_equal


def test_rows_of_different_lengths_are_told(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    file.write_text("[[1, 2], [3]]")
    with pytest.raises(groot.Error, match=r"record 1: an export has \[3, None\] in place of \[3\]"):
        groot.Model.infer(file)


def test_a_difference_behind_equal_texts_is_told_with_its_record(tmp_path: Path) -> None:
    rows = ["[1,2]"] * 25_000
    rows[24_000] = "[3]"
    file = tmp_path / "rows.json"
    file.write_text(f"[{','.join(rows)}]")
    with pytest.raises(groot.Error, match=r"record 24000: an export has \[3, None\]"):
        groot.Model.infer(file)


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")], ids=["equal text", "spaces"])
def test_records_of_several_pieces_come_back_from_any_text(
    separators: tuple[str, str], tmp_path: Path
) -> None:
    records = [{"id": n, "at": "2020-01-01T00:00:00Z", "n": n / 8} for n in range(25_000)]
    file = tmp_path / "top.json"
    file.write_text(json.dumps(records, separators=separators))
    with Records([file]) as sample:
        assert infer(sample, InferOptions(entity="Top")).is_equal


def test_more_owners_than_an_identity_has_parts_come_back() -> None:
    inferred([{"id": n, **{f"k{i}": {"x": n, "y": i} for i in range(70)}} for n in range(3)])
