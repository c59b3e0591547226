"""The messages of a command, on standard error."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from groot.cli._names import nearest
from groot.errors import Issue, Status

_VERSION = 1
_RED, _YELLOW, _PLAIN = "\x1b[31m", "\x1b[33m", "\x1b[0m"
_REMEDIES: dict[int, str] = {
    Status.STORE_LOCKED: "another process is writing to the store; run the command again, or "
    "wait longer with --wait SECONDS",
    Status.STORE_CONFLICT: "another process has changed the store meanwhile; run the command again",
    Status.STORE_DUPLICATE: "another process has written the same objects; run the command again",
    Status.STORE_MODEL: "import and sync change the store to the model of --model with --migrate",
}


class Talk:
    """The messages of a command to people, or to programs as JSON."""

    def __init__(self, command: str, *, is_json: bool = False, is_quiet: bool = False) -> None:
        """Make the messages of a command, such as "groot sync"."""
        self.command = command
        self.is_json = is_json
        self.is_quiet = is_quiet
        self.remedies: dict[int, str] = dict(_REMEDIES)
        """The next step after a failure, by status; a command adds its own."""
        self.locate: Callable[[Issue], tuple[str | None, Issue]] | None = None
        """Finds the file of an issue, and its place there, where several files are read at once."""
        self._file: str | None = None

    @contextlib.contextmanager
    def reading(self, file: str) -> Iterator[None]:
        """Give the faults of the block, and the exception that leaves it, the name of a file."""
        self._file = file
        yield
        self._file = None

    def leave(self) -> None:
        """Give later faults no file."""
        self._file = None

    def say(self, text: str) -> None:
        """Write a line, unless the command is quiet or its messages are JSON."""
        if not self.is_quiet and not self.is_json:
            _print(text)

    def faults(self, issues: Iterable[Issue], *, is_failure: bool = False) -> None:
        """Write issues, one a line, and after a failure the next step.

        Args:
            issues: The issues.
            is_failure: Whether they end the command.
        """
        remedies: dict[str, None] = {}
        for issue in issues:
            remedy = self.remedies.get(issue.status) if is_failure else None
            if issue.status == Status.UNKNOWN_PROPERTY and issue.property:
                # The message lists the properties in quotes.
                names = re.findall("'([^']*)'", issue.message)
                remedy = nearest(issue.property, names) or remedy
            if remedy:
                remedies[remedy] = None
            self._write(issue, remedy)
        if not self.is_json:
            for remedy in remedies:
                _print(f"{self.command}: {remedy}")

    def refuse(self, message: str, remedy: str | None = None) -> None:
        """Write a failure that has no place in a file."""
        self._write(Issue(Status.INVALID_ARGUMENT, message), remedy)
        if remedy and not self.is_json:
            _print(f"{self.command}: {remedy}")

    def ask(self, question: str) -> bool:
        """Ask on the terminal; the end of input refuses.

        Args:
            question: The question.

        Returns:
            Whether the answer is yes.
        """
        answer = ""
        try:
            print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
            answer = sys.stdin.readline()
        finally:
            if not answer.endswith("\n"):
                print(file=sys.stderr)
        return answer.strip().lower() in ("y", "yes")

    def _write(self, issue: Issue, remedy: str | None) -> None:
        has_place = issue.line is not None or issue.path is not None
        file = self._file if has_place else None
        if self.locate is not None:
            file, issue = self.locate(issue)
        if self.is_json:
            _print(json.dumps(self._described(issue, file, remedy)))
            return
        kind = "warning" if issue.severity == 1 else "error"
        colour, plain = (_colour(kind), _PLAIN) if has_colours(sys.stderr) else ("", "")
        named = f"{colour}{kind}{plain}: "
        if file is None:
            _print(f"{named}{issue}")
            return
        places = [file, issue.line, issue.column if issue.line else None]
        place = ":".join(str(one) for one in places if one is not None)
        subject = ".".join(part for part in (issue.entity, issue.property) if part)
        parts = ": ".join(part for part in (issue.path, subject, issue.message) if part)
        _print(f"{place}: {named if kind == 'warning' else ''}{parts}")

    def _described(self, issue: Issue, file: str | None, remedy: str | None) -> dict[str, Any]:
        status = issue.status
        return {
            "version": _VERSION,
            "command": self.command,
            "severity": "warning" if issue.severity == 1 else "error",
            "code": status.name if isinstance(status, Status) else str(status),
            "file": file,
            "line": issue.line,
            "column": issue.column,
            "path": issue.path,
            "entity": issue.entity,
            "property": issue.property,
            "message": issue.message,
            "remedy": remedy,
        }


def _print(line: str) -> None:
    """Write a line after all that standard output has so far."""
    with contextlib.suppress(OSError, ValueError):  # the reader of the output may have gone
        sys.stdout.flush()
    print(line, file=sys.stderr)


def _colour(kind: str) -> str:
    return _YELLOW if kind == "warning" else _RED


def has_colours(file: Any) -> bool:
    """Whether a file is a terminal with colours.

    Args:
        file: Standard output or standard error.

    Returns:
        False too if the user wants none.
    """
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return not is_plain and bool(file.isatty())


def can_ask() -> bool:
    """Whether a user can read a question and answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()
