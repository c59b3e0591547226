"""The command `generate`: the entities of a model as types."""

from __future__ import annotations

import argparse

from groot.cli import _codes
from groot.cli.output import MODEL_HELP, add_implicit, add_output, write
from groot.errors import Status, error
from groot.model import Model
from groot.models import generate

DESCRIPTION = "Writes the entities of a model as types of a programming language."
EXAMPLES = ("groot generate python heroes.model.json -o heroes.py",)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("language", choices=["swift", "python"], help="the language")
    command.add_argument("model", help=f"a model document, {MODEL_HELP}")
    add_output(command)
    command.add_argument("--public", action="store_true", help="Swift: make the types public")
    command.add_argument(
        "--foundation",
        action="store_true",
        help="Swift: use Date, UUID, URL, Data and Decimal, with the module GrootFoundation",
    )
    command.add_argument(
        "--namespace", metavar="NAME", help="Swift: put the types into an enum NAME"
    )
    add_implicit(command)


def run(options: argparse.Namespace) -> int:
    """Write the text."""
    model = Model.load(options.model, options.version)
    options.talk.faults(model.warnings)
    if options.language == "python":
        for name in ("public", "foundation", "namespace"):
            if getattr(options, name):
                message = f"--{name} is for swift; leave it out"
                raise error(Status.INVALID_ARGUMENT, message)
        text = generate.python(model, generate.PythonOptions(options.implicit))
    else:
        chosen = generate.SwiftOptions(
            options.public, options.foundation, options.namespace, options.implicit
        )
        text = generate.swift(model, chosen)
    write(text, options.output)
    return _codes.GOOD
