"""The commands as plain data, of which help, lists, man page and completions are made."""

from __future__ import annotations

import argparse
import re
from typing import Any, NamedTuple

from groot.cli import _codes
from groot.cli._commands import COMMANDS, Command
from groot.version import __version__

VERSION = 1
PROGRAM = "groot"
SUMMARY = "a mirror of a JSON feed, and tools for its model"
ENVIRONMENT = {
    "COLUMNS": "The width of help and tables; by default that of the terminal.",
    "GROOT_LIBRARY": "The path of the shared library; without it the usual places are searched.",
    "GROOT_TRACEBACK": "If it is set, an unexpected exception is shown with its traceback.",
    "NO_COLOR": "If it is set and not empty, messages have no colours.",
}
_KINDS = {
    "STORE": "store",
    "ENTITY": "entity",
    **dict.fromkeys(("FILE", "MODEL", "PATH", "OLD", "NEW"), "file"),
    **dict.fromkeys(("FOLDER", "DIRECTORY"), "folder"),
}
_PROPERTIES = {"--columns", "--properties", "--sort"}
_COMMENT = re.compile(r"\s+# (.*)$")


class Example(NamedTuple):
    """A command line."""

    command: str
    comment: str | None


class Argument(NamedTuple):
    """An operand or an option of a command."""

    names: tuple[str, ...]
    """The names of an option; none of an operand."""
    value: str | None
    """The word that stands for the value; None for an option without one."""
    kinds: tuple[str, ...]
    """The kind of each value: store, entity, file, folder, properties, choice or text."""
    choices: tuple[str, ...]
    default: Any
    help: str
    is_required: bool
    is_repeated: bool
    needs_value: bool
    """Whether an option cannot be given without its value."""
    group: str | None
    excludes: tuple[str, ...]
    """The options that cannot be given together with this one."""

    @property
    def label(self) -> str:
        """The argument as help has it, such as "-o, --output FILE"."""
        if not self.names:
            return self.value or ""
        shown = self.value if self.needs_value else f"[{self.value}]"
        return ", ".join(self.names) + (f" {shown}" if self.value else "")


class Described(NamedTuple):
    """A command."""

    name: str
    summary: str
    description: str
    synopsis: tuple[str, ...]
    operands: tuple[Argument, ...]
    options: tuple[Argument, ...]
    examples: tuple[Example, ...]

    def groups(self) -> dict[str | None, list[Argument]]:
        """Return the options by their groups; those without one are first."""
        found: dict[str | None, list[Argument]] = {None: []}
        for option in self.options:
            found.setdefault(option.group, []).append(option)
        return found


def all_commands() -> list[Described]:
    """Describe all commands in the order of the table.

    Returns:
        The descriptions.
    """
    return [describe(command) for command in COMMANDS]


def describe(command: Command) -> Described:
    """Describe a command by its parser.

    Args:
        command: The command.

    Returns:
        The description.
    """
    parser = command.parser()
    operands: list[Argument] = []
    options: list[Argument] = []
    excluded = _excluded(parser)
    # argparse has no public names for its groups. The first two are its own.
    for index, group in enumerate(vars(parser)["_action_groups"]):
        title = group.title if index > 1 else None
        for action in vars(group)["_group_actions"]:
            if action.help != argparse.SUPPRESS:
                one = _argument(parser.prog, action, title, excluded)
                (options if one.names else operands).append(one)
    module = command.load()
    return Described(
        command.name,
        command.summary,
        module.DESCRIPTION,
        _synopsis(parser, operands),
        tuple(operands),
        tuple(options),
        tuple(map(_example, module.EXAMPLES)),
    )


