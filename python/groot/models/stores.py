"""Stores that remember their mapping: the model, the dialect and the rules.

A program opens a store with a mapping of its own. A tool that knows only the path needs one, too::

    from groot.models import stores

    with groot.Context(mapping, store="heroes.sqlite") as heroes:
        stores.remember(heroes, stores.Remembered(model.document_text))
        heroes.save()

    mapping = stores.read("heroes.sqlite").mapping()

The commands of `groot` remember it by themselves. It is two notes of the store, which migrations
leave as they are. Functions of a registry are not remembered.

A path is that of a file, or the URL of a database of PostgreSQL.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import stat
from collections.abc import Callable, Iterator
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from groot.context import Context
from groot.descriptions import describe_store, is_store_url
from groot.errors import Error, Status, error, file_error
from groot.mapping import Mapping
from groot.model import Model
from groot.registry import Registry

_NAME, _MODEL_NAME = "mapping", "mapping_model"
_NOTE = "note "
_VERSION = 1
_PASSWORD = re.compile(r"(?<=[?&])((?:ssl)?password)=[^&]*|(?<=//)([^:@/?]*):[^@/]*(?=@)")
_MAGIC = b"SQLite format 3\0"
_APPLICATION = (0x47727574).to_bytes(4, "big")
_APPLICATION_OFFSET = 68

T = TypeVar("T")


@dataclass(frozen=True)
class Remembered:
    """The parts of a mapping that a store remembers."""

    model: str
    """The model document as JSON text."""
    dialect: str = "groot"
    """The dialect, as for `groot.Mapping`."""
    implicit: bool = False
    """Whether properties without a `JSONKeyPath` are read under their own names."""
    rules: dict[str, Any] | None = None
    """The rules of the dialect "kvc"."""
    nulls: str = "write"
    """Whether exports write properties without a value, as for `groot.Mapping`."""

    def mapping(self, registry: Registry | None = None) -> Mapping:
        """Compile the mapping.

        Args:
            registry: The functions that annotations and rules name.

        Returns:
            The mapping.

        Raises:
            groot.Error: As `groot.Mapping`.
        """
        nulls: Any = self.nulls
        return Mapping(
            Model(self.model),
            registry,
            self.dialect,
            implicit=self.implicit,
            rules=self.rules,
            nulls=nulls,
        )


def shown(path: str | os.PathLike[str]) -> str:
    """Return a path for people: a URL without its passwords.

    Args:
        path: The path.

    Returns:
        The text.
    """
    text = os.fspath(path)
    if not is_store_url(path):
        return text
    return _PASSWORD.sub(lambda found: found[2] or f"{found[1]}=...", text)


def is_store(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path names a store.

    Args:
        path: The path.

    Returns:
        True for a file with the beginning of a store, and for every URL. False for a file that
        cannot be read.
    """
    if is_store_url(path):
        return True
    if not os.path.isfile(path):  # opening a pipe would wait
        return False
    try:
        with Path(path).open("rb") as file:
            head = file.read(_APPLICATION_OFFSET + len(_APPLICATION))
    except OSError:
        return False
    return head.startswith(_MAGIC) and head.endswith(_APPLICATION)


def read(path: str | os.PathLike[str]) -> Remembered | None:
    """Read the mapping that a store remembers; the store is not changed.

    Args:
        path: The path of the store.

    Returns:
        The parts of the mapping, or None if the store remembers none.

    Raises:
        groot.Error: If there is no store, or it cannot be read. With `Status.STORE_TOO_NEW` for a
            mapping that a newer version wrote.
    """
    if is_store_url(path):
        return _remembered(describe_store(path)["notes"], path)
    return examine(path, lambda connection: remembered_in(connection, path))


def _text(found: Any) -> str:
    if not isinstance(found, str):
        raise TypeError(f"the model is {type(found).__name__}")
    return found


def examine(path: str | os.PathLike[str], look: Callable[[sqlite3.Connection], T]) -> T:
    """Look at the database of a store, and leave no file beside it.

    Args:
        path: The path of the store.
        look: A function of a connection for reading. It is called again if another process has
            changed the store meanwhile.

    Returns:
        The result of the function.

    Raises:
        groot.Error: If the file is not a store, cannot be read, or is locked.
    """
    if not os.path.exists(journal(path)):
        # A store at rest has no journal, and SQLite would leave an empty one beside it.
        before = _state(path)
        try:
            with _opened(path, "ro&immutable=1") as connection:
                found = look(connection)
        except Error:
            if _state(path) == before:
                raise
        else:
            if _state(path) == before:
                return found
    with _opened(path, "ro") as connection:
        return look(connection)


