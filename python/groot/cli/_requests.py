"""The arguments of commands that choose objects."""

from __future__ import annotations

import argparse
import json
import math
import re
from typing import Any

_BRACKETS = re.compile(r"[\[{]")
_MOST_BRACKETS = 1000
"""A limit of their depth, too, so that reading a predicate needs no deep calls."""


def add_store(command: argparse.ArgumentParser) -> None:
    """Add the operands of a store and an entity."""
    command.add_argument("store", metavar="STORE", help="the store, an SQLite file or a URL")
    command.add_argument("entity", metavar="ENTITY", help="the entity of the objects")


def add_form(command: Any) -> None:
    """Add the argument of the arrangement of records to a parser or a group of one."""
    command.add_argument(
        "--form",
        choices=["array", "keyed", "grouped"],
        help="the arrangement of the records; by default that of the model",
    )


def add_where(command: argparse.ArgumentParser, words: str) -> None:
    """Add the argument of a predicate.

    Args:
        command: The parser.
        words: The help.
    """
    command.add_argument("--where", metavar="JSON", type=predicate, help=words)


def predicate(text: str) -> dict[str, Any]:
    """Read a predicate for the parser.

    Args:
        text: A JSON object.

    Returns:
        The predicate.

    Raises:
        argparse.ArgumentTypeError: If the text is not a JSON object.
    """
    example = 'give a JSON object such as \'{"name": {"beginsWith": "B"}}\''
    if len(_BRACKETS.findall(text)) > _MOST_BRACKETS:
        raise argparse.ArgumentTypeError(f"the predicate has more than {_MOST_BRACKETS} brackets")
    try:
        text.encode()
        found = json.loads(text, parse_float=_real, parse_constant=_real)
    except ValueError as wrong:
        message = f"{text!r} is not JSON: {wrong}; {example}"
        raise argparse.ArgumentTypeError(message) from wrong
    if not isinstance(found, dict):
        raise argparse.ArgumentTypeError(f"{text!r} is not a predicate; {example}")
    return found


def _real(text: str) -> float:
    """Read a number with a fraction or an exponent."""
    found = float(text)
    if not math.isfinite(found):
        raise ValueError(f"{text} is not a number of JSON, or beyond a double")
    return found


def names(text: str) -> list[str]:
    """Read names that are separated by commas, for the parser.

    Args:
        text: The names.

    Returns:
        The names without spaces around them.

    Raises:
        argparse.ArgumentTypeError: If there are none, or one is empty.
    """
    found = [one.strip() for one in text.split(",")]
    if not all(found):
        raise argparse.ArgumentTypeError(f"{text!r} has an empty name; separate names by commas")
    return found


def count(text: str) -> int:
    """Read a number from 0 for the parser.

    Args:
        text: The number.

    Returns:
        The number.

    Raises:
        argparse.ArgumentTypeError: If it is not such a number.
    """
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0")
    return int(text)


def positive(text: str) -> int:
    """Read a number from 1 for the parser.

    Args:
        text: The number.

    Returns:
        The number.

    Raises:
        argparse.ArgumentTypeError: If it is not such a number.
    """
    found = count(text)
    if not found:
        raise argparse.ArgumentTypeError("0 is not a number from 1")
    return found
