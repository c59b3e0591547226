"""The statements of saves: their number does not grow with the objects, and none is in vain."""

from __future__ import annotations

import itertools
import json
import os
import time
from collections.abc import Iterator
from typing import Any

import pytest
from servers import Server

import groot
from postgresql import feeds
from postgresql.invariants import check_store

PORTION = 10_000
"""The number of rows that one statement writes."""
COUNTS = (10, 1_000, 20_000 if os.environ.get("GROOT_LONG") else 11_000)


@pytest.fixture(scope="module")
def quiet() -> Iterator[Server]:
    """Start a server that writes nothing by itself."""
    settings = {
        "autovacuum": "off",
        "checkpoint_timeout": "1d",
        "max_wal_senders": "0",
        "max_wal_size": "10GB",
        "wal_level": "minimal",
    }
    with Server(settings) as running:
        yield running


def heroes(first: int, count: int, shift: int = 0) -> list[dict[str, Any]]:
    """Return heroes with links of each kind; another shift changes all values and links."""
    return [
        {
            "id": number,
            "name": f"hero {number + shift}",
            "friend": {"id": first + (number + shift) % count},
            "teams": [{"id": (number + shift) % 7}, {"id": (number + shift) % 5}],
        }
        for number in range(first, first + count)
    ]


class Statements:
    """Counts the statements that a context sends to the server."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, level: str, message: str) -> None:
        if level == "statement":
            self.texts.append(message)

    def of_save(self, context: groot.Context) -> int:
        self.texts.clear()
        context.save()
        return len(self.texts)


def saves(store: str, count: int) -> dict[str, int]:
    """Return the number of statements of each kind of save with so many objects."""
    statements = Statements()
    found: dict[str, int] = {}
    mapping = feeds.mapping()
    with groot.Context(mapping, store=store, log=statements) as context:
        # The first save of a context makes the row that counts its commits.
        context.load("Team", [{"id": number} for number in range(7)])
        context.save()
        context.load("Hero", heroes(0, count))
        found["inserted"] = statements.of_save(context)
        context.load("Hero", heroes(0, count, 1))
        found["changed"] = statements.of_save(context)
        context.load("Hero", heroes(0, count, 1))
        found["nothing"] = statements.of_save(context)
        context.load("Hero", heroes(10 * count, count))
        for number, hero in enumerate(context.fetch("Hero")):
            if number % 2 == 0:
                context.delete(hero)
            else:
                hero["name"] = "x"
        found["all of it"] = statements.of_save(context)
        for hero in context.fetch("Hero"):
            context.delete(hero)
        found["deleted"] = statements.of_save(context)
        context.check()
    return found


@pytest.fixture(scope="module")
def counted(server: Server) -> dict[int, dict[str, int]]:
    return {count: saves(f"{server.url}&groot.schema=statements{count}", count) for count in COUNTS}


@pytest.mark.parametrize("kind", ["inserted", "changed", "deleted", "all of it"])
def test_the_statements_of_a_save_do_not_grow_with_the_objects(
    counted: dict[int, dict[str, int]], kind: str
) -> None:
    few, many, most = (counted[count][kind] for count in COUNTS)
    assert 0 < few < 40
    assert many <= few + 2
    # Each of some statements is one for each portion of rows.
    portions = COUNTS[-1] // PORTION
    assert most <= few + 5 * portions


def test_a_save_of_values_that_are_as_before_sends_nothing(
    counted: dict[int, dict[str, int]],
) -> None:
    assert {kinds["nothing"] for kinds in counted.values()} == {0}


def rows(server: Server, schema: str) -> dict[str, str]:
    """Return the places and the transactions of all rows of objects and links."""
    names = f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'"
    return {
        name: server.psql(f"""
            SELECT count(*), md5(string_agg(CAST((ctid, xmin, xmax) AS text), ' ' ORDER BY ctid))
            FROM {schema}."{name}\"""")
        for name in server.psql(names).splitlines()
        if name != "_groot"
    }


def sessions_end(server: Server) -> None:
    """Wait for the end of all other sessions, which then have told the statistics."""
    others = """
        SELECT count(*) FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"""
    while server.psql(others) != "0":
        time.sleep(0.01)


def written(server: Server, schema: str) -> str:
    sessions_end(server)
    return server.psql(f"""
        SELECT relname, n_tup_ins, n_tup_upd, n_tup_del FROM pg_stat_user_tables
        WHERE schemaname = '{schema}' ORDER BY relname""")


def position(server: Server) -> str:
    sessions_end(server)
    return server.psql("SELECT pg_current_wal_lsn()")


@pytest.mark.parametrize("batch", [None, 300])
def test_an_unchanged_feed_writes_nothing(quiet: Server, batch: int | None) -> None:
    """Neither rows nor, for a plain import, anything else."""
    schema = f"quiet{batch or ''}"
    store = f"{quiet.url}&groot.schema={schema}"
    feed = heroes(0, 1_000)

    def bring() -> None:
        with groot.Context(feeds.mapping(), store=store) as context:
            context.load("Hero", feed, batch=batch)
            context.save()
            context.sync("Hero", feed, where=feeds.ALL)
            context.save()

    bring()
    # The first reading after a write tidies pages up, which is written, too.
    bring()
    before, statistics, place = rows(quiet, schema), written(quiet, schema), position(quiet)
    bring()
    assert rows(quiet, schema) == before
    if batch is None:
        assert position(quiet) == place
        assert written(quiet, schema) == statistics


def test_a_feed_with_one_change_writes_one_row(quiet: Server) -> None:
    store = f"{quiet.url}&groot.schema=single"
    feed = heroes(0, 500)
    with groot.Context(feeds.mapping(), store=store) as context:
        context.load("Hero", feed)
        context.save()
    before = written(quiet, "single").splitlines()
    feed[77] = {**feed[77], "name": "another"}
    with groot.Context(feeds.mapping(), store=store) as context:
        context.load("Hero", feed)
        context.save()
        check_store(quiet, "single", context)
    after = written(quiet, "single").splitlines()
    changed = [
        (new, old)
        for new, old in itertools.zip_longest(after, before)
        if new != old and not new.startswith("_groot|")
    ]
    ((new, old),) = changed
    name, inserted, updated, deleted = old.split("|")
    assert new == f"{name}|{inserted}|{int(updated) + 1}|{deleted}"
    assert name == "Hero"


def test_the_planner_knows_a_table_that_batches_double(quiet: Server) -> None:
    statements = Statements()
    store = f"{quiet.url}&groot.schema=doubled"
    with groot.Context(feeds.mapping(), store=store, log=statements) as context:
        text = json.dumps(heroes(0, 50_000))
        statements.texts.clear()
        context.load("Hero", text, batch=2_500, commits="whole")
    words = [
        "analysis" if 'ANALYZE "Hero"' in text else "copy" if 'COPY "Hero"' in text else ""
        for text in statements.texts
    ]
    kinds = "".join(word[:1] for word in words if word)
    # At 5,000, 10,000, 20,000 and 40,000 rows, and at the end.
    assert kinds == "ccaccaccccaccccccccacccca"
