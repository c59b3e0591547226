"""Registries: the functions that can be registered, and their lifetime."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from conftest import document, one_attribute

import groot
from groot import Status


def test_decorators() -> None:
    registry = groot.Registry()

    @registry.transformer("A", reverse=str)
    def a(value: Any) -> Any:
        return value

    @registry.entity_mapper("B")
    def b(value: Any) -> Any:
        return None

    @registry.dictionary_transformer("C")
    def c(value: Any) -> Any:
        return None

    assert [one.__name__ for one in (a, b, c)] == ["a", "b", "c"]
    assert registry.transformer("D", int) is int
    for name in "ABCD":
        registry.remove(name)
        with pytest.raises(groot.Error) as raised:
            registry.remove(name)
        assert raised.value.code == Status.UNKNOWN_TRANSFORMER
        assert name in str(raised.value)


def test_builtins() -> None:
    builtins = groot.Registry.builtins()
    assert "integer-text" in builtins
    assert all(isinstance(text, str) and text for text in builtins.values())
    with pytest.raises(groot.Error) as raised:
        groot.Registry().builtin("X", "no such thing")
    assert raised.value.code == Status.UNKNOWN_TRANSFORMER
    assert "no such thing" in str(raised.value)


def test_refused_registrations() -> None:
    registry = groot.Registry()
    for call in (
        lambda: registry.transformer("X", 5),  # type: ignore[call-overload]
        lambda: registry.transformer("X", int, reverse=5),  # type: ignore[call-overload]
        lambda: registry.entity_mapper("X", "text"),  # type: ignore[call-overload]
        lambda: registry.transformer(5, int),  # type: ignore[call-overload]
    ):
        with pytest.raises(groot.Error) as raised:
            call()
        assert raised.value.code == Status.INVALID_ARGUMENT


def test_a_mapping_keeps_what_it_was_made_with() -> None:
    model = document("legacy")
    registry = groot.Registry()
    registry.builtin("StringToInteger", "integer-text")
    registry.dictionary_transformer("Legacy", lambda one: {**one, "id": one["legacy_id"]})
    mapping = groot.Mapping(groot.Model(model), registry)
    registry.dictionary_transformer("Legacy", lambda _: pytest.fail("called"))
    registry.remove("StringToInteger")
    del registry
    gc.collect()
    context = groot.Context(mapping)
    assert context.load("Character", {"legacy_id": "5"}).identifier == 5


class Function:
    """A function whose lifetime can be observed."""

    def __call__(self, value: Any) -> Any:
        return value


def test_functions_are_let_go() -> None:
    first, second, third = Function(), Function(), Function()
    watched = [weakref.ref(one) for one in (first, second, third)]

    def alive() -> list[bool]:
        gc.collect()
        return [one() is not None for one in watched]

    model = one_attribute("string")
    model["entities"]["Thing"]["attributes"]["value"]["userInfo"]["JSONTransformerName"] = "T"
    registry = groot.Registry()
    registry.transformer("T", first)
    del first
    assert alive() == [True, True, True]
    registry.transformer("T", second)
    del second
    assert alive() == [False, True, True]
    mapping = groot.Mapping(groot.Model(model), registry)
    context = groot.Context(mapping)
    registry.transformer("T", third)
    del third
    assert alive() == [False, True, True]
    registry.remove("T")
    assert alive() == [False, True, False]
    del registry, mapping
    assert alive() == [False, True, False]
    assert context.load("Thing", {"value": "x"}).value == "x"
    del context
    assert alive() == [False, False, False]
    held = [one() for one in groot._core.callbacks._registered.values()]
    assert None not in held
    assert not [one for one in held if one and isinstance(one.forward.function, Function)]


ANNOTATIONS = {
    "entity_mapper": "entityMapperName",
    "dictionary": "JSONDictionaryTransformerName",
}


@pytest.mark.parametrize("kind", ["transformer", "reverse", *ANNOTATIONS])
def test_a_function_may_refer_to_its_own_context(kind: str) -> None:
    def make() -> weakref.ref[Any]:
        model = one_attribute("string")
        thing = model["entities"]["Thing"]
        subject = thing if kind in ANNOTATIONS else thing["attributes"]["value"]
        subject.setdefault("userInfo", {})[ANNOTATIONS.get(kind, "JSONTransformerName")] = "T"
        made: list[groot.Context] = []

        def refers(value: Any) -> Any:
            assert made[0].mapping
            return "Thing" if kind == "entity_mapper" else value

        registry = groot.Registry()
        if kind == "transformer":
            registry.transformer("T", refers)
        elif kind == "reverse":
            registry.transformer("T", str, reverse=refers)
        elif kind == "entity_mapper":
            registry.entity_mapper("T", refers)
        else:
            registry.dictionary_transformer("T", refers)
        context = groot.Context(groot.Mapping(groot.Model(model), registry))
        made.append(context)
        del registry
        gc.collect()
        assert context.load("Thing", {"value": "x"}).value == "x"
        assert context.dump(context.fetch("Thing")) == [{"value": "x"}]
        return weakref.ref(context)

    before = len(groot._core.callbacks._registered)
    made = [make() for _ in range(10)]
    gc.collect()
    assert [one() for one in made] == [None] * 10
    assert len(groot._core.callbacks._registered) == before
