"""The command `generate`: the entities of a model as types."""

from __future__ import annotations

import argparse
from pathlib import Path

from groot.cli import _codes
from groot.cli.output import MODEL_HELP, add_implicit, add_output, load_model, write
from groot.errors import Status, error
from groot.model import Model
from groot.models import generate

DESCRIPTION = "Writes the entities of a model as types, or their names and numbers as a C header."
EXAMPLES = (
    "groot generate python heroes.model.json -o heroes.py",
    "groot generate c heroes.model.json --prefix COMICS_ -o heroes.h",
)
_OPTIONS = {
    "swift": ("public", "foundation", "namespace", "implicit"),
    "python": ("implicit",),
    "c": ("prefix",),
}
"""The options of each language."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("language", choices=list(_OPTIONS), help="the language")
    command.add_argument("model", help=f"a model document, a store, {MODEL_HELP}")
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
    command.add_argument("--prefix", metavar="TEXT", help="C: begin all names with TEXT")
    add_implicit(command)


def run(options: argparse.Namespace) -> int:
    """Write the text."""
    _check(options)
    write(_text(load_model(options), options), options.output)
    return _codes.GOOD


def _check(options: argparse.Namespace) -> None:
    """Refuse options of other languages."""
    own = _OPTIONS[options.language]
    for language, names in _OPTIONS.items():
        for name in names:
            if name not in own and getattr(options, name):
                message = f"--{name} is for {language}; leave it out"
                raise error(Status.INVALID_ARGUMENT, message)


def _text(model: Model, options: argparse.Namespace) -> str:
    if options.language == "python":
        return generate.python(model, generate.PythonOptions(options.implicit))
    if options.language == "c":
        file = Path(options.output).name if options.output else generate.COptions.file
        return generate.c(model, generate.COptions(options.prefix or "", file))
    chosen = generate.SwiftOptions(
        options.public, options.foundation, options.namespace, options.implicit
    )
    return generate.swift(model, chosen)
