"""The shared cases of Tests/Cases, as the Swift and C tests run them too."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from case_format import patched, registry_of
from case_runner import Runner
from conftest import CASES, document

import groot

FILES = sorted(path for path in CASES.glob("*/*.json") if path.parent.name != "models")


def check_errors(expected: dict[str, Any], make: Any) -> None:
    with pytest.raises(groot.Error) as raised:
        make()
    assert raised.value.code == expected["status"]
    for message in expected["messages"]:
        assert any(message in str(issue) for issue in raised.value.issues), str(raised.value)


@pytest.mark.parametrize("as_text", [True, False], ids=["text", "values"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(path: Path, as_text: bool) -> None:
    case = json.loads(path.read_text())
    given = case["model"]
    described = document(given) if isinstance(given, str) else given
    described = patched(described, case.get("change", {}))
    if "modelError" in case:
        check_errors(case["modelError"], lambda: groot.Model(described))
        return
    model = groot.Model(described)

    registry = registry_of(case)

    dialect = case.get("dialect", "groot")

    def mapping(options: dict[str, Any]) -> groot.Mapping:
        return groot.Mapping(model, registry, **{"dialect": dialect, **options})

    own = case.get("mappingOptions", {})
    if "mappingError" in case:
        check_errors(case["mappingError"], lambda: mapping(own))
        return
    mappings = {name: mapping(options) for name, options in case.get("mappings", {}).items()}
    runner = Runner(mapping(own), as_text, mappings)
    for step in case["steps"]:
        runner.step(step)


def rows_of(dialect: str, source: str) -> set[int]:
    """Read the rows that a source names, as in "groot.md rows 1, 4 and 25 to 29"."""
    rows: set[int] = set()
    for listed in re.findall(dialect + r"\.md rows? ((?:\d+(?:, | and | to )?)+)", source):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", listed):
            rows.update(range(int(first), int(last or first) + 1))
    return rows


@pytest.mark.parametrize(("dialect", "count"), [("groot", 68), ("kvc", 86)])
def test_every_row_of_the_table_has_a_case(dialect: str, count: int) -> None:
    table = (CASES / dialect / "ROWS.md").read_text()
    rows = {int(row) for row in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}
    sources = [json.loads(path.read_text())["source"] for path in FILES]
    covered = {row for source in sources for row in rows_of(dialect, source)}
    assert rows == set(range(1, count + 1))
    assert covered == rows, f"without a case: {sorted(rows - covered)}"


def test_rows_name_files_and_steps_that_are_there() -> None:
    table = (CASES / "kvc" / "ROWS.md").read_text()
    steps = {path.stem: json.loads(path.read_text()).get("steps", []) for path in FILES}
    places = re.findall(r"^\| \w+ \| [^|]* \| ([^|]+) \| [^|]* \|$", table, re.MULTILINE)
    assert len(places) > 200
    for place in re.split(r"; |, (?=[a-z-])", "; ".join(places)):
        if place == "tested by":
            continue
        name, _, numbers = place.partition(" ")
        name = f"coercion{name}" if name.startswith("-") else name
        assert name in steps, place
        assert all(int(one) <= len(steps[name]) for one in re.findall(r"\d+", numbers)), place
