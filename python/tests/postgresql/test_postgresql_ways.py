"""Ordinary use of a store on every way to a server: PgBouncer, roles with few rights, options."""

from __future__ import annotations

import copy
import io
import json
import random
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from servers import Missing, PgBouncer, Server, say

import groot
from groot import Status
from postgresql import feeds
from postgresql.invariants import check_store, everything, quoted, references

BIG = 2_000
WAYS = ("plain", "bouncer", "limited", "strict", "free")
Way = Callable[[str], str]


@pytest.fixture(scope="module")
def bouncer(server: Server) -> Iterator[PgBouncer]:
    """Start PgBouncer before the server, in transaction mode."""
    try:
        running = PgBouncer(server)
    except Missing as missing:
        say(f"skipped, for want of {missing}")
        pytest.skip(f"needs {missing}")
    try:
        running.start()
        yield running
    finally:
        running.close()


@pytest.fixture(scope="module")
def limited(server: Server) -> Way:
    """Make a database for a role that may do nothing beyond its schemas, not even temporarily."""
    server.psql("CREATE DATABASE limited; CREATE ROLE limited LOGIN NOSUPERUSER NOINHERIT")
    server.psql(
        """
        REVOKE ALL ON DATABASE limited FROM PUBLIC;
        REVOKE TEMPORARY ON DATABASE limited FROM PUBLIC;
        REVOKE ALL ON SCHEMA public FROM PUBLIC;
        GRANT CONNECT ON DATABASE limited TO limited""",
        database="limited",
    )

    def make(schema: str) -> str:
        server.psql(
            f"CREATE SCHEMA {schema}; GRANT USAGE, CREATE ON SCHEMA {schema} TO limited",
            database="limited",
        )
        return server.url_of("limited").replace("user=groot", "user=limited")

    return make


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, server: Server, schema: str) -> str:
    """Return the URL of a new store on each way."""
    if request.param == "bouncer":
        url = request.getfixturevalue("bouncer").url
    elif request.param == "limited":
        url = request.getfixturevalue("limited")(schema)
    else:
        url = server.url
    options = {
        "strict": "&options=-c%20default_transaction_isolation%3Dserializable",
        "free": "&groot.foreignKeys=off",
    }
    return f"{url}&groot.schema={schema}{options.get(request.param, '')}"


def works() -> list[Callable[[groot.Context], Any]]:
    """Return steps of ordinary use, each of which gives something to compare."""
    chance = random.Random(5)
    teams = feeds.teams(chance, "first")
    first, second = feeds.heroes(chance, "one"), feeds.heroes(chance, "two")

    def rename(context: groot.Context) -> int:
        found = context.fetch("Hero", {"id": {"between": [3, 30]}})
        for hero in found:
            hero["name"] = f"renamed {hero['id']}"
        return len(found)

    def delete(context: groot.Context) -> None:
        for team in context.fetch("Team", sort="id")[:1]:
            context.delete(team)

    def friends(context: groot.Context) -> list[Any]:
        return [
            [friend["id"] for friend in hero["friends"]]
            for hero in context.fetch("Hero", sort="id")
        ]

    def undo(context: groot.Context) -> dict[str, int]:
        context.load("Hero", {"id": 999, "name": "nobody"})
        rename(context)
        context.rollback()
        return context.changes

    return [
        lambda context: context.load("Team", teams) and None,
        lambda context: context.load("Hero", first) and None,
        friends,
        rename,
        lambda context: len(context.sync("Hero", second, where=feeds.ALL).objects),
        lambda context: context.count("Hero", {"name": {"contains": "two"}}),
        lambda context: context.distinct("Team", "name"),
        lambda context: context.aggregate("Hero", {"greatest": {"max": "id"}}),
        delete,
        friends,
        undo,
        lambda context: context.dump(context.fetch("Hero", sort="id", limit=7, offset=3)),
    ]


def test_ordinary_use_is_that_of_a_context_in_memory(way: str) -> None:
    """One context takes all steps; another one, which opens the store after each, agrees."""
    mapping = feeds.mapping()
    with groot.Context(mapping) as memory, groot.Context(mapping, store=way) as context:
        for step in works():
            assert step(context) == step(memory)
            memory.save()
            context.save()
            context.check()
            with groot.Context(mapping, store=way) as other:
                assert everything(other) == everything(memory)


def test_contexts_that_take_turns_see_each_other(way: str) -> None:
    """Each transaction may have another session of the server."""
    mapping = feeds.mapping()
    contexts = [groot.Context(mapping, store=way) for _ in range(3)]
    for number in range(12):
        context = contexts[number % 3]
        context.refresh()
        assert context.count("Hero") == number
        context.load("Hero", {"id": number, "name": "x", "friend": {"id": max(number - 1, 0)}})
        context.save()
        contexts[(number + 1) % 3].rollback()
    for context in contexts:
        context.refresh()
        assert [hero["id"] for hero in context.fetch("Hero", sort="id")] == list(range(12))
        context.close()


