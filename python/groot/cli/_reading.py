"""The store that a command reads from."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import IO

from groot.cli import _mappings, _progress, _requests, _writing
from groot.context import Context
from groot.errors import file_error
from groot.mapping import Mapping
from groot.models import stores


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of commands that read objects of a store."""
    command.add_argument("store", metavar="STORE", help="the store, an SQLite file")
    command.add_argument("entity", metavar="ENTITY", help="the entity of the objects")
    command.add_argument(
        "--sort",
        metavar="K",
        type=_requests.names,
        help="attributes to sort by, separated by commas, with - in front for descending",
    )
    command.add_argument("--limit", metavar="N", type=_requests.count, help="at most N objects")
    command.add_argument("-o", "--output", metavar="FILE", help="write to FILE, which is replaced")
    command.add_argument("--fail-empty", action="store_true", help="exit 1 if there are no objects")
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


@contextlib.contextmanager
def output(path: str | None) -> Iterator[IO[bytes]]:
    """Open the output of a command for bytes.

    Args:
        path: The path of a file, which is replaced when the block has succeeded; None for standard
            output.

    Yields:
        The file.

    Raises:
        groot.Error: If the file cannot be written.
    """
    if path is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    made = None
    try:
        folder, name = os.path.split(os.path.realpath(path))
        number, made = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
        with os.fdopen(number, "wb") as file:
            yield file
        os.chmod(made, 0o666 & ~_umask())
        os.replace(made, path)
        made = None
    except OSError as cause:
        raise file_error(path, "written", cause) from cause
    finally:
        if made is not None:
            os.unlink(made)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
