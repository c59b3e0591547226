"""The store that a command writes to."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from groot.cli import _mappings, _progress
from groot.cli._feeds import Feed
from groot.cli._interrupts import Interrupts
from groot.cli._talk import Talk
from groot.context import Context
from groot.errors import Status, error, file_error
from groot.models import stores

_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)
_DAY = 86_400
_ENDINGS = ("", "-wal", "-shm", "-journal")


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

    A new store is made beside its place, and gets its name at the commit: until then nothing is
    there. A dry run of a new store is in memory.
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
        self._place: str = os.path.realpath(options.store)
        """The place of a new store, to which the path may be a link."""
        self._made: str | None = None
        self._before: stores.Remembered | None = None

    def __enter__(self) -> Writing:
        """Find the mapping and open the store.

        Raises:
            groot.Error: If the mapping cannot be made, or the store not be opened.
        """
        try:
            self._open()
        except BaseException:
            self._remove()
            raise
        return self

    def _open(self) -> None:
        options = self._options
        if not self._path:
            raise error(Status.INVALID_ARGUMENT, "the path of the store is empty; give a path")
        exists = os.path.exists(self._path)
        has_data = exists and os.path.getsize(self._path) > 0
        self._before = stores.read(self._path) if has_data else None
        self.known = self._mapping(has_data)
        self.entity = self.known.entity(options.entity)
        self.place = self.known.place(self.entity, options.root, options.form)
        store: str | None = self._path
        if not has_data and options.dry_run:
            store = None
        elif not exists and options.commits == "whole":
            store = self._made = self._beside()
        if self._before != self.known.remembered and options.commits == "each":
            self._remember_first(store)
        self.context = self._opened(store, has_data)

    def _mapping(self, has_data: bool) -> _mappings.Known:
        found = _mappings.given(self._options)
        if found is None and has_data:
            found = _mappings.remembered(self._path)
        if found is None:
            found = _mappings.inferred(self._feed, self._options.entity, self._options, self._talk)
        return found

    def _beside(self) -> str:
        folder, name = os.path.split(self._place)
        return os.path.join(folder, f".{name}.{secrets.token_hex(4)}.new")

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
            migrate=options.migrate and not options.dry_run if has_data else True,
            busy_timeout=options.wait,
            **given,
        )

    def _remember_first(self, store: str | None) -> None:
        """Let a store whose batches are committed one by one remember its mapping at once."""
        if store is not None:
            self._opened(store, os.path.exists(store) and os.path.getsize(store) > 0).close()
            stores.remember(store, self.known.remembered)

    @contextlib.contextmanager
    def committing_now(self) -> Iterator[None]:
        """Mark a block that writes to the store in one transaction of its own.

        Yields:
            Nothing.
        """
        if self._made is not None:  # nothing has the name of the store yet
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
            self.context.save()
            self.context.close()
            if self._before != self.known.remembered:
                stores.remember(self._made or self._path, self.known.remembered)
            if self._made is not None:
                self._interrupts.check()
                self._name(self._made)

    def _name(self, made: str) -> None:
        """Give the new store its name, unless another has it."""
        try:
            try:
                os.link(made, self._place)
            except OSError as cause:
                if cause.errno not in _NO_LINKS:
                    raise
                if os.path.exists(self._place):
                    raise FileExistsError from cause
                os.rename(made, self._place)
        except FileExistsError as cause:
            message = f"the store '{self._path}' was made by another process meanwhile"
            raise error(Status.STORE_CONFLICT, message) from cause
        except OSError as cause:
            raise file_error(self._path, "written", cause) from cause
        _flush(os.path.dirname(self._place))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the store, and remove one that did not get its name."""
        with self._interrupts.deferring():
            self.context.close()
            self._remove()

    def _remove(self) -> None:
        """Remove a new store, whose own name stays if it has got it."""
        with self._interrupts.deferring():
            for ending in _ENDINGS if self._made is not None else ():
                with contextlib.suppress(OSError):
                    os.unlink(f"{self._made}{ending}")


def _flush(folder: str) -> None:
    """Let a new name in a folder survive a loss of power, where the system can."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
