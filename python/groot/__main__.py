"""The command line: `python -m groot convert MODEL` writes a model of Xcode as a model document.

It ends with 0 when all went well, with 1 when the model has errors, and with 2 when it was called
wrongly or a file could not be read or written.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from groot import xcode
from groot._text import file_error
from groot.errors import Error, Issue, Status
from groot.model import Model

_GOOD, _FAULTY, _FAILED = 0, 1, 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m groot", description="Tools for models.")
    commands = parser.add_subparsers(title="commands", dest="command", required=True)
    convert = commands.add_parser(
        "convert",
        help="write a model of Xcode as a model document",
        description="Writes a model of Xcode as a model document, and warnings to standard error.",
    )
    convert.add_argument("model", help="a .xcdatamodeld, a .xcdatamodel or its contents file")
    convert.add_argument("-o", "--output", metavar="FILE", help="write FILE, not standard output")
    convert.add_argument("--version", metavar="NAME", help="which version of a .xcdatamodeld")
    convert.add_argument(
        "--check",
        action="store_true",
        help="make the model and list all its errors; write the document only with -o",
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and give the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return _convert(options)
    except Error as failure:
        _report(failure.issues)
        return _FAILED if failure.code == Status.FILE_ERROR else _FAULTY
    except BrokenPipeError:
        # Whoever read has enough. What Python still flushes at the end must go elsewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _GOOD


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
    text = json.dumps(read.document, ensure_ascii=False, indent=2) + "\n"
    if options.output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return _GOOD
    try:
        Path(options.output).write_text(text, encoding="utf-8")
    except OSError as cause:
        raise file_error(options.output, "written", cause) from cause
    return _GOOD


def _report(issues: Iterable[Issue]) -> None:
    for issue in issues:
        print(f"{'warning' if issue.severity == 1 else 'error'}: {issue}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