def _argument(
    program: str, action: argparse.Action, group: str | None, excluded: dict[str, tuple[str, ...]]
) -> Argument:
    names = tuple(action.option_strings)
    value = _value(action)
    choices = tuple(map(str, action.choices or ()))
    if value == "COMMAND":
        choices = tuple(command.name for command in COMMANDS)
    known = {**vars(action), "prog": program, "choices": ", ".join(choices)}
    return Argument(
        names,
        value,
        _kinds(names, value, choices),
        choices,
        # An empty list or false says no more than null.
        action.default or None if action.default != argparse.SUPPRESS else None,
        (action.help or "") % known,
        action.required if names else action.nargs not in ("?", "*"),
        action.nargs in ("*", "+") or "Append" in type(action).__name__,
        value is not None and action.nargs not in ("?", "*"),
        group,
        next((excluded[name] for name in names if name in excluded), ()),
    )


def _value(action: argparse.Action) -> str | None:
    """Return the word for the value of an argument."""
    if action.option_strings and action.nargs == 0:
        return None
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    if action.metavar is not None:
        return action.metavar
    if action.choices and action.option_strings:
        return "|".join(map(str, action.choices))
    return action.dest.upper()


def _kinds(names: tuple[str, ...], value: str | None, choices: tuple[str, ...]) -> tuple[str, ...]:
    if value is None:
        return ()
    if choices:
        return ("choice",)
    if _PROPERTIES.intersection(names):
        return ("properties",)
    return tuple(_KINDS.get(word.split("|")[0], "text") for word in value.split())


def _excluded(parser: argparse.ArgumentParser) -> dict[str, tuple[str, ...]]:
    """Return the options that exclude others, with the others."""
    found: dict[str, tuple[str, ...]] = {}
    for group in vars(parser)["_mutually_exclusive_groups"]:
        names = [tuple(action.option_strings) for action in vars(group)["_group_actions"]]
        for own in names:
            others = tuple(name for other in names if other is not own for name in other)
            found.update(dict.fromkeys(own, others))
    return found


def _synopsis(parser: argparse.ArgumentParser, operands: list[Argument]) -> tuple[str, ...]:
    if parser.usage is not None:
        lines = (parser.usage % {"prog": parser.prog}).splitlines()
        return tuple(line.strip() for line in lines)
    words = [parser.prog]
    for one in operands:
        word = f"{one.value}..." if one.is_repeated else f"{one.value}"
        words.append(word if one.is_required else f"[{word}]")
    return (" ".join([*words, "[options]"]),)


def _example(line: str) -> Example:
    found = _COMMENT.search(line)
    return Example(line[: found.start()], found[1]) if found else Example(line, None)


def as_json() -> dict[str, Any]:
    """Describe the whole command line as a JSON object.

    Returns:
        The object.
    """
    return {
        "version": VERSION,
        "program": PROGRAM,
        "program_version": __version__,
        "summary": SUMMARY,
        "commands": [_command_as_json(one) for one in all_commands()],
        "exit_codes": [
            {"code": code, "meaning": meaning} for code, meaning in _codes.MEANINGS.items()
        ],
        "environment": [
            {"name": name, "meaning": meaning} for name, meaning in ENVIRONMENT.items()
        ],
    }


def _command_as_json(command: Described) -> dict[str, Any]:
    return {
        "name": command.name,
        "summary": command.summary,
        "description": command.description,
        "synopsis": list(command.synopsis),
        "arguments": [_argument_as_json(one) for one in command.operands],
        "options": [_argument_as_json(one) for one in command.options],
        "examples": [{"command": one.command, "comment": one.comment} for one in command.examples],
    }


def _argument_as_json(one: Argument) -> dict[str, Any]:
    found: dict[str, Any] = {
        "value": one.value,
        "kinds": list(one.kinds),
        "choices": list(one.choices),
        "help": one.help,
        "is_required": one.is_required,
        "is_repeated": one.is_repeated,
    }
    if not one.names:
        return found
    return {
        "names": list(one.names),
        **found,
        "needs_value": one.needs_value,
        "default": one.default,
        "group": one.group,
        "excludes": list(one.excludes),
    }
