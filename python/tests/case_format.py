"""The form of shared cases, and of the results compared with them (Tests/Cases/README.md)."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import groot

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class RefusalError(Exception):
    """The exception of a function that fails in a case."""


def patched(document: Any, patch: Any) -> Any:
    """Return a document with a merge patch applied: null removes a member (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    changed = dict(document) if isinstance(document, dict) else {}
    for key, value in patch.items():
        if value is None:
            changed.pop(key, None)
        else:
            changed[key] = patched(changed.get(key), value)
    return changed


def plain(description: dict[str, Any], otherwise: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make a function of a description; "gives" and "fails" work in all of them."""

    def function(value: Any) -> Any:
        if "fails" in description:
            raise RefusalError(description["fails"])
        return description["gives"] if "gives" in description else otherwise(value)

    return function


def copy_keys(table: dict[str, str]) -> Callable[[Any], Any]:
    return lambda value: {
        **value,
        **{to: value[key] for key, to in table.items() if key in value},
    }


def look_up(table: dict[str, Any], otherwise: str) -> Callable[[Any], Any]:
    """Make a function that looks up the JSON text of a value in a table."""

    def function(value: Any) -> Any:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        if text in table or otherwise == "nothing":
            return table.get(text)
        if otherwise == "same":
            return value
        raise RefusalError(f"{text} is not in the table")

    return function


def looking_up(tables: dict[str, Any]) -> tuple[Any, Any]:
    """Return the forward and the reverse function of a transformer; None for a missing one."""
    otherwise = tables.get("otherwise", "nothing")
    reverse = look_up(tables["reverse"], otherwise) if "reverse" in tables else None
    return look_up(tables["forward"], otherwise), reverse


def each(function: Any) -> Any:
    """Return the same function for a list of values."""
    return lambda values: [function(value) for value in values]


def registry_of(case: dict[str, Any]) -> groot.Registry:
    registry = groot.Registry()
    for name, builtin in case.get("registry", {}).items():
        registry.builtin(name, builtin)
    for name, tables in case.get("transformers", {}).items():
        forward, reverse = looking_up(tables)
        registry.transformer(name, forward, reverse=reverse)
    for name, tables in case.get("batchTransformers", {}).items():
        forward, reverse = looking_up(tables)
        registry.batch_transformer(name, each(forward), reverse=reverse and each(reverse))
    for name, one in case.get("entityMappers", {}).items():
        registry.entity_mapper(
            name, plain(one, lambda value, one=one: one["values"].get(value.get(one["key"])))
        )
    for name, one in case.get("dictionaryTransformers", {}).items():
        registry.dictionary_transformer(name, plain(one, copy_keys(one.get("copy", {}))))
    return registry


def as_json(value: Any) -> Any:
    """Return the value of a property in the form of cases."""
    if isinstance(value, groot.Object):
        return groot.object_id(value)
    if isinstance(value, datetime):
        return (value - EPOCH) // timedelta(microseconds=1)
    if isinstance(value, date):
        return (value - EPOCH.date()).days
    if isinstance(value, Decimal):
        return json.loads(str(value))
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, UUID):
        return str(value)
    return value


def exported_json(value: Any) -> Any:
    """Return a value in the form of exports."""
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, (date, Decimal, UUID)):
        return str(value)
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def matches(found: Any, expected: Any, has_location: bool) -> bool:
    """Return whether a value matches the description of a case, which may be partial."""
    if expected == "*":
        return True
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            _member_matches(found, key, wanted, has_location) for key, wanted in expected.items()
        )
    if isinstance(expected, list):
        return len(found) == len(expected) and all(
            matches(one, wanted, has_location) for one, wanted in zip(found, expected)
        )
    return bool(found == expected)


def _member_matches(found: dict[str, Any], key: str, wanted: Any, has_location: bool) -> bool:
    if key == "contains":
        return wanted in found["message"]
    if key in ("line", "column") and not has_location:
        return True
    if key == "properties" and len(found[key]) != len(wanted):
        return False
    return key in found and matches(found[key], wanted, has_location)


def without_order(value: Any) -> str:
    """Return text that is the same for any order of the elements of arrays."""
    if isinstance(value, list):
        return f"[{','.join(sorted(map(without_order, value)))}]"
    if isinstance(value, dict):
        return f"{{{','.join(sorted(f'{k}:{without_order(v)}' for k, v in value.items()))}}}"
    return json.dumps(value)


def issue_json(issue: groot.Issue) -> dict[str, Any]:
    """Return an issue in the form of the library's reports."""
    names = ("status", "severity", "message", "path", "entity", "property", "line", "column")
    return {name: getattr(issue, name) for name in names}


def report_json(report: Any) -> dict[str, Any]:
    """Return a report in the form of the library's reports."""
    counts = ("inserted", "updated", "unchanged", "deleted", "skipped", "stale")
    return {
        **{name: getattr(report, name) for name in counts},
        "issues": [issue_json(issue) for issue in report.issues],
        "changes": [
            {
                "entity": change.entity,
                "change": change.change,
                "properties": {
                    name: {"old": as_json(old), "new": as_json(new)}
                    for name, (old, new) in change.properties.items()
                },
            }
            for change in report.changes
        ],
    }
