"""A program whose types `make lint` checks: results and reports need no assertion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import groot

if TYPE_CHECKING:
    from typing_extensions import Unpack


def load(context: groot.Context, data: dict[str, Any]) -> tuple[groot.Object, int]:
    """Load one object, with its report."""
    hero = context.load("Hero", data, errors="collect", changes=True)
    return hero, groot.report(hero).inserted


def load_all(
    context: groot.Context, data: list[Any], **options: Unpack[groot.options.LoadOptions]
) -> tuple[groot.Objects, int]:
    """Load several objects, with their report, and pass the options on."""
    heroes = context.load("Hero", data, **options)
    return heroes, groot.report(heroes).inserted + len(groot.report(heroes).issues)


def sync(context: groot.Context, data: str, parent: groot.Object) -> groot.Report:
    """Synchronize the members of an object."""
    return context.sync("Hero", data, parent=parent, delete="mark", members={"delete": False})


def dump(context: groot.Context, heroes: groot.Objects) -> tuple[list[dict[str, Any]], str]:
    """Export objects as values and as text."""
    listed = context.dump(heroes, properties=["name"])
    keyed: dict[str, Any] = context.dump(heroes, form="keyed")
    return listed, context.dumps(heroes, lines=True) + str(keyed)


def read(stream: groot.ImportStream) -> int:
    """Read the report of an import in pieces."""
    return groot.report(stream.finish()).updated


def opened(model: groot.Model, path: str) -> groot.Context:
    """Open a context with options of its store."""
    return groot.Context(groot.Mapping(model), path, durability="normal", busy_timeout=2.5)
