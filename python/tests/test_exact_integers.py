"""Whole numbers are read exactly as their digits, compared with exact arithmetic."""

from __future__ import annotations

import json
import math
import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from conftest import one_attribute

import groot
from groot import Status

LIMITS = {"integer16": 2**15, "integer32": 2**31, "integer64": 2**63}


def number(random: random.Random) -> str:
    """Return the text of a number, often near the limits of doubles or integers."""
    center = random.choice([0, 3, 2**15, 2**31, 2**53, 2**53, 2**62, 2**63, 2**63, 10**30])
    digits = str(max(0, center + random.randint(-2500, 2500)))
    digits += "0" * random.choice([0, 0, 1, 5, 30])
    digits += random.choice(["", "", "5", "001", "9" * 25, "0" * 40 + "1"])
    point = random.randint(1, len(digits))
    text = digits[:point] + (f".{digits[point:]}" if digits[point:] else "")
    if text.startswith("0") and not text.startswith("0."):
        text = f"0.{digits}"
    # The value is near the center again, or arbitrary.
    exponent = random.choice([0, len(str(center)) - point, random.randint(-400, 400)])
    if exponent or random.random() < 0.3:
        text += random.choice(["e", "E"]) + random.choice(["{}", "{:+}", "{:05}"]).format(exponent)
    return random.choice(["", "-"]) + text


def expected(text: str, type: str) -> int | Status:
    """Return the whole number of a text, or the status of its refusal."""
    value = Fraction(text)
    if value.denominator != 1:
        return Status.WRONG_TYPE
    whole = int(value)
    return whole if -LIMITS[type] <= whole < LIMITS[type] else Status.OUT_OF_RANGE


def found(context: groot.Context, data: Any, count: int, **options: Any) -> list[int | Status]:
    """Import records, and return the value or the status of the issue for each."""
    loaded = context.load("Thing", data, errors="skip", max_issues=count, **options)
    report = groot.report(loaded)
    assert report is not None
    statuses = {issue.path: issue.status for issue in report.issues}
    values = iter(loaded)
    return [
        statuses[path] if (path := f"$[{index}].value") in statuses else next(values).value
        for index in range(count)
    ]


@pytest.mark.parametrize("type", LIMITS)
@pytest.mark.parametrize("lines", [False, True])
def test_numbers_are_what_their_digits_say(type: str, lines: bool) -> None:
    """All readers of text agree, and the numbers include each kind of result."""
    chosen = random.Random(type)  # noqa: S311
    texts = [number(chosen) for _ in range(3000)]
    wanted = [expected(text, type) for text in texts]
    records = [f'{{"value":{text}}}' for text in texts]
    data = "\n".join(records) if lines else f"[{','.join(records)}]"
    context = groot.Context(groot.Mapping(groot.Model(one_attribute(type))))
    options: dict[str, Any] = {"lines": True} if lines else {}
    got = found(context, data, len(texts), **options)
    assert [row for row in zip(texts, got, wanted, strict=True) if row[1] != row[2]] == []
    kinds = [want if isinstance(want, Status) else "value" for want in wanted]
    for kind in ("value", Status.WRONG_TYPE, Status.OUT_OF_RANGE):
        assert kinds.count(kind) > 100, kind


def test_keys_are_what_their_digits_say() -> None:
    """Keys that are numbers are read in the same way; a key beyond all doubles is text."""
    chosen = random.Random("keys")  # noqa: S311
    texts = sorted({text for text in (number(chosen) for _ in range(3000)) if "." in text})
    wanted = [
        Status.WRONG_TYPE if math.isinf(float(text)) else expected(text, "integer64")
        for text in texts
    ]
    model = one_attribute("integer64")
    model["entities"]["Thing"]["attributes"]["value"]["userInfo"]["JSONKeyPath"] = "@key"
    context = groot.Context(groot.Mapping(groot.Model(model)))
    loaded = context.load(
        "Thing", {text: {} for text in texts}, form="keyed", errors="skip", max_issues=len(texts)
    )
    report = groot.report(loaded)
    assert report is not None
    statuses = {issue.path: issue.status for issue in report.issues}
    values = iter(loaded)
    got = [statuses.get(f'$["{text}"]') or next(values).value for text in texts]
    assert [row for row in zip(texts, got, wanted, strict=True) if row[1] != row[2]] == []


def test_decimals_are_what_their_digits_say() -> None:
    """Decimals in Python values are read in the same way."""
    chosen = random.Random("decimals")  # noqa: S311
    texts = [number(chosen) for _ in range(3000)]
    wanted = [expected(text, "integer64") for text in texts]
    context = groot.Context(groot.Mapping(groot.Model(one_attribute("integer64"))))
    got = found(context, [{"value": Decimal(text)} for text in texts], len(texts))
    assert [row for row in zip(texts, got, wanted, strict=True) if row[1] != row[2]] == []


def test_defaults_and_elements_are_what_their_digits_say() -> None:
    """Defaults in a model and elements of composites are read in the same way."""
    said = json.dumps(one_attribute("integer64", default="D"))
    thing = groot.Context(groot.Mapping(groot.Model(said.replace('"D"', "9007199254740993.0"))))
    assert thing.insert("Thing")["value"] == 2**53 + 1
    for wrong in ("9007199254740992.5", "1e-400"):
        with pytest.raises(groot.Error, match=wrong):
            groot.Model(said.replace('"D"', wrong))
    elements = {"n": {"type": "integer64", "optional": True}}
    model = groot.Model(one_attribute("composite", elements=elements))
    context = groot.Context(groot.Mapping(model))
    context.load("Thing", '{"value": {"n": 9007199254740993.0}}')
    for wrong in ("2.99999999999999999999", "1e-400"):
        with pytest.raises(groot.Error, match=wrong):
            context.load("Thing", f'{{"value": {{"n": {wrong}}}}}')
