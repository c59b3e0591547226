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
from groot.errors import Error, file_error
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
    try:
        with _open(path) as file:
            yield file
    except Error:
        raise
    except OSError as cause:
        raise file_error(path, "written", cause) from cause


def _open(path: str) -> contextlib.AbstractContextManager[IO[bytes]]:
    """Open a file for a `with` statement; a device or a pipe stays."""
    is_special = os.path.exists(path) and not os.path.isfile(path)
    if is_special or os.path.abspath(path).startswith("/dev/"):
        return open(path, "wb")
    return _replaced(os.path.realpath(path))


@contextlib.contextmanager
def _replaced(path: str) -> Iterator[IO[bytes]]:
    """Open a file that appears, or is replaced, only when it is complete."""
    folder, name = os.path.split(path)
    number, made = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with os.fdopen(number, "wb") as file:
            yield file
        mode = os.stat(path).st_mode if os.path.exists(path) else 0o666 & ~_umask()
        os.chmod(made, mode & 0o777)
        os.replace(made, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(made)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
