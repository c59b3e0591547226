"""Connections that break at every message: a save is whole, or it can be done again."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from proxy import Proxy
from servers import Server

import groot
from groot import Status

from .heroes_of_rounds import (
    LATER,
    LONG,
    MAPPING,
    Expected,
    change,
    check_rows,
    commits,
    extended,
    is_cut_off,
    require_save,
    state,
    stored,
    url_of,
)

WAYS: dict[str, dict[str, Any]] = {
    "statement lost": {"delivers": False},
    "answer lost": {},
    "reset": {"resets": True},
}
KINDS = "" if LONG else "QSc"
"""All messages, or those that end a statement or a COPY."""


STEP = 1 if LONG else 12


def each_break(
    proxy: Proxy, way: dict[str, Any], step: int = 1, first: int = 1
) -> Iterator[Callable[[], None]]:
    """Yield functions that let the next message, the one after it and so on break a connection.

    It ends after the first one that nothing was left for.
    """
    for number in itertools.count(first, step):
        broken = proxy.broken
        yield functools.partial(proxy.cut, messages=number, kinds=KINDS, **way)
        proxy.forward()
        if proxy.broken == broken:
            return


@pytest.mark.parametrize("way", WAYS)
def test_a_save_whose_connection_breaks_is_whole_or_can_be_done_again(
    server: Server, proxy: Proxy, schema: str, way: str
) -> None:
    expected = Expected()
    round = 1
    with groot.Context(MAPPING, store=extended(proxy.url, schema)) as context:
        change(context, 1)
        context.save()
        for round, break_next in enumerate(each_break(proxy, WAYS[way]), 2):
            change(context, round)
            assert state(context) == expected[round]
            break_next()
            before, after = expected[round - 1], expected[round]
            require_save(context, server, schema, before, after, saves=round, mend=proxy.forward)
    assert round > 10


@pytest.mark.parametrize("way", WAYS)
def test_a_first_save_whose_beginning_is_lost_can_be_done_again(
    server: Server, proxy: Proxy, schema: str, way: str
) -> None:
    """A context makes a row for itself before its first save, which may be there already."""
    expected = Expected()
    for round in range(1, 10):
        with groot.Context(MAPPING, store=extended(proxy.url, schema)) as context:
            change(context, round)
            assert state(context) == expected[round]
            proxy.cut(messages=(round - 1) % 3 + 1, kinds="Q", **WAYS[way])
            before, after = expected[round - 1], expected[round]
            require_save(context, server, schema, before, after, saves=round, mend=proxy.forward)
    assert proxy.broken == 9


@pytest.mark.parametrize("way", WAYS)
def test_an_import_whose_connection_breaks_while_reading_leaves_the_objects(
    server: Server, proxy: Proxy, schema: str, way: str
) -> None:
    """Reading goes on or says that the connection was lost; the next call reads the same."""
    expected = Expected()
    round = 1
    for round, break_next in enumerate(each_break(proxy, WAYS[way]), 2):
        with groot.Context(MAPPING, store=extended(proxy.url, schema)) as context:
            if round == 2:
                change(context, 1)
                context.save()
            break_next()
            if is_cut_off(lambda: change(context, round)):  # noqa: B023
                context.rollback()
                assert state(context) == expected[round - 1]
                change(context, round)
            proxy.forward()
            assert state(context) == expected[round]
            context.save()
        assert stored(server, schema) == expected[round]
    assert round > 5


@pytest.mark.parametrize("way", WAYS)
def test_an_opening_whose_connection_breaks_makes_all_tables_or_none(
    server: Server, proxy: Proxy, schema: str, way: str
) -> None:
    """The first import into the new store breaks, too."""
    expected = Expected()
    number = 0
    step = 1 if LONG else 4
    for number, break_next in enumerate(each_break(proxy, WAYS[way], step)):
        own = f"{schema}_{number}"
        url = extended(proxy.url, own)

        def import_all() -> None:
            with groot.Context(MAPPING, store=url) as context:  # noqa: B023
                change(context, 1)
                context.save()

        break_next()
        if is_cut_off(import_all):
            made = server.psql(
                f"SELECT count(*) FROM information_schema.tables WHERE table_schema = '{own}'"
            )
            assert made in ("0", "5")
            if made == "5":
                assert stored(server, own) == expected[0]
            import_all()
        assert stored(server, own) == expected[1]
        assert commits(server, own) == 1
        server.psql(f"DROP SCHEMA {own} CASCADE")
    assert number > 3


@pytest.mark.parametrize("way", WAYS)
def test_a_migration_whose_connection_breaks_leaves_the_old_store_or_the_new(
    server: Server, proxy: Proxy, schema: str, way: str
) -> None:
    expected = Expected()
    with groot.Context(MAPPING, store=url_of(server, schema)) as context:
        change(context, 1)
        context.save()
    count = 0
    start = list(WAYS).index(way) + 1
    for break_next in each_break(proxy, WAYS[way], STEP, start):
        count += 1
        break_next()

        def migrate() -> None:
            groot.Context(LATER, store=extended(proxy.url, schema)).close()

        is_new = not is_cut_off(migrate)
        check_rows(server, schema)
        model = server.psql(f"SELECT value FROM {schema}._groot WHERE key = 'model'")
        assert not is_new or '"color"' in model
        mapping = LATER if '"color"' in model else MAPPING
        assert stored(server, schema, mapping) == expected[1]
        migrate()
        assert stored(server, schema, LATER) == expected[1]
        groot.Context(MAPPING, store=url_of(server, schema), migrate="destructive").close()
        assert stored(server, schema) == expected[1]
    assert count > 2


@pytest.mark.parametrize("delivers", [True, False])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_commit_that_is_lost_is_neither_forgotten_nor_done_twice(
    server: Server, proxy: Proxy, schema: str, times: int, delivers: bool
) -> None:
    """The question whether it has happened may get lost as well."""
    expected = Expected()
    is_armed = False

    def break_commit(level: str, message: str) -> None:
        if is_armed and message == "COMMIT":
            proxy.cut(messages=1, kinds="Q", delivers=delivers, times=times)

    store = extended(proxy.url, schema)
    with groot.Context(MAPPING, store=store, log=break_commit) as context:
        change(context, 1)
        context.save()
        change(context, 2)
        is_armed = True
        broken = proxy.broken
        is_lost = is_cut_off(context.save)
        is_armed = False
        assert proxy.broken > broken
        proxy.forward()
        assert is_lost != delivers
        assert stored(server, schema) == expected[1 if is_lost else 2]
        if is_lost:
            context.save()
        assert stored(server, schema) == state(context) == expected[2]
        assert commits(server, schema) == 2
        change(context, 3)
        context.save()
    assert stored(server, schema) == expected[3]


@pytest.mark.skipif(not LONG, reason="asks the server for 20 s: set GROOT_LONG=1")
@pytest.mark.parametrize("delivers", [True, False])
def test_a_commit_that_nobody_can_be_asked_about_is_not_done_twice(
    server: Server, proxy: Proxy, schema: str, delivers: bool
) -> None:
    """The next save succeeds, or says that the last one has happened."""
    expected = Expected()
    is_armed = False

    def break_all(level: str, message: str) -> None:
        if is_armed and message == "COMMIT":
            proxy.cut(messages=1, kinds="Q", delivers=delivers, times=1000)

    store = extended(proxy.url, schema)
    with groot.Context(MAPPING, store=store, log=break_all) as context:
        change(context, 1)
        context.save()
        change(context, 2)
        changes = context.changes
        is_armed = True
        assert is_cut_off(context.save)
        is_armed = False
        proxy.forward()
        assert stored(server, schema) == expected[2 if delivers else 1]
        assert context.changes == changes
        try:
            context.save()
        except groot.Error as error:
            assert error.code == Status.STORE_DISCONNECTED  # noqa: PT017
            assert "has happened: refresh" in str(error)  # noqa: PT017
            assert delivers
            context.refresh()
        assert stored(server, schema) == state(context) == expected[2]
        assert commits(server, schema) == 2
