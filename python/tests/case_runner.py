"""The runner of shared cases."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
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


def named(names: str) -> dict[str, str]:
    """Return keywords by their names in cases, such as "dry_run" by "dryRun"."""
    return {name: re.sub("[A-Z]", lambda one: f"_{one[0].lower()}", name) for name in names.split()}


LOAD_NAMES = named("errors policies dryRun changes maxIssues create access form")
LOAD_NAMES["rootPath"] = "root"
SYNC_NAMES = named(
    "insert update delete withhold members where dryRun changes maxIssues policies form"
    " maxDeletions"
)
SYNC_NAMES["rootPath"] = "root"
FILL_NAMES = named("policies maxIssues")
DUMP_NAMES = named("depth properties relationships inflection exclude dates toMany subobjects")
DUMP_NAMES.update(named("form nulls"))


def objects_of(read: Any) -> Any:
    """Return the objects of a result; a sync has them in its report, and None means none."""
    return () if read is None else getattr(read, "objects", read)


class Runner:
    """The runner of one case, which passes JSON as text or as Python values."""

    # A step of the kind "set" may also have "members", and a step of the kind "sync" much more.
    KINDS = ("import", "sync", "fill", "count", "export", "exportAll", "fetch", "get", "set")
    KINDS += ("members", "insert", "delete", "save", "rollback", "roundTrip", "warnings")
    KINDS += ("distinct", "aggregate", "exportDocument")

    def __init__(
        self,
        mapping: groot.Mapping,
        as_text: bool,
        mappings: dict[str, groot.Mapping] | None = None,
    ) -> None:
        self.as_text = as_text
        self.mappings = mappings or {}
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
        for name in self.document[groot.entity_name(one)]["allProperties"]:
            value = one[name]
            members = isinstance(value, groot.Members)
            values.append([groot.object_id(member) for member in value] if members else value)
        return groot.object_id(one), groot.entity_name(one), values

    def state(self) -> Any:
        """Return the content of the graph, the pending changes, and an export."""
        objects = {name: list(self.context.fetch(name)) for name in self.entities}
        return (
            self.context.changes,
            {name: [self.object_state(one) for one in found] for name, found in objects.items()},
            {name: list(map(self.context.dump, found)) for name, found in objects.items()},
        )

    def failure(self, expect: dict[str, Any], has_location: bool, call: Any) -> bool:
        """Make a call that must succeed or fail as `expect` says; return whether it failed."""
        if "error" not in expect and "errors" not in expect:
            call()
            return False
        with pytest.raises((groot.Error, RefusalError)) as raised:
            call()
        if isinstance(raised.value, RefusalError):
            # The call raises the exception itself, without a location.
            assert expect["error"]["status"] == CALLBACK_FAILED
            return True
        issues = [issue_json(issue) for issue in raised.value.issues]
        if "error" in expect:
            first = next(issue for issue in issues if issue["severity"] == 2)
            assert matches(first, expect["error"], has_location), str(raised.value)
        else:
            assert matches(issues, expect["errors"], has_location), str(raised.value)
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

    def options(self, step: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
        """Return the keywords for the options of a step."""
        found = {python: step[name] for name, python in names.items() if name in step}
        if "format" in step:
            found["lines"] = step["format"] == "jsonLines"
        if "mapping" in step:
            found["mapping"] = self.mappings[step["mapping"]]
        return found

    def run_import(self, step: dict[str, Any]) -> None:
        options = self.options(step, LOAD_NAMES)
        self.read(step, lambda data: self.context.load(step["import"], data, **options))

    def run_sync(self, step: dict[str, Any]) -> None:
        options = self.options(step, SYNC_NAMES)
        if "parent" in step:
            options["parent"] = self.kept[step["parent"]][0]
        self.read(step, lambda data: self.context.sync(step["sync"], data, **options))

    def run_fill(self, step: dict[str, Any]) -> None:
        filled = self.kept[step["fill"]][0]
        options = self.options(step, FILL_NAMES)
        self.read(step, lambda data: self.context.fill(filled, data, **options))

    def read(self, step: dict[str, Any], call: Callable[[Any], Any]) -> None:
        """Make a call that reads JSON, and compare its result with the expectation of the step."""
        has_location = "text" in step
        data = step.get("text", step.get("json"))
        if not has_location and (self.as_text or not isinstance(data, (dict, list))):
            data = json.dumps(data)
        expect = step.get("expect", {})
        before = self.state()
        found: list[Any] = []
        fails = self.failure(expect, has_location, lambda: found.append(call(data)))
        if fails or step.get("dryRun"):
            assert self.state() == before
        if not fails:
            self.compare_read(step, expect, found[0], has_location)

    def compare_read(
        self, step: dict[str, Any], expect: dict[str, Any], read: Any, has_location: bool
    ) -> None:
        report = read if isinstance(read, groot.Report) else None
        if isinstance(read, (groot.Object, groot.Objects)):
            report = groot.report(read)
        objects = [read] if isinstance(read, groot.Object) else list(objects_of(read))
        if "count" in expect:
            assert len(objects) == expect["count"]
        if read is None:  # a single missing object that must not be made
            assert step["create"] is False
            report, expect = None, {}
        if "report" in expect:
            found = report_json(report)
            assert matches(found, expect["report"], has_location), found
        for name in ("accessed", "unaccessed"):
            for entity, count in expect.get(name, {}).items():
                assert len(getattr(report, name).get(entity, ())) == count, (name, entity)
        if "withheld" in expect:
            assert len(report.withheld) == expect["withheld"], report.withheld
        if "same" in step:
            assert objects == self.kept[step["same"]]
        if "as" in step:
            self.kept[step["as"]] = objects

    def compare_export(self, step: dict[str, Any], exported: Any, expected: Any) -> None:
        options = self.options(step, DUMP_NAMES)
        found: list[Any] = []

        def dump() -> None:
            found.append(self.context.dump(exported, **options))

        if not self.failure(step.get("expect", {}), False, dump):
            assert found[0] == expected

    def run_export(self, step: dict[str, Any]) -> None:
        self.compare_export(step, self.kept[step["export"]][0], step.get("equals"))

    def run_exportAll(self, step: dict[str, Any]) -> None:
        self.compare_export(step, self.context.fetch(step["exportAll"]), step.get("equals"))

    def run_exportDocument(self, step: dict[str, Any]) -> None:
        self.compare_export(step, None, step.get("equals"))

    def ask(self, step: dict[str, Any], keys: tuple[str, ...], method: str, *given: Any) -> Any:
        """Run the query of a step; return None if it fails as expected."""
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
