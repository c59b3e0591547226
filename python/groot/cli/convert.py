"""The command `convert`: an Xcode model or a schema as a model document."""

from __future__ import annotations

import argparse
import json

from groot.cli import _codes
from groot.cli.output import MODEL_HELP, add_output, write
from groot.errors import Status, error
from groot.model import Model
from groot.models import schemas, stores, xcode

DESCRIPTION = (
    "Writes an Xcode model, a JSON Schema, an OpenAPI document or the model of a store as a model "
    "document, and warnings to standard error. The exit code is 1 if the model has errors."
)
EXAMPLES = (
    "groot convert Heroes.xcdatamodeld -o heroes.model.json",
    "groot convert heroes.schema.json --check    # only lists errors",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("model", help=f"{MODEL_HELP}, a schema as JSON or YAML, or a store")
    add_output(command)
    command.add_argument(
        "--check",
        action="store_true",
        help="check the model and list all its errors; write the document only with -o",
    )


def run(options: argparse.Namespace) -> int:
    """Write the model document."""
    if stores.is_store(options.model):
        return _convert_store(options)
    read = _read(options.model, options.version)
    options.talk.faults(read.warnings)
    if options.check:
        read.make(Model)
    elif read.errors:
        options.talk.faults(read.errors)
        return _codes.FAULTY
    if options.check and options.output is None:
        print(f"{read.file}: {len(read.document['entities'])} entities, no errors")
        return _codes.GOOD
    write(json.dumps(read.document, ensure_ascii=False, indent=2) + "\n", options.output)
    return _codes.GOOD


def _convert_store(options: argparse.Namespace) -> int:
    """Write the model that a store remembers."""
    document = json.loads(stores.known(options.model).model)
    write(json.dumps(document, ensure_ascii=False, indent=2) + "\n", options.output)
    return _codes.GOOD


def _read(path: str, version: str | None) -> xcode.XcodeModel | schemas.SchemaModel:
    if not schemas.is_schema(path):
        return xcode.read(path, version)
    if version is not None:
        message = f"a schema has no versions; leave out the version '{version}'"
        raise error(Status.INVALID_ARGUMENT, message)
    return schemas.read(path)
