"""Commands on a pseudo-terminal, as a user has them in a window."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from command_checks import environment

SECONDS = 30.0


class Terminal:
    """A process whose controlling terminal is a pseudo-terminal, for a `with` statement.

    The standard files that are not given are the terminal. A process that does not end in time, or
    does not write what is waited for, is killed, and fails the test.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        *,
        columns: int = 80,
        stdin: Any = None,
        stdout: Any = None,
        stderr: Any = None,
        **more: str,
    ) -> None:
        self._last = time.monotonic() + SECONDS
        self._main, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        known = {**environment(), "TERM": "xterm", **more}
        for name in ("COLUMNS", "LINES"):
            known.pop(name, None)

        def control() -> None:
            fcntl.ioctl(inner, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=known,
            stdin=inner if stdin is None else stdin,
            stdout=inner if stdout is None else stdout,
            stderr=inner if stderr is None else stderr,
            start_new_session=True,
            pass_fds=[inner],
            preexec_fn=control,  # noqa: PLW1509, no thread runs before
        )
        os.close(inner)
        self.shown = ""
        """The text that the terminal was sent, with "\\n" for the end of a line."""
        self._bytes = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        self.process.wait()
        os.close(self._main)

    def settings(self) -> list[Any]:
        """Return the settings of the terminal, such as echo."""
        return termios.tcgetattr(self._main)

    def rest(self) -> None:
        """Let the process come to wait for keys: Python may miss a signal just before."""
        time.sleep(0.3)

    def type(self, text: str) -> None:
        """Type keys."""
        os.write(self._main, text.encode())

    def wait_for(self, text: str) -> None:
        """Read until a text was shown."""
        while text not in self.shown:
            assert self._read(), f"{text!r} was not shown: {self.shown!r}"

    def end(self) -> int:
        """Read to the end of the process, and return its exit code."""
        while self._read():
            pass
        return self.process.wait(self._left())

    def _left(self) -> float:
        return max(self._last - time.monotonic(), 0)

    def _read(self) -> bool:
        """Read a piece; False when no process has the terminal open any more."""
        ready, _, _ = select.select([self._main], [], [], self._left())
        assert ready, f"the command takes too long; it has shown {self.shown!r}"
        try:
            piece = os.read(self._main, 1 << 16)
        except OSError:  # so Linux tells the end
            return False
        self._bytes += piece
        self.shown = self._bytes.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(piece)
