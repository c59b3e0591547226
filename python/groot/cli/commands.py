"""The command `commands`: all commands with their arguments, for programs."""

from __future__ import annotations

import argparse
import json

from groot.cli import _codes

DESCRIPTION = (
    "Lists the commands with one line each. With --json it writes one object for programs: the "
    "arguments, options and examples of each command, the exit codes, and the variables of the "
    "environment. The member version grows when a member changes its meaning."
)
EXAMPLES = (
    "groot commands",
    "groot commands --json | jq '.commands[].name'",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("--json", action="store_true", help="write a JSON object")


def run(options: argparse.Namespace) -> int:
    """Write the list."""
    from groot.cli import _described  # noqa: PLC0415, it imports the table of commands
    from groot.cli._commands import COMMANDS  # noqa: PLC0415

    if options.json:
        print(json.dumps(_described.as_json(), ensure_ascii=False, indent=2))
        return _codes.GOOD
    width = max(len(one.name) for one in COMMANDS)
    for one in COMMANDS:
        print(f"{one.name:<{width}}  {one.summary}")
    return _codes.GOOD
