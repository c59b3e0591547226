"""Values at the limits of their types: a store gives back exactly those that it was given."""

from __future__ import annotations

import base64
import json
import math
import random
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from conftest import document
from servers import Server

import groot
from groot import Status

INTEGERS = {
    "small": [0, 1, -1, 2**15 - 1, -(2**15)],
    "medium": [0, 2**31 - 1, -(2**31)],
    "large": [0, 2**63 - 1, -(2**63), 2**53 + 1, 10**18],
}
REALS = [0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, sys.float_info.max, 0.1, 1e23, 1 / 3]
PRICES = [
    *(
        "0",
        "-0",
        "0.0",
        "1.10",
        "1",
        "-1",
        "9999",
        "10000",
        "10001",
        "0.0001",
        "0.00001",
        "123.456",
    ),
    *(
        "9" * 38,
        "-" + "9" * 38,
        "0." + "0" * 20 + "9" * 18,
        "1" + "0" * 37,
        "9" * 19 + "." + "9" * 19,
    ),
    *(
        "1e6000",
        "-1e6000",
        "1e-6000",
        "-1e-6000",
        "9e5999",
        "1.5e-5999",
        "1e4001",
        "1e4002",
        "1e4003",
    ),
    *(
        "12345678901234567890123456789012345678e5900",
        "1.2345678901234567890123456789012345678e-5900",
    ),
    *(f"1.2345e{exponent}" for exponent in range(-9, 10)),
]
"""As texts of numbers in JSON."""
DATES = [
    *("1970-01-01T00:00:00Z", "2000-01-01T00:00:00Z", "1999-12-31T23:59:59.999999Z"),
    *("0001-01-01T00:00:00Z", "0000-12-31T23:59:59Z", "-004713-11-24T00:00:00Z"),
    *("9999-12-31T23:59:59.999999Z", "+010000-01-01T00:00:00Z", "1582-10-10T00:00:00Z"),
    *("1900-02-28T23:59:59.000001Z", "2016-12-31T23:59:59.5Z"),
    "+294240-12-31T23:59:59.999999Z",
]
DAYS = [
    *("1970-01-01", "2000-01-01", "0001-01-01", "0000-12-31", "0000-02-29", "-004713-11-24"),
    *("9999-12-31", "+010000-01-01", "1582-10-10", "+294240-12-31"),
]
TEXTS = [
    *("", " ", "'", "''", '"', "\\", "\\\\", "\\'", "\\n", "E'\\x41'", "$$", "$1", "%s", "%", "{}"),
    *("'; DROP TABLE _groot; --", '"); DROP TABLE _groot; --', "NULL", "null", "\\N", "\\."),
    *("a\tb", "a\nb", "a\r\nb", "\n", "\u0001", "\u001f", "\u007f", "\u0080", "\u0085", "\u2028"),
    *(
        "{1,2}",
        "{NULL}",
        '{"a"}',
        "(1,2)",
        "e\u0301",
        "é",
        "\ufeff",
        "\ufffd",
        "\uffff",
        "\U0010ffff",
    ),
    *("x" * 2**20, "é'\\" * 2**18, "\U0001f600" * 2**16),
]
MEGABYTE = 2**20


def planes() -> list[str]:
    """Return texts with characters of all planes, in turn from their begins, middles and ends."""
    texts = []
    for plane in range(17):
        codes = [
            plane * 0x10000 + offset for offset in (0x20, 0xFF, 0x1234, 0xE000, 0xFFFD, 0xFFFF)
        ]
        texts.append("".join(map(chr, codes)))
    return texts


def records() -> list[str]:
    """Return the texts of objects in JSON, one for each value."""
    found = [{name: json.dumps(value)} for name, values in INTEGERS.items() for value in values]
    for real in REALS:
        found.append({"ratio": json.dumps(real)})
        if abs(real) < 3e38:
            found.append({"weight": json.dumps(real)})
    found += [{"price": price} for price in PRICES]
    found += [{"made": json.dumps(date)} for date in DATES]
    found += [{"born": json.dumps(day)} for day in DAYS]
    for text in [*TEXTS, *planes()]:
        found.append({"name": json.dumps(text), "extra": json.dumps([text])})
    chance = random.Random(3)
    for size in (0, 1, 255, MEGABYTE):
        found.append({"data": json.dumps(groot_binary(chance.randbytes(size)))})
    found += [{"extra": text} for text in ('{"b":1,"a":1.10,"c":1e400}', '"x"', "[[[]]]", "1e999")]
    found.append({"uuid": '"00000000-0000-0000-0000-000000000000"', "active": "false"})
    found.append({"uuid": '"FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"', "active": "true"})
    found.append({"link": '"https://example.org/%27%22?a=\\\\\'"'})
    return [
        "{"
        + ", ".join([f'"id": {number}', *(f'"{key}": {text}' for key, text in one.items())])
        + "}"
        for number, one in enumerate(found)
    ]


