"""The store that a command reads from."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator

from groot.cli import _codes, _mappings, _progress, _requests, _writing
from groot.context import Context
from groot.mapping import Mapping
from groot.models import stores


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of commands that read objects of a store."""
    _requests.add_store(command)
    command.add_argument(
        "--sort",
        metavar="K",
        type=_requests.names,
        help="attributes to sort by, separated by commas, with - in front for descending",
    )
    command.add_argument("--limit", metavar="N", type=_requests.count, help="at most N objects")
    command.add_argument("-o", "--output", metavar="FILE", help="write to FILE, which is replaced")
    command.add_argument("--fail-empty", action="store_true", help="exit 1 without any objects")
    command.add_argument("--quiet", action="store_true", help="write no progress")
    _writing.add_waiting(command)
    _mappings.add_arguments(command)


def known_of(options: argparse.Namespace) -> _mappings.Known:
    """Return the mapping of the store: as given, or as the store remembers it.

    Args:
        options: The options of the command.

    Returns:
        The mapping.

    Raises:
        groot.Error: If there is none, or it is invalid.
    """
    stores.require(options.store)
    return _mappings.given(options) or _mappings.remembered(options.store)


def told(options: argparse.Namespace, count: int) -> int:
    """Say why objects are missing, and return the exit code.

    Args:
        options: The options of the command.
        count: The number of objects that were written.

    Returns:
        The exit code.
    """
    if count:
        return _codes.GOOD
    reason = "none meets the predicate" if options.where else f"the store has no {options.entity}"
    options.talk.say(f"no records: {reason}")
    return _codes.FAULTY if options.fail_empty else _codes.GOOD


@contextlib.contextmanager
def opened(options: argparse.Namespace, mapping: Mapping) -> Iterator[Context]:
    """Open the store for reading.

    Args:
        options: The options of the command.
        mapping: The mapping of the store.

    Yields:
        The context.

    Raises:
        groot.Error: If the store cannot be opened, or has another model.
    """
    is_shown = options.output is None and sys.stdout.isatty()
    with Context(
        mapping,
        store=options.store,
        progress=None if is_shown else _progress.watcher(options),
        create=False,
        migrate=False,
        busy_timeout=options.wait,
    ) as context:
        yield context
