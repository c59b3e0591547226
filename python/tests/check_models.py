"""Builders of models for the tests of the check of a feed."""

from __future__ import annotations

from typing import Any

import groot
from groot.models.drift import Drift, check
from groot.models.records import Records


def read(path: str, type: str = "string", **more: Any) -> dict[str, Any]:
    annotations = more.pop("annotations", {})
    return {
        "type": type, "optional": True, "userInfo": {"JSONKeyPath": path, **annotations}, **more
    }  # fmt: skip


def link(to: str, path: str, **annotations: str) -> dict[str, Any]:
    form = {f"groot.{name}": value for name, value in annotations.items()}
    return {"destination": to, "optional": True, "userInfo": {"JSONKeyPath": path, **form}}


def links(to: str, path: str, **annotations: str) -> dict[str, Any]:
    return {**link(to, path, **annotations), "toMany": True}


def entity(
    attributes: dict[str, Any], relationships: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    parent = {"parent": more.pop("parent")} if "parent" in more else {}
    own = {f"groot.{name}": str(value) for name, value in more.pop("groot", {}).items()}
    return {
        "attributes": attributes, "relationships": relationships or {},
        "userInfo": {**own, **more}, **parent,
    }  # fmt: skip


def checked(entities: dict[str, Any], *documents: Any, **options: Any) -> Drift:
    return check(groot.Model({"entities": entities}), Records(documents), **options)


ID = read("id", "integer64")
POWER = entity({"level": read("level", "integer32")})

OTHERS: dict[str, Any] = {
    "Power": POWER,
    "Price": entity(
        {
            "code": read("@key"),
            "value": read("@value", "double", annotations={"groot.alternatives": "value"}),
        }
    ),
    "Town": entity(
        {"name": read("name"), "land": read("@parent.land"), "code": read("@parent.code")}
    ),
}
