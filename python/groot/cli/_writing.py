"""The store that a command writes to."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from groot.cli import _mappings, _progress
from groot.cli._feeds import Feed
from groot.cli._interrupts import Interrupts
from groot.cli._new_store import NewStore
from groot.cli._talk import Talk
from groot.context import Context
from groot.descriptions import describe_store, is_store_url
from groot.errors import Error, Status, error
from groot.models import stores

_DAY = 86_400


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of commands that write to a store."""
    command.add_argument(
        "--dry-run", action="store_true", help="write the changes that the command would make"
    )
    command.add_argument(
        "--report", choices=["text", "json"], default="text", help="the form of the counts"
    )
    command.add_argument(
        "--fail-empty", action="store_true", help="change nothing and exit 1 without any records"
    )
    command.add_argument(
        "--migrate", action="store_true", help="first change the store to the model of --model"
    )
    command.add_argument(
        "--views", action="store_true", help="give the store views for people who use SQL"
    )
    add_waiting(command)
    command.add_argument("--quiet", action="store_true", help="write neither progress nor counts")


def add_waiting(command: argparse.ArgumentParser) -> None:
    """Add the argument for the time that a command waits."""
    command.add_argument(
        "--wait",
        metavar="SECONDS",
        type=seconds,
        default=10.0,
        help="the time to wait for another process that is writing to the store; 10",
    )


def seconds(text: str) -> float:
    """Read a number of seconds for the parser.

    Args:
        text: The number.

    Returns:
        The number.

    Raises:
        argparse.ArgumentTypeError: If it is not a number from 0 to a day.
    """
    with contextlib.suppress(ValueError):
        number = float(text)
        if 0 <= number <= _DAY:
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds, at most a day")


class Writing:
    """A context on the store of a command, for a `with` statement.

    The file of a new store is made beside its place, and gets its name at the commit: until then
    nothing is there. A dry run of a new store is in memory.
    """

    context: Context
    known: _mappings.Known
    entity: str
    place: _mappings.Place

    def __init__(self, options: argparse.Namespace, feed: Feed) -> None:
        """Take the options of a command, and the files that it reads."""
        self._options = options
        self._feed = feed
        self._talk: Talk = options.talk
        self._interrupts: Interrupts = options.interrupts
        self._path: str = options.store
        self._new: NewStore | None = None
        self._before: stores.Remembered | None = None

    def __enter__(self) -> Writing:
        """Find the mapping and open the store.

        Raises:
            groot.Error: If the mapping cannot be made, or the store not be opened.
        """
        try:
            self._open()
        except BaseException:
            if self._new is not None:
                self._new.remove()
            raise
        return self

    def _open(self) -> None:
        options = self._options
        if not self._path:
            raise error(Status.INVALID_ARGUMENT, "the path of the store is empty; give a path")
        is_url = is_store_url(self._path)
        exists = is_url or os.path.exists(self._path)
        has_data = self._has_data() if is_url else exists and os.path.getsize(self._path) > 0
        self._before = stores.read(self._path) if has_data else None
        self.known = self._mapping(has_data)
        self.entity = self.known.entity(options.entity)
        self.place = self.known.place(self.entity, options.root, options.form)
        store: str | None = self._path
        if not has_data and options.dry_run:
            store = None
        elif not exists and options.commits == "whole":
            self._new = NewStore(self._path, self._interrupts)
            store = self._new.made
        is_in_steps = options.commits == "each" or getattr(options, "batch", None) is not None
        if self._before != self.known.remembered and is_in_steps and self._new is None:
            self._remember_first(store, has_data)
        self.context = self._opened(store, has_data)

    def _has_data(self) -> bool:
        """Tell whether a database has a store that is in use.

        The first import makes the tables, and leaves them empty if it fails. The next one begins
        anew then.
        """
        try:
            if stores.read(self._path) is not None:
                return True
            counts = describe_store(self._path, counts=True)["counts"] or {}
        except Error as failure:
            if failure.code != Status.FILE_ERROR:
                raise
            return False
        return any(count["objects"] for count in counts.values())

    def _mapping(self, has_data: bool) -> _mappings.Known:
        found = _mappings.given(self._options)
        if found is None and has_data:
            found = _mappings.remembered(self._path)
        if found is None:
            found = _mappings.inferred(self._feed, self._options.entity, self._options, self._talk)
        return found

    def _opened(self, store: str | None, has_data: bool) -> Context:
        options = self._options
        if store is None:
            return Context(self.known.mapping, progress=_progress.watcher(options))
        given: dict[str, Any] = {"views": True} if options.views else {}
        return Context(
            self.known.mapping,
            store=store,
            progress=_progress.watcher(options),
            create=not has_data,
            # Without an object nothing is lost.
            migrate=options.migrate and not options.dry_run if has_data else "destructive",
            busy_timeout=options.wait,
            **given,
        )

    def _remember_first(self, store: str | None, has_data: bool) -> None:
        """Let a store whose batches are committed one by one remember its mapping at once."""
        if store is not None:
            with self._opened(store, has_data) as context:
                stores.remember(context, self.known.remembered)
                context.save()

    @contextlib.contextmanager
    def committing_now(self) -> Iterator[None]:
        """Mark a block that writes to the store in one transaction of its own.

        Yields:
            Nothing.
        """
        if self._new is not None:  # nothing has the name of the store yet
            yield
            return
        with self._interrupts.committing(self.context.cancel):
            yield

    def commit(self) -> None:
        """Save, and give a new store its name.

        Raises:
            groot.Error: If the changes cannot be saved. With `Status.STORE_CONFLICT` if another
                process has made the store meanwhile.
            KeyboardInterrupt: If Ctrl-C came before the commit.
        """
        with self._interrupts.committing(self.context.cancel):
            if self._before != self.known.remembered:
                stores.remember(self.context, self.known.remembered)
            self.context.save()
            self.context.close()
            if self._new is not None:
                self._interrupts.check()
                self._new.name()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the store, and remove one that did not get its name."""
        with self._interrupts.deferring():
            self.context.close()
            if self._new is not None:
                self._new.remove()
