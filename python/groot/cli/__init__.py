"""The command line, `groot` or `python -m groot`: a mirror of a feed without a program.

`groot help` lists the commands, `groot help sync` describes one. Standard output has data and
standard error has messages. The exit codes are in `groot.cli._codes`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


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
    from groot.cli import _main  # noqa: PLC0415

    return _main.run(given, is_last=arguments is None)
