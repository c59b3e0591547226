"""The description of a command as text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping

from groot.cli import _codes, _commands
from groot.cli._described import ENVIRONMENT, PROGRAM, Argument, Described, Example

_INDENT = 4
_WORD = r"""(?:'[^']*'|"[^"]*"|[^\s'"])+"""
_PIECE = re.compile(rf"--[\w-]+ (?!-){_WORD}|{_WORD}")


def page(command: Described, width: int) -> str:
    """Return the description of a command.

    Args:
        command: The command.
        width: The number of columns.

    Returns:
        The text, with a line break at the end.
    """
    codes = {str(code): meaning for code, meaning in _codes.MEANINGS.items()}
    parts = [
        ("NAME", _paragraph(f"{PROGRAM} {command.name} - {command.summary}", width)),
        ("SYNOPSIS", [line for one in command.synopsis for line in _folded(one, width)]),
        ("DESCRIPTION", _paragraph(command.description, width)),
        ("ARGUMENTS", list(_arguments(command.operands, width))),
        ("OPTIONS", list(_options(command, width))),
        ("EXAMPLES", [line for one in command.examples for line in _example(one, width)]),
        ("EXIT STATUS", list(_terms(codes, width))),
        ("ENVIRONMENT", list(_terms(ENVIRONMENT, width))),
        ("SEE ALSO", _paragraph(f"{PROGRAM}(1). '{PROGRAM} help' lists all commands.", width)),
    ]
    texts = ["\n".join([title, *lines]) for title, lines in parts if lines]
    return "\n\n".join(texts) + "\n"


def overview(width: int) -> str:
    """Return the list of commands, exit codes and variables.

    Args:
        width: The number of columns.

    Returns:
        The text, with a line break at the end.
    """
    head, _, last = _commands.overview().rpartition("\n\n")
    lines = [head, "", "environment:", *_terms(ENVIRONMENT, width, 2), "", last]
    return "\n".join(lines) + "\n"


def _paragraph(text: str, width: int, indent: int = _INDENT) -> list[str]:
    space = " " * indent
    return textwrap.wrap(
        text,
        max(width, indent + 20),
        initial_indent=space,
        subsequent_indent=space,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _arguments(arguments: tuple[Argument, ...] | list[Argument], width: int) -> Iterator[str]:
    for one in arguments:
        yield " " * _INDENT + one.label
        yield from _paragraph(one.help + choices_of(one), width, 2 * _INDENT)


def choices_of(argument: Argument) -> str:
    """Return the choices of an argument as the end of its help; "" if its label has them."""
    if not argument.choices or "|" in (argument.value or ""):
        return ""
    return ": " + ", ".join(argument.choices)


def _options(command: Described, width: int) -> Iterator[str]:
    for title, options in command.groups().items():
        if title is not None:
            yield ""
            yield f"  {title[:1].upper()}{title[1:]}:"
        yield from _arguments(options, width)


def _example(example: Example, width: int) -> Iterator[str]:
    yield from _folded(example.command, width)
    if example.comment is not None:
        yield from _paragraph(example.comment, width, 2 * _INDENT)


def _folded(line: str, width: int) -> list[str]:
    """Break a command line between its words, but not after the name of an option."""
    found = [" " * _INDENT]
    for word in _PIECE.findall(line):
        # Two columns are left for the sign that a line goes on.
        if found[-1].strip() and len(found[-1]) + 1 + len(word) > width - 2:
            found[-1] += " \\"
            found.append(" " * (2 * _INDENT))
        found[-1] += f" {word}" if found[-1].strip() else word
    return found


def _terms(meanings: Mapping[str, str], width: int, indent: int = _INDENT) -> Iterator[str]:
    column = max(map(len, meanings)) + 2
    for term, meaning in meanings.items():
        lines = _paragraph(meaning, width, indent + column)
        yield " " * indent + term.ljust(column) + lines[0].lstrip()
        yield from lines[1:]
