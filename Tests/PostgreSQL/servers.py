"""Servers of PostgreSQL for tests: each in a temporary folder, on a Unix socket, gone afterwards.

    with Server() as server:
        server.psql("CREATE TABLE place (name text)")
        server.kill()
        server.start()

Nothing of a server that the machine may have is used, except its programs.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

USER = "groot"
PORT = 5432
BOUNCER_PORT = 6432
PATIENCE = 60.0
"""Seconds that a start, a stop or a promotion may take."""
LONGEST_FOLDER = 60
"""The path of a Unix socket has 107 bytes at most, the last ones for its name."""
ENDINGS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
REFUSE_ROOT = ("initdb", "pg_ctl", "pg_resetwal", "pg_rewind", "pg_upgrade", "postgres")


class Missing(Exception):
    """A program that the tests need is not installed."""


class Failure(Exception):
    """A program of PostgreSQL did not do what it should; the message has the end of its log."""


def programs() -> Path:
    """The folder of the newest programs of PostgreSQL: Debian's, or else those in PATH."""
    versions = [
        folder
        for folder in Path("/usr/lib/postgresql").glob("*/bin")
        if folder.parent.name.isdigit() and (folder / "initdb").exists()
    ]
    if versions:
        return max(versions, key=lambda folder: int(folder.parent.name))
    found = shutil.which("initdb")
    if not found:
        raise Missing("PostgreSQL (Debian's package postgresql)")
    return Path(found).resolve().parent


def owner() -> pwd.struct_passwd | None:
    """The user that servers run as when this is root, whom PostgreSQL refuses."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise Missing("a user for the server: postgres or nobody")


def as_owner() -> list[str]:
    """What goes before a command that must not run as root."""
    user = owner()
    if user is None:
        return []
    if not shutil.which("setpriv"):
        raise Missing("setpriv (Debian's package util-linux)")
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--init-groups", "--"]


def environment() -> dict[str, str]:
    """The environment without what programs of PostgreSQL read from it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C"}


def own_folder() -> Path:
    """Make a temporary folder for a server.

    Of a root it belongs to the server's user and everybody may look in, as everybody may connect.
    """
    parent = tempfile.gettempdir()
    if len(parent) > LONGEST_FOLDER:
        parent = "/tmp"
    user = owner()
    folder = Path(tempfile.mkdtemp(prefix="groot-pg-", dir=parent))
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)
        folder.chmod(0o755)
    return folder


def tail(path: Path, lines: int = 30) -> str:
    """The end of a log."""
    try:
        return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
    except OSError:
        return "(without a log)"


def quoted(value: str) -> str:
    """A value as the file of settings has it."""
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


