"""Runs the steps of a shared case."""

from __future__ import annotations

import json
from typing import Any

import pytest
from case_format import (
    RefusalError,
    as_json,
    exported_json,
    issue_json,
    matches,
    report_json,
    without_order,
)

import groot

CALLBACK_FAILED = groot.Status.CALLBACK_FAILED


class Runner:
    """Runs the steps of a case; JSON is handed over as text or as Python values."""

    # A step of the kind "set" may have "members", too.
    KINDS = ("import", "count", "export", "exportAll", "fetch", "get", "set", "members", "insert")
    KINDS += ("delete", "save", "rollback", "roundTrip", "warnings", "distinct", "aggregate")

    def __init__(self, mapping: groot.Mapping, as_text: bool) -> None:
        self.as_text = as_text
        self.context = groot.Context(mapping)
        self.document = mapping.model.document["entities"]
        self.entities = [name for name, one in self.document.items() if not one.get("parent")]
        self.kept: dict[str, list[groot.Object]] = {}

    def step(self, step: dict[str, Any]) -> None:
        kind = next(kind for kind in self.KINDS if kind in step)
        getattr(self, f"run_{kind}")(step)
        self.context.check()

    # ---- the graph as a whole

    def object_state(self, one: groot.Object) -> Any:
        values = []
        for name in self.document[one.entity]["allProperties"]:
            value = one[name]
            members = isinstance(value, groot.Members)
            values.append([member.id for member in value] if members else value)
        return one.id, one.entity, values

    def state(self) -> Any:
        """Give everything that the graph holds, what is pending, and an export of it."""
        objects = {name: list(self.context.fetch(name)) for name in self.entities}
        return (
            self.context.changes,
            {name: [self.object_state(one) for one in found] for name, found in objects.items()},
            {name: self.context.dump(found) for name, found in objects.items()},
        )

    def failure(self, expect: dict[str, Any], has_place: bool, call: Any) -> bool:
        """Make a call that fails as `expect` says, or not at all; whether it did."""
        if "error" not in expect and "errors" not in expect:
            call()
            return False
        with pytest.raises((groot.Error, RefusalError)) as raised:
            call()
        if isinstance(raised.value, RefusalError):
            # The exception itself comes out of the call, without a place.
            assert expect["error"]["status"] == CALLBACK_FAILED
            return True
        issues = [issue_json(issue) for issue in raised.value.issues]
        if "error" in expect:
            first = next(issue for issue in issues if issue["severity"] == 2)
            assert matches(first, expect["error"], has_place), str(raised.value)
        else:
            assert matches(issues, expect["errors"], has_place), str(raised.value)
        return True

    def run_count(self, step: dict[str, Any]) -> None:
        found = {name: self.context.count(name) for name in step["count"]}
        assert found == step["count"]

    def run_save(self, step: dict[str, Any]) -> None:
        expect = step["save"] if isinstance(step["save"], dict) else {}
        self.failure(expect, False, self.context.save)

    def run_rollback(self, step: dict[str, Any]) -> None:
        self.context.rollback()

    def run_warnings(self, step: dict[str, Any]) -> None:
        found = [issue_json(issue) for issue in self.context.mapping.warnings]
        assert matches(found, step["warnings"], False), found

    # ---- imports and exports

    def run_import(self, step: dict[str, Any]) -> None:
        has_place = "text" in step
        data = step.get("text", step.get("json"))
        if not has_place and (self.as_text or not isinstance(data, (dict, list))):
            data = json.dumps(data)
        names = {"errors": "errors", "policies": "policies", "dryRun": "dry_run"}
        names |= {"changes": "changes", "maxIssues": "max_issues"}
        options = {python: step[name] for name, python in names.items() if name in step}
        expect = step.get("expect", {})
        before = self.state()
        found: list[Any] = []
        fails = self.failure(
            expect,
            has_place,
            lambda: found.append(self.context.load(step["import"], data, **options)),
        )
        if fails or step.get("dryRun"):
            assert self.state() == before
        if not fails:
            self.compare_loaded(step, expect, found[0], has_place)

    def compare_loaded(
        self, step: dict[str, Any], expect: dict[str, Any], loaded: Any, has_place: bool
    ) -> None:
        objects = [loaded] if isinstance(loaded, groot.Object) else list(loaded)
        if "count" in expect:
            assert len(objects) == expect["count"]
        if "report" in expect:
            found = report_json(loaded.report)
            assert matches(found, expect["report"], has_place), found
        if "same" in step:
            assert objects == self.kept[step["same"]]
        if "as" in step:
            self.kept[step["as"]] = objects

    def compare_export(self, step: dict[str, Any], exported: Any, expected: Any) -> None:
        options = {name: step[name] for name in ("depth", "properties") if name in step}
        found: list[Any] = []

        def dump() -> None:
            found.append(self.context.dump(exported, **options))

        if not self.failure(step.get("expect", {}), False, dump):
            assert found[0] == expected

    def run_export(self, step: dict[str, Any]) -> None:
        self.compare_export(step, self.kept[step["export"]][0], step.get("equals"))

    def run_exportAll(self, step: dict[str, Any]) -> None:
        self.compare_export(step, self.context.fetch(step["exportAll"]), step.get("equals"))

    def ask(self, step: dict[str, Any], keys: tuple[str, ...], method: str, *given: Any) -> Any:
        """Ask for what a step says; None when that fails as expected."""
        asked = {key: step[key] for key in keys if key in step}
        found: list[Any] = []

        def call() -> None:
            found.append(getattr(self.context, method)(*given, **asked))

        fails = self.failure(step.get("expect", {}), False, call)
        return None if fails else found[0]

    def run_fetch(self, step: dict[str, Any]) -> None:
        keys = ("where", "sort", "limit", "offset")
        found = self.ask(step, keys, "fetch", step["fetch"])
        if found is None:
            return
        if "exportEquals" in step:
            self.compare_export(step, found, step["exportEquals"])
        if "gives" in step:
            property = step["property"]
            assert [as_json(one[property]) for one in found] == step["gives"]
            if not {"sort", "limit", "offset"} & step.keys():
                assert self.context.count(step["fetch"], step.get("where")) == len(found)

    def run_distinct(self, step: dict[str, Any]) -> None:
        keys = ("where", "limit", "offset")
        found = self.ask(step, keys, "distinct", step["distinct"], step["property"])
        if found is not None:
            assert [exported_json(value) for value in found] == step["equals"]

    def run_aggregate(self, step: dict[str, Any]) -> None:
        found = self.ask(step, ("by", "where"), "aggregate", step["aggregate"], step["values"])
        if found is not None:
            rows = found if isinstance(found, list) else [found]
            shown = [{key: exported_json(value) for key, value in row.items()} for row in rows]
            assert (shown if isinstance(found, list) else shown[0]) == step["equals"]

    def run_roundTrip(self, step: dict[str, Any]) -> None:
        asked = step["roundTrip"]
        entities = asked if isinstance(asked, list) else self.entities
        copy = groot.Context(self.context.mapping)
        for name in entities:
            copy.load(name, self.context.dump(self.context.fetch(name)))
        copy.check()
        for name in entities:
            for options in [{"depth": 0}, {}] if step.get("full") else [{"depth": 0}]:
                ours, theirs = (
                    one.dump(one.fetch(name), **options) for one in (self.context, copy)
                )
                assert without_order(theirs) == without_order(ours)

    # ---- single objects

    def objects(self, names: list[str]) -> list[groot.Object]:
        return [one for name in names for one in self.kept[name]]

    def run_get(self, step: dict[str, Any]) -> None:
        assert as_json(self.kept[step["get"]][0][step["property"]]) == step["equals"]

    def run_set(self, step: dict[str, Any]) -> None:
        value = step.get("value")
        if "members" in step:
            value = self.objects(step["members"])
        elif "object" in step:
            value = self.kept[step["object"]][0]
        self.kept[step["set"]][0][step["property"]] = value

    def run_members(self, step: dict[str, Any]) -> None:
        found = self.kept[step["members"]][0][step["property"]]
        expected = step["equals"]
        if isinstance(expected, list):
            assert list(found) == self.objects(expected)
        else:
            assert found == (None if expected is None else self.kept[expected][0])

    def run_insert(self, step: dict[str, Any]) -> None:
        self.kept[step["as"]] = [self.context.insert(step["insert"])]

    def run_delete(self, step: dict[str, Any]) -> None:
        self.context.delete(self.kept[step["delete"]][0])
