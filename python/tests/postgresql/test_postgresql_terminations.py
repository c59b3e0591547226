"""Sessions that somebody ends on the server before each statement, and servers that end."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
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
    is_cut_off,
    require_save,
    state,
    stored,
    url_of,
)
from .sessions import Ender


@pytest.fixture
def ender(server: Server, schema: str) -> Iterator[Ender]:
    """Make something that ends the sessions of this test's stores."""
    with Ender(server, schema) as ender:
        yield ender


def test_a_save_whose_session_is_ended_is_whole_or_can_be_done_again(
    server: Server, schema: str, ender: Ender
) -> None:
    expected = Expected()
    round = 1
    store = url_of(server, schema, application_name=schema)
    with groot.Context(MAPPING, store=store, log=ender.note) as context:
        change(context, 1)
        context.save()
        for round in itertools.count(2):
            change(context, round)
            assert state(context) == expected[round]
            ender.end_before(round - 1)
            before, after = expected[round - 1], expected[round]
            require_save(context, server, schema, before, after, saves=round, mend=ender.forget)
            if not ender.is_done:
                break
    assert round > 8


def test_an_import_whose_session_is_ended_goes_on_or_leaves_the_objects(
    server: Server, schema: str, ender: Ender
) -> None:
    expected = Expected()
    round = 1
    store = url_of(server, schema, application_name=schema)
    for round in itertools.count(2):
        with groot.Context(MAPPING, store=store, log=ender.note) as context:
            if round == 2:
                change(context, 1)
                context.save()
            ender.end_before(round - 1)
            if is_cut_off(lambda: change(context, round)):  # noqa: B023
                context.rollback()
                assert state(context) == expected[round - 1]
                change(context, round)
            ender.forget()
            assert state(context) == expected[round]
            context.save()
        assert stored(server, schema) == expected[round]
        if not ender.is_done:
            break
    assert round > 8


def test_a_first_import_whose_session_is_ended_can_be_done_again(
    server: Server, schema: str, ender: Ender
) -> None:
    expected = Expected()
    number = 0
    for number in itertools.count(1, 1 if LONG else 2):
        own = f"{schema}_{number}"
        store = url_of(server, own, application_name=schema)

        def import_all() -> None:
            with groot.Context(MAPPING, store=store, log=ender.note) as context:  # noqa: B023
                change(context, 1)
                context.save()

        ender.end_before(number)
        if is_cut_off(import_all):
            ender.forget()
            import_all()
        ender.forget()
        assert stored(server, own) == expected[1]
        server.psql(f"DROP SCHEMA {own} CASCADE")
        if not ender.is_done:
            break
    assert number > 8


def test_a_migration_whose_session_is_ended_leaves_the_old_store_or_the_new(
    server: Server, schema: str, ender: Ender
) -> None:
    expected = Expected()
    with groot.Context(MAPPING, store=url_of(server, schema)) as context:
        change(context, 1)
        context.save()
    store = url_of(server, schema, application_name=schema)

    def migrate() -> None:
        groot.Context(LATER, store=store, log=ender.note).close()

    count = 0
    for number in itertools.count(1, 1 if LONG else 9):
        ender.end_before(number)
        is_new = not is_cut_off(migrate)
        ender.forget()
        check_rows(server, schema)
        if not is_new:
            assert stored(server, schema) == expected[1]
            migrate()
        assert stored(server, schema, LATER) == expected[1]
        groot.Context(MAPPING, store=url_of(server, schema), migrate="destructive").close()
        count += 1
        if not ender.is_done:
            break
    assert count > 3


def test_a_server_that_restarts_between_calls_is_found_again(
    durable_server: Server, schema: str
) -> None:
    """Reading goes on with the same objects, because nobody has written."""
    expected = Expected()
    server = durable_server
    with groot.Context(MAPPING, store=url_of(server, schema)) as context:
        change(context, 1)
        context.save()
        for mode in ("fast", "immediate"):
            server.restart(mode)
            assert state(context) == expected[1]
        change(context, 2)
        server.restart("fast")
        context.save()
        assert state(context) == expected[2]
        change(context, 3)
        server.stop("fast")
        for _ in range(2):
            with pytest.raises(groot.Error) as raised:
                context.save()
            assert raised.value.code == Status.STORE_DISCONNECTED
        server.start()
        context.save()
    assert stored(server, schema) == expected[3]
