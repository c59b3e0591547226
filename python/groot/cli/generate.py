"""The command `generate`: the entities of a model as types."""

from __future__ import annotations

import argparse
from typing import Any

from groot.cli.output import MODEL_HELP, add_implicit, add_output, report, write
from groot.errors import Status, error
from groot.model import Model
from groot.models import generate


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    command = commands.add_parser(
        "generate",
        help="write the entities of a model as types",
        description="Writes the entities of a model as types of a programming language.",
    )
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
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> bool:
    model = Model.load(options.model, options.version)
    report(model.warnings)
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
    return True
