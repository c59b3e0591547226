"""A proxy before a server of PostgreSQL that breaks connections where a test wants it.

    with Server() as server, Proxy(server.socket) as proxy:
        proxy.cut(messages=3)
        connect(proxy.url)

A plan says when: after so many bytes or messages of a client, counted for each connection from when
the plan is made or from the connection's begin. `kinds` has the letters of the messages that count,
such as Q for a simple query. The server still gets what was counted, completely; the client gets
none of the answers to come. So the answer to a statement is lost by

    proxy.cut(messages=1, kinds="Q")

and the statement itself by the same with `delivers=False`. A plan is for one connection, or for as
many as `times` says; then the proxy only forwards again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import struct
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Union
from urllib.parse import quote

Address = Union[str, Path, tuple[str, int]]
SIZE = 65536
USER = "groot"
PORT = 5432
STARTS = {80877103, 80877104}
"""Requests for TLS and GSSAPI: after them comes another packet without a letter."""


class Plan(NamedTuple):
    """When and how a connection breaks."""

    action: str
    """`cut`, or `swallow`: both sides stay connected and hear nothing."""
    bytes: int | None = None
    messages: int | None = None
    kinds: str = ""
    """The letters of the messages that count; all, when there are none."""
    delivers: bool = True
    """Whether the server gets the last of the bytes or messages."""
    resets: bool = False
    """Whether the client's connection is reset in place of closed; only with TCP."""


class Splitter:
    """Finds the ends of a client's messages in its bytes."""

    def __init__(self) -> None:
        self.is_started = False
        self._head = b""
        self._left = 0

    def split(self, data: bytes) -> list[tuple[str, int]]:
        """The letters of the messages that end in these bytes, and where each ends.

        What comes before the first real message has no letter and does not count.
        """
        found = []
        at = 0
        while at < len(data):
            if self._left == 0:
                head_size = 5 if self.is_started else 8
                part = data[at : at + head_size - len(self._head)]
                self._head += part
                at += len(part)
                if len(self._head) < head_size:
                    break
                size = struct.unpack_from("!i", self._head, head_size == 5)[0]
                self._left = size + (1 if self.is_started else 0) - head_size
            moved = min(self._left, len(data) - at)
            self._left -= moved
            at += moved
            if self._left == 0:
                if self.is_started:
                    found.append((chr(self._head[0]), at))
                elif struct.unpack_from("!i", self._head, 4)[0] not in STARTS:
                    self.is_started = True
                self._head = b""
        return found


class Connection:
    """One client's way to the server, with a thread for each direction."""

    def __init__(
        self, proxy: Proxy, client: socket.socket, server: socket.socket, plan: Plan | None
    ) -> None:
        self.proxy = proxy
        self.client = client
        self.server = server
        self.plan = plan
        self.broken = ""
        self._splitter = Splitter()
        self._bytes = self._messages = 0
        self._lock = threading.Lock()
        for work in (self._upwards, self._downwards):
            threading.Thread(target=work, daemon=True).start()

    def follow(self, plan: Plan | None) -> None:
        """Break by this plan, counting from now."""
        with self._lock:
            self.plan = plan
            self._bytes = self._messages = 0

    def _limit(self, data: bytes) -> int | None:
        """How many of these bytes the server still gets; nothing when the plan is not due yet."""
        ends = self._splitter.split(data)
        plan = self.plan
        if plan is None:
            return None
        if plan.bytes is not None:
            self._bytes += len(data)
            if self._bytes >= plan.bytes:
                return len(data) - (self._bytes - plan.bytes)
        if plan.messages is not None:
            begin = 0
            for kind, end in ends:
                if not plan.kinds or kind in plan.kinds:
                    self._messages += 1
                    if self._messages >= plan.messages:
                        return end if plan.delivers else begin
                begin = end
        return None

    def _upwards(self) -> None:
        with contextlib.suppress(OSError):
            while data := self.client.recv(SIZE):
                with self._lock:
                    if self.broken:
                        continue
                    limit = self._limit(data)
                    plan = self.plan
                    if limit is not None and plan is not None and not self.proxy.claims(plan):
                        self.plan = limit = None
                    if limit is not None and plan is not None:
                        self.broken = plan.action
                # Answers stop before the server can give them.
                self.server.sendall(data if limit is None else data[:limit])
                if limit is not None and plan is not None:
                    self.proxy.note(plan.action)
                    if plan.action == "cut":
                        self._cut(plan.resets)
                        return
        if not self.broken:
            self.end()

    def _downwards(self) -> None:
        with contextlib.suppress(OSError):
            while data := self.server.recv(SIZE):
                with self._lock:
                    if self.broken:
                        continue
                self.client.sendall(data)
        # A swallowed connection stays open to the client even when the server has gone.
        if self.broken != "swallow":
            self.end()

    def _cut(self, resets: bool) -> None:
        if resets:
            self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.client.close()
        else:
            close(self.client)
        # The server reads what it has and then the end.
        with contextlib.suppress(OSError):
            self.server.shutdown(socket.SHUT_WR)

    def break_now(self, plan: Plan) -> None:
        """Break without waiting for bytes."""
        with self._lock:
            if self.broken:
                return
            self.broken = plan.action
        self.proxy.note(plan.action)
        if plan.action == "cut":
            self._cut(plan.resets)

    def end(self) -> None:
        """Close both sides."""
        close(self.client)
        close(self.server)
        self.proxy.forget(self)


