"""The output of commands."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from groot.errors import file_error

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


def write(text: str, output: str | None) -> None:
    """Write text to a file, or to standard output."""
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as cause:
        raise file_error(output, "written", cause) from cause
