"""The shared cases of Tests/Cases, which the Swift and C tests run too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from case_format import patched, registry_of
from case_runner import Runner
from conftest import CASE_FILES, document

import groot


def test_there_are_cases() -> None:
    assert len(CASE_FILES) >= 312


def check_errors(expected: dict[str, Any], make: Any) -> None:
    with pytest.raises(groot.Error) as raised:
        make()
    assert raised.value.code == expected["status"]
    for message in expected["messages"]:
        assert any(message in str(issue) for issue in raised.value.issues), str(raised.value)


@pytest.mark.parametrize("as_text", [True, False], ids=["text", "values"])
@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
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