def free_port() -> int:
    """A port of TCP that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def held() -> Iterator[None]:
    """Handle the signals that end a program only after the body: it does not end halfway."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[int] = []
    before = {number: signal.getsignal(number) for number in ENDINGS}
    for number in ENDINGS:
        signal.signal(number, lambda number, frame: arrived.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for late in arrived:
            os.kill(os.getpid(), late)


class Process:
    """A program that runs in a folder of its own until it is stopped."""

    def __init__(self) -> None:
        self.folder = own_folder()
        self.log = self.folder / "log"
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, *command: str | Path) -> str:
        """Run a program that ends, as the server's user; what it printed."""
        with held():
            child = subprocess.Popen(
                [*as_owner(), *map(str, command)],
                cwd=self.folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        try:
            output, errors = child.communicate()
        except BaseException:
            # What it started must end, too.
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise
        if child.returncode:
            name = Path(command[0]).name
            raise Failure(f"{name} exits with {child.returncode}:\n{output}{errors}")
        return output

    def launch(self, *command: str | Path) -> None:
        """Start a program that goes on, in a session of its own: Ctrl-C does not reach it."""
        with self.log.open("ab") as log, held():
            self.process = subprocess.Popen(
                [*as_owner(), *map(str, command)],
                cwd=self.folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def wait_until(self, condition: Callable[[], bool], what: str) -> None:
        """Wait for something that the program does; it must not end meanwhile."""
        end = time.monotonic() + PATIENCE
        while not condition():
            if not self.is_running:
                raise Failure(f"{what} failed:\n{tail(self.log)}")
            if time.monotonic() > end:
                raise Failure(f"{what} took more than {PATIENCE:.0f} s:\n{tail(self.log)}")
            time.sleep(0.01)

    def finish(self, *signals: signal.Signals, patience: float = PATIENCE) -> None:
        """End the program: with the first signal, or when that takes too long with the next."""
        for number in signals:
            if not self.is_running:
                break
            assert self.process is not None
            self.process.send_signal(number)
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                continue
        self.process = None

    def start(self) -> None:
        """Start and wait until connections are taken."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop and remove all that there was."""
        raise NotImplementedError

    def remove(self) -> None:
        """Remove the folder."""
        for _ in range(50):
            shutil.rmtree(self.folder, ignore_errors=True)
            if not self.folder.exists():
                break
            # A process that was killed may still have made a file.
            time.sleep(0.02)


class Server(Process):
    """A server of PostgreSQL with its data; `start` makes the data when there are none."""

    def __init__(
        self,
        settings: Mapping[str, str] | None = None,
        *,
        fsync: bool = False,
        tcp: bool = False,
        primary: Server | None = None,
    ) -> None:
        """Choose how the server will be.

        - settings: what goes into `postgresql.conf` after the settings of this module
        - fsync: whether a commit waits for the disk; without it only a crash of the machine loses
          data, a crash of the server does not
        - tcp: whether the server listens on 127.0.0.1, too
        - primary: a running server that this one is to be a hot standby of
        """
        self.bin = programs()
        super().__init__()
        self.data = self.folder / "data"
        self.primary = primary
        self.port = free_port() if tcp else PORT
        self.settings = {
            "listen_addresses": "127.0.0.1" if tcp else "",
            "port": str(self.port),
            "unix_socket_directories": str(self.folder),
            "max_connections": "50",
            "autovacuum": "on",
            "fsync": "on" if fsync else "off",
            "full_page_writes": "on" if fsync else "off",
            **(settings or {}),
        }

    @property
    def url(self) -> str:
        """Where to connect, through the Unix socket."""
        return self.url_of("postgres")

    @property
    def tcp_url(self) -> str:
        """Where to connect through TCP, if the server listens there."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/postgres"

    @property
    def socket(self) -> Path:
        """The Unix socket itself, for a proxy."""
        return self.folder / f".s.PGSQL.{self.port}"

    def url_of(self, database: str) -> str:
        """Where to connect to one of the databases."""
        ending = "" if self.port == PORT else f"&port={self.port}"
        return f"postgresql:///{quote(database)}?host={quote(str(self.folder))}&user={USER}{ending}"

    def __enter__(self) -> Server:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the server and remove all that it had."""
        try:
            self.stop("immediate")
        finally:
            self.remove()

    def _make(self) -> None:
        if self.primary is None:
            self.run(
                *(self.bin / "initdb", "--pgdata", self.data, "--username", USER),
                *("--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"),
            )
        else:
            self.run(
                *(self.bin / "pg_basebackup", "--pgdata", self.data, "--dbname", self.primary.url),
                *("--write-recovery-conf", "--wal-method", "stream", "--checkpoint", "fast"),
                *("--create-slot", "--slot", self.folder.name.replace("-", "_").lower()),
                "--no-sync",
            )
        with (self.data / "postgresql.conf").open("a") as file:
            for name, value in self.settings.items():
                file.write(f"{name} = {quoted(value)}\n")

    def _pid_file(self) -> list[str]:
        try:
            return (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return []

    def _is_ready(self) -> bool:
        """Whether the server says in its file that it takes connections, as `pg_ctl` looks."""
        lines = self._pid_file()
        if self.process is None or len(lines) < 8 or lines[0] != str(self.process.pid):
            return False
        return lines[7].strip() == "ready"

    def start(self) -> None:
        """Start and wait until connections are taken."""
        if self.is_running:
            return
        if not (self.data / "PG_VERSION").exists():
            self._make()
        self.launch(self.bin / "postgres", "-D", self.data)
        self.wait_until(self._is_ready, "the start of PostgreSQL")

    def stop(self, mode: str = "fast") -> None:
        """Stop: `smart` waits for clients, `fast` ends them, `immediate` needs recovery later."""
        signals = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}
        pid = int(next(iter(self._pid_file()), 0))
        if self.process is not None and pid not in (0, self.process.pid) and is_alive(pid):
            # Somebody restarted it with pg_ctl.
            self.run(self.bin / "pg_ctl", "stop", "-D", self.data, "-m", mode, "-w")
        self.finish(signals[mode], signal.SIGQUIT, signal.SIGKILL)

    def kill(self) -> None:
        """End all processes at once, as `kill -9` does; `start` recovers."""
        if self.process is None:
            return
        pids = [self.process.pid, *children(self.process.pid)]
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait(PATIENCE)
        self.process = None
        # One that is still there would keep the next start from its shared memory.
        while any(is_alive(pid) for pid in pids[1:]):
            time.sleep(0.01)

    def restart(self, mode: str = "fast") -> None:
        self.stop(mode)
        self.start()

    def standby(self, settings: Mapping[str, str] | None = None) -> Server:
        """A hot standby that has all of this server and follows it; not started yet."""
        fsync = self.settings["fsync"] == "on"
        return Server({**self._extra(), **(settings or {})}, fsync=fsync, primary=self)

    def _extra(self) -> dict[str, str]:
        """The settings that a standby has from its primary."""
        own = ("listen_addresses", "port", "unix_socket_directories")
        return {name: value for name, value in self.settings.items() if name not in own}

    def catch_up(self) -> None:
        """Wait until a standby has all that its primary has now."""
        assert self.primary is not None
        place = self.primary.psql("SELECT pg_current_wal_lsn()")
        reached = f"SELECT pg_last_wal_replay_lsn() >= '{place}'"
        self.wait_until(lambda: self.psql(reached) == "t", "a standby's catching up")

    def promote(self) -> None:
        """Make a standby a server that can be written to."""
        self.run(self.bin / "pg_ctl", "promote", "-D", self.data, "-w")

    def psql(self, sql: str, database: str = "postgres") -> str:
        """Run SQL: the rows as lines, their values with `|` in between."""
        made = subprocess.run(
            [
                *(str(self.bin / "psql"), "--no-psqlrc", "--quiet", "--no-align", "--tuples-only"),
                *("--set", "ON_ERROR_STOP=1", "--dbname", self.url_of(database)),
            ],
            env=environment(),
            input=sql,
            capture_output=True,
            text=True,
        )
        if made.returncode:
            raise Failure(f"psql exits with {made.returncode}: {made.stderr.strip()}\n{sql}")
        return made.stdout.rstrip("\n")

    def tools(self) -> Path:
        """A folder of the programs in which even root can call all of them."""
        if not as_owner():
            return self.bin
        folder = self.folder / "bin"
        if folder.exists():
            return folder
        folder.mkdir()
        for program in self.bin.iterdir():
            tool = folder / program.name
            if program.name in REFUSE_ROOT:
                # Somebody else than root calls the program itself.
                as_root = " ".join(as_owner())
                tool.write_text(
                    f'#!/bin/sh\n[ "$(id -u)" -eq 0 ] || exec {program} "$@"\n'
                    f'exec {as_root} {program} "$@"\n'
                )
                tool.chmod(0o755)
            else:
                tool.symlink_to(program)
        return folder


class PgBouncer(Process):
    """PgBouncer before a server, in transaction mode."""

    def __init__(self, server: Server) -> None:
        # Debian has it where the PATH of users does not lead.
        found = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
        if not found:
            raise Missing("PgBouncer (Debian's package pgbouncer)")
        super().__init__()
        self.program = found
        self.server = server
        self.socket = self.folder / f".s.PGSQL.{BOUNCER_PORT}"

    @property
    def url(self) -> str:
        """Where to connect; the database `pgbouncer` there is its console."""
        folder = quote(str(self.folder))
        return f"postgresql:///postgres?host={folder}&user={USER}&port={BOUNCER_PORT}"

    def start(self) -> None:
        """Start and wait until connections are taken."""
        users = self.folder / "users"
        users.write_text(f'"{USER}" ""\n')
        settings = self.folder / "pgbouncer.ini"
        settings.write_text(
            f"""[databases]
* = host={self.server.folder} port={self.server.port}
[pgbouncer]
listen_addr =
listen_port = {BOUNCER_PORT}
unix_socket_dir = {self.folder}
auth_type = trust
auth_file = {users}
admin_users = {USER}
pool_mode = transaction
max_client_conn = 200
default_pool_size = 20
"""
        )
        self.launch(self.program, settings)
        self.wait_until(self._is_ready, "the start of PgBouncer")

    def _is_ready(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(self.socket))
            except OSError:
                return False
        return True

    def close(self) -> None:
        """Stop it and remove all that it had."""
        self.finish(signal.SIGTERM, signal.SIGQUIT, signal.SIGKILL, patience=3)
        self.remove()


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    made = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], check=True, capture_output=True, text=True
    )
    pairs = (line.split() for line in made.stdout.splitlines())
    return [int(child) for child, parent in pairs if int(parent) == pid]


def is_alive(pid: int) -> bool:
    """Whether there is such a process that has not ended."""
    made = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return made.stdout.strip()[:1] not in ("", "Z")


def say(message: str) -> None:
    """A line on stderr that is hard to overlook."""
    print(f"**** postgresql: {message} ****", file=sys.stderr, flush=True)
