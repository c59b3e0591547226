"""A server that is killed at random instants, and recovers: all is written, or nothing."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, Literal

import pytest
from servers import Server

import groot

from .heroes_of_rounds import (
    LATER,
    LONG,
    MAPPING,
    Expected,
    at_once,
    change,
    check_rows,
    commits,
    feed,
    is_cut_off,
    state,
    stored,
    url_of,
)

KILLS = 50 if LONG else 2
"""The number of kills in each test; more kills find more faults."""
SIZE = 3000


def killed_during(
    server: Server, call: Callable[[], Any], *, within: float, chance: random.Random
) -> bool:
    """Kill the server at a random instant during a call, and start it again at once.

    So the call can ask whether a commit has happened whose answer was lost. Return whether
    the call met the loss of its connection.
    """
    instant = chance.random() * within
    found: list[bool] = []

    def kill() -> None:
        time.sleep(instant)
        server.kill()
        server.start()

    at_once(kill, lambda: found.append(is_cut_off(call)))
    return found[0]


def measured(call: Callable[[], Any]) -> float:
    """Return the seconds that a call takes, and some more."""
    start = time.monotonic()
    call()
    return (time.monotonic() - start) * 1.1


def test_a_server_killed_during_a_save_has_all_of_it_or_nothing(
    durable_server: Server, schema: str
) -> None:
    server = durable_server
    expected = Expected(SIZE)
    chance = random.Random(21)
    with groot.Context(MAPPING, store=url_of(server, schema)) as context:
        change(context, 1, SIZE)
        context.save()
        change(context, 2, SIZE)
        within = measured(context.save)
        for round in range(3, 3 + KILLS):
            change(context, round, SIZE)
            before, after = expected[round - 1], expected[round]
            changes = context.changes
            is_lost = killed_during(server, context.save, within=within, chance=chance)
            found = stored(server, schema)
            assert found == (before if is_lost else after)
            assert not is_lost or context.changes == changes
            if is_lost:
                assert state(context) == after
                context.save()
            assert stored(server, schema) == after
            assert state(context) == after
            assert commits(server, schema) == round


@pytest.mark.parametrize("manner", ["whole", "each"])
def test_a_server_killed_during_an_import_in_batches_has_whole_batches(
    durable_server: Server, schema: str, manner: Literal["whole", "each"]
) -> None:
    """Each import gives all heroes a greater name, so names change between batches only."""
    server = durable_server
    batch = SIZE // 10
    chance = random.Random(22)

    def heroes(round: int) -> list[dict[str, Any]]:
        return [{**hero, "name": f"{round:06}"} for hero in feed(0, SIZE)]

    def do_import(round: int) -> None:
        with groot.Context(MAPPING, store=url_of(server, schema)) as context:
            context.load("Hero", heroes(round), batch=batch, commits=manner)

    do_import(1)
    within = measured(lambda: do_import(2))
    for round in range(3, 3 + KILLS):
        is_lost = killed_during(server, lambda: do_import(round), within=within, chance=chance)  # noqa: B023
        found = stored(server, schema)["heroes"]
        names = [hero["name"] for hero in found]
        assert len(names) == SIZE
        assert names == sorted(names, reverse=True)
        assert set(names) <= {f"{round - 1:06}", f"{round:06}"}
        assert all(names.count(name) % batch == 0 for name in set(names))
        if manner == "whole":
            assert set(names) == {f"{round - is_lost:06}"}
        do_import(round)
        assert {hero["name"] for hero in stored(server, schema)["heroes"]} == {f"{round:06}"}


def test_a_server_killed_during_a_first_import_has_all_of_it_or_nothing(
    durable_server: Server, schema: str
) -> None:
    """The tables are made, filled and saved while the server dies."""
    server = durable_server
    expected = Expected(SIZE)
    chance = random.Random(23)

    def import_all(own: str) -> None:
        with groot.Context(MAPPING, store=url_of(server, own)) as context:
            change(context, 1, SIZE)
            context.save()

    within = measured(lambda: import_all(schema))
    for number in range(KILLS):
        own = f"{schema}_{number}"
        if killed_during(server, lambda: import_all(own), within=within, chance=chance):  # noqa: B023
            with groot.Context(MAPPING, store=url_of(server, own)) as context:
                assert state(context) == expected[0]
            import_all(own)
        assert stored(server, own) == expected[1]
        assert commits(server, own) == 1
        server.psql(f"DROP SCHEMA {own} CASCADE")


def test_a_server_killed_during_a_migration_has_the_old_store_or_the_new(
    durable_server: Server, schema: str
) -> None:
    server = durable_server
    expected = Expected(SIZE)
    chance = random.Random(24)
    store = url_of(server, schema)

    def migrate() -> None:
        groot.Context(LATER, store=store).close()

    def bring_back() -> None:
        groot.Context(MAPPING, store=store, migrate="destructive").close()

    with groot.Context(MAPPING, store=store) as context:
        change(context, 1, SIZE)
        context.save()
    within = measured(migrate)
    bring_back()
    for _ in range(KILLS):
        is_lost = killed_during(server, migrate, within=within, chance=chance)
        check_rows(server, schema)
        model = server.psql(f"SELECT value FROM {schema}._groot WHERE key = 'model'")
        is_new = '"color"' in model
        assert is_new or is_lost
        assert stored(server, schema, LATER if is_new else MAPPING) == expected[1]
        migrate()
        assert stored(server, schema, LATER) == expected[1]
        bring_back()
        assert stored(server, schema) == expected[1]
