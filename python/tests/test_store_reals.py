"""Reals in a store are compared, ordered and read as in memory, also those SQLite would change."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

import groot

MODEL = groot.Model(
    {
        "entities": {
            "Thing": {
                "userInfo": {"identityAttributes": "id"},
                "attributes": {
                    "id": {"type": "integer64"},
                    "real": {"type": "double", "optional": True},
                    "single": {"type": "float", "optional": True},
                },
            }
        }
    }
)
NUMBERS = [0.0, -0.0, 5e-324, -5e-324, -1e-323, -1e-301, 1.0, -1.0, 7.5, 1e300, -1e300, None]
TINY = 2.0**-149
SINGLES = [0.0, -0.0, TINY, -TINY, 1.0, -1.0, 0.5, None]


@pytest.fixture
def pair(tmp_path: Path) -> tuple[groot.Context, groot.Context]:
    """Return a context in memory and one that reads the same objects from a store."""
    mapping = groot.Mapping(MODEL, implicit=True)
    records = [{"id": number, "real": value} for number, value in enumerate(NUMBERS)]
    records += [{"id": 100 + number, "single": value} for number, value in enumerate(SINGLES)]
    memory = groot.Context(mapping)
    memory.load("Thing", records)
    path = tmp_path / "reals.sqlite"
    with groot.Context(mapping, store=path) as context:
        context.load("Thing", records)
        context.save()
    return memory, groot.Context(mapping, store=path)


def test_reals_are_read_as_they_were_written(pair: tuple[groot.Context, groot.Context]) -> None:
    texts = [context.dumps(context.fetch("Thing", sort="id")) for context in pair]
    assert texts[0] == texts[1]
    assert texts[0].count("-0.0") == 2
    assert "-5e-324" in texts[0]
    columns = [context.fetch("Thing", sort="id").column("real") for context in pair]
    assert columns[0].values.tobytes() == columns[1].values.tobytes()


@pytest.mark.parametrize(("name", "numbers"), [("real", NUMBERS), ("single", SINGLES)])
@pytest.mark.parametrize("sign", ["<", "<=", "==", "!=", ">=", ">"])
def test_a_comparison_with_a_real_has_the_objects_that_it_has_in_memory(
    pair: tuple[groot.Context, groot.Context], sign: str, name: str, numbers: list[float | None]
) -> None:
    for number in numbers:
        if number is None:
            continue
        found = [
            [one.id for one in context.fetch("Thing", where={name: {sign: number}}, sort="id")]
            for context in pair
        ]
        assert found[0] == found[1], (sign, number)
        listed = [
            [one.id for one in context.fetch("Thing", where={name: {"in": [number]}}, sort="id")]
            for context in pair
        ]
        assert listed[0] == listed[1], number


@pytest.mark.parametrize("name", ["real", "single"])
@pytest.mark.parametrize("sign", ["", "-"])
def test_the_order_of_reals_is_that_of_memory(
    pair: tuple[groot.Context, groot.Context], sign: str, name: str
) -> None:
    orders = [[one.id for one in c.fetch("Thing", sort=[sign + name, "id"])] for c in pair]
    assert orders[0] == orders[1]


def test_distinct_reals_are_those_of_memory(pair: tuple[groot.Context, groot.Context]) -> None:
    found = [json.dumps(context.distinct("Thing", "real")) for context in pair]
    assert found[0] == found[1]


def test_other_programs_find_a_real_that_is_nearly_the_same(tmp_path: Path) -> None:
    path = tmp_path / "reals.sqlite"
    with groot.Context(groot.Mapping(MODEL, implicit=True), store=path) as context:
        context.load("Thing", [{"id": 1, "real": -0.0}, {"id": 2, "real": 3.0}])
        context.save()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT real, typeof(real) FROM Thing ORDER BY id").fetchall()
        assert rows == [(-5e-324, "real"), (3.0, "real")]
        assert connection.execute("SELECT sum(real) FROM Thing").fetchone() == (3.0,)
        connection.execute("UPDATE Thing SET real = 4, _version = _version + 1 WHERE id = 2")
        connection.commit()
    with groot.Context(groot.Mapping(MODEL, implicit=True), store=path) as context:
        assert [one.real for one in context.fetch("Thing", sort="id")] == [-0.0, 4.0]
