"""Migrations of a store in PostgreSQL that others use at the same time."""

from __future__ import annotations

import copy
import threading
import time
from functools import partial

import pytest
from servers import Server

import groot
from groot import Status
from postgresql import feeds
from postgresql.invariants import at_once, check_store, code_of


@pytest.fixture(scope="module")
def colored() -> groot.Mapping:
    """Return a mapping whose model has one more attribute."""
    model = copy.deepcopy(feeds.MODEL)
    model["entities"]["Hero"]["attributes"]["color"] = feeds.attribute("string", default="red")
    return groot.Mapping(groot.Model(model), implicit=True)


class Migration(threading.Thread):
    """A migration on a thread of its own."""

    def __init__(self, mapping: groot.Mapping, store: str) -> None:
        super().__init__()
        self.mapping = mapping
        self.store = store
        self.error: groot.Error | None = None

    def run(self) -> None:
        try:
            groot.Context(self.mapping, store=self.store).close()
        except groot.Error as error:
            self.error = error


def test_contexts_that_migrate_a_store_at_once_do_it_once(
    server: Server, schema: str, store: str, colored: groot.Mapping
) -> None:
    feeds.prepare(store)
    with groot.Context(feeds.mapping(), store=store) as context:
        context.load("Hero", [{"id": number, "teams": [{"id": 1}]} for number in range(100)])
        context.save()

    def open_and_save(number: int) -> None:
        with groot.Context(colored, store=store) as context:
            context.load("Hero", {"id": 1000 + number, "color": "blue"})
            context.save()

    assert at_once([partial(open_and_save, number) for number in range(8)]) == []
    with groot.Context(colored, store=store) as context:
        assert context.count("Hero", {"color": "red"}) == 100
        assert context.count("Hero", {"color": "blue"}) == 8
        check_store(server, schema, context)
    migrations = server.psql(f"SELECT number FROM {schema}._groot WHERE key = 'model'")
    assert migrations == "2"


def write_again(context: groot.Context) -> None:
    context.refresh()
    context.load("Hero", {"id": 2, "teams": [{"id": 3}]})
    context.save()


def test_a_context_of_before_a_migration_says_so(store: str, colored: groot.Mapping) -> None:
    """It must not write to tables that are made anew."""
    feeds.prepare(store)
    with groot.Context(feeds.mapping(), store=store) as old:
        old.load("Hero", {"id": 1})
        old.save()
        old.load("Hero", {"id": 2})
        migration = Migration(colored, store)
        migration.start()
        code = None
        while code is None and migration.error is None:
            code = code_of(lambda: write_again(old))
        migration.join()
        assert migration.error is None
        assert code is Status.STORE_MODEL
        assert code_of(old.save) in (None, Status.STORE_MODEL)
    with groot.Context(colored, store=store) as new:
        assert new.count("Hero", {"color": "red"}) in (1, 2)
        new.check()


def test_a_migration_beside_a_reader_of_several_tables_does_not_fail(
    server: Server, schema: str, store: str, colored: groot.Mapping
) -> None:
    """The reader has a lock that the migration waits for, and wants one that the migration has."""
    feeds.prepare(store)
    waiting = f"""
        SELECT count(*) FROM pg_stat_activity
        WHERE application_name = '{schema}' AND wait_event_type = 'Lock'"""
    with groot.Context(feeds.mapping(), store=store) as reader:
        entities = list(feeds.MODEL["entities"])
        reader.count(entities[-1])
        migration = Migration(colored, f"{store}&application_name={schema}")
        migration.start()
        while migration.is_alive() and server.psql(waiting) == "0":
            time.sleep(0.01)
        for entity in entities:
            assert code_of(partial(reader.count, entity)) in (None, Status.STORE_MODEL)
    migration.join()
    assert migration.error is None
    with groot.Context(colored, store=store) as context:
        check_store(server, schema, context)
