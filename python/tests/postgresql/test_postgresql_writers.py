"""Several processes that write the same objects to one store in PostgreSQL.

With the environment variable GROOT_LONG they write for longer, and in more ways.
"""

from __future__ import annotations

import os
from functools import partial
from urllib.parse import quote

import pytest
from servers import Server

import groot
from postgresql import feeds
from postgresql.invariants import at_once, check_store, references

LONG = bool(os.environ.get("GROOT_LONG"))
POLICIES = ("error", "mine", "theirs")


def check_writers(server: Server, schema: str, store: str, counted: int, policy: str) -> None:
    """Check all that several writers have left."""
    with groot.Context(feeds.mapping(), store=store) as context:
        check_store(server, schema, context)
        stamps = {
            entity: {one["id"]: one["stamp"] for one in context.fetch(entity)}
            for entity in ("Left", "Right")
        }
        assert stamps["Left"]
        assert stamps["Left"] == stamps["Right"]
        assert 3 <= context.count("Team") <= feeds.TEAMS
        if policy == "error":
            assert sum(one["value"] for one in context.fetch("Counter")) == counted
        assert context.count("Counter") == feeds.COUNTERS


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("count", [2, 8])
def test_writers_of_the_same_objects_lose_nothing(
    server: Server, schema: str, store: str, count: int, policy: str
) -> None:
    # Under a policy each attempt may meet another object that others inserted meanwhile.
    store += "&groot.retries=50"
    feeds.prepare(store)
    rounds = (240 if LONG else 16) // count
    counted = feeds.run_together(store, count, policy, rounds)
    assert counted == count * rounds
    check_writers(server, schema, store, counted, policy)


@pytest.fixture(scope="module")
def strict(server: Server) -> str:
    """Return the URL for a role whose transactions are serializable."""
    server.psql("""
        CREATE ROLE strict LOGIN;
        ALTER ROLE strict SET default_transaction_isolation = 'serializable';
        GRANT CREATE ON DATABASE postgres TO strict""")
    return server.url.replace("user=groot", "user=strict")


@pytest.mark.parametrize("policy", POLICIES if LONG else ["error", "mine"])
@pytest.mark.parametrize("count", [2, 8] if LONG else [4])
def test_serializable_writers_of_the_same_objects_lose_nothing(
    server: Server, schema: str, strict: str, count: int, policy: str
) -> None:
    store = f"{strict}&groot.schema={schema}&groot.retries=50"
    feeds.prepare(store)
    rounds = (240 if LONG else 16) // count
    counted = feeds.run_together(store, count, policy, rounds)
    assert counted == count * rounds
    check_writers(server, schema, store, counted, policy)


@pytest.mark.parametrize("policy", POLICIES if LONG else ["error"])
def test_writers_lose_nothing_without_foreign_keys(
    server: Server, schema: str, store: str, policy: str
) -> None:
    feeds.prepare(store)
    keys = references(server, schema)
    store = f"{server.url}&groot.schema={schema}free&groot.foreignKeys=off&groot.retries=50"
    feeds.prepare(store)
    assert references(server, schema + "free") == []
    rounds = (240 if LONG else 16) // 4
    counted = feeds.run_together(store, 4, policy, rounds)
    with groot.Context(feeds.mapping(), store=store) as context:
        check_store(server, schema + "free", context, keys)
        if policy == "error":
            assert sum(one["value"] for one in context.fetch("Counter")) == counted


@pytest.mark.parametrize("isolation", ["read committed", "serializable"])
def test_contexts_that_open_a_new_store_at_once_make_it_once(
    server: Server, schema: str, store: str, isolation: str
) -> None:
    spaced = isolation.replace(" ", "\\ ")
    url = f"{store}&options={quote(f'-c default_transaction_isolation={spaced}')}"

    def open_and_save(number: int) -> None:
        with groot.Context(feeds.mapping(), store=url) as context:
            context.load("Hero", {"id": number, "teams": [{"id": number}]})
            context.save()

    assert at_once([partial(open_and_save, number) for number in range(8)]) == []
    with groot.Context(feeds.mapping(), store=store) as context:
        assert context.distinct("Hero", "id") == list(range(8))
        check_store(server, schema, context)
