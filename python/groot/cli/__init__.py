"""The command line, `groot` or `python -m groot`: a mirror of a feed without a program.

`groot help` lists the commands, `groot help sync` describes one. Standard output has data and
standard error has messages. The exit codes are in `groot.cli._codes`.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_SIGNALS = 128
"""The exit code of a process that a signal ends, without the number of the signal."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: The arguments of the command line; by default those of the process.

    Returns:
        The exit code.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given in (["--version"], ["-V"]):
        from groot.version import __version__  # noqa: PLC0415, this needs nothing else

        print(f"groot {__version__}")
        return 0
    try:
        return _run(given, is_last=arguments is None)
    except KeyboardInterrupt:  # before the command has its own handler
        return _interrupted(given, "nothing was changed")


def _run(given: list[str], *, is_last: bool) -> int:
    """Run a command, in which Ctrl-C counts until the commit."""
    from groot.cli._interrupts import Interrupts  # noqa: PLC0415

    with Interrupts(is_last=is_last) as interrupts:
        try:
            from groot.cli import _main  # noqa: PLC0415

            return _main.run(given, interrupts)
        except KeyboardInterrupt:
            if interrupts.is_committed:
                return 0
            return _interrupted(given, interrupts.outcome, interrupts.number)


def _interrupted(given: list[str], outcome: str, number: int = 2) -> int:
    """Say that a command was interrupted, and return the exit code."""
    if "--quiet" not in given and "--json-errors" not in given:
        print(f"groot: interrupted; {outcome}", file=sys.stderr)
    return _SIGNALS + number