def journal(path: str | os.PathLike[str]) -> str:
    """Return the path of the journal that a store has while it is open.

    Args:
        path: The path of the store.

    Returns:
        The path.
    """
    return f"{os.path.realpath(path)}-wal"


def _state(path: str | os.PathLike[str]) -> tuple[int, int, bool] | None:
    """Return facts that another process changes when it writes to a store."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, os.path.exists(journal(path))


def remembered_in(
    connection: sqlite3.Connection, path: str | os.PathLike[str]
) -> Remembered | None:
    """Read the mapping that an opened store remembers.

    Args:
        connection: The connection of `examine`.
        path: The path of the store, for messages.

    Returns:
        The parts of the mapping, or None if the store remembers none.

    Raises:
        groot.Error: As `read`.
    """
    table = connection.execute("SELECT type FROM sqlite_master WHERE name = '_groot'").fetchone()
    if table != ("table",):  # a view could run without end
        raise error(Status.STORE_INVALID, f"'{os.fspath(path)}' lacks the table _groot")
    rows = connection.execute(
        "SELECT key, value FROM _groot WHERE key IN (?, ?)", (_NOTE + _NAME, _NOTE + _MODEL_NAME)
    )
    return _remembered({key[len(_NOTE) :]: value for key, value in rows.fetchall()}, path)


def _remembered(notes: AnyMapping[str, Any], path: str | os.PathLike[str]) -> Remembered | None:
    """Read the notes of a store that remembers its mapping."""
    if _NAME not in notes and _MODEL_NAME not in notes:
        return None
    try:
        known = json.loads(notes[_NAME])
        if known.pop("version") == _VERSION:
            return Remembered(_text(notes[_MODEL_NAME]), **known)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as cause:
        message = f"the store '{shown(path)}' remembers a mapping that cannot be read: {cause}"
        raise error(Status.STORE_INVALID, message) from cause
    message = f"the mapping of the store '{shown(path)}' was written by a newer version"
    raise error(Status.STORE_TOO_NEW, message)


def load(path: str | os.PathLike[str]) -> Model:
    """Make the model that a store remembers; `groot.Model.load` does the same.

    Args:
        path: The path of the store.

    Returns:
        The model.

    Raises:
        groot.Error: As `read`, and for a store that remembers none.
    """
    return Model(known(path).model)


def known(path: str | os.PathLike[str]) -> Remembered:
    """Read the mapping that a store remembers, as `read` does.

    Args:
        path: The path of the store.

    Returns:
        The parts of the mapping.

    Raises:
        groot.Error: As `read`, and for a store that remembers none.
    """
    found = read(path)
    if found is None:
        message = f"the store '{shown(path)}' remembers no model, since a program made it; "
        raise error(Status.INVALID_ARGUMENT, f"{message}give the model")
    return found


def require(path: str | os.PathLike[str]) -> None:
    """Raise unless there is a store.

    Args:
        path: The path of the store.

    Raises:
        groot.Error: With `Status.STORE_INVALID` for another file. It is a `groot.FileError` if the
            file cannot be read. With `Status.FILE_ERROR` for a URL without a store.
    """
    if is_store_url(path):
        describe_store(path)
    if is_store(path):
        return
    try:
        if stat.S_ISREG(os.stat(path).st_mode):
            Path(path).open("rb").close()
    except OSError as cause:
        raise file_error(path, "read", cause) from cause
    raise error(Status.STORE_INVALID, f"'{os.fspath(path)}' is not a store of Groot")


def remember(context: Context, remembered: Remembered) -> None:
    """Let the store of a context remember a mapping, from the next save on.

    Args:
        context: The context.
        remembered: The parts of the mapping.

    Raises:
        groot.Error: If the context is closed or in use.
    """
    parts = {
        "version": _VERSION,
        "dialect": remembered.dialect,
        "implicit": remembered.implicit,
        "rules": remembered.rules,
        "nulls": remembered.nulls,
    }
    context.set_note(_NAME, json.dumps(parts, ensure_ascii=False))
    context.set_note(_MODEL_NAME, remembered.model)


@contextlib.contextmanager
def _opened(path: str | os.PathLike[str], mode: str) -> Iterator[sqlite3.Connection]:
    """Open the database of a store for a `with` statement; its errors become those of `groot`."""
    name = os.fspath(path)
    require(path)
    location = quote(os.fsencode(os.path.abspath(name)))
    try:
        with contextlib.closing(
            sqlite3.connect(f"file:{location}?mode={mode}", timeout=10, uri=True)
        ) as connection:
            yield connection
    except sqlite3.DatabaseError as cause:
        is_busy = isinstance(cause, sqlite3.OperationalError) and "locked" in str(cause)
        status = Status.STORE_LOCKED if is_busy else Status.STORE_INVALID
        raise error(status, f"the store '{name}' cannot be used: {cause}") from cause
