#!/usr/bin/env python3
"""The rows of the benchmark that write files of tables from Python without Groot.

DuckDB reads the text itself; for SQLite it is read as in peer_rows.py, by orjson and a loop written
by hand. Both get the tables that Groot's store has: characters, powers, publishers and the links,
with their order, ids as integers and dates converted. All stay on one thread. A row imports its
libraries itself, so that their memory does not count for others; those that are not installed give
no rows.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from parquet_peers import polars_parquet, pyarrow_parquet
from peer_files import Found, apart, expected, folder
from peer_rows import Character, Graph, link_dicts
from row import Input, Row, main, require, timed

ROWS_A_CALL = 10_000
PRAGMAS = "journal_mode = WAL", "synchronous = FULL", "cache_size = -65536"


# ---- DuckDB ----

# Texts that are numbers and dates are converted while they are read.
RECORDS = """CREATE TEMP TABLE record AS
    SELECT * FROM read_json($path, format = 'array', columns = {id: 'BIGINT', name: 'VARCHAR',
    real_name: 'VARCHAR', created_at: 'TIMESTAMP', rating: 'DOUBLE', active: 'BOOLEAN',
    stats: 'STRUCT(strength SMALLINT, speed SMALLINT)',
    powers: 'STRUCT(id BIGINT, name VARCHAR)[]', publisher: 'STRUCT(id BIGINT, name VARCHAR)'})"""
OBJECT = "identifier BIGINT {key}, version INTEGER NOT NULL, name VARCHAR"
TABLES = (
    f"CREATE TABLE power ({OBJECT})",
    f"CREATE TABLE publisher ({OBJECT})",
    f"""CREATE TABLE character ({OBJECT}, real_name VARCHAR, created_at TIMESTAMP, rating DOUBLE,
    active BOOLEAN, strength SMALLINT, speed SMALLINT, publisher BIGINT)""",
    """CREATE TABLE character_powers (source BIGINT NOT NULL, target BIGINT NOT NULL,
    place INTEGER NOT NULL {keys})""",
)
CHARACTERS = """SELECT id, 1, name, real_name, created_at, rating, active,
    stats.strength, stats.speed, publisher.id FROM record"""
POWERS = """SELECT one.id, 1, last(one.name) FROM (SELECT unnest(powers) AS one FROM record)
    GROUP BY one.id"""
PUBLISHERS = "SELECT publisher.id, 1, last(publisher.name) FROM record GROUP BY publisher.id"
LINKS = """SELECT source, one.id, place FROM (SELECT id AS source, unnest(powers) AS one,
    generate_subscripts(powers, 1) AS place FROM record)"""
FILLS = {
    "power": POWERS,
    "publisher": PUBLISHERS,
    "character": CHARACTERS,
    "character_powers": LINKS,
}
VALUES = {
    "power": ["name"],
    "publisher": ["name"],
    "character": "name real_name created_at rating active strength speed publisher".split(),
}
GONE = f"""DELETE FROM character_powers WHERE source IN (SELECT id FROM record)
    AND (source, target) NOT IN (SELECT (source, id) FROM ({LINKS}))"""


def merge(table: str) -> str:
    """What inserts rows, or updates those with the same key that differ."""
    if table == "character_powers":
        return f"""INSERT INTO {table} {LINKS} ON CONFLICT (source, target)
            DO UPDATE SET place = excluded.place WHERE place IS DISTINCT FROM excluded.place"""
    sets = ", ".join(f"{name} = excluded.{name}" for name in VALUES[table])
    differs = " OR ".join(
        f"{table}.{name} IS DISTINCT FROM excluded.{name}" for name in VALUES[table]
    )
    return f"""INSERT INTO {table} {FILLS[table]} ON CONFLICT (identifier)
        DO UPDATE SET {sets}, version = {table}.version + 1 WHERE {differs}"""


def write_duckdb(duckdb: Any, path: Path, given: Input, statements: Iterable[str]) -> None:
    """Open the file, read the text and do this in one transaction."""
    with duckdb.connect(str(path)) as store:
        store.execute("SET threads = 1")
        store.execute("BEGIN")
        store.execute(RECORDS, {"path": str(given.path)})
        for statement in statements:
            store.execute(statement)
        store.execute("COMMIT")


def new_tables(keys: bool) -> list[str]:
    key, pair = ("PRIMARY KEY", ", PRIMARY KEY (source, target)") if keys else ("NOT NULL", "")
    made = [table.format(key=key, keys=pair) for table in TABLES]
    return made + [f"INSERT INTO {table} {select}" for table, select in FILLS.items()]


def check_duckdb(duckdb: Any, path: Path, given: Input) -> None:
    with duckdb.connect(str(path), read_only=True) as store:

        def one(sql: str) -> tuple[Any, ...]:
            found: tuple[Any, ...] = store.execute(sql).fetchone()
            return found

        counts = (
            one(f"SELECT count(*) FROM {table}")[0]
            for table in ("character", "power", "publisher", "character_powers")
        )
        value = one("""SELECT character.name, rating, strength, publisher.name, year(created_at),
            (SELECT count(*) FROM character_powers WHERE source = character.identifier)
            FROM character JOIN publisher ON publisher.identifier = publisher
            ORDER BY character.identifier LIMIT 1""")
        require(Found(*counts, value) == expected(given), "the tables are wrong")
        require(one("SELECT max(version) FROM character") == (1,), "what was there was written")


def duckdb_new(keys: bool, given: Input) -> None:
    """Fill new tables, with primary keys or without."""
    duckdb = importlib.import_module("duckdb")
    with folder(given) as scratch:
        path = scratch / "peer.duckdb"
        with timed(given.count):
            write_duckdb(duckdb, path, given, new_tables(keys))
        check_duckdb(duckdb, path, given)


def duckdb_again(given: Input) -> None:
    """Merge the text into tables that have it all."""

    def prepare() -> None:
        duckdb = importlib.import_module("duckdb")
        write_duckdb(duckdb, path, given, new_tables(True))

    with folder(given) as scratch:
        path = scratch / "peer.duckdb"
        apart(prepare)
        duckdb = importlib.import_module("duckdb")
        with timed(given.count):
            write_duckdb(duckdb, path, given, [GONE, *(merge(table) for table in FILLS)])
        check_duckdb(duckdb, path, given)


# ---- SQLite ----


def graph_of(orjson: Any, given: Input) -> Graph:
    graph = Graph()
    link_dicts(orjson.loads(given.path.read_bytes()), graph)
    return graph


def microseconds(date: datetime | None) -> int | None:
    return None if date is None else round(date.timestamp()) * 1_000_000


def character_row(it: Character) -> dict[str, Any]:
    return {
        "id": it.identifier,
        "name": it.name,
        "real_name": it.real_name,
        "created_at": microseconds(it.created_at),
        "rating": it.rating,
        "active": it.active,
        "strength": it.strength,
        "speed": it.speed,
        "publisher": None if it.publisher is None else it.publisher.identifier,
    }


def named_rows(known: dict[int, Any]) -> Iterator[dict[str, Any]]:
    return ({"id": one.identifier, "name": one.name} for one in known.values())


def link_rows(graph: Graph) -> Iterator[dict[str, Any]]:
    return (
        {"characters_id": it.identifier, "powers_id": power.identifier, "place": place}
        for it in graph.characters.values()
        for place, power in enumerate(it.powers)
    )


def check_sqlite(path: Path, given: Input) -> None:
    sqlite3 = importlib.import_module("sqlite3")
    store = sqlite3.connect(path)
    tables = "characters", "powers", "publishers", "characters_powers"
    counts = [store.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]
    value = store.execute("""SELECT c.name, rating, strength, p.name,
        CAST(strftime('%Y', created_at / 1000000, 'unixepoch') AS INTEGER),
        (SELECT count(*) FROM characters_powers WHERE characters_id = c.id)
        FROM characters c JOIN publishers p ON p.id = publisher ORDER BY c.id LIMIT 1""").fetchone()
    store.close()
    require(Found(*counts, value) == expected(given), "the tables are wrong")


def fill_by_sqlite_utils(sqlite_utils: Any, path: Path, graph: Graph) -> None:
    """Upsert into tables with foreign keys, in one transaction."""
    store = sqlite_utils.Database(path)
    for pragma in PRAGMAS:
        store.execute(f"PRAGMA {pragma}").fetchall()
    with store.atomic():
        upsert(store, graph)
    store.close()


def upsert(store: Any, graph: Graph) -> None:
    """Fill new tables, whose indexes are made when the rows are there."""
    named = {"id": int, "name": str}
    store["publishers"].create(named, pk="id")
    store["powers"].create(named, pk="id")
    store["characters"].create(
        {
            **named,
            "real_name": str,
            "created_at": int,
            "rating": float,
            **dict.fromkeys(("active", "strength", "speed", "publisher"), int),
        },
        pk="id",
        foreign_keys=[("publisher", "publishers", "id")],
    )
    pair = "characters_id", "powers_id"
    store["characters_powers"].create(
        dict.fromkeys((*pair, "place"), int),
        pk=pair,
        foreign_keys=[("characters_id", "characters", "id"), ("powers_id", "powers", "id")],
    )
    for table, key, rows in (
        ("publishers", "id", named_rows(graph.publishers)),
        ("powers", "id", named_rows(graph.powers)),
        ("characters", "id", map(character_row, graph.characters.values())),
        ("characters_powers", pair, link_rows(graph)),
    ):
        store[table].upsert_all(rows, pk=key, batch_size=ROWS_A_CALL)
    store["characters"].create_index(["publisher"])
    store["characters_powers"].create_index(["powers_id"])


def fill_by_sqlalchemy(sql: Any, path: Path, graph: Graph) -> None:
    """Insert many rows at once into the same tables, in one transaction."""
    engine = sql.create_engine(f"sqlite:///{path}")

    @sql.event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    metadata = sql.MetaData()

    def table(name: str, *columns: Any) -> Any:
        key = sql.Column(
            "id", sql.BigInteger().with_variant(sql.Integer, "sqlite"), primary_key=True
        )
        return sql.Table(name, metadata, key, sql.Column("name", sql.Text), *columns)

    publishers, powers = table("publishers"), table("powers")
    characters = table(
        "characters",
        sql.Column("real_name", sql.Text),
        sql.Column("created_at", sql.BigInteger),
        sql.Column("rating", sql.Double),
        sql.Column("active", sql.Boolean),
        sql.Column("strength", sql.SmallInteger),
        sql.Column("speed", sql.SmallInteger),
        sql.Column("publisher", sql.ForeignKey("publishers.id")),
    )
    links = sql.Table(
        "characters_powers",
        metadata,
        sql.Column("characters_id", sql.ForeignKey("characters.id"), primary_key=True),
        sql.Column("powers_id", sql.ForeignKey("powers.id"), primary_key=True),
        sql.Column("place", sql.Integer, nullable=False),
    )
    with engine.begin() as connection:
        metadata.create_all(connection)
        for into, rows in (
            (publishers, named_rows(graph.publishers)),
            (powers, named_rows(graph.powers)),
            (characters, map(character_row, graph.characters.values())),
            (links, link_rows(graph)),
        ):
            while some := list(islice(rows, ROWS_A_CALL)):
                connection.execute(sql.insert(into), some)
        for column in (characters.c.publisher, links.c.powers_id):
            sql.Index(f"{column.table.name}_{column.name}", column).create(connection)
    engine.dispose()


def sqlite_new(module: str, fill: Callable[[Any, Path, Graph], None], given: Input) -> None:
    """Read the text and fill a new file."""
    library, orjson = importlib.import_module(module), importlib.import_module("orjson")
    with folder(given) as scratch:
        path = scratch / "peer.sqlite"
        with timed(given.count):
            fill(library, path, graph_of(orjson, given))
        check_sqlite(path, given)


def rows() -> dict[str, Row]:
    """The rows of the libraries that are installed."""
    all_rows: dict[str, tuple[tuple[str, ...], Row]] = {
        "duckdb_new": (("duckdb",), partial(duckdb_new, True)),
        "duckdb_new_nokeys": (("duckdb",), partial(duckdb_new, False)),
        "duckdb_again": (("duckdb",), duckdb_again),
        "sqlite_utils_new": (
            ("sqlite_utils", "orjson"),
            partial(sqlite_new, "sqlite_utils", fill_by_sqlite_utils),
        ),
        "sqlalchemy_store_new": (
            ("sqlalchemy", "orjson"),
            partial(sqlite_new, "sqlalchemy", fill_by_sqlalchemy),
        ),
        "pyarrow_parquet": (("pyarrow",), pyarrow_parquet),
        "polars_parquet": (("polars", "pyarrow"), polars_parquet),
    }
    return {
        name: row
        for name, (needed, row) in all_rows.items()
        if all(importlib.util.find_spec(module) for module in needed)
    }


if __name__ == "__main__":
    main(rows())
