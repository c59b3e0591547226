"""The command line, `groot` or `python -m groot`: tools for models.

- `convert MODEL` writes an Xcode model as a model document.
- `generate swift MODEL` writes the entities of a model as Swift types.

The exit code is 0 on success, 1 if the model has errors, and 2 if the command line is wrong or a
file cannot be read or written.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from groot import generate, xcode
from groot._text import file_error
from groot.errors import Error, Issue, Status
from groot.model import Model

_GOOD, _FAULTY, _FAILED = 0, 1, 2
_MODEL_HELP = "a .xcdatamodeld, a .xcdatamodel or its contents file"


def _parser() -> argparse.ArgumentParser:
    name = "groot" if Path(sys.argv[0]).name == "groot" else "python -m groot"
    parser = argparse.ArgumentParser(prog=name, description="Tools for models.")
    commands = parser.add_subparsers(title="commands", dest="command", required=True)
    convert = commands.add_parser(
        "convert",
        help="write an Xcode model as a model document",
        description="Writes an Xcode model as a model document, and warnings to standard error.",
    )
    convert.add_argument("model", help=_MODEL_HELP)
    _add_common(convert)
    convert.add_argument(
        "--check",
        action="store_true",
        help="check the model and list all its errors; write the document only with -o",
    )
    convert.set_defaults(run=_convert)
    _add_generate(
        commands.add_parser(
            "generate",
            help="write the entities of a model as types",
            description="Writes the entities of a model as types of a programming language.",
        )
    )
    return parser


def _add_common(command: argparse.ArgumentParser) -> None:
    """Add the options of all commands."""
    output = "write to FILE instead of standard output"
    command.add_argument("-o", "--output", metavar="FILE", help=output)
    command.add_argument("--version", metavar="NAME", help="the version in a .xcdatamodeld bundle")


def _add_generate(command: argparse.ArgumentParser) -> None:
    command.add_argument("language", choices=["swift"], help="the language of the types")
    command.add_argument("model", help=f"a model document, {_MODEL_HELP}")
    _add_common(command)
    command.add_argument("--public", action="store_true", help="make the types public")
    command.add_argument(
        "--foundation",
        action="store_true",
        help="use Date, UUID, URL, Data and Decimal, with the module GrootFoundation",
    )
    command.add_argument("--namespace", metavar="NAME", help="put the types into an enum NAME")
    command.add_argument(
        "--implicit",
        action="store_true",
        help="read properties without a JSONKeyPath under their own names",
    )
    command.set_defaults(run=_generate)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: The arguments of the command line; by default those of the process.

    Returns:
        The exit code.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except Error as failure:
        _report(failure.issues)
        return _FAILED if failure.code in _CALLED_WRONGLY else _FAULTY
    except BrokenPipeError:
        # The reader has closed the pipe. Python's last flush must go elsewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _GOOD
    return code


_CALLED_WRONGLY = (Status.FILE_ERROR, Status.INVALID_ARGUMENT)


def _convert(options: argparse.Namespace) -> int:
    read = xcode.read(options.model, options.version)
    _report(read.warnings)
    if options.check:
        read.make(Model)
    elif read.errors:
        _report(read.errors)
        return _FAULTY
    if options.check and options.output is None:
        print(f"{read.file}: {len(read.document['entities'])} entities, no errors")
        return _GOOD
    _write(json.dumps(read.document, ensure_ascii=False, indent=2) + "\n", options.output)
    return _GOOD


def _generate(options: argparse.Namespace) -> int:
    model = Model.load(options.model, options.version)
    _report(model.warnings)
    chosen = generate.SwiftOptions(
        options.public, options.foundation, options.namespace, options.implicit
    )
    _write(generate.swift(model, chosen), options.output)
    return _GOOD


def _write(text: str, output: str | None) -> None:
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


def _report(issues: Iterable[Issue]) -> None:
    for issue in issues:
        print(f"{'warning' if issue.severity == 1 else 'error'}: {issue}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
