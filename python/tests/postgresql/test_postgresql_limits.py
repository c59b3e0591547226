"""Full disks, times that run out, wrong passwords: the right status, and a context as before."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from servers import Server, owner

import groot
from groot import Status

from .heroes_of_rounds import (
    LATER,
    LONG,
    MAPPING,
    Expected,
    change,
    extended,
    state,
    stored,
    url_of,
)
from .sessions import locked

SECRET = "xyzzy-plugh"  # noqa: S105
SIZE = 3000


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Mount a small disk on a folder, which is the server's; the file in it can make room."""
    user = owner()
    if user is None:
        pytest.skip("only root can mount a small disk")
    options = f"size={size},mode=755,uid={user.pw_uid},gid={user.pw_gid}"
    mount = ["mount", "-t", "tmpfs", "-o", options, "groot", str(folder)]
    made = subprocess.run(mount, check=False, capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"cannot mount a small disk: {made.stderr.strip()}")
    try:
        yield folder / "filler"
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(filler: Path, left: int = 3 << 20) -> None:
    """Leave so many bytes on a disk."""
    room = os.statvfs(filler.parent)
    with filler.open("wb") as file:
        for _ in range((room.f_bavail * room.f_bsize - left) >> 12):
            file.write(b"x" * 4096)


@pytest.fixture
def full_disk(server: Server, schema: str) -> Iterator[tuple[str, Path]]:
    """Make a URL of a store that is on a small disk, and the file that fills the disk."""
    folder = Path(tempfile.mkdtemp(prefix="groot-disk-", dir="/tmp"))
    try:
        with small_disk(folder, "200m") as filler:
            (folder / "tables").mkdir()
            shutil.chown(folder / "tables", folder.owner())
            server.psql(f"CREATE TABLESPACE {schema} LOCATION '{folder / 'tables'}'")
            try:
                options = quote(f"-c default_tablespace={schema}")
                yield url_of(server, schema, options=options), filler
            finally:
                server.psql(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
                server.psql(f"DROP TABLESPACE {schema}")
    finally:
        folder.rmdir()


def fail_to_save(context: groot.Context, first: int, *statuses: Status) -> int:
    """Make rounds of changes and save them until a save fails; return the last round."""
    for round in range(first, first + 60):
        change(context, round, SIZE)
        changes = context.changes
        try:
            context.save()
        except groot.Error as error:
            assert error.code in statuses, error  # noqa: PT017
            assert context.changes == changes
            return round
    raise AssertionError("the disk is never full")


def test_a_full_disk_stops_a_save_which_can_then_be_done(
    server: Server, schema: str, full_disk: tuple[str, Path]
) -> None:
    store, filler = full_disk
    expected = Expected(SIZE)
    with groot.Context(MAPPING, store=store) as context:
        change(context, 1, SIZE)
        context.save()
        fill(filler)
        round = fail_to_save(context, 2, Status.STORE_FULL)
        assert stored(server, schema) == expected[round - 1]
        changes = context.changes
        with pytest.raises(groot.Error) as raised:
            context.save()
        assert raised.value.code == Status.STORE_FULL
        assert context.changes == changes
        assert state(context) == expected[round]
        filler.unlink()
        context.save()
    assert stored(server, schema) == expected[round]


def test_a_full_disk_stops_a_migration_which_can_then_be_done(
    server: Server, schema: str, full_disk: tuple[str, Path]
) -> None:
    store, filler = full_disk
    expected = Expected(4 * SIZE)
    with groot.Context(MAPPING, store=store) as context:
        change(context, 1, 4 * SIZE)
        context.save()
    fill(filler)
    with pytest.raises(groot.Error) as raised:
        groot.Context(LATER, store=store)
    assert raised.value.code == Status.STORE_FULL
    assert stored(server, schema) == expected[1]
    filler.unlink()
    groot.Context(LATER, store=store).close()
    assert stored(server, schema, LATER) == expected[1]


def test_a_full_disk_stops_an_opening_which_can_then_be_done(
    server: Server, schema: str, full_disk: tuple[str, Path]
) -> None:
    store, filler = full_disk
    fill(filler, 0)
    with pytest.raises(groot.Error) as raised:
        groot.Context(MAPPING, store=store)
    assert raised.value.code == Status.STORE_FULL
    filler.unlink()
    with groot.Context(MAPPING, store=store) as context:
        change(context, 1)
        context.save()
    assert stored(server, schema) == Expected()[1]


@contextlib.contextmanager
def stopped(server: Server) -> Iterator[None]:
    """Stop a server in the end."""
    try:
        yield
    finally:
        server.stop("immediate")


@pytest.mark.skipif(not LONG, reason="fills the log of the server: set GROOT_LONG=1")
def test_a_server_without_room_for_its_log_has_all_or_nothing(schema: str) -> None:
    """It ends at once, and starts again when there is room."""
    expected = Expected(SIZE)
    server = Server(fsync=True)
    try:
        with small_disk(server.folder, "300m") as filler, stopped(server):
            server.start()
            with groot.Context(MAPPING, store=url_of(server, schema)) as context:
                change(context, 1, SIZE)
                context.save()
                fill(filler)
                round = fail_to_save(context, 2, Status.STORE_FULL, Status.STORE_DISCONNECTED)
                filler.unlink()
                server.stop("immediate")
                server.start()
                assert stored(server, schema) == expected[round - 1]
                assert state(context) == expected[round]
                context.save()
            assert stored(server, schema) == expected[round]
    finally:
        server.remove()


def test_a_save_that_waits_too_long_for_a_lock_can_be_done_again(
    server: Server, schema: str
) -> None:
    expected = Expected()
    with groot.Context(MAPPING, store=url_of(server, schema, groot_lockTimeout=50)) as context:
        change(context, 1)
        context.save()
        change(context, 2)
        changes = context.changes
        tables = ["_groot", '"Hero"', '"Power"', '"Publisher"', '"Power_heroes"']
        for table in tables:
            with locked(server, f"LOCK TABLE {schema}.{table} IN EXCLUSIVE MODE"):
                with pytest.raises(groot.Error) as raised:
                    context.save()
                assert raised.value.code == Status.STORE_LOCKED
                assert context.changes == changes
                assert state(context) == expected[2]
                assert stored(server, schema) == expected[1]
        context.save()
        assert state(context) == expected[2]
    assert stored(server, schema) == expected[2]


def test_an_opening_that_waits_too_long_for_a_lock_says_so(server: Server, schema: str) -> None:
    store = url_of(server, schema, groot_lockTimeout=50)
    groot.Context(MAPPING, store=store).close()
    with locked(server, f"LOCK TABLE {schema}._groot IN ACCESS EXCLUSIVE MODE"):
        with pytest.raises(groot.Error) as raised:
            groot.Context(MAPPING, store=store)
        assert raised.value.code == Status.STORE_LOCKED
    with locked(server, f'LOCK TABLE {schema}."Hero" IN ACCESS SHARE MODE'):
        with pytest.raises(groot.Error) as raised:
            groot.Context(LATER, store=store)
        assert raised.value.code == Status.STORE_LOCKED
    groot.Context(LATER, store=store).close()


def test_a_statement_that_takes_too_long_ends_and_can_be_done_again(
    server: Server, schema: str
) -> None:
    """The text says that it took too long; it is neither a cancellation nor a lost connection."""
    store = url_of(server, schema, groot_statementTimeout=100, groot_lockTimeout=0)
    expected = Expected()
    with groot.Context(MAPPING, store=store) as context:
        change(context, 1)
        context.save()
        change(context, 2)
        changes = context.changes
        with locked(server, f'LOCK TABLE {schema}."Hero" IN EXCLUSIVE MODE'):
            with pytest.raises(groot.Error, match="timeout") as raised:
                context.save()
            assert raised.value.code == Status.STORE_FAILED
        assert context.changes == changes
        with locked(server, f'LOCK TABLE {schema}."Hero" IN ACCESS EXCLUSIVE MODE'):
            with pytest.raises(groot.Error, match="timeout") as raised:
                context.count("Hero", {"name": "x"})
            assert raised.value.code == Status.STORE_FAILED
        assert state(context) == expected[2]
        context.save()
    assert stored(server, schema) == expected[2]


def test_a_port_that_does_not_answer_is_a_lost_connection() -> None:
    """Somebody takes the connection, and says nothing; or nobody does."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        store = f"postgresql://groot:{SECRET}@127.0.0.1:{port}/postgres?connect_timeout=2"
        with pytest.raises(groot.Error) as raised:
            groot.Context(MAPPING, store=store)
    assert raised.value.code == Status.STORE_DISCONNECTED
    assert SECRET not in str(raised.value)
    with pytest.raises(groot.Error) as raised:
        groot.Context(MAPPING, store=store)
    assert raised.value.code == Status.STORE_DISCONNECTED
    assert SECRET not in str(raised.value)
    assert str(port) in str(raised.value)


@pytest.fixture(scope="module")
def guarded(_installed: None) -> Iterator[Server]:
    """Start a server that asks for passwords."""
    with Server() as server:
        server.psql(f"CREATE ROLE guest LOGIN CREATEROLE PASSWORD 'right{SECRET}'")
        server.psql("GRANT CREATE ON DATABASE postgres TO guest")
        access = server.data / "pg_hba.conf"
        access.write_text("local all guest scram-sha-256\n" + access.read_text())
        server.psql("SELECT pg_reload_conf()")
        yield server


def of_guest(server: Server, password: str, where: str) -> str:
    """Return a URL with a password before the host, or as a parameter."""
    folder = quote(str(server.folder), safe="")
    if where == "parameter":
        return f"postgresql:///postgres?host={folder}&user=guest&password={password}"
    return f"postgresql://guest:{password}@{folder}/postgres"


@pytest.mark.parametrize("where", ["parameter", "user"])
def test_a_password_is_in_no_text_and_in_no_log(guarded: Server, schema: str, where: str) -> None:
    """Neither a wrong one nor a right one, whatever happens."""
    seen: list[str] = []

    def note(level: str, message: str) -> None:
        seen.append(message)

    wrong = extended(of_guest(guarded, SECRET, where), schema)
    right = extended(of_guest(guarded, "right" + SECRET, where), schema)
    with pytest.raises(groot.Error, match="guest") as raised:
        groot.Context(MAPPING, store=wrong, log=note)
    assert raised.value.code == Status.STORE_DISCONNECTED
    seen.append(repr(raised.value))
    expected = Expected()
    with groot.Context(MAPPING, store=right, log=note) as context:
        seen.append(repr(context))
        change(context, 1)
        context.save()
        change(context, 2)
        guarded.restart("immediate")
        guarded.psql("ALTER ROLE guest NOLOGIN")
        with pytest.raises(groot.Error) as raised:
            context.save()
        seen.append(repr(raised.value))
        assert raised.value.code == Status.STORE_DISCONNECTED
        guarded.psql("ALTER ROLE guest LOGIN")
        context.save()
        assert state(context) == expected[2]
    for broken in (right + "&groot.retries=many", right + "&nothing=1", right + "&%zz"):
        with pytest.raises(groot.Error) as raised:
            groot.Context(MAPPING, store=broken, log=note)
        seen.append(repr(raised.value))
    assert any(message.startswith("opened") for message in seen)
    assert not [text for text in seen if SECRET in text]
