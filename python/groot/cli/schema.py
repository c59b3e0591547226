"""The command `schema`: the JSON Schema of the JSON that a model reads or writes."""

from __future__ import annotations

import argparse
import json

from groot.cli import _codes
from groot.cli.output import MODEL_HELP, add_implicit, add_output, write
from groot.model import Model

DESCRIPTION = "Writes the JSON Schema (2020-12) of the JSON that a model reads or writes."
EXAMPLES = ("groot schema heroes.model.json --entity Hero -o heroes.schema.json",)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("model", help=f"a model document, a schema, {MODEL_HELP}")
    add_output(command)
    command.add_argument(
        "--json-schema",
        nargs="?",
        choices=["read", "write"],
        const="read",
        default="read",
        metavar="read|write",
        help="the JSON that an import reads (default), or that an export writes",
    )
    command.add_argument(
        "--entity", metavar="NAME", help="the entity of the records; by default all are defined"
    )
    add_implicit(command)


def run(options: argparse.Namespace) -> int:
    """Write the text."""
    from groot.models import schemas  # noqa: PLC0415, no other command needs it

    model = Model.load(options.model, options.version)
    options.talk.faults(model.warnings)
    found = schemas.json_schema(
        model, options.entity, options.json_schema, implicit=options.implicit
    )
    write(json.dumps(found, ensure_ascii=False, indent=2) + "\n", options.output)
    return _codes.GOOD
