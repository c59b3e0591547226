"""The commands, and their parsers."""

from __future__ import annotations

import argparse
import importlib
import re
import shutil
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from groot.cli import _codes
from groot.cli._names import meant

EPILOG = "'groot help COMMAND' describes a command."


class Command(NamedTuple):
    """A command of the command line."""

    name: str
    summary: str
    module: str
    """The module in `groot.cli`.

    It has `DESCRIPTION`, a text; `EXAMPLES`, command lines with a comment each;
    `add_arguments(parser)`; and `run(options)`, which returns the exit code.
    """
    is_about_model: bool = False
    """Whether the data is a model, so that an invalid model is a fault in the data."""

    def load(self) -> Any:
        """Import the module of the command."""
        return importlib.import_module(f"groot.cli.{self.module}")

    def parser(self) -> argparse.ArgumentParser:
        """Make the parser of the command."""
        module = self.load()
        parser = Parser(
            prog=f"groot {self.name}",
            description=module.DESCRIPTION,
            epilog="\n".join(["examples:", *(f"  {one}" for one in module.EXAMPLES)]),
            formatter_class=_Formatter,
            allow_abbrev=False,
        )
        module.add_arguments(parser)
        talk = parser.add_argument_group("messages")
        talk.add_argument(
            "--json-errors", action="store_true", help="write each fault as a JSON object a line"
        )
        parser.set_defaults(run=module.run, command=self.name)
        return parser


COMMANDS = (
    Command("import", "read JSON into a store", "importing"),
    Command("sync", "make a store equal to a feed", "syncing"),
    Command("query", "write values of objects as a table", "query"),
    Command("export", "write objects as JSON, CSV or Arrow", "export"),
    Command("diff", "list the changes that a feed would make", "diff"),
    Command("copy", "copy a store into a new one, in a file or a database", "copying"),
    Command("check", "say how a feed differs from its model", "check"),
    Command("convert", "write an Xcode model or a schema as a model document", "convert", True),
    Command("infer", "write a model of a sample of JSON", "infer"),
    Command("info", "say which objects a store has, and whether it is sound", "info"),
    Command("schema", "write a model as a JSON Schema, a diagram or SQL", "schema", True),
    Command("generate", "write the entities of a model as types, or for C", "generate", True),
    Command("commands", "list the commands with all arguments, for programs", "commands"),
    Command("completion", "write the completion of commands for a shell", "completion"),
    Command("help", "describe a command", "helping"),
)


_WITH_SIGNS = ("--sort",)


class UsageError(Exception):
    """A wrong command line."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are exceptions, and name the nearest option."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments, of which none may be left."""
        found, rest = super().parse_known_args(args, namespace)
        unknown = next((one for one in rest if one.startswith("-")), None)
        if unknown is not None:
            name = unknown.partition("=")[0]
            options = re.findall(r"(?<=[ \[])--[a-z-]+", self.format_help())
            near = meant(name, options) if name.startswith("--") else ""
            self.error(f"unknown option '{name}'{near if 'mean' in near else ''}")
        return found, rest

    def error(self, message: str) -> NoReturn:
        """Raise the error of a wrong command line."""
        raise UsageError(message)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, in which examples keep their lines."""

    def __init__(self, prog: str) -> None:
        width = min(shutil.get_terminal_size().columns, 100) - 2
        super().__init__(prog, max_help_position=30, width=width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith("examples:"):
            return super()._fill_text(text, width, indent)
        return argparse.HelpFormatter._fill_text(self, text, width, indent)


def joined(arguments: Sequence[str]) -> list[str]:
    """Join options whose values may begin with "-" with their values, as the parser needs."""
    found: list[str] = []
    for one in arguments:
        if found and found[-1] in _WITH_SIGNS:
            found[-1] = f"{found[-1]}={one}"
        else:
            found.append(one)
    return found


def find(name: str) -> Command:
    """Return the command of a name.

    Args:
        name: The name.

    Returns:
        The command.

    Raises:
        UsageError: If it is unknown, with the nearest name.
    """
    for command in COMMANDS:
        if command.name == name:
            return command
    raise UsageError(f"unknown command '{name}'{meant(name, [one.name for one in COMMANDS])}")


def overview() -> str:
    """Return the help of the command line."""
    width = max(len(one.name) for one in COMMANDS)
    lines = [f"  {one.name:<{width}}  {one.summary}" for one in COMMANDS]
    head = "usage: groot COMMAND ...\n\nA mirror of a JSON feed, and tools for its model.\n"
    codes = [f"  {code:<3}  {meaning}" for code, meaning in _codes.MEANINGS.items()]
    return "\n".join([head, "commands:", *lines, "", "exit codes:", *codes, "", EPILOG])