def groot_binary(data: bytes) -> str:
    """Return the text that stands for bytes in JSON."""
    return base64.b64encode(data).decode()


def same(mine: Any, other: Any) -> bool:
    """Whether two values are equal, their types and signs included."""
    if isinstance(mine, float) and isinstance(other, float):
        return mine == other and math.copysign(1, mine) == math.copysign(1, other)
    return type(mine) is type(other) and mine == other


def test_each_value_comes_back_as_it_was(store: str, types_mapping: groot.Mapping) -> None:
    attributes = document("types")["entities"]["Thing"]["attributes"]
    texts = "[" + ", ".join(records()) + "]"
    with groot.Context(types_mapping) as memory, groot.Context(types_mapping, store=store) as first:
        memory.load("Thing", texts)
        first.load("Thing", texts)
        first.save()
        with groot.Context(types_mapping, store=store) as context:
            pairs = zip(
                memory.fetch("Thing", sort="id"), context.fetch("Thing", sort="id"), strict=True
            )
            for mine, other in pairs:
                for name in attributes:
                    if name in ("made", "born"):
                        # Python's dates have fewer years: the texts below compare them.
                        continue
                    assert same(mine[name], other[name]), (mine["id"], name)
            expected = memory.dumps(memory.fetch("Thing", sort="id"))
            assert context.dumps(context.fetch("Thing", sort="id")) == expected
            # The same feed has no change, whatever the server makes of the values.
            context.load("Thing", texts)
            assert context.changes == {"inserted": 0, "updated": 0, "deleted": 0}
            context.check()


def test_values_that_are_updated_come_back_as_those_that_are_inserted(
    store: str, types_mapping: groot.Mapping
) -> None:
    """Updates send arrays of values, insertions a COPY."""
    texts = "[" + ", ".join(records()) + "]"
    with groot.Context(types_mapping) as memory, groot.Context(types_mapping, store=store) as first:
        memory.load("Thing", texts)
        first.load("Thing", [{"id": number} for number in range(memory.count("Thing"))])
        first.save()
        first.load("Thing", texts)
        first.save()
        with groot.Context(types_mapping, store=store) as context:
            expected = memory.dumps(memory.fetch("Thing", sort="id"))
            assert context.dumps(context.fetch("Thing", sort="id")) == expected


