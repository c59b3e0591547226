"""Numbers beyond 64 bits and floats, and NUL in text."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from conftest import one_attribute

import groot
from groot import Status
from groot._json import decode, encode


@pytest.mark.parametrize(
    "text",
    ["1e400", "-1E+999", "123456789012345678901234567890", "9" * 5000, "1.5e309", '"\\u0000"'],
)
def test_json_comes_back_as_it_was(text: str) -> None:
    """What one way makes of a text the other way makes a text of again."""
    value = decode(f'{{"a":[{text}]}}')
    assert decode(encode(value)) == value
    assert decode(text) == value["a"][0]
    assert not isinstance(value["a"][0], float)


def test_other_decimals_are_no_json() -> None:
    """Only what JSON text itself leads to is taken."""
    for value in (Decimal("1.5"), Decimal("NaN"), Decimal("Infinity"), [Decimal(1)]):
        with pytest.raises(groot.Error) as caught:
            encode(value)
        assert caught.value.code == Status.WRONG_TYPE


def test_transformable_values_keep_them() -> None:
    """A value of any kind is read, set again, exported and imported."""
    context = groot.Context(groot.Mapping(groot.Model(one_attribute("transformable"))))
    thing: Any = context.insert("Thing")
    value: Any = {"n": [decode("1e400"), 10**30, "a\0b"], "k\0": None}
    thing.value = value
    assert thing.value == value
    thing.value = thing.value
    assert context.dump(thing)["value"] == value
    assert isinstance(thing.value["n"][0], Decimal)
    assert context.load("Thing", f"[{context.dumps(thing)}]")[0].value == value


def test_a_callback_is_not_given_what_json_t_has_no_room_for() -> None:
    """It is an issue of the record, with the path of the number."""
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
    registry.dictionary_transformer("f", seen.append)
    context = groot.Context(groot.Mapping(model, registry))
    text = '[{"id": 1, "t": "\\u0000"}, {"id": 2, "x": [0, 1e400]}, {"id": 3, "k\\u0000": 1}]'
    report = context.load("A", text, errors="skip").report
    assert [(i.status, i.path) for i in report.issues] == [(Status.OUT_OF_RANGE, "$[1].x[1]")]
    assert seen == [{"id": 1, "t": "\0"}, {"id": 3, "k\0": 1}]
    assert context.count("A") == 2
