"""The command `infer`: a model of a sample."""

from __future__ import annotations

import argparse

DESCRIPTION = "Writes a model that imports a sample and exports it as it came."
EXAMPLES = (
    "groot infer heroes.json -o heroes.model.json",
    "groot infer page1.json page2.json --root /data --explain    # lists the guesses",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
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


_TOLD = (
    ("--identity", "ENTITY=KEYS", "the keys that identify the objects, such as Hero=id"),
    ("--link", "ENTITY.KEY=ENTITY", "a key with identifiers, such as Hero.home=Planet; or no link"),
    ("--type", "ENTITY.KEY=TYPE", "the type of an attribute, such as Hero.born=day"),
    ("--keyed", "POINTER", "objects in a record whose keys are data, such as /names"),
    ("--entity-name", "POINTER=NAME", "the name of objects in a record, such as /names=Name"),
)  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Write the model of the sample."""
    from groot.cli._inferring import write_model  # noqa: PLC0415, no other command needs it

    return write_model(options)
