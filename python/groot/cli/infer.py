"""The command `infer`: a model of a sample."""

from __future__ import annotations

import argparse
from typing import Any


def add_to(commands: Any) -> None:
    """Add the command to the parser's."""
    command = commands.add_parser(
        "infer",
        help="write a model of a sample of JSON",
        description="Writes a model that imports a sample and exports it as it came.",
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="JSON, or - for standard input")
    command.add_argument("--entity", metavar="NAME", help="the name of the records' entity")
    command.add_argument(
        "--root",
        metavar="POINTER",
        help="the JSON Pointer of the records, such as /data/items",
    )
    command.add_argument("--lines", action="store_true", help="each line is a record")
    command.add_argument("-o", "--output", metavar="FILE", help="write to FILE")
    command.add_argument(
        "--format",
        choices=["json", "python", "swift"],
        default="json",
        help="the form of the model",
    )
    command.add_argument(
        "--explain", action="store_true", help="write all guesses to standard error"
    )
    command.add_argument(
        "--ask", action="store_true", help="ask for ambiguous links and identities"
    )
    for name, form, words in _TOLD:
        command.add_argument(
            name, action="append", default=[], metavar=form, help=f"{words}; may be repeated"
        )
    command.set_defaults(run=_run)


_TOLD = (
    ("--identity", "ENTITY=KEYS", "the keys that identify the objects, such as Hero=id"),
    ("--link", "ENTITY.KEY=ENTITY", "a key with identifiers, such as Hero.home=Planet; or no link"),
    ("--type", "ENTITY.KEY=TYPE", "the type of an attribute, such as Hero.born=day"),
    ("--keyed", "POINTER", "objects in a record whose keys are data, such as /names"),
    ("--entity-name", "POINTER=NAME", "the name of objects in a record, such as /names=Name"),
)  # fmt: skip


def _run(options: argparse.Namespace) -> bool:
    from groot.cli._inferring import run  # noqa: PLC0415, no other command needs it

    return run(options)