class Proxy:
    """Takes connections on a Unix socket, or through TCP, and forwards them to a server."""

    def __init__(self, target: Address, *, tcp: bool = False) -> None:
        """Choose the server: the path of its Unix socket, or its host and port."""
        self.target = target
        self.connections: list[Connection] = []
        self.accepted = 0
        self.broken = 0
        self._plan: Plan | None = None
        self._times = 0
        self._state = threading.Condition()
        self.folder: Path | None = None
        if tcp:
            self._listener = socket.create_server(("127.0.0.1", 0))
            self.port: int = self._listener.getsockname()[1]
            self.url = f"postgresql://{USER}@127.0.0.1:{self.port}/postgres"
        else:
            parent = tempfile.gettempdir()
            self.folder = Path(
                tempfile.mkdtemp(prefix="groot-pg-", dir=parent if len(parent) <= 60 else "/tmp")
            )
            self.port = PORT
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(str(self.folder / f".s.PGSQL.{PORT}"))
            self._listener.listen()
            self.url = f"postgresql:///postgres?host={quote(str(self.folder))}&user={USER}"
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = connected(self.target)
            except OSError:
                close(client)
                continue
            with self._state:
                self.accepted += 1
                # The plan is there before the first byte can be.
                plan = self._plan if self._times else None
                connection = Connection(self, client, server, plan)
                self.connections.append(connection)
                self._state.notify_all()

    def _follow(self, plan: Plan, times: int) -> None:
        with self._state:
            self._plan, self._times = plan, times
            connections = list(self.connections)
        for connection in connections:
            if plan.bytes is None and plan.messages is None:
                connection.break_now(plan)
            else:
                connection.follow(plan)

    def cut(
        self,
        *,
        bytes: int | None = None,
        messages: int | None = None,
        kinds: str = "",
        delivers: bool = True,
        resets: bool = False,
        times: int = 1,
    ) -> None:
        """Close connections that get so far; those of now at once when nothing is told."""
        self._follow(Plan("cut", bytes, messages, kinds, delivers, resets), times)

    def swallow(
        self,
        *,
        bytes: int | None = None,
        messages: int | None = None,
        kinds: str = "",
        delivers: bool = True,
        times: int = 1,
    ) -> None:
        """The same, but the connections stay open and nothing comes through any more."""
        self._follow(Plan("swallow", bytes, messages, kinds, delivers), times)

    def forward(self) -> None:
        """Forget the plan; what is broken stays broken."""
        with self._state:
            self._plan, self._times = None, 0
            connections = list(self.connections)
        for connection in connections:
            connection.follow(None)

    def claims(self, plan: Plan) -> bool:
        """Whether this plan is still to be followed by one more connection, which does so now."""
        with self._state:
            if plan is not self._plan or not self._times:
                return False
            self._times -= 1
            return True

    def note(self, action: str) -> None:
        """Count a connection that was broken."""
        with self._state:
            self.broken += 1
            self._state.notify_all()

    def forget(self, connection: Connection) -> None:
        """A connection has ended."""
        with self._state:
            if connection in self.connections:
                self.connections.remove(connection)
            self._state.notify_all()

    def wait_broken(self, count: int = 1, patience: float = 30) -> None:
        """Wait until so many connections were broken."""
        end = time.monotonic() + patience
        with self._state:
            while self.broken < count:
                if not self._state.wait(max(0.0, end - time.monotonic())):
                    raise TimeoutError(f"{self.broken} of {count} connections were broken")

    def close(self) -> None:
        """End all connections and take none any more."""
        close(self._listener)
        with self._state:
            connections = list(self.connections)
        for connection in connections:
            connection.end()
        self._thread.join(5)
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def connected(target: Address) -> socket.socket:
    """A connection to the server."""
    if isinstance(target, tuple):
        return socket.create_connection(target)
    made = socket.socket(socket.AF_UNIX)
    try:
        made.connect(os.fspath(target))
    except OSError:
        made.close()
        raise
    return made


def close(end: socket.socket) -> None:
    """Close a socket, which wakes a thread that waits for it."""
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
