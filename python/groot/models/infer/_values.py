"""Sets of the different values at a place, of which large ones move to a temporary file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_IN_MEMORY = 20_000
"""More different values than this move to the file."""
LONGEST = 300
"""A longer text neither identifies nor refers, so its place is not followed."""


class Spill:
    """A temporary database for the sets that outgrow the memory; made when the first one does."""

    def __init__(self) -> None:
        """Make no file yet."""
        self._folder: TemporaryDirectory[str] | None = None
        self._database: sqlite3.Connection | None = None
        self._tables = 0

    @property
    def database(self) -> sqlite3.Connection:
        """The open database."""
        if self._database is None:
            self._folder = TemporaryDirectory(prefix="groot-infer-")
            path = Path(self._folder.name) / "values.sqlite"
            self._database = sqlite3.connect(path, isolation_level=None)
            for setting in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-8000"):
                self._database.execute(f"PRAGMA {setting}")
            self._database.execute("BEGIN")
        return self._database

    def table(self) -> str:
        """Make a table of hashes, and return its name."""
        self._tables += 1
        name = f"hashes{self._tables}"
        self.database.execute(f"CREATE TABLE {name} (hash INTEGER PRIMARY KEY)")
        return name

    def close(self) -> None:
        """Delete the file."""
        if self._database is not None:
            self._database.close()
            self._database = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


class Values:
    """The different values of one kind at a place.

    A set that moves to the file has hashes of 64 bits instead of values. So two different values
    may count as one, with a probability below one in a million for ten million values; the check
    of the round trip finds the consequence.
    """

    __slots__ = ("_spill", "_table", "values")

    def __init__(self, spill: Spill) -> None:
        """Make an empty set."""
        self._spill = spill
        self._table: str | None = None
        self.values: set[Any] = set()

    def add(self, values: Iterable[Any]) -> None:
        """Add values, all texts or all integers."""
        self.values.update(values)
        if len(self.values) > _IN_MEMORY:
            self._move()

    def merge(self, other: Values) -> None:
        """Add the values of another set."""
        if other._table is not None:
            self._move()
            hashes = f"SELECT hash FROM {other._table}"  # noqa: S608, a name of ours
            self._spill.database.execute(f"INSERT OR IGNORE INTO {self._table} {hashes}")
        self.add(other.values)

    def count(self) -> int:
        """Count the different values."""
        if self._table is None:
            return len(self.values)
        self._move()
        return self._number(f"SELECT count(*) FROM {self._table}")  # noqa: S608

    @property
    def is_in_memory(self) -> bool:
        """Whether `values` are all of them."""
        return self._table is None

    def is_within(self, other: Values) -> bool:
        """Return whether another set has all values."""
        return self.shared(other) == self.count()

    def shared(self, other: Values) -> int:
        """Count the values that another set has, too."""
        if self._table is None and other._table is None:
            return len(self.values & other.values)
        if self._table is None:
            return sum(map(other._has, map(hash, self.values)))
        if other._table is None:
            return other.shared(self)
        self._move()
        other._move()
        inner = f"SELECT hash FROM {other._table}"  # noqa: S608
        return self._number(
            f"SELECT count(*) FROM {self._table} WHERE hash IN ({inner})"  # noqa: S608
        )

    def _has(self, hashed: int) -> bool:
        self._move()
        query = f"SELECT count(*) FROM {self._table} WHERE hash = ?"  # noqa: S608
        return bool(self._spill.database.execute(query, (hashed,)).fetchone()[0])

    def _number(self, query: str) -> int:
        number: int = self._spill.database.execute(query).fetchone()[0]
        return number

    def _move(self) -> None:
        if self._table is None:
            self._table = self._spill.table()
        if self.values:
            insert = f"INSERT OR IGNORE INTO {self._table} VALUES (?)"  # noqa: S608
            self._spill.database.executemany(insert, self._hashes())
            self.values = set()

    def _hashes(self) -> Iterator[tuple[int]]:
        # Sorted, so that the pages of the table are written one after another.
        return ((one,) for one in sorted(map(hash, self.values)))
