"""Value transformers that get many values in one call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import groot
from groot import Status


class Counted:
    """A function of a list that counts its calls and values."""

    def __init__(self) -> None:
        self.calls: list[list[Any]] = []

    def __call__(self, values: list[Any]) -> list[Any]:
        self.calls.append(values)
        return [self.one(value) for value in values]

    def texts(self, numbers: list[Any]) -> list[Any]:
        """Return the texts of numbers."""
        self.calls.append(numbers)
        return [str(number) for number in numbers]

    @staticmethod
    def one(value: Any) -> Any:
        """Return the number of a text, and None for an empty one."""
        return int(value) if value else None


MODEL: dict[str, Any] = {
    "entities": {
        "Item": {
            "userInfo": {"identityAttributes": "id"},
            "attributes": {
                "id": {
                    "type": "integer64",
                    "userInfo": {"JSONKeyPath": "id", "JSONTransformerName": "Number"},
                },
                "size": {
                    "type": "integer64",
                    "optional": True,
                    "userInfo": {"JSONKeyPath": "size", "JSONTransformerName": "Number"},
                },
            },
            "relationships": {
                "next": {
                    "destination": "Item",
                    "optional": True,
                    "inverse": "previous",
                    "userInfo": {"JSONKeyPath": "next"},
                },
                "previous": {"destination": "Item", "optional": True, "inverse": "next"},
            },
        }
    }
}


def mapping_with(forward: Any, *, is_batch: bool = True, reverse: Any = None) -> groot.Mapping:
    registry = groot.Registry()
    if is_batch:
        registry.batch_transformer("Number", forward, reverse=reverse)
    else:
        registry.transformer("Number", forward, reverse=reverse)
    return groot.Mapping(groot.Model(MODEL), registry)


def feed(count: int) -> list[dict[str, Any]]:
    return [
        {"id": str(number), "size": str(number % 7) if number % 5 else "", "next": str(number + 1)}
        for number in range(count)
    ]


def values_of(context: groot.Context) -> list[tuple[Any, Any, Any]]:
    return [
        (one.id, one.size, one.next.id if one.next else None)
        for one in context.fetch("Item", sort=["id"])
    ]


def test_few_calls_and_the_same_objects() -> None:
    counted = Counted()
    batch = groot.Context(mapping_with(counted))
    single = groot.Context(mapping_with(Counted.one, is_batch=False))
    for context in (batch, single):
        assert len(context.load("Item", feed(2_000))) == 2_000
    assert values_of(batch) == values_of(single)
    assert len(counted.calls) == 4
    assert all(len(set(values)) == len(values) for values in counted.calls)
    assert sum(map(len, counted.calls)) < 2_000 + 4 * 10


@pytest.mark.parametrize("batch_size", [0, 100])
def test_stores(tmp_path: Path, batch_size: int) -> None:
    counted = Counted()
    context = groot.Context(mapping_with(counted), store=tmp_path / "items.db")
    for _ in range(2):
        if batch_size:
            context.load("Item", feed(300), batch=batch_size)
        else:
            context.load("Item", feed(300))
            context.save()
    assert len(counted.calls) == (6 if batch_size else 2)
    single = groot.Context(mapping_with(Counted.one, is_batch=False))
    single.load("Item", feed(300))
    assert values_of(context) == values_of(single)


def test_a_wrong_value_is_named_as_by_a_single_call() -> None:
    records = [*feed(5), {"id": "5", "next": {"id": "no"}}, {"id": "6"}]
    found = []
    for is_batch in (True, False):
        forward = Counted() if is_batch else Counted.one
        context = groot.Context(mapping_with(forward, is_batch=is_batch))
        with pytest.raises(ValueError, match="invalid literal") as raised:
            context.load("Item", records)
        notes = getattr(raised.value, "__notes__", [])
        with pytest.raises(groot.Error) as gathered:
            context.load("Item", records, errors="collect")
        issues = [(one.path, one.message, one.entity) for one in gathered.value.issues]
        report = groot.report(context.load("Item", records, errors="skip"))
        found.append((notes, issues, report.skipped, values_of(context)))
    assert found[0] == found[1]
    assert found[0][2] == 1


def test_a_failure_of_many_values_alone_is_ignored() -> None:
    def of_one(values: list[Any]) -> list[Any]:
        if len(values) > 1:
            raise RuntimeError("too many")
        return [Counted.one(value) for value in values]

    context = groot.Context(mapping_with(of_one))
    assert len(context.load("Item", feed(20))) == 20
    assert len(context.load("Item", feed(20), errors="collect")) == 20


def test_an_interrupt_ends_the_import() -> None:
    def interrupted(values: list[Any]) -> list[Any]:
        raise KeyboardInterrupt

    context = groot.Context(mapping_with(interrupted))
    with pytest.raises(KeyboardInterrupt):
        context.load("Item", feed(20))


@pytest.mark.parametrize(
    ("forward", "found"),
    [
        (lambda values: [1, 2], "an array of 2 for an array of 1"),
        (lambda values: [], "an array of 0 for an array of 1"),
        (lambda values: {"a": 1}, "no array for an array of 1"),
        (lambda values: None, "nothing for an array of 1"),
    ],
)
def test_wrong_lengths(forward: Any, found: str) -> None:
    context = groot.Context(mapping_with(forward))
    with pytest.raises(groot.Error) as raised:
        context.load("Item", [{"id": "1"}])
    assert raised.value.code == Status.CALLBACK_FAILED
    assert found in str(raised.value)
    assert raised.value.issues[0].path == "$[0].id"


def test_calls_say_their_purpose() -> None:
    purposes = []

    def forward(values: list[Any], call: groot.Call) -> list[Any]:
        purposes.append((len(values), call.entity, call.property, call.path))
        if len(values) > 1:
            raise ValueError("one at a time")
        return [Counted.one(value) for value in values]

    context = groot.Context(mapping_with(forward))
    context.load("Item", [{"id": "1", "size": "4"}])
    assert purposes == [
        (2, "Item", "id", None),
        (1, "Item", "id", "$[0].id"),
        (1, "Item", "size", "$[0].size"),
    ]


def test_pieces_have_a_call_for_the_records_of_each() -> None:
    counted = Counted()
    context = groot.Context(mapping_with(counted))
    records = [b'{"id": "%d"}\n' % number for number in range(1_000)]
    with context.importing("Item", lines=True) as stream:
        for first in range(0, 1_000, 100):
            stream.write(b"".join(records[first : first + 100]))
    assert context.count("Item") == 1_000
    assert len(counted.calls) <= 11


def test_values_of_all_kinds() -> None:
    values = [1, 1.5, -0.0, True, False, "ä\n", [1, [2]], {"a": {"b": None}}, 12345678901234567890]
    given = []

    def forward(values: list[Any]) -> list[Any]:
        given.append(values)
        return values

    model = {
        "entities": {
            "Thing": {
                "attributes": {
                    "value": {
                        "type": "transformable",
                        "optional": True,
                        "userInfo": {"JSONKeyPath": "value", "JSONTransformerName": "T"},
                    }
                }
            }
        }
    }
    registry = groot.Registry()
    registry.batch_transformer("T", forward, reverse=lambda values: values)
    context = groot.Context(groot.Mapping(groot.Model(model), registry))
    things = context.load("Thing", [{"value": value} for value in [*values, None, *values]])
    assert [one.value for one in things] == [*values, None, *values]
    assert given == [values]
    assert context.dump(things) == [{"value": value} for value in [*values, None, *values]]


def test_objects_in_order_have_few_reverse_calls() -> None:
    counted = Counted()
    context = groot.Context(mapping_with(Counted(), reverse=counted.texts))
    items = context.load("Item", [{"id": str(number)} for number in range(1_000, 3_000)])
    assert [one["id"] for one in context.dump(items)] == list(map(str, range(1_000, 3_000)))
    assert [len(values) for values in counted.calls] == [
        1,
        2,
        4,
        8,
        16,
        32,
        64,
        128,
        256,
        512,
        512,
        465,
    ]
    counted.calls.clear()
    assert context.dump(items[5])["id"] == "1005"
    assert counted.calls == [[1005]]


def test_a_failure_of_an_export_is_that_of_its_object() -> None:
    def texts(values: list[Any]) -> list[Any]:
        if 7 in values:
            raise ValueError("unlucky")
        return [str(value) for value in values]

    context = groot.Context(mapping_with(Counted(), reverse=texts))
    items = context.load("Item", [{"id": str(number)} for number in range(100)])
    assert len(context.dump(items[:7])) == 7
    assert len(context.dump(items[8:])) == 92
    with pytest.raises(ValueError, match="unlucky"):
        context.dump(items)


def test_decorator_and_entries() -> None:
    registry = groot.Registry()

    @registry.batch_transformer("Number")
    def number(values: list[Any]) -> list[Any]:
        return values

    assert number([1]) == [1]
    registry.remove("Number")
    with pytest.raises(groot.Error):
        registry.batch_transformer("Number", 5)  # type: ignore[call-overload]
    with pytest.raises(groot.Error):
        registry.batch_transformer("Number", number, reverse=5)  # type: ignore[call-overload]
