"""The output of commands."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import IO

from groot.errors import Error, file_error
from groot.model import Model
from groot.models import stores

MODEL_HELP = "a .xcdatamodeld, a .xcdatamodel or its contents file"


def add_output(command: argparse.ArgumentParser) -> None:
    """Add the options of commands that write a text about a model."""
    output = "write to FILE instead of standard output"
    command.add_argument("-o", "--output", metavar="FILE", help=output)
    command.add_argument("--version", metavar="NAME", help="the version in a .xcdatamodeld bundle")


def add_implicit(command: argparse.ArgumentParser) -> None:
    """Add the option of mappings for models without key paths."""
    command.add_argument(
        "--implicit",
        action="store_true",
        help="read properties without a JSONKeyPath under their own names",
    )


def load_model(options: argparse.Namespace) -> Model:
    """Load the model of a command, and tell its warnings.

    Args:
        options: The options of the command. `implicit` is set for a store that remembers it.

    Returns:
        The model.

    Raises:
        groot.Error: As `groot.Model.load`.
    """
    model = Model.load(options.model, options.version)
    options.talk.faults(model.warnings)
    if stores.is_store(options.model):
        options.implicit = options.implicit or stores.known(options.model).implicit
    return model


def write(text: str, path: str | None) -> None:
    """Write text to a file, or to standard output, as `opened` does."""
    with opened(path) as file:
        file.write(text.encode())


@contextlib.contextmanager
def opened(path: str | None) -> Iterator[IO[bytes]]:
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
