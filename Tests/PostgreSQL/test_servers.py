"""What tests with PostgreSQL stand on: servers, the program `server`, the proxy."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from proxy import Proxy, Splitter
from servers import Failure, Missing, PgBouncer, Server, environment, programs

PROGRAM = Path(__file__).resolve().parent / "server"


def psql(url: str, sql: str, patience: float = 20) -> subprocess.CompletedProcess[str]:
    """Run a command by psql; what came of it."""
    return subprocess.run(
        [str(programs() / "psql"), "-XqAt", "-d", url, "-c", sql],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=patience,
    )


class ServerTests(unittest.TestCase):
    def test_a_server_has_the_settings_that_were_asked_for(self) -> None:
        with Server({"work_mem": "5MB"}) as server:
            names = "server_encoding lc_collate max_connections fsync autovacuum work_mem".split()
            shown = [server.psql(f"SHOW {name}") for name in names]
            self.assertEqual(shown, ["UTF8", "C", "50", "off", "on", "5MB"])
            self.assertEqual(server.psql("SHOW listen_addresses"), "")
        self.assertFalse(server.folder.exists())

    def test_what_was_committed_survives_a_kill(self) -> None:
        with Server() as server:
            server.psql("CREATE TABLE a (b int); INSERT INTO a VALUES (1)")
            server.kill()
            with self.assertRaises(Failure):
                server.psql("SELECT 1")
            server.start()
            self.assertEqual(server.psql("SELECT b FROM a"), "1")
            server.restart()
            self.assertEqual(server.psql("SELECT b FROM a"), "1")

    def test_a_server_that_cannot_start_says_why(self) -> None:
        with self.assertRaisesRegex(Failure, "max_connections"), Server({"max_connections": "no"}):
            pass

    def test_a_standby_follows_and_can_be_promoted(self) -> None:
        with Server() as server, server.standby() as standby:
            server.psql("CREATE TABLE a (b int); INSERT INTO a VALUES (1)")
            standby.catch_up()
            self.assertEqual(standby.psql("SELECT b FROM a"), "1")
            with self.assertRaisesRegex(Failure, "read-only"):
                standby.psql("INSERT INTO a VALUES (2)")
            server.kill()
            standby.promote()
            standby.psql("INSERT INTO a VALUES (2)")

    def test_a_bouncer_gives_a_transaction_any_connection(self) -> None:
        with Server() as server:
            try:
                bouncer = PgBouncer(server)
            except Missing as missing:
                self.skipTest(f"not installed: {missing}")
            try:
                bouncer.start()
                self.assertEqual(psql(bouncer.url, "SELECT 1").stdout, "1\n")
                pools = psql(bouncer.url.replace("/postgres?", "/pgbouncer?"), "SHOW POOLS")
                self.assertIn("transaction", pools.stdout)
            finally:
                bouncer.close()


class ProgramTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(dir="/tmp")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.folder.chmod(0o777)
        self.environment = {**os.environ, "TMPDIR": folder.name}

    def run_program(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(PROGRAM), *arguments],
            capture_output=True,
            text=True,
            env=self.environment,
        )

    def test_the_command_finds_a_server(self) -> None:
        script = '"$GROOT_POSTGRESQL_BIN/psql" -XAt "$GROOT_POSTGRESQL" -c "SHOW work_mem"; exit 9'
        made = self.run_program("--setting", "work_mem=6MB", "--", "sh", "-c", script)
        self.assertEqual((made.returncode, made.stdout), (9, "6MB\n"), made.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_programs_work_for_every_user(self) -> None:
        script = (
            '"$GROOT_POSTGRESQL_BIN/pg_ctl" restart -s -D "$GROOT_POSTGRESQL_DATA" -l /dev/null'
        )
        made = self.run_program("--", "sh", "-c", script)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_failed_start_shows_the_log(self) -> None:
        made = self.run_program("--setting", "work_mem=none", "--", "true")
        self.assertEqual(made.returncode, 1)
        self.assertIn("work_mem", made.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_signals_end_all(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                child = subprocess.Popen(
                    [sys.executable, str(PROGRAM), "--", "sh", "-c", "echo up; exec sleep 60"],
                    stdout=subprocess.PIPE,
                    env=self.environment,
                )
                assert child.stdout is not None
                self.assertEqual(child.stdout.readline(), b"up\n")
                child.send_signal(number)
                self.assertEqual(child.wait(20), 128 + number)
                child.stdout.close()
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_signal_during_the_start_ends_all(self) -> None:
        child = subprocess.Popen([sys.executable, str(PROGRAM), "--", "true"], env=self.environment)
        while not any(self.folder.glob("*/data")):
            time.sleep(0.01)
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(20), 128 + signal.SIGTERM)
        self.assertEqual(list(self.folder.iterdir()), [])


class ProxyTests(unittest.TestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(tcp=True)
        cls.addClassCleanup(cls.server.close)
        cls.server.start()

    def setUp(self) -> None:
        self.server.psql("DROP TABLE IF EXISTS a; CREATE TABLE a (b int)")

    def count(self) -> str:
        return self.server.psql("SELECT count(*) FROM a")

    def test_bytes_are_forwarded(self) -> None:
        target = ("127.0.0.1", self.server.port)
        for proxy in (Proxy(self.server.socket), Proxy(target, tcp=True)):
            with proxy:
                sql = "SELECT length(repeat('x', 300000)), repeat('y', 100000)"
                self.assertEqual(psql(proxy.url, sql).stdout, "300000|" + "y" * 100000 + "\n")

    def test_an_answer_is_lost(self) -> None:
        with Proxy(self.server.socket) as proxy:
            proxy.cut(messages=1, kinds="Q")
            made = psql(proxy.url, "INSERT INTO a VALUES (1)")
            self.assertNotEqual(made.returncode, 0)
            self.assertIn("closed the connection unexpectedly", made.stderr)
            self.wait_for("1")
            self.assertEqual(psql(proxy.url, "SELECT 1").stdout, "1\n")

    def test_a_message_is_lost(self) -> None:
        with Proxy(self.server.socket) as proxy:
            proxy.cut(messages=1, kinds="Q", delivers=False)
            self.assertNotEqual(psql(proxy.url, "INSERT INTO a VALUES (1)").returncode, 0)
            proxy.wait_broken()
            self.assertEqual(self.count(), "0")

    def test_a_connection_is_cut_after_bytes(self) -> None:
        with Proxy(("127.0.0.1", self.server.port), tcp=True) as proxy:
            proxy.cut(bytes=4, times=2, resets=True)
            for _ in range(2):
                self.assertNotEqual(psql(proxy.url, "SELECT 1").returncode, 0)
            self.assertEqual(psql(proxy.url, "SELECT 1").stdout, "1\n")

    def test_a_black_hole_answers_nothing(self) -> None:
        with Proxy(self.server.socket) as proxy:
            proxy.swallow(messages=1, kinds="Q", delivers=False)
            with self.assertRaises(subprocess.TimeoutExpired):
                psql(proxy.url, "INSERT INTO a VALUES (1)", patience=1)
            self.assertEqual((proxy.broken, self.count()), (1, "0"))

    def test_open_connections_are_cut_at_once(self) -> None:
        with Proxy(self.server.socket) as proxy:
            sleeper = subprocess.Popen(
                [str(programs() / "psql"), "-Xq", "-d", proxy.url, "-c", "SELECT pg_sleep(60)"],
                stderr=subprocess.DEVNULL,
            )
            while not proxy.connections:
                time.sleep(0.01)
            proxy.cut()
            self.assertNotEqual(sleeper.wait(20), 0)

    def test_messages_are_found_in_any_pieces(self) -> None:
        text = b"\x00\x00\x00\x08\x04\xd2\x16\x2f" + b"\x00\x00\x00\x09\x00\x03\x00\x00\x00"
        text += b"Q\x00\x00\x00\x06x\x00" + b"S\x00\x00\x00\x04" + b"X\x00\x00\x00\x04"
        for size in range(1, len(text) + 1):
            splitter = Splitter()
            found = [
                (kind, start + end)
                for start in range(0, len(text), size)
                for kind, end in splitter.split(text[start : start + size])
            ]
            self.assertEqual(found, [("Q", 24), ("S", 29), ("X", 34)])

    def wait_for(self, count: str) -> None:
        end = time.monotonic() + 10
        while self.count() != count and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual(self.count(), count)


def setUpModule() -> None:
    try:
        programs()
    except Missing as missing:
        raise unittest.SkipTest(f"not installed: {missing}") from None


if __name__ == "__main__":
    unittest.main()
