"""The command `sync`: a store made equal to a feed."""

from __future__ import annotations

import argparse
import contextlib
from typing import Any

DESCRIPTION = (
    "Makes the objects of an entity equal to a feed that lists all of them: inserts, updates and "
    "deletes. It refuses to delete more than half of them, unless told; on a terminal it asks. A "
    "new store needs a model: that of --model, or else one that is inferred from the file."
)
EXAMPLES = (
    "groot sync heroes.sqlite Hero heroes.json",
    "groot sync heroes.sqlite Hero heroes.json --dry-run    # the changes, old and new",
    'groot sync shop.sqlite Product norway.json --where \'{"country": "NO"}\'',
    "groot sync heroes.sqlite Hero heroes.json --max-deletions 10%",
)
_SHARE = 0.5


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from groot.cli import _feeds, _mappings, _requests, _writing  # noqa: PLC0415

    _requests.add_store(command)
    command.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="files of JSON that list all objects; - is standard input; several are one list in "
        "memory",
    )
    _requests.add_where(command, "the scope: only objects that meet this predicate are deleted")
    command.add_argument("--no-delete", action="store_true", help="delete nothing")
    command.add_argument(
        "--max-deletions",
        metavar="N|N%",
        type=limit,
        help="delete at most so many objects, or so large a part of the scope; 50%%",
    )
    command.add_argument("--yes", action="store_true", help="delete any number without a question")
    _writing.add_arguments(command)
    _feeds.add_arguments(command)
    _mappings.add_arguments(command)
    command.set_defaults(commits="whole", errors=None)


def limit(text: str) -> int | float:
    """Read a limit of deletions for the parser.

    Args:
        text: A number of objects, or a percentage.

    Returns:
        The number as an int, or the share from 0.0 to 1.0.

    Raises:
        argparse.ArgumentTypeError: If it is neither.
    """
    with contextlib.suppress(ValueError):
        if not text.endswith("%"):
            if int(text) >= 0:
                return int(text)
        elif 0 <= float(text[:-1]) <= 100:
            return float(text[:-1]) / 100
    message = f"{text!r} is not a number of objects, or a percentage such as 10%"
    raise argparse.ArgumentTypeError(message)


def run(options: argparse.Namespace) -> int:
    """Synchronize the store with the files."""
    from groot.cli._feeds import Feed  # noqa: PLC0415
    from groot.cli._results import Results  # noqa: PLC0415
    from groot.cli._synchronizing import Synchronizing  # noqa: PLC0415
    from groot.cli._writing import Writing  # noqa: PLC0415

    with Feed(options.files, lines=options.lines) as feed, Writing(options, feed) as writing:
        results = Results(options, feed, writing.place, writing.entity)
        Synchronizing(options, feed, writing.context, results).run(_limit(options), _is_allowed)
        if results.failure is not None:
            return results.fail()
        if results.is_empty and options.fail_empty:
            return results.tell()
        if not options.dry_run:
            writing.commit()
        return results.tell()


def _limit(options: argparse.Namespace) -> int | float | None:
    """Return the limit of deletions."""
    if options.yes:
        return None
    given: int | float | None = options.max_deletions
    return _SHARE if given is None else given


def _is_allowed(options: argparse.Namespace, failure: Any) -> bool | None:
    """Ask on a terminal whether many objects may be deleted; None if nobody can be asked."""
    from groot.cli._talk import can_ask  # noqa: PLC0415

    is_asked = options.max_deletions is None and not options.dry_run and not options.talk.is_json
    if not (is_asked and can_ask()) or "-" in options.files:
        return None
    options.talk.faults(failure.issues)
    answer: bool = options.talk.ask("Delete them?")
    return answer