@pytest.mark.parametrize("commits", ["whole", "each"])
def test_a_big_import_in_batches_is_exported_in_portions(way: str, commits: Any) -> None:
    mapping = feeds.mapping()
    heroes = [
        {"id": number, "name": f"hero {number}", "friend": {"id": number // 2}}
        for number in range(BIG)
    ]
    with groot.Context(mapping, store=way) as context:
        context.load("Hero", heroes, batch=BIG // 5, commits=commits)
        # The second time all of them are known.
        context.load("Hero", heroes, batch=BIG // 5, commits=commits)
        file = io.BytesIO()
        assert context.dump_fetched("Hero", file, sort="id") == BIG
        assert [one["id"] for one in json.loads(file.getvalue())] == list(range(BIG))
        assert context.count("Hero", {"friend.id": BIG // 4}) == 2
        context.check()


def test_a_migration_keeps_objects_and_links(way: str) -> None:
    feeds.prepare(way)
    with groot.Context(feeds.mapping(), store=way) as context:
        context.load("Team", feeds.teams(random.Random(1), "team"))
        context.save()
        before = everything(context)
    model = copy.deepcopy(feeds.MODEL)
    entities = model["entities"]
    entities["Counter"]["attributes"]["value"]["type"] = "decimal"
    entities["Hero"]["attributes"]["color"] = {"type": "string", "default": "red"}
    entities["Team"]["attributes"]["title"] = {
        **entities["Team"]["attributes"].pop("name"),
        "renamingIdentifier": "name",
    }
    mapping = groot.Mapping(groot.Model(model), implicit=True)
    with groot.Context(mapping, store=way) as context:
        assert context.distinct("Hero", "color") == ["red"]
        assert context.distinct("Team", "title") == ["team"]
        after = everything(context)
        assert len(after["Hero"]) == len(before["Hero"]) > 0
        context.load("Team", {"id": 77, "title": "new", "heroes": [{"id": 1000}]})
        context.save()
        context.check()
    # A store that was migrated goes back only if the values are given up.
    with pytest.raises(groot.Error) as caught:
        groot.Context(feeds.mapping(), store=way)
    assert caught.value.code is Status.STORE_MODEL
    with groot.Context(mapping, store=way) as context:
        assert context.count("Team", {"title": "new"}) == 1


def test_a_role_that_may_not_make_schemas_uses_the_one_of_its_search_path(
    server: Server, schema: str, limited: Way
) -> None:
    url = limited(schema)
    server.psql(f"ALTER ROLE limited SET search_path = {schema}", database="limited")
    try:
        feeds.prepare(url)
        with groot.Context(feeds.mapping(), store=url) as context:
            assert context.count("Counter") == feeds.COUNTERS
    finally:
        server.psql("ALTER ROLE limited RESET search_path", database="limited")
    made = f"SELECT count(*) FROM pg_tables WHERE schemaname = '{schema}'"
    assert int(server.psql(made, database="limited")) > len(feeds.MODEL["entities"])


def test_a_role_that_may_not_make_schemas_is_told(
    server: Server, schema: str, limited: Way
) -> None:
    url = f"{limited(schema)}&groot.schema={schema}missing"
    with pytest.raises(groot.Error) as caught:
        groot.Context(feeds.mapping(), store=url)
    assert caught.value.code is Status.STORE_FAILED
    assert "permission denied" in str(caught.value)


@pytest.mark.parametrize(
    "name", ["plain", "With Space", 'quo"te', "semi;colon", "é" * 31, "select"], ids=ascii
)
def test_a_missing_schema_is_made(server: Server, name: str) -> None:
    store = f"{server.url}&groot.schema={quote(name)}"
    feeds.prepare(store)
    with groot.Context(feeds.mapping(), store=store) as context:
        assert context.count("Counter") == feeds.COUNTERS
        check_store(server, name, context)
    assert server.psql(f'SELECT count(*) FROM {quoted(name)}."Counter"') == str(feeds.COUNTERS)


@pytest.mark.parametrize("name", ["x" * 64, "é" * 32], ids=["letters", "accents"])
def test_a_name_of_a_schema_that_the_server_would_cut_is_refused(server: Server, name: str) -> None:
    """Two such names would be one schema."""
    with pytest.raises(groot.Error) as caught:
        groot.Context(feeds.mapping(), store=f"{server.url}&groot.schema={quote(name)}")
    assert caught.value.code is Status.INVALID_ARGUMENT


def test_a_store_without_foreign_keys_has_none_and_keeps_none(
    server: Server, schema: str, store: str
) -> None:
    feeds.prepare(f"{store}&groot.foreignKeys=off")
    assert references(server, schema) == []
    # The store remembers it, whatever a later URL says.
    with groot.Context(feeds.mapping(), store=store) as context:
        context.load("Team", feeds.teams(random.Random(2), "team"))
        context.save()
        for hero in context.fetch("Hero", {"id": {"<": feeds.HEROES // 2}}):
            context.delete(hero)
        context.save()
    assert references(server, schema) == []
    with groot.Context(feeds.mapping(), store=f"{server.url}&groot.schema={schema}keys"):
        keys = references(server, schema + "keys")
    with groot.Context(feeds.mapping(), store=store) as context:
        check_store(server, schema, context, keys)
