"""Connections that deliver nothing any more: calls end by TCP's own time or by a cancellation."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest
from proxy import Proxy
from servers import Server

import groot
from groot import Status

from .heroes_of_rounds import LONG, MAPPING, Expected, change, extended, state, stored
from .sessions import end_sessions, locked, wait_for_lock

PATIENCE = 40
"""Seconds after which a call counts as one that never ends."""


def ended(call: Callable[[], object]) -> groot.Error | None:
    """Return the error of a call in another thread, which must end; None when it succeeds."""
    found: list[groot.Error] = []

    def run() -> None:
        try:
            call()
        except groot.Error as error:
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive(), "the call never ends"
    return found[0] if found else None


def ended_by_cancelling(
    context: groot.Context, call: Callable[[], object], wait: Callable[[], object]
) -> groot.Error | None:
    """Cancel a call in another thread as often as it takes, once there is something to end."""
    is_over = threading.Event()

    def cancel() -> None:
        wait()
        while not is_over.wait(0.05):
            context.cancel()

    thread = threading.Thread(target=cancel, daemon=True)
    thread.start()
    try:
        return ended(call)
    finally:
        is_over.set()
        thread.join(PATIENCE)


long = pytest.mark.skipif(not LONG, reason="waits for seconds: set GROOT_LONG=1")


@pytest.mark.parametrize(
    ("number", "everything"),
    [
        (4, False),
        pytest.param(1, False, marks=long),
        pytest.param(7, False, marks=long),
        pytest.param(1, True, marks=long),
        pytest.param(4, True, marks=long),
    ],
)
def test_a_cancellation_ends_a_save_that_hears_nothing(
    server: Server, proxy: Proxy, schema: str, number: int, everything: bool
) -> None:
    """Even when neither the request to cancel nor a new connection is answered."""
    expected = Expected()
    store = extended(proxy.url, schema, application_name=schema)
    with groot.Context(MAPPING, store=store) as context:
        change(context, 1)
        context.save()
        change(context, 2)
        changes = context.changes
        broken = proxy.broken

        def wait() -> None:
            proxy.wait_broken(broken + 1)
            if everything:
                proxy.swallow(bytes=1, times=1000)

        proxy.swallow(messages=number, kinds="QSc", delivers=False)
        error = ended_by_cancelling(context, context.save, wait)
        proxy.forward()
        assert error is not None
        assert error.code in (Status.CANCELLED, Status.STORE_DISCONNECTED)
        assert context.changes == changes
        end_sessions(server, schema)
        assert state(context) == expected[2]
        context.save()
    assert stored(server, schema) == expected[2]


@long
@pytest.mark.parametrize("number", [1, 2, 9])
def test_a_cancellation_ends_an_import_that_hears_nothing(
    server: Server, proxy: Proxy, schema: str, number: int
) -> None:
    expected = Expected()
    with groot.Context(MAPPING, store=extended(proxy.url, schema)) as context:
        change(context, 1)
        context.save()
    with groot.Context(MAPPING, store=extended(proxy.url, schema)) as context:
        broken = proxy.broken
        proxy.swallow(messages=number, kinds="S", delivers=False)
        error = ended_by_cancelling(
            context, lambda: change(context, 2), lambda: proxy.wait_broken(broken + 1)
        )
        proxy.forward()
        assert error is not None
        assert error.code in (Status.CANCELLED, Status.STORE_DISCONNECTED)
        context.rollback()
        assert state(context) == expected[1]
        change(context, 2)
        context.save()
    assert stored(server, schema) == expected[2]


def test_a_cancellation_ends_a_statement_that_waits_for_others(server: Server, schema: str) -> None:
    """The server ends it, and the connection stays."""
    store = extended(server.url, schema, groot_lockTimeout=0)
    expected = Expected()
    with groot.Context(MAPPING, store=store) as context:
        change(context, 1)
        context.save()
        change(context, 2)
        changes = context.changes
        with locked(server, f'LOCK TABLE {schema}."Hero" IN EXCLUSIVE MODE'):
            error = ended_by_cancelling(context, context.save, lambda: wait_for_lock(server))
        assert error is not None
        assert error.code == Status.CANCELLED
        assert context.changes == changes
        context.save()
    assert stored(server, schema) == expected[2]


FORWARDER = """
import socket, sys, threading
def pump(source, target):
    while data := source.recv(65536):
        target.sendall(data)
