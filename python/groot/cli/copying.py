"""The command `copy`: a store in another place, or in a database."""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING

from groot.cli import _codes

if TYPE_CHECKING:
    from groot.cli._new_store import NewStore

DESCRIPTION = (
    "Copies a store into a new one: from a file into a database of PostgreSQL or back, or to "
    "another place. The copy has the same objects, lists in the same order, and notes, and is made "
    "as a whole or not at all. The store that is copied stays, and others may use it meanwhile."
)
EXAMPLES = (
    "groot copy heroes.sqlite postgresql://localhost/heroes",
    "groot copy postgresql://localhost/heroes heroes.sqlite --views",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from groot.cli import _mappings, _writing  # noqa: PLC0415

    command.add_argument("store", metavar="STORE", help="the store, a file or a URL")
    command.add_argument("target", metavar="TARGET", help="the new store, a file or a URL")
    command.add_argument(
        "--views", action="store_true", help="give the new store views, which it has if STORE has"
    )
    _writing.add_waiting(command)
    command.add_argument("--quiet", action="store_true", help="write neither progress nor counts")
    _mappings.add_arguments(command)


def run(options: argparse.Namespace) -> int:
    """Copy the store."""
    from groot.cli import _progress, _reading  # noqa: PLC0415
    from groot.context import Context  # noqa: PLC0415
    from groot.descriptions import describe_store  # noqa: PLC0415
    from groot.models import stores  # noqa: PLC0415

    known = _reading.known_of(options)
    _require_other(options)
    has_views = options.views or describe_store(options.store)["views"]
    is_remembered = stores.read(options.store) is not None
    options.output = None
    with contextlib.ExitStack() as stack:
        source = stack.enter_context(_reading.opened(options, known.mapping))
        new = _new(options, stack)
        target = Context(
            known.mapping,
            store=options.target if new is None else new.made,
            progress=_progress.watcher(options),
            migrate=True,
            busy_timeout=options.wait,
            views=has_views,
        )
        stack.callback(target.close)
        with options.interrupts.committing(target.cancel):
            source.copy_store(target)
            if not is_remembered:
                stores.remember(target, known.remembered)
                target.save()
            count = sum(target.count(one) for one in known.roots)
            target.close()
            if new is not None:
                options.interrupts.check()
                new.name()
    words = "1 object" if count == 1 else f"{count:,} objects"
    options.talk.say(f"copied {words} to {stores.shown(options.target)}")
    return _codes.GOOD


def _require_other(options: argparse.Namespace) -> None:
    """Raise for a target that is the store itself, or is empty."""
    import os  # noqa: PLC0415

    from groot.errors import Status, error  # noqa: PLC0415

    same = options.target == options.store
    with contextlib.suppress(OSError):
        same = same or os.path.samefile(options.store, options.target)
    if same or not options.target:
        message = "the store and its copy are the same" if same else "the path of the copy is empty"
        raise error(Status.INVALID_ARGUMENT, f"{message}; give another path")


def _new(options: argparse.Namespace, stack: contextlib.ExitStack) -> NewStore | None:
    """Return the file of the new store, which the stack removes; None for a place that exists."""
    import os  # noqa: PLC0415

    from groot.cli._new_store import NewStore  # noqa: PLC0415
    from groot.descriptions import is_store_url  # noqa: PLC0415

    if is_store_url(options.target) or os.path.exists(options.target):
        return None
    new = NewStore(options.target, options.interrupts)
    stack.callback(new.remove)
    return new
