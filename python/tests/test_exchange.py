"""Conversion between Python values and the JSON text of callbacks."""

from __future__ import annotations

import enum
import json
from decimal import Decimal
from typing import Any

import pytest

import groot
from groot import Status
from groot._core.exchange import to_python, to_text
from groot._core.json import decode

TEXTS = [
    '""',
    '"plain"',
    '"Ünï 🦇"',
    r'"line\n\"two\"\\"',
    r'"\u0000\u00fc\ud83e\udd87"',
    "0",
    "-0",
    "-5",
    "9223372036854775808",
    "1" * 199,
    "-" + "1" * 199,
    "1" * 5000,
    "-" + "1" * 5000,
    "1.5",
    "-0.0",
    "1e5",
    "-1E-7",
    "0." + "1" * 300,
    "1e400",
    "-1.5e+999",
    "true",
    "false",
    "null",
    "[]",
    "{}",
    '{"a":[1,1e400,"x"]}',
]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:20])
def test_any_text_is_read_as_json(text: str) -> None:
    value, wanted = to_python(text.encode()), decode(text)
    assert value == wanted
    assert repr(value) == repr(wanted)
    assert type(value) is type(wanted)
    if text != "-0" and not isinstance(value, Decimal):
        assert repr(to_python(to_text(value))) == repr(value)


class Number(enum.IntEnum):
    ONE = 1


class Name(str):
    pass


@pytest.mark.parametrize(
    "value",
    [
        *("", "plain", "Ünï 🦇", 'line\n"two"\\\t\x00\x7f', Name("own")),
        *(0, -1, 2**63 - 1, -(2**63), 2**63, 10**30, Number.ONE),
        *(1.5, -0.0, 1e300, 5e-324, True, False, None),
        *([], {}, [1, None], {"a": {"b": True}}),
    ],
    ids=repr,
)
def test_values_are_written_as_json(value: Any) -> None:
    text = to_text(value)
    assert json.loads(text) == value
    assert text == json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (float("nan"), Status.WRONG_TYPE),
        (float("-inf"), Status.WRONG_TYPE),
        (Decimal("NaN"), None),
        ("\ud800", Status.INVALID_UTF8),
        (Name("\ud800"), Status.INVALID_UTF8),
        ({"a": object()}, Status.WRONG_TYPE),
        ([Decimal(1)], Status.WRONG_TYPE),
    ],
    ids=repr,
)
def test_values_other_than_json_are_refused(value: Any, code: Status | None) -> None:
    if code is None:  # the attribute refuses it, since it is not a decimal
        assert to_text(value) == b'"NaN"'
        return
    with pytest.raises(groot.Error) as raised:
        to_text(value)
    assert raised.value.code == code
