"""Another program that locks rows in the other order than a save, and locks that never end."""

from __future__ import annotations

import subprocess
import threading
import time
from types import TracebackType

import pytest
from servers import Server, environment

import groot
from groot import Status
from postgresql import feeds

ROUNDS = 20
"""How often the other session may be the victim in the place of the save."""


class Session:
    """A session of psql that stays open."""

    def __init__(self, server: Server) -> None:
        self.process = subprocess.Popen(
            [
                *(str(server.bin / "psql"), "--no-psqlrc", "--quiet", "--no-align"),
                *("--tuples-only", "--dbname", server.url),
            ],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, sql: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(sql + ";\n\\echo done\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        """Wait for the end of the statement that was sent."""
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            if line.strip() == "done":
                break
            lines.append(line)
        return "".join(lines)

    def run(self, sql: str) -> str:
        self.send(sql)
        return self.answer()


class Saving(threading.Thread):
    """A save on a thread of its own."""

    def __init__(self, context: groot.Context) -> None:
        super().__init__()
        self.context = context
        self.error: groot.Error | None = None

    def run(self) -> None:
        try:
            self.context.save()
        except groot.Error as error:
            self.error = error


def wait_for_lock(server: Server, saving: Saving, name: str) -> None:
    """Wait until the save waits for another session."""
    waiting = f"""
        SELECT count(*) FROM pg_stat_activity
        WHERE application_name = '{name}' AND wait_event_type = 'Lock'"""
    while saving.is_alive() and server.psql(waiting) == "0":
        time.sleep(0.01)
    assert saving.is_alive()


def lock(schema: str, number: int) -> str:
    return f'SELECT id FROM {schema}."Counter" WHERE id = {number} FOR UPDATE'


def deadlock(server: Server, schema: str, store: str) -> groot.Error | None:
    """Let a save of two objects and another session wait for each other; the save is the victim.

    Returns the error of the save.
    """
    with groot.Context(feeds.mapping(), store=f"{store}&application_name={schema}") as context:
        first, second = context.fetch("Counter", {"id": {"in": [0, 1]}}, sort="id")
        for lost in range(ROUNDS):
            with Session(server) as session:
                # Only the session that looks for deadlocks is a victim: it is the save, unless
                # the machine stands still for longer than a second.
                session.run("SET deadlock_timeout = '20s'; BEGIN")
                session.run(lock(schema, 1))
                first["value"] += 1
                second["value"] += 10
                saving = Saving(context)
                saving.start()
                wait_for_lock(server, saving, schema)
                answer = session.run(lock(schema, 0))
                session.run("COMMIT")
                saving.join()
            if "deadlock" in answer:
                continue
            assert answer.strip() == "0"
            if saving.error is not None:
                assert context.changes == {"inserted": 0, "updated": 2, "deleted": 0}
                context.save()
            context.check()
            values = [one["value"] for one in context.fetch("Counter", sort="id")]
            with groot.Context(feeds.mapping(), store=store) as other:
                assert [one["value"] for one in other.fetch("Counter", sort="id")] == values
            assert values[:2] == [lost + 1, 10 * (lost + 1)]
            return saving.error
    raise AssertionError("the save was never the victim")


def test_a_save_that_is_the_victim_of_a_deadlock_tries_again(
    server: Server, schema: str, store: str
) -> None:
    feeds.prepare(store)
    error = deadlock(server, schema, store)
    assert error is None


def test_a_save_without_retries_says_that_it_was_the_victim(
    server: Server, schema: str, store: str
) -> None:
    feeds.prepare(store)
    error = deadlock(server, schema, f"{store}&groot.retries=0")
    assert error is not None
    assert error.code is Status.STORE_CONFLICT


def test_a_serializable_save_that_loses_tries_again_or_says_so(
    server: Server, schema: str, store: str
) -> None:
    """The server refuses to update a row that changed since the transaction's snapshot."""
    feeds.prepare(store)
    strict = f"{store}&options=-c%20default_transaction_isolation%3Dserializable"
    for retries in (0, 5):
        url = f"{strict}&groot.retries={retries}&application_name={schema}-{retries}"
        with groot.Context(feeds.mapping(), store=url) as context, Session(server) as session:
            (counter,) = context.fetch("Counter", {"id": 0})
            counter["value"] += 1
            session.run("BEGIN")
            # Another program changes what the store does not look at: only the server sees it.
            session.run(f'UPDATE {schema}."Counter" SET value = value WHERE id = 0')
            saving = Saving(context)
            saving.start()
            wait_for_lock(server, saving, f"{schema}-{retries}")
            session.run("COMMIT")
            saving.join()
            if retries == 0:
                assert saving.error is not None
                assert saving.error.code is Status.STORE_CONFLICT
                assert context.changes == {"inserted": 0, "updated": 1, "deleted": 0}
                context.save()
            else:
                assert saving.error is None
    with groot.Context(feeds.mapping(), store=store) as context:
        assert [one["value"] for one in context.fetch("Counter", sort="id")] == [2, 0, 0]


def test_a_lock_that_others_keep_ends_a_save_by_its_timeout(
    server: Server, schema: str, store: str
) -> None:
    feeds.prepare(store)
    with (
        groot.Context(feeds.mapping(), store=f"{store}&groot.lockTimeout=50") as context,
        Session(server) as session,
    ):
        (counter,) = context.fetch("Counter", {"id": 0})
        counter["value"] = 7
        session.run("BEGIN")
        session.run(lock(schema, 0))
        with pytest.raises(groot.Error) as caught:
            context.save()
        assert caught.value.code is Status.STORE_LOCKED
        assert context.changes == {"inserted": 0, "updated": 1, "deleted": 0}
        session.run("COMMIT")
        context.save()
    with groot.Context(feeds.mapping(), store=store) as context:
        assert [one["value"] for one in context.fetch("Counter", sort="id")] == [7, 0, 0]
