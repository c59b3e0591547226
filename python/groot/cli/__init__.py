"""The command line, `groot` or `python -m groot`: tools for models.

- `check MODEL FILE` says how a feed differs from its model.
- `convert MODEL` writes an Xcode model, a JSON Schema or an OpenAPI document as a model document.
- `infer FILE` writes a model of a sample of JSON.
- `schema MODEL` writes the JSON Schema of the JSON that a model reads or writes.
- `generate swift MODEL` writes the entities of a model as Swift types, and `generate python MODEL`
  as Python classes.

The exit code is 0 on success, 1 if the model has errors, and 2 if the command line is wrong or a
file cannot be read or written. That of `check` is 1 if the feed has changed, and 2 for all errors.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from groot.cli import check, convert, generate, infer, schema
from groot.cli.output import report
from groot.errors import Error, Status

_GOOD, _FAULTY, _FAILED = 0, 1, 2
_CALLED_WRONGLY = (Status.FILE_ERROR, Status.INVALID_ARGUMENT)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: The arguments of the command line; by default those of the process.

    Returns:
        The exit code.
    """
    options = _parser().parse_args(arguments)
    try:
        is_good: bool = options.run(options)
    except Error as failure:
        report(failure.issues)
        return _FAILED if failure.code in _CALLED_WRONGLY else options.faulty
    except BrokenPipeError:
        # The reader has closed the pipe. Python's last flush must go elsewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _GOOD
    return _GOOD if is_good else _FAULTY


def _parser() -> argparse.ArgumentParser:
    name = "groot" if Path(sys.argv[0]).name == "groot" else "python -m groot"
    parser = argparse.ArgumentParser(prog=name, description="Tools for models.")
    commands = parser.add_subparsers(title="commands", dest="command", required=True)
    for command in (check, convert, generate, infer, schema):
        command.add_to(commands)
    parser.set_defaults(faulty=_FAULTY)
    return parser
