"""A snapshot that the server ends, because it was left alone, and connections that others end."""

from __future__ import annotations

import contextlib
import io
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from servers import Server

import groot
from groot import Status

from .heroes_of_rounds import MAPPING, Expected, change, state, url_of
from .sessions import is_waiting_for_lock, locked


def wait_ended(server: Server, name: str) -> None:
    """Wait until the server has no session of an application."""
    count = f"SELECT count(*) FROM pg_stat_activity WHERE application_name = '{name}'"
    server.wait_until(lambda: server.psql(count) == "0", "the end of a session")


def left_alone(server: Server, schema: str) -> groot.Context:
    """Open a store whose snapshots end soon."""
    store = url_of(server, schema, application_name=schema, groot_snapshotTimeout=200)
    return groot.Context(MAPPING, store=store)


def heroes(context: groot.Context) -> Any:
    return context.dump(context.fetch("Hero", sort="id"))


READS: dict[str, Callable[[groot.Context], Any]] = {
    "fetch": heroes,
    "count": lambda context: context.count("Hero"),
    "distinct": lambda context: context.distinct("Hero", "name"),
    "member": lambda context: [
        [hero.id for hero in publisher.heroes]
        for publisher in context.fetch("Publisher", sort="name")
    ],
}


@pytest.mark.parametrize("read", READS)
def test_reading_goes_on_when_nobody_wrote(server: Server, schema: str, read: str) -> None:
    expected = Expected()
    with left_alone(server, schema) as context:
        change(context, 1)
        context.save()
    with left_alone(server, schema) as context:
        for _ in range(2):
            wait_ended(server, schema)
            READS[read](context)
        wait_ended(server, schema)
        assert state(context) == expected[1]


@pytest.mark.parametrize("read", READS)
def test_reading_says_once_that_the_snapshot_is_lost_when_others_wrote(
    server: Server, schema: str, read: str
) -> None:
    expected = Expected()
    with left_alone(server, schema) as context:
        change(context, 1)
        context.save()
    with left_alone(server, schema) as context:
        assert context.count("Hero") == len(expected[1]["heroes"])
        with groot.Context(MAPPING, store=url_of(server, schema)) as other:
            change(other, 2)
            other.save()
        wait_ended(server, schema)
        with pytest.raises(groot.Error) as raised:
            READS[read](context)
        assert raised.value.code == Status.STORE_DISCONNECTED
        READS[read](context)
        assert state(context) == expected[2]
        change(context, 3)
        context.save()
        assert state(context) == expected[3]


def test_a_lost_snapshot_is_said_when_a_member_is_read(server: Server, schema: str) -> None:
    """Not only by a fetch: the members of an object that is here already are of the old state."""
    with left_alone(server, schema) as context:
        change(context, 1)
        context.save()
    with left_alone(server, schema) as context:
        publisher = context.fetch("Publisher", sort="name")[0]
        with groot.Context(MAPPING, store=url_of(server, schema)) as other:
            change(other, 2)
            other.save()
        wait_ended(server, schema)
        with pytest.raises(groot.Error) as raised:
            list(publisher.heroes)
        assert raised.value.code == Status.STORE_DISCONNECTED
        assert [hero.id for hero in publisher.heroes] == [
            hero["id"]
            for hero in context.dump(context.fetch("Publisher", sort="name")[0])["heroes"]
        ]


def test_changes_stay_when_the_snapshot_is_lost_and_nobody_wrote(
    server: Server, schema: str
) -> None:
    expected = Expected()
    with left_alone(server, schema) as context:
        change(context, 1)
        context.save()
        change(context, 2)
        changes = context.changes
        wait_ended(server, schema)
        assert state(context) == expected[2]
        assert context.changes == changes
        wait_ended(server, schema)
        context.save()
        assert state(context) == expected[2]
    with left_alone(server, schema) as context:
        assert state(context) == expected[2]


@pytest.mark.parametrize("reads", [False, True])
def test_a_save_after_a_lost_snapshot_finds_the_conflicts_with_others(
    server: Server, schema: str, reads: bool
) -> None:
    """It never overwrites the changes of others that the context has not seen."""
    with left_alone(server, schema) as context:
        change(context, 1)
        context.save()
        hero = context.fetch("Hero", sort="id")[0]
        hero.name = "mine"
        with groot.Context(MAPPING, store=url_of(server, schema)) as other:
            other.fetch("Hero", sort="id")[0].name = "theirs"
            other.save()
        wait_ended(server, schema)
        if reads:
            with pytest.raises(groot.Error) as raised:
                context.count("Power")
            assert raised.value.code == Status.STORE_DISCONNECTED
            context.count("Power")
        changes = context.changes
        with pytest.raises(groot.Error) as raised:
            context.save()
        assert raised.value.code == Status.STORE_CONFLICT
        assert context.changes == changes
        assert hero.name == "mine"
        context.refresh()
        assert hero.name == "theirs"
        hero.name = "mine"
        context.save()
    with left_alone(server, schema) as context:
        assert context.fetch("Hero", sort="id")[0].name == "mine"


def test_an_export_whose_snapshot_is_lost_says_so_or_has_all_objects(
    server: Server, schema: str
) -> None:
    """A cursor cannot be opened again in its middle, and must not skip or repeat objects."""
    with left_alone(server, schema) as context:
        change(context, 1, 1200)
        context.save()
    with left_alone(server, schema) as context:
        file = Waiting(lambda: wait_ended(server, schema))
        try:
            context.dump_fetched("Hero", file, sort="id")
        except groot.Error as error:
            assert error.code == Status.STORE_DISCONNECTED  # noqa: PT017
        else:
            assert len(json.loads(file.getvalue())) == 1200
        assert file.has_waited
        everything = io.BytesIO()
        assert context.dump_fetched("Hero", everything, sort="id") == 1200
        assert everything.getvalue().startswith(file.getvalue())


class Waiting(io.BytesIO):
    """A file that waits for something when it is first written to."""

    def __init__(self, wait: Callable[[], None]) -> None:
        super().__init__()
        self._wait = wait
        self.has_waited = False

    def write(self, data: Any) -> int:
        if not self.has_waited:
            self._wait()
        self.has_waited = True
        return super().write(data)


@pytest.mark.parametrize(
    ("table", "read"),
    [
        ("Power_heroes", lambda hero: [power.id for power in hero.powers]),
        ("Publisher", lambda hero: hero.publisher.name),
    ],
    ids=["members", "attribute"],
)
def test_other_threads_run_while_an_object_is_read(
    server: Server, schema: str, table: str, read: Callable[[Any], Any]
) -> None:
    """One of them ends the lock that the reading waits for."""
    store = url_of(server, schema, groot_lockTimeout=2000)
    with groot.Context(MAPPING, store=store) as context:
        change(context, 1)
        context.save()
    sent: list[str] = []
    with groot.Context(MAPPING, store=store, log=lambda level, text: sent.append(text)) as context:
        hero = context.fetch("Hero", sort="id")[0]
        sent.clear()
        is_over, has_waited = threading.Event(), threading.Event()
        with contextlib.ExitStack() as lock:
            lock.enter_context(locked(server, f'LOCK TABLE {schema}."{table}"'))

            def unlock() -> None:
                while not is_over.wait(0.01):
                    if is_waiting_for_lock(server):
                        has_waited.set()
                        lock.close()
                        return

            thread = threading.Thread(target=unlock)
            thread.start()
            try:
                assert read(hero) is not None
            finally:
                is_over.set()
                thread.join()
        assert has_waited.is_set()
        assert len(set(sent)) == len(sent), "the reading was tried again"
