"""The facts about a store that the command `info` writes."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from groot.descriptions import describe_store, is_store_url
from groot.errors import Error, Status, error
from groot.models import stores

_FORMAT = 2
_FAULTS = 20
_VERSION_OFFSET, _VERSION_OF_WAL = 18, b"\2"
_OWN = ["_id", "_entity", "_version"]


@dataclass(frozen=True)
class EntityFacts:
    """An entity and its objects in a store."""

    name: str
    parent: str | None
    abstract: bool
    objects: int | None
    """The number of objects of this entity alone; None for damaged tables."""
    placeholders: int | None
    """The number of those that are placeholders."""


@dataclass(frozen=True)
class Facts:
    """The facts about a store."""

    file: str
    """The path of the file; the URL of a database, without its password."""
    size: int | None
    """The size in bytes; None where a database does not tell it."""
    wal_size: int | None
    """The size in bytes of the journal beside a file, which has the last changes."""
    journal_mode: str | None
    """The mode of the journal of a file."""
    check: str
    """The check of the integrity, "full" or "quick"."""
    faults: list[str] = field(default_factory=list)
    """The first faults that it found."""
    application_id: int | None = None
    format: int | None = None
    views: bool = False
    """Whether the store has views."""
    model: str | None = None
    """The beginning of a hash of the model; None if the file is too damaged to be read."""
    dialect: str | None = None
    """The dialect of the mapping that the store remembers, if it remembers one."""
    entities: list[EntityFacts] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the facts as a JSON object."""
        return {"version": 1, **asdict(self)}


def read(path: str, *, is_quick: bool = False) -> Facts:
    """Read the facts about a store, which is not changed.

    Args:
        path: The path of the store.
        is_quick: Whether indexes need not be compared with their tables.

    Returns:
        The facts.

    Raises:
        groot.Error: If there is no store, or it cannot be read.
    """
    if is_store_url(path):
        return _far(path)
    facts = Facts(
        file=path,
        size=_size(path),
        wal_size=_size(stores.journal(path)),
        journal_mode=_journal_mode(path),
        check="quick" if is_quick else "full",
    )

    def look(connection: sqlite3.Connection) -> Facts:
        connection.text_factory = _text
        try:
            return _filled(facts, connection, is_quick)
        except sqlite3.DatabaseError as cause:
            return replace(facts, faults=[_fault(cause)])

    return stores.examine(path, look)


def _far(path: str) -> Facts:
    """Read the facts about a store in a database, which keeps its indexes right by itself."""
    found = describe_store(path, counts=True)
    counts = found["counts"]
    known = counts and {
        name: (count["objects"], count["placeholders"]) for name, count in counts.items()
    }
    remembered = None
    with contextlib.suppress(Error):
        remembered = stores.read(path)
    return Facts(
        file=stores.shown(path),
        size=found["size"],
        wal_size=None,
        journal_mode=None,
        check="quick",
        faults=found["faults"],
        format=found["format"],
        views=found["views"],
        model=_hash(found["model"]),
        dialect=None if remembered is None else remembered.dialect,
        entities=list(_entities(found["model"], known)),
    )


def _filled(facts: Facts, connection: sqlite3.Connection, is_quick: bool) -> Facts:
    """Add the facts in the database."""
    path = facts.file
    connection.execute("BEGIN")
    format = _pragma(connection, "user_version")
    if format > _FORMAT:
        message = f"the store '{path}' has the format {format} of a newer version of Groot"
        raise error(Status.STORE_TOO_NEW, message)
    document = _model(path, connection)
    views = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'view' LIMIT 1")
    faults = list(_faults(connection, is_quick))
    counts = _counts(connection, faults)
    return replace(
        facts,
        application_id=_pragma(connection, "application_id"),
        format=format,
        views=views.fetchone() is not None,
        model=_hash(document),
        dialect=_dialect(path, connection),
        entities=list(_entities(document, counts)),
        faults=faults,
    )


def _fault(cause: sqlite3.DatabaseError) -> str:
    """Return the text of an error of damage; raise one of another kind."""
    if isinstance(cause, sqlite3.OperationalError):
        raise cause
    return str(cause)


def _text(found: bytes) -> str:
    """Read a text, also one with wrong bytes."""
    return found.decode(errors="replace")


def _pragma(connection: sqlite3.Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _journal_mode(path: str) -> str:
    """Read the mode in the head of the file: a store at rest is opened without a journal."""
    try:
        with open(path, "rb") as file:
            head = file.read(_VERSION_OFFSET + 1)
    except OSError:
        return ""
    return "wal" if head.endswith(_VERSION_OF_WAL) else "delete"


def _size(path: str) -> int:
    with contextlib.suppress(OSError):
        return os.stat(path).st_size
    return 0


def _model(path: str, connection: sqlite3.Connection) -> dict[str, Any]:
    """Read the model that the store was made for."""
    row = connection.execute("SELECT value FROM _groot WHERE key = 'model'").fetchone()
    try:
        document: dict[str, Any] = json.loads(row[0])
        list(_entities(document, {}))
    except (ValueError, TypeError, KeyError, AttributeError) as cause:
        message = f"the model of the store '{path}' cannot be read: {cause}"
        raise error(Status.STORE_INVALID, message) from cause
    return document


def _hash(document: dict[str, Any]) -> str:
    text = json.dumps(document, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _dialect(path: str, connection: sqlite3.Connection) -> str | None:
    with contextlib.suppress(Error):
        remembered = stores.remembered_in(connection, path)
        return None if remembered is None else remembered.dialect
    return None


def _faults(connection: sqlite3.Connection, is_quick: bool) -> Iterator[str]:
    """Yield the first faults of the file, and of links between rows."""
    check = "quick_check" if is_quick else "integrity_check"
    try:
        for (found,) in connection.execute(f"PRAGMA {check}({_FAULTS})"):
            if found != "ok":
                yield from str(found).splitlines()
        rows = connection.execute("PRAGMA foreign_key_check").fetchmany(_FAULTS)
        for table, row, target, _ in rows:
            place = "" if row is None else f" {row}"
            yield f"row{place} of {table} refers to a row of {target} that is missing"
    except sqlite3.DatabaseError as cause:
        yield _fault(cause)


def _counts(connection: sqlite3.Connection, faults: list[str]) -> dict[str, tuple[int, int]] | None:
    """Count the objects and placeholders of each entity; None if that fails."""
    counts = {}
    try:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (table,) in tables.fetchall():
            quoted = '"' + table.replace('"', '""') + '"'
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({quoted})")]
            if columns[:3] != _OWN:
                continue
            count = f"SELECT _entity, count(*), sum(_version < 0) FROM {quoted} GROUP BY 1"  # noqa: S608
            counts.update({name: (all_, some) for name, all_, some in connection.execute(count)})
    except sqlite3.DatabaseError as cause:
        fault = _fault(cause)
        if fault not in faults:
            faults.append(fault)
        return None
    return counts


def _entities(
    document: dict[str, Any], counts: dict[str, tuple[int, int]] | None
) -> Iterator[EntityFacts]:
    for name, described in document["entities"].items():
        objects, placeholders = (None, None) if counts is None else counts.get(name, (0, 0))
        yield EntityFacts(name, described["parent"], described["abstract"], objects, placeholders)
