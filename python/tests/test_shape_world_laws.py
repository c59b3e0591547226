"""Laws of the shapes of feeds, on random models of all dialects."""

from __future__ import annotations

import copy
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from shape_feeds import World, in_order

import groot

BEGIN = int(os.environ.get("GROOT_SHAPES_FROM", "0"))
SEEDS = range(BEGIN, BEGIN + int(os.environ.get("GROOT_SHAPES", "40")))
COUNTS = ("inserted", "updated", "unchanged", "deleted", "stale", "skipped")


def outcome(call: Callable[[], Any]) -> Any:
    """Return the result of a call, or the code of its error, which must have a message."""
    try:
        return call()
    except groot.Error as error:
        if not error.issues or not all(issue.message for issue in error.issues):
            raise AssertionError("an error must say what is wrong") from error
        return error.code


def counts(report: Any) -> Any:
    """Return the counts of a report, or the code of an error."""
    if not isinstance(report, groot.Report):
        return report
    return [getattr(report, name) for name in COUNTS] + [len(report.issues)]


def state(world: World, context: groot.Context) -> Any:
    """Return the visible state of a context."""
    return outcome(lambda: world.dump(context)), world.counts(context)


def loaded(world: World, data: Any = None) -> groot.Context:
    """Return a context with the records of the world, or with other JSON."""
    context = world.open()
    world.load(context, world.arranged(list(world.records.items())) if data is None else data)
    context.check()
    return context


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_again_changes_nothing(seed: int) -> None:
    """Load twice: nothing changes. Without identities, at least the export is the same."""
    world = World(seed)
    context = loaded(world)
    before = state(world, context)
    report = world.load(context, world.arranged(list(world.records.items())))
    context.check()
    if "unidentified" not in world.features:
        assert counts(report)[:2] == [0, 0], report
        assert report.deleted == 0
        assert state(world, context) == before
    assert state(world, context)[0] == before[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_an_export_is_what_was_imported(seed: int) -> None:
    """An export equals the import if the model maps all; exporting it again gives the same."""
    world = World(seed)
    data = world.arranged(list(world.records.items()))
    first = outcome(lambda: world.dump(loaded(world)))
    if not world.features & {"loose"}:
        assert first == data
    if not isinstance(first, groot.Status):
        assert outcome(lambda: world.dump(loaded(world, first))) == first


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_records_does_not_matter(seed: int) -> None:
    """Load in any order: the objects are the same."""
    world = World(seed)
    records = list(world.records.items())
    random.Random(seed).shuffle(records)  # noqa: S311
    one, other = loaded(world), loaded(world, world.arranged(records))
    assert world.counts(one) == world.counts(other)
    first, second = (outcome(lambda at=at: world.dump(at)) for at in (one, other))
    assert in_order(first) == in_order(second)


def unidentified(world: World) -> Any:
    """Return the records with one that lacks an identity."""
    wrong = {"id": None} if world.form == "array" else {"id": 12345}
    if world.form == "grouped" and world.dialect == "groot":
        wrong = {"id": None}
    records = [*world.records.items()][1:]
    if world.form == "keyed" and world.dialect == "kvc":
        return None
    if "kinds" in world.features:
        (first, *_) = world.records.values()
        wrong |= {key: first[key] for key in ("kind", "meta") if key in first}
    return world.arranged([*records, (9000, wrong)])


@pytest.mark.parametrize("seed", SEEDS)
def test_syncing_again_is_idle(seed: int) -> None:
    """Synchronize twice: the second changes nothing. An unidentified entry withholds all."""
    world = World(seed)
    context = loaded(world)
    data = world.arranged(list(world.records.items()))
    if "unidentified" not in world.features:
        assert counts(world.sync(context, data))[:2] == [0, 0]
        before = state(world, context)
        report = world.sync(context, data)
        assert [report.inserted, report.updated, report.deleted] == [0, 0, 0]
        assert state(world, context) == before
    part = unidentified(world)
    if part is None or getattr(world, "has_key", False):
        return
    before = context.count("Top")
    would = world.sync(context, part, withhold=False, dry_run=True)
    report = world.sync(context, part)
    assert report.deleted == 0
    gone = {change.object for change in would.changes if change.change == "deleted"}
    assert gone >= set(report.withheld)
    assert report.issues
    assert context.count("Top") == before
    if not world.features & {"peers", "tree"}:
        assert [one["id"] for one in report.withheld if groot.entity_name(one)[:3] == "Top"] == [1]
    context.check()


# Programs


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place in JSON: the container, and the key or position."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def changed(world: World, chance: random.Random, wrong: bool) -> list[tuple[int, Any]]:
    """Change some records: values, members, their order, nulls, or invalid values."""
    records = dict(world.records)
    for number in [*records, max(records) + 1]:
        if chance.random() < 0.6:
            records[number] = world.record(number)
    for number in list(records):
        records[number] = copy.deepcopy(records[number])
        if chance.random() < 0.2:
            del records[number]
            continue
        if wrong and chance.random() < 0.5:
            continue
        found = [one for one in places(records[number]) if one[1] not in ("kind", "meta")]
        for _ in range(chance.randint(0, 2)):
            around, key = chance.choice(found) if found else ({}, "")
            if isinstance(around.get(key) if isinstance(around, dict) else around[key], list):
                chance.shuffle(around[key])
            elif wrong:
                around[key] = chance.choice([[1], {"bad": [1]}, 5, "text", True])
            elif key != "id" or around is not records[number]:
                around[key] = None
    given: list[tuple[int, Any]] = list(records.items())
    if given and chance.random() < 0.2:
        number = chance.choice(given)[0]
        given.append((number, world.record(number)))
    chance.shuffle(given)
    return given


def entries(world: World, chance: random.Random) -> list[tuple[int, Any]]:
    """Return records for a synchronization, some as identifiers or without identity."""
    given = []
    for number, record in changed(world, chance, wrong=False):
        kind = chance.random()
        if kind < 0.15:
            given.append((number, number))
        elif kind < 0.25:
            given.append((number, {key: value for key, value in record.items() if key != "id"}))
        else:
            given.append((number, record))
    return given


def program(world: World, chance: random.Random) -> Iterator[tuple[str, Any]]:
    """Return the steps of a program."""
    world.is_changing = True
    for _ in range(chance.randint(3, 6)):
        step = chance.choice(["load", "sync", "skip", "delete", "wrong", "mark"])
        if step == "mark" and "mark" not in world.features:
            step = "sync"
        if step == "delete":
            yield step, chance.randint(0, 5)
        elif step in ("sync", "mark"):
            yield step, world.arranged(entries(world, chance))
        else:
            yield step, world.arranged(changed(world, chance, step in ("skip", "wrong")))


def run(world: World, context: groot.Context, step: str, given: Any) -> Any:
    """Carry out a step, check its laws, and return its outcome."""
    if step == "delete":
        found = context.fetch("Top", sort="id")
        if len(found) > given:
            context.delete(found[given])
        context.check()
        return len(found)
    calls: dict[str, Callable[..., groot.Report]] = {
        "load": lambda **more: world.load(context, given, **more),
        "wrong": lambda **more: world.load(context, given, **more),
        "skip": lambda **more: world.load(context, given, errors="skip", **more),
        "sync": lambda **more: world.sync(context, given, **more),
        "mark": lambda **more: world.sync(context, given, delete="mark", **more),
    }
    before = state(world, context)
    dry = outcome(lambda: calls[step](dry_run=True))
    context.check()
    assert state(world, context) == before
    report = outcome(lambda: calls[step](changes=True))
    context.check()
    assert counts(dry) == counts(report)
    if not isinstance(report, groot.Report):
        assert state(world, context) == before
        return report
    new = {one.object for one in report.changes if one.change == "inserted"}
    assert dry.withheld == tuple(one for one in report.withheld if one not in new)
    return *counts(report), len(report.withheld)


@pytest.mark.parametrize("seed", SEEDS)
def test_steps_hold_in_memory_and_in_a_store(seed: int, tmp_path: Path) -> None:
    """Compare memory, store and dry runs after each step; failures change nothing."""
    world, chance = World(seed), random.Random(seed)  # noqa: S311
    memory, path = world.open(), tmp_path / "feed.store"
    store = world.open(path)
    first = ("load", world.arranged(list(world.records.items())))
    for step, given in [first, *program(world, chance)]:
        assert run(world, memory, step, given) == run(world, store, step, given)
        assert state(world, memory) == state(world, store)
        if chance.random() < 0.6:
            saved = [outcome(lambda at=at: at.save()) for at in (memory, store)]
            assert saved[0] == saved[1]
            if saved[1] is None:
                store.close()
                store = world.open(path)
                store.check()
            assert state(world, memory) == state(world, store)
    store.close()


# Faults found by the laws, in shapes that the worlds do not have


def attribute(path: str) -> dict[str, Any]:
    """Describe an integer."""
    return {"type": "integer64", "optional": True, "userInfo": {"JSONKeyPath": path}}


TAG = {"userInfo": {"identityAttributes": "id"}, "attributes": {"id": attribute("id")}}


def tops(info: dict[str, str], link: dict[str, Any], **more: Any) -> groot.Mapping:
    """Compile a model of records that link to others of the same entity."""
    top = {
        "userInfo": {"identityAttributes": "id", **info},
        "attributes": {"id": attribute("id"), "rev": attribute("rev")},
        "relationships": {"to": {"destination": "Top", "optional": True, **link}},
    }
    if "First" in more:
        top["abstract"] = True
    return groot.Mapping(groot.Model({"entities": {"Top": top, **more}}))


def test_delete_missing_looks_for_other_owners_in_the_store(tmp_path: Path) -> None:
    """Keep a member that another object of the store has, even without an inverse."""
    info = {"JSONKeyPath": "to", "groot.assignment": "deleteMissing"}
    mapping = tops({}, {"destination": "Tag", "toMany": True, "userInfo": info}, Tag=TAG)
    path = tmp_path / "feed.store"
    with groot.Context(mapping, path) as context:
        context.load("Top", [{"id": 1, "to": [{"id": 5}]}, {"id": 2, "to": [{"id": 5}]}])
        context.save()
    with groot.Context(mapping, path) as context:
        context.load("Top", [{"id": 1, "to": []}])
        assert context.count("Tag") == 1


def test_a_stale_entry_names_its_members() -> None:
    """Synchronize twice with versions: the second changes nothing."""
    link = {"toMany": True, "userInfo": {"JSONKeyPath": "to"}}
    context = groot.Context(tops({"groot.version": "rev"}, link))
    feed = [{"id": 1, "rev": 1, "to": [{"id": 3}]}]
    context.sync("Top", feed)
    assert context.count("Top") == 2
    assert context.sync("Top", feed).deleted == 0


def test_a_placeholder_of_an_abstract_entity_can_be_read_again() -> None:
    """Import the text of an export."""
    link = {"userInfo": {"JSONKeyPath": "to", "groot.export": "identifier"}}
    mapping = tops({"groot.discriminator": "kind"}, link, First={"parent": "Top"})
    context = groot.Context(mapping)
    context.load("Top", [{"id": 1, "kind": "First", "to": 5}])
    written = context.dump(context.fetch("Top"))
    assert counts(groot.report(context.load("Top", written)))[:2] == [0, 0]


def test_a_value_in_the_object_of_a_link_around_makes_nothing() -> None:
    """Import an export into its own graph: nothing changes."""
    one = {"destination": "Tag", "optional": True, "userInfo": {"JSONKeyPath": "@parent.tag"}}
    line = {**TAG, "relationships": {"tag": one}}
    line["attributes"] = {**line["attributes"], "more": attribute("@parent.tag.more")}
    link = {"destination": "Line", "toMany": True, "userInfo": {"JSONKeyPath": "to"}}
    context = groot.Context(tops({}, link, Line=line, Tag=TAG))
    context.load("Top", {"id": 1, "tag": {"id": 7, "more": 8}, "to": [{"id": 2}]})
    written = context.dump(context.fetch("Top"))
    assert counts(groot.report(context.load("Top", written)))[:2] == [0, 0]
