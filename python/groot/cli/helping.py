"""The command `help`: the description of a command, and the man page."""

from __future__ import annotations

import argparse
import shutil

from groot.cli import _codes

DESCRIPTION = (
    "Describes a command as its man page does: its arguments, options and examples, as wide as the "
    "terminal but at most 100 columns. Without a command it lists all of them. With --man it "
    "writes the page groot(1), which has all commands."
)
EXAMPLES = (
    "groot help",
    "groot help sync",
    "groot help --man > groot.1    # view it with man ./groot.1",
)
_MOST_COLUMNS = 100


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("name", nargs="?", metavar="COMMAND", help="the command to describe")
    command.add_argument(
        "--man", action="store_true", help="write the man page of all commands, in roff"
    )


def run(options: argparse.Namespace) -> int:
    """Write the description."""
    from groot.cli import _described, _man, _pages  # noqa: PLC0415, they import the table
    from groot.cli._commands import UsageError, find  # noqa: PLC0415

    width = min(shutil.get_terminal_size().columns, _MOST_COLUMNS)
    if options.man:
        if options.name is not None:
            raise UsageError("--man writes one page for all commands; leave out the command")
        print(_man.page(_described.all_commands()), end="")
    elif options.name is None:
        print(_pages.overview(width), end="")
    else:
        print(_pages.page(_described.describe(find(options.name)), width), end="")
    return _codes.GOOD
