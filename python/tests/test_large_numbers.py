"""Numbers beyond 64 bits and floats, and NUL in text."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from conftest import one_attribute, transformed

import groot
from groot import Status
from groot._core.json import decode, encode


@pytest.mark.parametrize(
    "text",
    ["1e400", "-1E+999", "123456789012345678901234567890", "9" * 5000, "1.5e309", '"\\u0000"'],
)
def test_json_comes_back_as_it_was(text: str) -> None:
    """`encode` writes any value that `decode` reads."""
    value = decode(f'{{"a":[{text}]}}')
    assert decode(encode(value)) == value
    assert decode(text) == value["a"][0]
    assert not isinstance(value["a"][0], float)


def test_other_decimals_are_refused() -> None:
    """Only the decimals that `decode` makes are taken."""
    for value in (Decimal("1.5"), Decimal("NaN"), Decimal("Infinity"), [Decimal(1)]):
        with pytest.raises(groot.Error) as caught:
            encode(value)
        assert caught.value.code == Status.WRONG_TYPE


def test_transformable_values_keep_them() -> None:
    """Values with large numbers are read, set again, exported and imported."""
    context = groot.Context(groot.Mapping(groot.Model(one_attribute("transformable"))))
    thing: Any = context.insert("Thing")
    value: Any = {"n": [decode("1e400"), 10**30, "a\0b"], "k\0": None}
    thing.value = value
    assert thing.value == value
    thing.value = thing.value
    assert context.dump(thing)["value"] == value
    assert isinstance(thing.value["n"][0], Decimal)
    assert context.load("Thing", f"[{context.dumps(thing)}]")[0].value == value


def test_a_callback_is_given_them() -> None:
    """A callback receives them in its argument, and may return them."""
    model = groot.Model(
        {
            "entities": {
                "A": {
                    "userInfo": {"identityAttributes": "id", "JSONDictionaryTransformerName": "f"},
                    "attributes": {
                        "id": {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}},
                        "t": {"type": "string", "optional": True, "userInfo": {"JSONKeyPath": "t"}},
                    },
                }
            }
        }
    )
    seen: list[Any] = []
    registry = groot.Registry()
    registry.dictionary_transformer("f", lambda one: (seen.append(one), one)[1])
    context = groot.Context(groot.Mapping(model, registry))
    text = '[{"id": 1, "t": "\\u0000"}, {"id": 2, "x": [0, 1e400]}, {"id": 3, "k\\u0000": 1}]'
    report = groot.report(context.load("A", text, errors="skip"))
    assert report.issues == ()
    large = Decimal("1e400")
    assert seen == [{"id": 1, "t": "\0"}, {"id": 2, "x": [0, large]}, {"id": 3, "k\0": 1}]
    assert isinstance(seen[1]["x"][1], Decimal)
    assert context.count("A") == 3
    report = groot.report(context.load("A", '[{"id": 4}, {"id": 1e400}]', errors="skip"))
    assert [(i.status, i.path) for i in report.issues] == [(Status.OUT_OF_RANGE, "$[1].id")]


@pytest.mark.parametrize("value", [2**63, -(10**30), Decimal("1e400"), [2**63]], ids=repr)
def test_a_callback_may_give_them(value: Any) -> None:
    """The result of a function is read like a value in the JSON."""
    thing = transformed(lambda _: value).load("Thing", {"value": 1})
    assert thing.value == value
    assert type(thing.value) is type(value)
    back = transformed(lambda _: 1, lambda _: value)
    assert back.dump(back.load("Thing", {"value": 1})) == {"value": value}


def test_a_callback_may_give_more_digits_than_a_float() -> None:
    """They reach an attribute that can hold them."""
    for value in (10**30, Decimal("0.1234567890123456789012345")):
        context = transformed(lambda _, value=value: value, type="decimal")  # type: ignore[misc]
        assert context.load("Thing", {"value": 1}).value == value
