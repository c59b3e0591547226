"""Sets of the different values at a place, of which large ones move to a temporary file."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_IN_MEMORY = 20_000
"""Of more different values there are hashes."""
_IN_ARRAY = 200_000
"""More hashes than this move to the file."""
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
            for setting in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-16000"):
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

    A large set has hashes of 64 bits in the place of values, and a larger one moves to the file. So
    two different values may count as one, with a probability below one in a million for ten million
    values; the check of the round trip finds the consequence.
    """

    __slots__ = ("_distinct", "_hashes", "_limit", "_spill", "_table", "values")

    def __init__(self, spill: Spill) -> None:
        """Make an empty set."""
        self._spill = spill
        self._table: str | None = None
        self._hashes: array[int] | None = None
        self._limit = 0
        self._distinct = 0
        """The number of hashes when none was there twice; if there are as many, none is."""
        self.values: set[Any] = set()

    def add(self, values: Iterable[Any]) -> None:
        """Add values, all texts or all integers."""
        if self._hashes is None:
            self.values.update(values)
            if len(self.values) <= _IN_MEMORY:
                return
            self._hashes = array("q")
            self._limit = 2 * _IN_MEMORY
            values, self.values = self.values, set()
        self._hashes.extend(map(hash, values if isinstance(values, set) else set(values)))
        if len(self._hashes) > self._limit:
            self._compact(self._hashes)

    def merge(self, other: Values) -> None:
        """Add the values of another set."""
        if other._hashes is None:
            self.add(other.values)
            return
        if self._hashes is None:
            self._hashes, self._limit = array("q"), 2 * _IN_MEMORY
            self._hashes.extend(map(hash, self.values))
            self.values = set()
        self._hashes.extend(other._hashes)
        if other._table is not None:
            self._move(self._hashes)
            hashes = f"SELECT hash FROM {other._table}"  # noqa: S608, a name of ours
            self._spill.database.execute(f"INSERT OR IGNORE INTO {self._table} {hashes}")
        elif len(self._hashes) > self._limit:
            self._compact(self._hashes)

    def count(self) -> int:
        """Count the different values."""
        if self._hashes is None:
            return len(self.values)
        if self._table is None:
            if len(self._hashes) != self._distinct:
                self._set_distinct(self._hashes)
            return self._distinct
        self._move(self._hashes)
        return self._number(f"SELECT count(*) FROM {self._table}")  # noqa: S608

    def is_over(self, limit: int) -> bool:
        """Return whether there are more different values, which costs less than to count them."""
        added = len(self.values if self._hashes is None else self._hashes)
        return (self._table is not None or added > limit) and self.count() > limit

    @property
    def is_in_memory(self) -> bool:
        """Whether `values` are all of them."""
        return self._hashes is None

    def is_within(self, other: Values) -> bool:
        """Return whether another set has all values."""
        return self.count() <= other.count() and self.shared(other) == self.count()

    def shared(self, other: Values) -> int:
        """Count the values that another set has, too."""
        if self._hashes is None and other._hashes is None:
            return len(self.values & other.values)
        if self._table is None:
            mine = self._all()
            return len(mine & other._all()) if other._table is None else other._among(mine)
        if other._table is None:
            return self._among(other._all())
        for one in (self, other):
            if one._hashes is not None:
                one._move(one._hashes)
        inner = f"SELECT hash FROM {other._table}"  # noqa: S608
        return self._number(
            f"SELECT count(*) FROM {self._table} WHERE hash IN ({inner})"  # noqa: S608
        )

    def _all(self) -> set[int]:
        """Return the hashes of all values, which are not in the file."""
        return set(map(hash, self.values)) if self._hashes is None else set(self._hashes)

    def _among(self, hashes: set[int]) -> int:
        """Count the hashes that are in the file."""
        if self._hashes is not None:
            self._move(self._hashes)
        query = f"SELECT count(*) FROM {self._table} WHERE hash = ?"  # noqa: S608
        execute = self._spill.database.execute
        return sum(execute(query, (one,)).fetchone()[0] for one in hashes)

    def _number(self, query: str) -> int:
        number: int = self._spill.database.execute(query).fetchone()[0]
        return number

    def _compact(self, hashes: array[int]) -> None:
        """Drop repeated hashes, or move them to the file if there are too many."""
        if self._table is None:
            hashes = self._set_distinct(hashes)
            if self._distinct <= _IN_ARRAY:
                self._limit = 2 * self._distinct
                return
        self._move(hashes)

    def _set_distinct(self, hashes: array[int]) -> array[int]:
        """Keep each hash once."""
        self._hashes = array("q", set(hashes))
        self._distinct = len(self._hashes)
        return self._hashes

    def _move(self, hashes: array[int]) -> None:
        if self._table is None:
            self._table = self._spill.table()
        if hashes:
            insert = f"INSERT OR IGNORE INTO {self._table} VALUES (?)"  # noqa: S608
            # Sorted, so that the pages of the table are written one after another.
            rows = ((one,) for one in sorted(set(hashes)))
            self._spill.database.executemany(insert, rows)
        self._hashes, self._limit = array("q"), _IN_ARRAY
