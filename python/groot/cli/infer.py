"""The command `infer`: a model of a sample."""

from __future__ import annotations

import argparse
import dataclasses
import gc
import sys
from typing import Any

from groot.cli.output import report, write
from groot.errors import Status, error
from groot.model import Model
from groot.models import generate
from groot.models.infer import (
    Inference,
    InferOptions,
    explain,
    infer,
    issue_of,
    member_of,
    pretty,
)
from groot.models.records import Records

_DIFFERENCES = 10


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
    told = _told(options)
    if options.ask and not (sys.stdin.isatty() and sys.stderr.isatty()):
        message = "--ask needs a terminal; use --link and --identity"
        raise error(Status.INVALID_ARGUMENT, message)
    # A sample is many small objects without cycles, through which the collector would go in vain.
    gc.disable()
    with Records(options.files, lines=options.lines) as records:
        inference = infer(records, told)
        if options.ask and (answers := _asked(inference, told)) is not told:
            inference = infer(records, answers)
    if options.explain:
        sys.stderr.write(explain(inference))
    write(_text(inference, options.format), options.output)
    report(inference.issues)
    report(map(issue_of, inference.differences[:_DIFFERENCES]))
    return inference.is_equal


def _text(inference: Inference, form: str) -> str:
    if form == "json":
        return pretty(inference.document) + "\n"
    model = Model(inference.document)
    if form == "python":
        return generate.python(model, generate.PythonOptions())
    return generate.swift(model, generate.SwiftOptions())


def _told(options: argparse.Namespace) -> InferOptions:
    return InferOptions(
        entity=options.entity,
        root=options.root,
        identities={name: tuple(keys.split(",")) for name, keys in map(_pair, options.identity)},
        links={member_of(left): right for left, right in map(_pair, options.link)},
        types={member_of(left): right for left, right in map(_pair, options.type)},
        keyed=tuple(options.keyed),
        names=dict(map(_pair, options.entity_name)),
    )


def _pair(text: str) -> tuple[str, str]:
    left, mark, right = text.partition("=")
    if not mark or not left:
        raise error(Status.INVALID_ARGUMENT, f"{text!r} is not of the form NAME=VALUE")
    return left, right


def _asked(inference: Inference, told: InferOptions) -> InferOptions:
    """Ask for each link and identity that the evidence leaves open."""
    links, identities = dict(told.links), dict(told.identities)
    for one in inference.possible:
        for target in one.targets:
            if _is_yes(f"Are the values of {one.owner.name}.{one.key} objects of {target.name}?"):
                links[one.owner.name, one.key] = target.name
                break
    for entity in inference.entities:
        for key in entity.candidates:
            if _is_yes(f"Does {key} identify the objects of {entity.name}?"):
                identities[entity.name] = (key,)
                break
    if links == told.links and identities == told.identities:
        return told
    return dataclasses.replace(told, links=links, identities=identities)


def _is_yes(question: str) -> bool:
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
