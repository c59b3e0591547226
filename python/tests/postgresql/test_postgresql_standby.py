"""Hot standbys: they are read, they lag, and one is promoted when its primary is gone."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from servers import Server

import groot
from groot import Status
from postgresql import feeds
from postgresql.invariants import check_store, code_of

LONG = bool(os.environ.get("GROOT_LONG"))
BATCH = 200
BATCHES = 12
OPTIONS = "&groot.schema=store"


class Pair(NamedTuple):
    """A primary with its standby."""

    primary: Server
    standby: Server

    def url(self, kind: str) -> str:
        """Return a URL with both servers, which connects to the first one of a kind."""
        hosts = ",".join(quote(str(server.folder)) for server in self)
        ports = ",".join(str(server.port) for server in self)
        return (
            f"postgresql:///postgres?host={hosts}&port={ports}&user=groot"
            f"&target_session_attrs={kind}{OPTIONS}"
        )


@contextmanager
def pair_of_servers() -> Iterator[Pair]:
    # A standby that lost its primary soon looks for an order to be promoted.
    settings = {"wal_retrieve_retry_interval": "100ms"}
    with Server() as primary, primary.standby(settings) as standby:
        yield Pair(primary, standby)


@pytest.fixture(scope="module")
def pair(_installed: None) -> Iterator[Pair]:
    """Start a primary and a standby that have a store with counters."""
    with pair_of_servers() as found:
        feeds.prepare(found.primary.url + OPTIONS)
        found.standby.catch_up()
        yield found


@pytest.fixture
def mortal(_installed: None) -> Iterator[Pair]:
    """Start a primary and a standby that a test may kill and promote."""
    with pair_of_servers() as found:
        feeds.prepare(found.primary.url + OPTIONS)
        found.standby.catch_up()
        yield found


def heroes(count: int) -> list[dict[str, Any]]:
    return [
        {"id": number, "name": f"hero {number}", "friend": {"id": number - number % BATCH}}
        for number in range(count)
    ]


@pytest.mark.parametrize("kind", ["standby", "read-only", "prefer-standby"])
def test_a_standby_is_read_and_refuses_a_save(pair: Pair, kind: str) -> None:
    url = pair.standby.url + OPTIONS if kind == "standby" else pair.url(kind)
    with groot.Context(feeds.mapping(), store=url) as context:
        assert context.count("Counter") == feeds.COUNTERS
        counter = context.get("Counter", 0)
        assert counter is not None
        counter["value"] += 5
        context.load("Hero", heroes(3))
        before = context.changes
        for _ in range(2):
            with pytest.raises(groot.Error) as caught:
                context.save()
            assert caught.value.code is Status.STORE_READ_ONLY
            assert context.changes == before
            assert counter["value"] == 5
            assert context.count("Hero") == 3
        context.check()
        context.rollback()
        assert context.count("Hero") == 0
    assert pair.primary.psql('SELECT count(*) FROM store."Hero"') == "0"


def test_a_standby_refuses_an_import_in_batches(pair: Pair) -> None:
    with groot.Context(feeds.mapping(), store=pair.standby.url + OPTIONS) as context:
        with pytest.raises(groot.Error) as caught:
            context.load("Hero", heroes(10), batch=2)
        assert caught.value.code is Status.STORE_READ_ONLY
        assert context.count("Hero") == 0
        assert context.count("Counter") == feeds.COUNTERS


def test_a_standby_refuses_a_new_store_and_a_migration(pair: Pair) -> None:
    with pytest.raises(groot.Error) as caught:
        groot.Context(feeds.mapping(), store=pair.standby.url + "&groot.schema=other")
    assert caught.value.code is Status.STORE_READ_ONLY
    model = copy.deepcopy(feeds.MODEL)
    model["entities"]["Hero"]["attributes"]["color"] = feeds.attribute("string")
    mapping = groot.Mapping(groot.Model(model), implicit=True)
    with pytest.raises(groot.Error) as caught:
        groot.Context(mapping, store=pair.standby.url + OPTIONS)
    assert caught.value.code is Status.STORE_READ_ONLY


def test_a_standby_that_lags_shows_a_whole_save_or_none(pair: Pair) -> None:
    mapping = feeds.mapping()
    with (
        groot.Context(mapping, store=pair.url("read-write")) as writer,
        groot.Context(mapping, store=pair.url("read-only")) as reader,
    ):
        seen = reader.count("Left")
        for number in range(5):
            pair.standby.psql("SELECT pg_wal_replay_pause()")
            feeds.load_pair(writer, 100 + number, f"stamp {number}")
            writer.save()
            reader.refresh()
            assert reader.count("Left") == reader.count("Right") == seen + number
            pair.standby.psql("SELECT pg_wal_replay_resume()")
            pair.standby.catch_up()
            # The snapshot stays until the next refresh.
            assert reader.count("Left") == reader.count("Right") == seen + number
            reader.refresh()
            assert reader.count("Left") == reader.count("Right") == seen + number + 1
        assert reader.distinct("Left", "stamp") == reader.distinct("Right", "stamp")


GONE = (Status.STORE_CONFLICT, Status.STORE_DISCONNECTED)
"""The codes of a save whose objects the server no longer has."""


@contextmanager
def losing(pair: Pair) -> Iterator[None]:
    """Lose all that the body saves: the standby is promoted without it."""
    pair.standby.stop()
    yield
    pair.primary.kill()
    pair.standby.start()
    pair.standby.promote()


def end_primary(pair: Pair) -> None:
    pair.primary.kill()
    pair.standby.promote()


@pytest.mark.parametrize("commits", ["whole", "each"] if LONG else ["each"])
def test_an_import_ends_with_its_primary_and_is_repeated_on_the_promoted_one(
    mortal: Pair, commits: Any
) -> None:
    """The promoted server has the batches that were replicated, each of them whole."""
    mapping = feeds.mapping()
    feed = heroes(BATCH * BATCHES)
    calls: list[int] = []

    def progress(_: Any) -> None:
        calls.append(1)
        if len(calls) == BATCHES // 2:
            end_primary(mortal)

    with groot.Context(mapping, store=mortal.url("read-write")) as context:
        code = code_of(
            lambda: context.load("Hero", feed, batch=BATCH, commits=commits, progress=progress)
        )
        # Between two transactions an import goes on with the promoted server.
        assert code is Status.STORE_DISCONNECTED or (code is None and commits == "each")
        assert len(calls) >= BATCHES // 2
        context.refresh()
        found = context.count("Hero")
        assert found % BATCH == 0
        if commits == "whole":
            assert found == 0
        check_store(mortal.standby, "store", context)
        context.load("Hero", feed, batch=BATCH, commits=commits)
        assert context.count("Hero") == len(feed)
        check_store(mortal.standby, "store", context)
    with groot.Context(mapping, store=mortal.standby.url + OPTIONS) as context:
        assert context.distinct("Hero", "id") == list(range(len(feed)))


def save_or_repeat(context: groot.Context) -> Status | None:
    """Save; after a lost connection the changes are as before, and are saved again."""
    before = context.changes
    code = code_of(context.save)
    if code is Status.STORE_DISCONNECTED:
        assert context.changes == before
        code = code_of(context.save)
    return code


def test_a_save_after_a_promotion_goes_to_the_promoted_one(mortal: Pair) -> None:
    with groot.Context(feeds.mapping(), store=mortal.url("read-write")) as context:
        feeds.load_pair(context, 1, "before")
        context.save()
        mortal.standby.catch_up()
        feeds.load_pair(context, 1, "after")
        context.load("Hero", heroes(50))
        end_primary(mortal)
        assert save_or_repeat(context) is None
        context.check()
    with groot.Context(feeds.mapping(), store=mortal.standby.url + OPTIONS) as context:
        assert context.count("Hero") == 50
        assert context.distinct("Left", "stamp") == context.distinct("Right", "stamp") == ["after"]
        check_store(mortal.standby, "store", context)


@pytest.mark.parametrize("changes", ["inserted", "updated"] if LONG else ["inserted"])
def test_saves_that_were_not_replicated_are_a_conflict_or_gone(mortal: Pair, changes: str) -> None:
    """The promoted server lacks the last save: a context that had made it must not go wrong."""
    with groot.Context(feeds.mapping(), store=mortal.url("read-write")) as context:
        context.count("Counter")
        with losing(mortal):
            feeds.load_pair(context, 1, "lost")
            counter = context.get("Counter", 0)
            assert counter is not None
            counter["value"] = 7
            context.save()

        def change() -> None:
            if changes == "inserted":
                context.load("Hero", heroes(5))
            else:
                feeds.load_pair(context, 1, "changed")
                counter["value"] += 1

        code = code_of(change) or save_or_repeat(context)
        assert code in (None, *GONE)
        if code is not None:
            context.refresh()
            assert context.count("Left") == 0
            context.load("Hero", heroes(5))
            context.save()
        context.check()
    with groot.Context(feeds.mapping(), store=mortal.standby.url + OPTIONS) as context:
        assert context.count("Hero") == 5
        assert context.count("Left") == context.count("Right") == 0
        assert [one["value"] for one in context.fetch("Counter")] == [0] * feeds.COUNTERS
        check_store(mortal.standby, "store", context)


def test_an_object_that_was_not_replicated_is_not_mistaken_for_another(mortal: Pair) -> None:
    """The promoted server gives out the same keys again."""
    mapping = feeds.mapping()
    with groot.Context(mapping, store=mortal.url("read-write")) as context:
        context.load("Hero", {"id": 1, "name": "first"})
        context.save()
        mortal.standby.catch_up()
        with losing(mortal):
            context.load("Hero", {"id": 1000, "name": "lost"})
            context.save()
        with groot.Context(mapping, store=mortal.url("read-write")) as other:
            other.load("Hero", {"id": 2000, "name": "another"})
            other.save()
        (lost,) = context.fetch("Hero", {"id": 1000})
        lost["name"] = "changed"
        code = save_or_repeat(context)
        assert code in GONE
        context.refresh()
        context.check()
        assert context.distinct("Hero", "name") == ["another", "first"]
    names = mortal.standby.psql('SELECT name FROM store."Hero" ORDER BY id')
    assert names.split() == ["first", "another"]
