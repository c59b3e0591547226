"""The command `check`: whether a feed has changed."""

from __future__ import annotations

import argparse
import json

from groot.cli import _codes
from groot.cli.output import MODEL_HELP

DESCRIPTION = (
    "Lists the key paths of a model that lead to nothing in a feed, the unmapped keys of the feed, "
    "and the values that do not fit. The exit code is 1 if the feed has changed, and 2 if it or "
    "the model cannot be read."
)
EXAMPLES = ("groot check heroes.model.json heroes.json    # lists the differences",)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from groot.cli import _feeds  # noqa: PLC0415, few commands need it

    command.add_argument("model", help=f"a model document, {MODEL_HELP}")
    command.add_argument(
        "files", nargs="+", metavar="FILE", help="a file of JSON; - is standard input"
    )
    command.add_argument("--version", metavar="NAME", help="the version in a .xcdatamodeld bundle")
    command.add_argument("--entity", metavar="NAME", help="the entity of the records")
    command.add_argument("--strict", action="store_true", help="take a new key for a change, too")
    command.add_argument("--json", action="store_true", help="write a JSON object")
    _feeds.add_arguments(command)


def run(options: argparse.Namespace) -> int:
    """Compare the feed with the model."""
    from groot.errors import Error  # noqa: PLC0415

    try:
        return _run(options)
    except Error as failure:
        options.talk.faults(failure.issues, is_failure=True)
        return _codes.WRONG


def _run(options: argparse.Namespace) -> int:
    from groot.model import Model  # noqa: PLC0415, few commands need them
    from groot.models import drift, records  # noqa: PLC0415

    model = Model.load(options.model, options.version)
    options.talk.faults(model.warnings)
    with records.Records(options.files, lines=options.lines) as sample:
        found = drift.check(
            model,
            sample,
            entity=options.entity,
            root=options.root,
            form=options.form,
            strict=options.strict,
        )
    if options.json:
        print(json.dumps(found.as_json(), ensure_ascii=False))
    else:
        print("\n".join(found.lines()))
    return _codes.FAULTY if found.is_changed else _codes.GOOD