listener = socket.create_server((sys.argv[1], 5432))
print("ready", flush=True)
while True:
    client, _ = listener.accept()
    server = socket.socket(socket.AF_UNIX)
    server.connect(sys.argv[2])
    for pair in ((client, server), (server, client)):
        threading.Thread(target=pump, args=pair, daemon=True).start()
"""
IP = shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin") or "ip"
NEAR, FAR = "198.18.77.1", "198.18.77.2"


class Wire:
    """A way to the server through a network of its own, which can be cut like a wire."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.url = f"postgresql://groot@{FAR}:5432/postgres"

    def set(self, state: str) -> None:
        """Set the far end `up` or `down`."""
        run = [IP, "-n", self.name, "link", "set", f"{self.name}b", state]
        subprocess.run(run, check=True)

    def cut(self) -> None:
        """Deliver nothing any more, in both directions, and say nothing about it."""
        self.set("down")

    def mend(self) -> None:
        """Deliver again."""
        self.set("up")


@pytest.fixture(scope="module")
def wire(server: Server) -> Iterator[Wire]:
    """Make a wire to the shared server."""
    if os.geteuid() != 0:
        pytest.skip("only root can make a network to lose")
    name = f"groot{os.getpid() % 100000}"
    steps = [
        f"netns add {name}",
        f"link add {name}a type veth peer name {name}b netns {name}",
        f"addr add {NEAR}/30 dev {name}a",
        f"link set {name}a up",
        f"-n {name} addr add {FAR}/30 dev {name}b",
        f"-n {name} link set {name}b up",
    ]
    try:
        for step in steps:
            made = subprocess.run([IP, *step.split()], check=False, capture_output=True, text=True)
            if made.returncode:
                pytest.skip(f"cannot make a network to lose: {made.stderr.strip()}")
        run = [IP, "netns", "exec", name, sys.executable, "-c", FORWARDER, FAR, str(server.socket)]
        with subprocess.Popen(run, stdout=subprocess.PIPE, text=True) as forwarder:
            assert forwarder.stdout is not None
            assert forwarder.stdout.readline() == "ready\n"
            try:
                yield Wire(name)
            finally:
                forwarder.kill()
    finally:
        subprocess.run([IP, "netns", "del", name], check=False, capture_output=True)


@pytest.mark.parametrize("cut_at", ["statement", "wait"])
def test_times_of_tcp_end_a_call_over_a_wire_that_was_cut(
    server: Server, wire: Wire, schema: str, cut_at: str
) -> None:
    """What was sent is not acknowledged, or the answer of a server at work never comes."""
    expected = Expected()
    store = extended(
        wire.url,
        schema,
        application_name=schema,
        connect_timeout=2,
        tcp_user_timeout=1000,
        keepalives_idle=1,
        keepalives_interval=1,
        keepalives_count=1,
        groot_lockTimeout=0,
    )
    is_armed = False

    def note(level: str, message: str) -> None:
        if is_armed and message.startswith("COPY"):
            wire.cut()

    with groot.Context(MAPPING, store=store, log=note) as context:
        change(context, 1)
        context.save()
        change(context, 2)
        changes = context.changes
        if cut_at == "statement":
            is_armed = True
            error = ended(context.save)
            is_armed = False
        else:
            with locked(server, f'LOCK TABLE {schema}."Hero" IN EXCLUSIVE MODE'):

                def cut() -> None:
                    wait_for_lock(server)
                    wire.cut()

                cutter = threading.Thread(target=cut)
                cutter.start()
                error = ended(context.save)
                cutter.join()
                end_sessions(server, schema)
        assert error is not None
        assert error.code == Status.STORE_DISCONNECTED
        assert context.changes == changes
        wire.mend()
        end_sessions(server, schema)
        assert state(context) == expected[2]
        context.save()
    assert stored(server, schema) == expected[2]
