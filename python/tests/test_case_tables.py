"""Each row of a dialect's case tables is tested where its ROWS.md says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from conftest import CASES

HYPER = CASES / "hyper"
SIZES = {"N": 19, "K": 19, "C": 48, "D": 78, "X": 35, "P": 11, "F": 15, "S": 65}
ALL = {f"{kind}{number:02}" for kind, size in SIZES.items() for number in range(1, size + 1)}


def table() -> Iterator[tuple[str, str, str]]:
    """Give row, file and step of each line."""
    line = re.compile(r"^\| ([A-Z]\d\d) \| .* \| (\S+) \| (\d*) \| .*\|$", re.MULTILINE)
    yield from line.findall((HYPER / "ROWS.md").read_text())


def rows_of(path: Path) -> set[str]:
    """Read the rows that a source names, as in "hyper.md rows C07 and S01 to S04"."""
    source = json.loads(path.read_text())["source"]
    rows = set()
    for first, last in re.findall(r"\b([A-Z]\d\d)\b(?: to ([A-Z]\d\d))?", source):
        numbers = range(int(first[1:]), int((last or first)[1:]) + 1)
        rows.update(f"{first[0]}{number:02}" for number in numbers)
    return rows


def test_every_row_is_in_the_table_once() -> None:
    rows = [row for row, _, _ in table()]
    assert len(rows) == 290
    assert set(rows) == ALL


def test_the_files_name_their_rows_and_have_the_steps() -> None:
    for row, name, step in table():
        if name.endswith(".swift"):
            assert list(CASES.parent.glob(f"GrootTests/*/{name}")), row
            continue
        path = next(path for path in CASES.glob(f"*/{name}.json") if '"hyper"' in path.read_text())
        assert row in rows_of(path), row
        assert 1 <= int(step) <= len(json.loads(path.read_text())["steps"]), row
