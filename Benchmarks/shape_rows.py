#!/usr/bin/env python3
"""The rows of the benchmark that read and write lists in other shapes than arrays of objects.

Each shape has the same owners and members, fifty to a list, so that only the shape differs.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import groot
from row import Input, main, require, timed

LIST = 50
GROUP = 10
KINDS = ("circle", "square")

Json = dict[str, Any]


def attribute(type: str, path: str | None = None) -> Json:
    return {"type": type, "userInfo": {"JSONKeyPath": path} if path else {}}


def model(shape: str) -> groot.Model:
    """Owners with a list of members in one shape."""
    keyed = shape in ("keyed", "grouped")
    code = "@key" if shape == "keyed" else "code"
    typed = shape == "discriminator"
    owner = {
        "attributes": {"number": attribute("integer64", "number")},
        "relationships": {
            "members": {
                "destination": "Member",
                "inverse": "owner",
                "toMany": True,
                "ordered": True,
                "userInfo": {"JSONKeyPath": "members", **({"groot.form": shape} if keyed else {})},
            }
        },
        "userInfo": {"identityAttributes": "number"},
    }
    member: Json = {
        "attributes": {
            "code": attribute("string", code),
            "kind": attribute("string", "@key" if shape == "grouped" else "kind"),
            "size": attribute("double", "size"),
            "label": attribute("string", "label"),
        },
        "relationships": {"owner": {"destination": "Owner", "inverse": "members"}},
        "userInfo": {"identityAttributes": "owner, code"},
    }
    entities = {"Owner": owner, "Member": member}
    if typed:
        del member["attributes"]["kind"]
        member["userInfo"]["groot.discriminator"] = "kind"
        for kind in KINDS:
            entities[kind.title()] = {
                "parent": "Member",
                "userInfo": {"groot.discriminatorValue": kind},
            }
    return groot.Model({"entities": entities})


def feed(shape: str, count: int) -> bytes:
    """The text of so many members."""
    owners = []
    for number in range(max(count // LIST, 1)):
        members: Any = [
            {
                "code": f"m{number}-{index}",
                "kind": f"kind {index // GROUP}" if shape == "grouped" else KINDS[index % 2],
                "size": index + 0.5,
                "label": f"member {index} of {number}",
            }
            for index in range(LIST)
        ]
        if shape == "keyed":
            members = {one.pop("code"): one for one in members}
        elif shape == "grouped":
            groups: Json = {}
            for one in members:
                groups.setdefault(one.pop("kind"), []).append(one)
            members = groups
        owners.append({"members": members, "number": number})
    return json.dumps(owners, separators=(",", ":"), sort_keys=False).encode()


def measure(shape: str, work: str, given: Input) -> None:
    """Time an import, the same again, or an export."""
    text = feed(shape, given.count)
    context = groot.Context(groot.Mapping(model(shape)))
    count = given.count // LIST * LIST
    gc.disable()
    if work == "import":
        with timed(count):
            owners = context.load("Owner", text)
    else:
        owners = context.load("Owner", text)
    require(context.count("Member") == count, "not as many members as expected")
    if work == "again":
        with timed(count):
            context.load("Owner", text)
        require(context.count("Member") == count, "members were made again")
    if work == "export":
        with timed(count):
            written = context.dumps(owners)
        require(json.loads(written) == json.loads(text), "the output differs from the input")


ROWS: dict[str, Callable[[Input], None]] = {
    f"{shape}_{work}": partial(measure, shape, work)
    for shape in ("array", "keyed", "grouped", "discriminator")
    for work in ("import", "again", "export")
}

if __name__ == "__main__":
    main(ROWS)
