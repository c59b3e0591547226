"""Other sessions on the server, which end those of a store or hold locks."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from types import TracebackType

from servers import Server, environment


class Ender:
    """Ends the sessions of an application before its next statement but so many."""

    def __init__(self, server: Server, name: str) -> None:
        self.name = name
        self._left = 0
        self.is_done = False
        self._psql = subprocess.Popen(
            [str(server.bin / "psql"), "-XqAt", "-d", server.url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )

    def __enter__(self) -> Ender:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._psql.communicate()

    def end_before(self, statement: int) -> None:
        """End the sessions before this statement from now, the first one being 1."""
        self._left = statement
        self.is_done = False

    def end_now(self) -> None:
        """End the sessions, and wait until they have gone."""
        assert self._psql.stdin is not None
        assert self._psql.stdout is not None
        self._psql.stdin.write(
            "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity "
            f"WHERE application_name = '{self.name}';\n"
        )
        self._psql.stdin.flush()
        self.is_done = self._psql.stdout.readline() != "0\n"

    def note(self, level: str, message: str) -> None:
        """Receive the log of the store, which tells a statement before it is sent."""
        if level == "statement" and self._left:
            self._left -= 1
            if not self._left:
                self.end_now()

    def forget(self) -> None:
        """End nothing any more."""
        self._left = 0


def end_sessions(server: Server, name: str) -> None:
    """End sessions of which the server still believes that they have a client, as it does later."""
    server.psql(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
        f"WHERE application_name = '{name}'"
    )


def is_waiting_for_lock(server: Server) -> bool:
    """Whether a session waits for a lock."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return server.psql(waiting) != "0"


def wait_for_lock(server: Server) -> None:
    """Wait until a session waits for a lock."""
    server.wait_until(lambda: is_waiting_for_lock(server), "a wait for a lock")


@contextlib.contextmanager
def locked(server: Server, sql: str) -> Iterator[None]:
    """Hold a lock in another session."""
    holder = subprocess.Popen(
        [str(server.bin / "psql"), "-XqAt", "-d", server.url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    holder.stdin.write(f"BEGIN; {sql};\n\\echo held\n")
    holder.stdin.flush()
    assert holder.stdout.readline() == "held\n"
    try:
        yield
    finally:
        holder.communicate()
