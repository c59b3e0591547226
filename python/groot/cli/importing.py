"""The command `import`: JSON into a store."""

from __future__ import annotations

import argparse
import contextlib
from typing import Any

DESCRIPTION = (
    "Reads records into a store: finds the objects by their identity, updates them, and makes the "
    "missing ones. All records are imported, or none. Objects that are not in the file stay. A new "
    "store needs a model: that of --model, or else one that is inferred from the file."
)
EXAMPLES = (
    "groot import heroes.sqlite Hero heroes.json",
    "groot import heroes.sqlite Hero page*.json.gz --root /data --errors skip",
    "jq '.[0:10]' heroes.json | groot import heroes.sqlite Hero -",
    "groot import heroes.sqlite Hero all.ndjson --batch 10000    # in constant memory",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from groot.cli import _feeds, _mappings, _requests, _writing  # noqa: PLC0415, few commands need them

    _requests.add_store(command)
    command.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="files of JSON, also packed with gzip or Zstandard; - is standard input",
    )
    command.add_argument(
        "--errors",
        choices=["collect", "abort", "skip"],
        default="collect",
        help="after wrong records: list all (default), stop at the first, or leave them out",
    )
    command.add_argument(
        "--batch",
        metavar="N",
        type=_requests.positive,
        help="write to the store after so many records, in one transaction: in constant memory",
    )
    command.add_argument(
        "--commits",
        choices=["whole", "each"],
        default="whole",
        help="one transaction for all batches, or one for each, which stays",
    )
    _writing.add_arguments(command)
    _feeds.add_arguments(command)
    _mappings.add_arguments(command)


def run(options: argparse.Namespace) -> int:
    """Import the files."""
    from groot.cli._feeds import Feed  # noqa: PLC0415
    from groot.cli._results import Results  # noqa: PLC0415
    from groot.cli._writing import Writing  # noqa: PLC0415

    _require_possible(options)
    with Feed(options.files, lines=options.lines) as feed, Writing(options, feed) as writing:
        results = Results(options, feed, writing.place, writing.entity)
        if options.commits == "each":
            options.interrupts.outcome = results.outcome
        for source in feed.sources:
            given = _given(options, writing.place, is_lines=feed.has_lines(source))
            with results.reading(source), feed.path(source) as path:
                with _guarded(options, writing):
                    loaded = writing.context.load_file(writing.entity, path, **given)
                results.add(loaded)
        if results.failure is not None:
            return results.fail()
        if results.is_empty and options.fail_empty:
            return results.tell()
        if not options.dry_run:
            writing.commit()
        return results.tell()


def _require_possible(options: argparse.Namespace) -> None:
    """Raise for options that exclude each other."""
    from groot.errors import Status, error  # noqa: PLC0415

    message = None
    if options.batch is not None and options.dry_run:
        message = "--batch writes to the store, which --dry-run excludes; leave out one of them"
    elif options.commits == "each" and options.batch is None:
        message = "--commits each needs --batch N"
    elif options.batch is not None and options.commits == "whole" and len(options.files) > 1:
        message = "--batch has one transaction for one file; give --commits each, or one file"
    if message is not None:
        raise error(Status.INVALID_ARGUMENT, message)


def _given(options: argparse.Namespace, place: Any, *, is_lines: bool) -> dict[str, Any]:
    """Return the options of the import of a file."""
    found: dict[str, Any] = {
        "errors": options.errors,
        "root": place.root,
        "form": place.form,
        "lines": is_lines,
    }
    if options.dry_run:
        found["changes"] = True
    if options.errors == "skip":
        found["max_issues"] = None
    if options.batch is not None:
        found.update(batch=options.batch, commits=options.commits)
    return found


def _guarded(options: argparse.Namespace, writing: Any) -> contextlib.AbstractContextManager[None]:
    """Return the block of an import, which commits if it has batches in one transaction."""
    is_commit = options.batch is not None and options.commits == "whole"
    found: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
    return writing.committing_now() if is_commit else found
