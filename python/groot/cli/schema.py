"""The command `schema`: a model as a JSON Schema, a diagram or SQL."""

from __future__ import annotations

import argparse
import json

from groot.cli import _codes
from groot.cli.output import MODEL_HELP, add_implicit, add_output, load_model, write
from groot.errors import Status, error
from groot.model import Model

DESCRIPTION = (
    "Writes the JSON Schema (2020-12) of the JSON that a model reads or writes, a diagram of the "
    "model, or the tables of a store."
)
EXAMPLES = (
    "groot schema heroes.model.json --entity Hero -o heroes.schema.json",
    "groot schema heroes.model.json --mermaid    # a diagram for a page of Markdown",
    "groot schema heroes.model.json --svg -o heroes.svg",
)
_FORMS = {
    "mermaid": "a diagram of Mermaid",
    "dot": "a graph for Graphviz",
    "dbml": "DBML, for dbdiagram.io",
    "svg": "a drawing",
    "sql": "the SQL statements that make the tables of a store",
}


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("model", help=f"a model document, a schema, a store, {MODEL_HELP}")
    add_output(command)
    forms = command.add_mutually_exclusive_group()
    forms.add_argument(
        "--json-schema",
        nargs="?",
        choices=["read", "write"],
        const="read",
        metavar="read|write",
        help="the JSON that an import reads (default), or that an export writes",
    )
    for name, words in _FORMS.items():
        forms.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=words)
    command.add_argument(
        "--entity",
        metavar="NAME",
        help="JSON Schema: the entity of the records; by default all are defined",
    )
    add_implicit(command)


def run(options: argparse.Namespace) -> int:
    """Write the text."""
    if options.form and options.entity is not None:
        message = f"--entity is for a JSON Schema; leave it out with --{options.form}"
        raise error(Status.INVALID_ARGUMENT, message)
    write(_text(load_model(options), options), options.output)
    return _codes.GOOD


def _text(model: Model, options: argparse.Namespace) -> str:
    if options.form is None:
        from groot.models import schemas  # noqa: PLC0415, no other command needs it

        found = schemas.json_schema(
            model, options.entity, options.json_schema or "read", implicit=options.implicit
        )
        return json.dumps(found, ensure_ascii=False, indent=2) + "\n"
    from groot.models import diagrams, stores  # noqa: PLC0415, few commands need them

    if options.form == "sql" and stores.is_store(options.model):
        return diagrams.sql_of_store(options.model)
    if options.form == "sql":
        return diagrams.sql(model, implicit=options.implicit)
    text: str = getattr(diagrams, options.form)(model)
    return text
