"""The work of the command `infer`."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import gc
import sys
from collections.abc import Callable, Iterator

from groot.cli import _codes
from groot.cli._talk import can_ask
from groot.cli.output import write
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


def write_model(options: argparse.Namespace) -> int:
    """Infer a model, write it, and tell whether the sample comes back."""
    told = _told(options)
    if options.ask and not can_ask():
        message = "--ask needs a terminal; use --link and --identity"
        raise error(Status.INVALID_ARGUMENT, message)
    with _uncollected(), Records(options.files, lines=options.lines) as records:
        inference = infer(records, told)
        if options.ask and (answers := _asked(inference, told, options.talk.ask)) is not told:
            inference = infer(records, answers)
    if options.explain:
        sys.stderr.write(explain(inference))
    write(_text(inference, options.format), options.output)
    options.talk.faults(inference.issues)
    options.talk.faults(map(issue_of, inference.differences[:_DIFFERENCES]))
    return _codes.GOOD if inference.is_equal else _codes.FAULTY


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Switch the collector off: it would go through many small objects without cycles in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


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


def _asked(inference: Inference, told: InferOptions, is_yes: Callable[[str], bool]) -> InferOptions:
    """Ask for each link and identity that the evidence leaves open."""
    links, identities = dict(told.links), dict(told.identities)
    for one in inference.possible:
        for target in one.targets:
            if is_yes(f"Are the values of {one.owner.name}.{one.key} objects of {target.name}?"):
                links[one.owner.name, one.key] = target.name
                break
    for entity in inference.entities:
        for key in entity.candidates:
            if is_yes(f"Does {key} identify the objects of {entity.name}?"):
                identities[entity.name] = (key,)
                break
    if links == told.links and identities == told.identities:
        return told
    return dataclasses.replace(told, links=links, identities=identities)
