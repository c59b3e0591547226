"""The command `query`: values of objects as a table."""

from __future__ import annotations

import argparse
import sys

DESCRIPTION = (
    "Writes values of the objects that meet a predicate: a table on a terminal, JSON lines "
    "otherwise. Columns are properties and paths along relationships. Without --columns they are "
    "all attributes and to-one relationships. Rows are written as they are read."
)
EXAMPLES = (
    "groot query heroes.sqlite Hero",
    'groot query heroes.sqlite Hero \'{"rating": {">": 5}}\' --columns name,publisher.name',
    "groot query heroes.sqlite Hero --sort -rating --limit 10 --csv",
)
FORMS = ("table", "json", "csv", "markdown")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from groot.cli import _reading, _requests  # noqa: PLC0415

    _reading.add_arguments(command)
    command.add_argument(
        "where",
        nargs="?",
        metavar="WHERE",
        type=_requests.predicate,
        help='a predicate as JSON, such as \'{"name": {"beginsWith": "B"}}\'',
    )
    command.add_argument(
        "--columns",
        metavar="A,B.C",
        type=_requests.names,
        help="properties, and paths through relationships",
    )
    forms = command.add_mutually_exclusive_group()
    for form, words in zip(
        FORMS, ("a table", "an object a line", "CSV, with a line of names", "a table of Markdown")
    ):
        forms.add_argument(
            f"--{form}", dest="form", action="store_const", const=form, help=f"write {words}"
        )


def run(options: argparse.Namespace) -> int:
    """Write the rows."""
    from groot.cli import _querying, _reading  # noqa: PLC0415

    known = _reading.known_of(options)
    is_shown = options.output is None and sys.stdout.isatty()
    form = options.form or ("table" if is_shown else "json")
    return _querying.run(options, known, options.columns, form)