SETTINGS = [
    "bytea_output=escape",
    "client_encoding=LATIN1",
    "datestyle=German",
    "default_transaction_deferrable=on",
    "extra_float_digits=-15",
    "search_path=pg_catalog",
    "timezone=Asia/Kathmandu",
    "transform_null_equals=on",
    "xmloption=document",
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_settings_of_a_role_do_not_change_values(
    store: str, types_mapping: groot.Mapping, setting: str
) -> None:
    texts = "[" + ", ".join(record for record in records() if len(record) < 1000) + "]"
    url = f"{store}&options={quote(f'-c {setting}')}"
    with groot.Context(types_mapping) as memory, groot.Context(types_mapping, store=url) as first:
        memory.load("Thing", texts)
        first.load("Thing", texts)
        first.save()
        expected = memory.dumps(memory.fetch("Thing", sort="id"))
        for one in (url, store):
            with groot.Context(types_mapping, store=one) as context:
                assert context.dumps(context.fetch("Thing", sort="id")) == expected
                assert context.count("Thing", {"name": "é"}) == 1
                context.load("Thing", texts)
                assert context.changes == {"inserted": 0, "updated": 0, "deleted": 0}


def test_a_role_whose_backslashes_escape_is_refused(
    store: str, types_mapping: groot.Mapping
) -> None:
    url = f"{store}&options={quote('-c standard_conforming_strings=off')}"
    with pytest.raises(groot.Error) as caught:
        groot.Context(types_mapping, store=url)
    assert caught.value.code is Status.UNSUPPORTED
    assert "standard_conforming_strings" in str(caught.value)


def test_a_role_that_only_reads_says_so(store: str, types_mapping: groot.Mapping) -> None:
    groot.Context(types_mapping, store=store).close()
    url = f"{store}&options={quote('-c default_transaction_read_only=on')}"
    with groot.Context(types_mapping, store=url) as context:
        context.insert("Thing", id=1)
        with pytest.raises(groot.Error) as caught:
            context.save()
        assert caught.value.code is Status.STORE_READ_ONLY
        assert context.changes == {"inserted": 1, "updated": 0, "deleted": 0}


@pytest.mark.parametrize("name", ["small", "large", "ratio", "price", "made", "born", "name"])
def test_the_order_of_values_is_that_of_memory(
    store: str, types_mapping: groot.Mapping, name: str
) -> None:
    texts = "[" + ", ".join(record for record in records() if len(record) < 1000) + "]"
    with (
        groot.Context(types_mapping) as memory,
        groot.Context(types_mapping, store=store) as context,
    ):
        for one in (memory, context):
            one.load("Thing", texts)
            one.save()
            one.refresh()
        for order in ([name, "id"], [f"-{name}", "id"]):
            expected = [one["id"] for one in memory.fetch("Thing", sort=order)]
            assert [one["id"] for one in context.fetch("Thing", sort=order)] == expected
        chosen = memory.distinct("Thing", name)
        assert context.distinct("Thing", name) == chosen
        for value in chosen[:40]:
            for sign in ("==", "<", ">="):
                where = {name: {sign: value}} if value is not None else {name: None}
                assert context.count("Thing", where) == memory.count("Thing", where), (sign, value)


def set_name(context: groot.Context) -> None:
    context.fetch("Thing", {"id": 3})[0]["name"] = "a\0b"


WITH_NUL: dict[str, Callable[[groot.Context], object]] = {
    "load": lambda context: context.load("Thing", [{"id": 100}, {"id": 101, "name": "m\0"}]),
    "sync": lambda context: context.sync("Thing", [{"id": 100}, {"id": 101, "name": "\0"}]),
    "batch": lambda context: context.load("Thing", [{"id": 100, "name": "m\0"}], batch=2),
    "insert": lambda context: context.insert("Thing", id=102, name="\0m"),
    "set": set_name,
}


@pytest.mark.parametrize(
    ("kind", "identity"),
    [
        *((kind, "id") for kind in WITH_NUL),
        *((kind, "name") for kind in WITH_NUL if kind != "sync"),
    ],
)
def test_a_nul_in_text_is_a_status_before_anything_is_sent(
    server: Server, schema: str, store: str, kind: str, identity: str
) -> None:
    model = document("types")
    model["entities"]["Thing"]["userInfo"]["identityAttributes"] = identity
    with groot.Context(groot.Mapping(groot.Model(model)), store=store) as context:
        context.load("Thing", [{"id": number, "name": f"n{number}"} for number in range(5)])
        context.save()
        with pytest.raises(groot.Error) as caught:
            WITH_NUL[kind](context)
        assert caught.value.code is Status.OUT_OF_RANGE
        issue = caught.value.issues[0]
        assert (issue.entity, issue.property) == ("Thing", "name")
        assert "NUL" in str(caught.value)
        if kind in ("load", "sync", "batch"):
            assert issue.path is not None
            assert issue.path.endswith(".name")
        assert context.changes == {"inserted": 0, "updated": 0, "deleted": 0}
        context.check()
        context.insert("Thing", id=7, name="good")
        context.save()
    assert server.psql(f'SELECT count(*) FROM {schema}."Thing"') == "6"


@pytest.mark.parametrize("value", ["a\0", "\0"])
def test_a_query_for_text_with_a_nul_finds_nothing(
    store: str, types_mapping: groot.Mapping, value: str
) -> None:
    with groot.Context(types_mapping, store=store) as context:
        context.load("Thing", [{"id": 1, "name": "a"}, {"id": 2, "name": ""}])
        context.save()
        context.refresh()
        for sign in ("==", "contains", "beginsWith", "endsWith", "like"):
            assert context.count("Thing", {"name": {sign: value}}) == 0
        assert context.count("Thing", {"name": {"in": [value, "a"]}}) == 1
        assert context.count("Thing", {"name": {"!=": value}}) == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("made", "-004713-11-23T23:59:59.999999Z"),
        ("made", "-200000-01-01T00:00:00Z"),
        ("born", "-004713-11-23"),
        ("born", "-200000-01-01"),
    ],
)
def test_a_date_before_the_calendar_of_the_server_is_a_status(
    store: str, types_mapping: groot.Mapping, name: str, value: str
) -> None:
    with groot.Context(types_mapping, store=store) as context:
        with pytest.raises(groot.Error) as caught:
            context.load("Thing", [{"id": 1}, {"id": 2, name: value}])
        assert caught.value.code is Status.OUT_OF_RANGE
        assert caught.value.issues[0].property == name
        assert context.changes == {"inserted": 0, "updated": 0, "deleted": 0}
        context.load("Thing", {"id": 2})
        context.save()
