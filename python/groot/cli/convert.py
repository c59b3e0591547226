"""The command `convert`: an Xcode model or a schema as a model document."""

from __future__ import annotations

import argparse
import json
from typing import Any

from groot.cli.output import MODEL_HELP, add_output, report, write
from groot.errors import Status, error
from groot.model import Model
from groot.models import schemas, xcode


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    command = commands.add_parser(
        "convert",
        help="write an Xcode model or a schema as a model document",
        description="Writes an Xcode model, a JSON Schema or an OpenAPI document as a model "
        "document, and warnings to standard error.",
    )
    command.add_argument("model", help=f"{MODEL_HELP}, or a schema as JSON or YAML")
    add_output(command)
    command.add_argument(
        "--check",
        action="store_true",
        help="check the model and list all its errors; write the document only with -o",
    )
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> bool:
    read = _read(options.model, options.version)
    report(read.warnings)
    if options.check:
        read.make(Model)
    elif read.errors:
        report(read.errors)
        return False
    if options.check and options.output is None:
        print(f"{read.file}: {len(read.document['entities'])} entities, no errors")
        return True
    write(json.dumps(read.document, ensure_ascii=False, indent=2) + "\n", options.output)
    return True


def _read(path: str, version: str | None) -> xcode.XcodeModel | schemas.SchemaModel:
    if not schemas.is_schema(path):
        return xcode.read(path, version)
    if version is not None:
        message = f"a schema has no versions; leave out the version '{version}'"
        raise error(Status.INVALID_ARGUMENT, message)
    return schemas.read(path)
