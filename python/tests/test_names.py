"""Names in arguments of the library."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import one_attribute

import groot
from groot import Status


@pytest.mark.parametrize(
    "use",
    [
        lambda registry, context: registry.transformer("a\0b", str),
        lambda registry, context: registry.builtin("a\0b", "integer-text"),
        lambda registry, context: registry.remove("F\0"),
        lambda registry, context: context.fetch("Thing\0"),
        lambda registry, context: context.count("Thing\0"),
        lambda registry, context: context.distinct("Thing", "value\0"),
        lambda registry, context: context.aggregate("Thing\0", {"n": "count"}),
        lambda registry, context: context.insert("Thing\0"),
        lambda registry, context: context.load("Thing\0", []),
        lambda registry, context: context.sync("Thing\0", []),
        lambda registry, context: context.importing("Thing\0"),
        lambda registry, context: context.fetch("Thing").column("value\0"),
        lambda registry, context: context.dump_fetched("Thing\0", "/nowhere/x"),
        lambda registry, context: groot.Mapping(context.mapping.model, dialect="groot\0"),
    ],
)
def test_a_name_never_ends_at_a_nul(use: Any) -> None:
    registry = groot.Registry()
    registry.transformer("F", str)
    context = groot.Context(groot.Mapping(groot.Model(one_attribute("string"))))
    with pytest.raises(groot.Error, match="a NUL in the name") as raised:
        use(registry, context)
    assert raised.value.code == Status.INVALID_ARGUMENT
    registry.remove("F")
