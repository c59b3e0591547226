"""The frame of all commands: arguments, failures, exit codes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from groot.cli import _codes
from groot.cli._commands import Command, UsageError, find, joined, overview
from groot.cli._interrupts import Interrupts
from groot.cli._talk import Talk
from groot.errors import Error, Status

_TRACEBACK = "GROOT_TRACEBACK"
_LEVELS = 10_000
"""The depth of calls, which suffices for the deepest JSON that a store has."""


def run(arguments: Sequence[str], interrupts: Interrupts) -> int:
    """Run a command.

    Args:
        arguments: The arguments of the command line.
        interrupts: The handler of Ctrl-C.

    Returns:
        The exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        # The encoding of a terminal may lack a character.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if not arguments or arguments[0] in ("-h", "--help"):
        print(overview(), file=sys.stdout if arguments else sys.stderr)
        return _codes.GOOD if arguments else _codes.WRONG
    levels = sys.getrecursionlimit()
    sys.setrecursionlimit(max(levels, _LEVELS))
    try:
        return _run(arguments, Talk("groot", is_json="--json-errors" in arguments), interrupts)
    finally:
        sys.setrecursionlimit(levels)


def _run(arguments: Sequence[str], talk: Talk, interrupts: Interrupts) -> int:
    try:
        command = find(arguments[0])
    except UsageError as wrong:
        talk.refuse(str(wrong), "'groot help' lists the commands")
        return _codes.WRONG
    try:
        talk.command = f"groot {command.name}"
        options = command.parser().parse_args(joined(arguments[1:]))
        options.talk, options.interrupts = talk, interrupts
        talk.is_quiet = getattr(options, "quiet", False)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except Exception as failure:
        # Ctrl-C may come as another exception: Python wraps it, and a call fails for it.
        if not interrupts.is_committed:
            interrupts.check()
        return _failed(failure, command, talk)


def _failed(failure: Exception, command: Command, talk: Talk) -> int:
    """Tell of a failure, and return the exit code."""
    if isinstance(failure, UsageError):
        talk.refuse(str(failure), f"'{talk.command} --help' lists the arguments")
        return _codes.WRONG
    if isinstance(failure, Error):
        talk.faults(failure.issues, is_failure=True)
        if command.is_about_model and failure.code == Status.INVALID_MODEL:
            return _codes.FAULTY
        return _codes.code_of_failure(failure)
    if isinstance(failure, BrokenPipeError):
        # The reader has closed the pipe. Python's last flush must go elsewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _codes.GOOD
    if isinstance(failure, OSError):
        talk.refuse(f"{failure.filename or 'a file'} cannot be used: {failure.strerror or failure}")
        return _codes.WRONG
    if os.environ.get(_TRACEBACK):
        raise failure
    message = f"unexpected {type(failure).__name__}: {failure}"
    talk.refuse(message, f"please report it, with the output under {_TRACEBACK}=1")
    return _codes.WRONG
