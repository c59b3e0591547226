"""The shared cases of Tests/Cases, as the Swift and C tests run them too."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import CASES, document

import groot

FILES = sorted(path for path in CASES.glob("*/*.json") if path.parent.name != "models")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def registry_of(case: dict[str, Any]) -> groot.Registry:
    registry = groot.Registry()
    for name, builtin in case.get("registry", {}).items():
        registry.builtin(name, builtin)
    for name, table in case.get("entityMappers", {}).items():
        registry.entity_mapper(
            name, lambda value, table=table: table["values"].get(value.get(table["key"]))
        )
    for name, table in case.get("dictionaryTransformers", {}).items():
        registry.dictionary_transformer(
            name,
            lambda value, table=table: {
                **value,
                **{to: value[key] for key, to in table["copy"].items() if key in value},
            },
        )
    return registry


def check_fault(expected: dict[str, Any], make: Any) -> None:
    with pytest.raises(groot.Error) as raised:
        make()
    assert raised.value.code == expected["status"]
    for message in expected["messages"]:
        assert any(message in str(issue) for issue in raised.value.issues), str(raised.value)


def as_json(value: Any) -> Any:
    """Give a property's value as cases write it."""
    if isinstance(value, groot.Object):
        return value.id
    if isinstance(value, datetime):
        return (value - EPOCH) // timedelta(microseconds=1)
    if isinstance(value, Decimal):
        return json.loads(str(value))
    if isinstance(value, bytes):
        return value.decode()
    return value


class Runner:
    """Runs the steps of a case; JSON is handed over as text or as Python values."""

    def __init__(self, mapping: groot.Mapping, as_text: bool) -> None:
        self.as_text = as_text
        self.context = groot.Context(mapping)
        self.entities = [
            name
            for name, entity in mapping.model.document["entities"].items()
            if not entity.get("parent")
        ]
        self.kept: dict[str, list[groot.Object]] = {}

    def graph(self) -> Any:
        return {
            name: (
                [one.id for one in self.context.fetch(name)],
                self.context.dump(self.context.fetch(name)),
            )
            for name in self.entities
        }

    def step(self, step: dict[str, Any]) -> None:
        kinds = ["import", "count", "export", "exportAll", "get", "set", "delete", "fetch"]
        kind = next(kind for kind in kinds if kind in step)
        getattr(self, f"run_{kind}")(step)
        self.context.check()

    def run_import(self, step: dict[str, Any]) -> None:
        data = step.get("text", step.get("json"))
        if "text" not in step and (self.as_text or not isinstance(data, (dict, list))):
            data = json.dumps(data)
        expected = step.get("expect", {})
        if "error" in expected:
            before = self.graph()
            with pytest.raises(groot.Error) as raised:
                self.context.load(step["import"], data)
            issue = next(one for one in raised.value.issues if one.severity == 2)
            found = {name: getattr(issue, name) for name in expected["error"]}
            assert found == expected["error"], str(raised.value)
            assert self.graph() == before
            return
        loaded = self.context.load(step["import"], data)
        objects = [loaded] if isinstance(loaded, groot.Object) else list(loaded)
        if "count" in expected:
            assert len(objects) == expected["count"]
        if "same" in step:
            assert objects == self.kept[step["same"]]
        if "as" in step:
            self.kept[step["as"]] = objects

    def run_count(self, step: dict[str, Any]) -> None:
        found = {name: self.context.count(name) for name in step["count"]}
        assert found == step["count"]

    def run_export(self, step: dict[str, Any]) -> None:
        assert self.context.dump(self.kept[step["export"]][0]) == step["equals"]

    def run_exportAll(self, step: dict[str, Any]) -> None:
        assert self.context.dump(self.context.fetch(step["exportAll"])) == step["equals"]

    def run_get(self, step: dict[str, Any]) -> None:
        assert as_json(self.kept[step["get"]][0][step["property"]]) == step["equals"]

    def run_set(self, step: dict[str, Any]) -> None:
        self.kept[step["set"]][0][step["property"]] = step["value"]

    def run_delete(self, step: dict[str, Any]) -> None:
        self.context.delete(self.kept[step["delete"]][0])

    def run_fetch(self, step: dict[str, Any]) -> None:
        request = {key: step[key] for key in ("where", "sort", "limit", "offset") if key in step}
        found = self.context.fetch(step["fetch"], **request)
        assert self.context.dump(found) == step["exportEquals"]


@pytest.mark.parametrize("as_text", [True, False], ids=["text", "values"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(path: Path, as_text: bool) -> None:
    case = json.loads(path.read_text())
    given = case["model"]
    described = document(given) if isinstance(given, str) else given
    if "modelError" in case:
        check_fault(case["modelError"], lambda: groot.Model(described))
        return
    model = groot.Model(described)
    if "mappingError" in case:
        check_fault(
            case["mappingError"],
            lambda: groot.Mapping(model, registry_of(case), dialect=path.parent.name),
        )
        return
    runner = Runner(groot.Mapping(model, registry_of(case), dialect=path.parent.name), as_text)
    for step in case["steps"]:
        runner.step(step)
