"""The sources of the behaviour in cases, and the steps that prove it."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import CASE_FILES, CASES

ORIGINALS = {"groot": "Groot", "hyper": "Sync", "kvc": "KVCMapping"}
READ: dict[Path, dict[str, Any]] = {path: json.loads(path.read_text()) for path in CASE_FILES}


def steps_of(text: str) -> set[int]:
    """Read the numbers of steps, as in "1, 4-6"."""
    found: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        found.update(range(int(first), int(last or first) + 1))
    return found


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_case_names_its_source_and_steps_that_it_has(path: Path) -> None:
    case = READ[path]
    original = ORIGINALS[case.get("dialect", "groot")]
    assert re.match(rf"(the example of )?{original}\b|this library: ", case["source"])
    steps = len(case.get("steps", []))
    assert steps or "modelError" in case or "mappingError" in case
    for row in case.get("covers", []):
        assert row.keys() <= {"about", "steps", "differs"}
        assert row["about"]
        assert steps_of(row.get("steps", "")) <= set(range(1, steps + 1)), row


@pytest.mark.parametrize(("dialect", "count"), [("groot", 68), ("hyper", 286), ("kvc", 262)])
def test_all_that_was_written_down_of_an_original_is_covered(dialect: str, count: int) -> None:
    cases = [case for case in READ.values() if case.get("dialect", "groot") == dialect]
    assert len({row["about"] for case in cases for row in case.get("covers", [])}) >= count


def test_no_model_is_repeated() -> None:
    inline = Counter(json.dumps(case["model"], sort_keys=True) for case in READ.values())
    named = {path.stem for path in (CASES / "models").glob("*.json")}
    used = Counter(case["model"] for case in READ.values() if isinstance(case["model"], str))
    assert not [model for model, times in inline.items() if times > 1 and model.startswith("{")]
    assert used.keys() <= named


def test_the_reading_order_has_every_folder() -> None:
    readme = (CASES / "README.md").read_text()
    listed = re.findall(r"^\| `(\d\d-[a-z-]+)` \|.*\| (.*) \|$", readme, re.MULTILINE)
    assert [folder for folder, _ in listed] == sorted({path.parent.name for path in CASE_FILES})
    for folder, first in listed:
        for name in re.findall(r"`([a-z-]+)`", first):
            assert CASES / folder / f"{name}.json" in READ, name
