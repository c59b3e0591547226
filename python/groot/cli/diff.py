"""The command `diff`: the changes that a feed would make."""

from __future__ import annotations

import argparse
import json
from typing import Any

DESCRIPTION = (
    "Lists the changes that a synchronization of a store with a feed would make, with old and new "
    "values; with --no-delete those of an import. Nothing is changed. With two files it lists the "
    "changes from the first to the second. The exit code is 1 if there are any."
)
EXAMPLES = (
    "groot diff heroes.sqlite Hero heroes.json",
    "groot diff yesterday.json today.json --model heroes.model.json --entity Hero",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from groot.cli import _feeds, _mappings, _requests, _writing  # noqa: PLC0415

    command.usage = "%(prog)s STORE ENTITY FILE... [options]\n       %(prog)s OLD NEW [options]"
    command.add_argument(
        "operands",
        nargs="+",
        metavar="STORE ENTITY FILE",
        help="a store, the entity of the records and the files that list them; or two files",
    )
    command.add_argument(
        "--entity", metavar="NAME", help="for two files: the entity of the records"
    )
    _requests.add_where(command, "the scope: other objects that the feed does not list stay")
    command.add_argument(
        "--no-delete", action="store_true", help="the changes of an import, which deletes nothing"
    )
    command.add_argument(
        "--report", choices=["text", "json"], default="text", help="the form of the changes"
    )
    command.add_argument("--limit", metavar="N", type=_requests.positive, help="at most N changes")
    _writing.add_waiting(command)
    command.add_argument("--quiet", action="store_true", help="write neither progress nor counts")
    _feeds.add_arguments(command)
    _mappings.add_arguments(command)
    command.set_defaults(
        dry_run=True, migrate=False, views=False, fail_empty=False, commits="whole", errors=None
    )


def run(options: argparse.Namespace) -> int:
    """Compare a store with a feed, or two feeds."""
    from groot.cli._feeds import Feed  # noqa: PLC0415
    from groot.cli._results import Results  # noqa: PLC0415
    from groot.cli._synchronizing import Synchronizing  # noqa: PLC0415
    from groot.cli._writing import Writing  # noqa: PLC0415
    from groot.errors import Status, error  # noqa: PLC0415
    from groot.models import stores  # noqa: PLC0415

    operands: list[str] = options.operands
    if len(operands) == 2 and not stores.is_store(operands[0]):
        return _compare_files(options)
    if len(operands) < 3:
        message = "give a store, an entity and a file; or two files"
        raise error(Status.INVALID_ARGUMENT, message)
    if options.entity is not None:
        message = "the entity follows the store; leave out --entity"
        raise error(Status.INVALID_ARGUMENT, message)
    options.store, options.entity, *options.files = operands
    stores.require(options.store)
    with Feed(options.files, lines=options.lines) as feed, Writing(options, feed) as writing:
        results = Results(options, feed, writing.place, writing.entity)
        Synchronizing(options, feed, writing.context, results).run(None)
        return results.fail() if results.failure is not None else _told(options, results)


def _feed(options: argparse.Namespace, index: int) -> Any:
    from groot.cli._feeds import Feed  # noqa: PLC0415

    return Feed([options.operands[index]], lines=options.lines)


def _compare_files(options: argparse.Namespace) -> int:
    """List the changes from one file to another."""
    from groot.cli import _mappings  # noqa: PLC0415
    from groot.cli._results import Results  # noqa: PLC0415
    from groot.cli._synchronizing import Synchronizing  # noqa: PLC0415
    from groot.context import Context  # noqa: PLC0415
    from groot.errors import Status, error  # noqa: PLC0415

    if options.operands == ["-", "-"]:
        message = "standard input is given twice; give '-' once"
        raise error(Status.INVALID_ARGUMENT, message)
    with _feed(options, 0) as before, _feed(options, 1) as after:
        known = _mappings.given(options) or _mappings.inferred(
            before, options.entity, options, options.talk
        )
        entity = known.records_of(options.entity)
        place = known.place(entity, options.root, options.form)
        old = before.sources[0]
        context = Context(known.mapping)
        results = Results(options, after, place, entity)
        with results.reading(old), before.path(old) as path:
            lines = before.has_lines(old)
            context.load_file(entity, path, root=place.root, form=place.form, lines=lines)
        if results.failure is None:
            Synchronizing(options, after, context, results).run(None)
        return results.fail() if results.failure is not None else _told(options, results)


def _told(options: argparse.Namespace, results: Any) -> int:
    """Write the changes, and return the exit code."""
    from groot.cli import _codes  # noqa: PLC0415

    report = results.reports[0]
    if options.report == "json":
        print(json.dumps(results.described(options.limit), ensure_ascii=False))
    elif text := report.diff(limit=options.limit):
        print(text)
    options.talk.say(str(report))
    is_same = not (report.inserted or report.updated or report.deleted or report.issues)
    return _codes.GOOD if is_same else _codes.FAULTY
