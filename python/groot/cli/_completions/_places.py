"""The places of operands on a command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from groot.cli._described import Argument, Described


class Place(NamedTuple):
    """A place of an operand, from 1."""

    number: int
    kind: str
    """The kind of the operand, or "entity-or-file"."""
    operand: Argument
    is_last: bool
    """Whether later operands are of the same kind."""


def places(command: Described) -> Iterator[Place]:
    """Yield the places of operands of a command in their order.

    Args:
        command: The command.

    Yields:
        The places. An operand such as "STORE ENTITY FILE" has several.
    """
    number = 0
    for operand in command.operands:
        for index, kind in enumerate(operand.kinds):
            number += 1
            is_alternative = len(operand.kinds) > 1 and kind == "entity"
            is_last = operand.is_repeated and index == len(operand.kinds) - 1
            yield Place(number, "entity-or-file" if is_alternative else kind, operand, is_last)


def valued(command: Described) -> Iterator[Argument]:
    """Yield the options of a command that have values.

    Args:
        command: The command.

    Yields:
        The options.
    """
    return (option for option in command.options if option.value is not None)


def kind_of(option: Argument) -> str:
    """Return the kind of the value of an option.

    Args:
        option: An option with a value.

    Returns:
        The kind; "text" for an option with a value of several words.
    """
    return option.kinds[0] if len(option.kinds) == 1 else "text"
