"""The tables of docs/explanation/performance.md as Markdown, each made from what bench.py wrote."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from typing import Any

import budget
from catalogue import ROWS, SHAPES, UPDATE, WORKLOADS

COUNT = 100_000
"""The characters, or dates, of the tables that have one size."""
TITLES = {row.name: row.title.removesuffix(" (elapsed)") for row in ROWS}
LARGEST = {row.name: row.largest for row in ROWS}

# Titles beside the names are those in place of the catalogue's.
STORES = {
    "json_loadb": "",
    "import_text": "import of text, in memory",
    "store_new": "",
    "hand_store_new": "",
    "duckdb_new": "",
    "duckdb_new_nokeys": "",
    "sqlite_utils_new": "Python: new tables of SQLite by sqlite-utils",
    "sqlalchemy_store_new": "Python: new tables of SQLite by SQLAlchemy",
    "pyarrow_parquet": "",
    "polars_parquet": "",
    "store_again": "",
    "hand_store_again": "",
    "duckdb_again": "",
    "store_fetch": "",
    "hand_store_fetch": "",
}
INFERRED = "python_infer", "python_store", "python_command"
WORK = [
    row.name
    for row in ROWS
    if not row.dates
    and not row.clock
    and not row.workload
    and row.program != SHAPES
    and row.name not in INFERRED
    and (row.name not in STORES or row.name in ("json_loadb", "import_text"))
]
SIZE = (
    *("json_loadb", "simdjson_parse", "hand_import", "simdjson_import", "import_text"),
    *("import_one_publisher", "import_file", "import_pieces", "hand_export", "export_text"),
    *("msgspec_import", "msgspec_import_nogc", "python_import"),
)
MEMORY = (
    *("json_loadb", "simdjson_import", "hand_import", "import_text", "import_file"),
    *("msgspec_import", "python_import"),
)
SYNC = "sync"
POSTGRESQL = {
    "postgresql_new": "import into a new store",
    "hand_postgresql_new": "new tables, C by hand with libpq",
    "jansson_postgresql_new": "",
    "psycopg_new": "Python: new tables by psycopg, `COPY`",
    "sqlalchemy_new": "Python: new tables by SQLAlchemy",
    "postgresql_again": "import into a store that has it all",
    "hand_postgresql_again": "",
    "jansson_postgresql_again": "",
    "sqlalchemy_again": "",
}
DATES = {
    "dates": "`2016-01-09T12:40:08Z` by Groot, as in feeds, where numbers are dates too",
    "dates_iso8601": "the same by Groot, ISO 8601 only",
    "dates_strptime": "the same by `strptime` and `timegm`",
    "dates_fromisoformat": "the same by `datetime.fromisoformat` of Python",
    "dates_fraction": "`2014-01-02T12:40:08.123456+00:00` by Groot, as in feeds",
    "dates_fraction_fromisoformat": "the same by `datetime.fromisoformat` of Python",
}
RECORDS = 10_000
"""The records of the other workloads."""
UPDATED = COUNT, 1_000_000
"""The characters of which every hundredth is updated; the second size only where it is measured."""
NATIVE = "jansson", "SQLite", "libpq", "simdjson"
LIBRARIES = (
    *("msgspec", "orjson", "pydantic", "duckdb", "polars", "pyarrow"),
    *("sqlite-utils", "SQLAlchemy", "psycopg"),
)


def needed(count: int) -> set[str]:
    """The rows that the tables have with so many characters, dates or records."""
    names = {*SIZE, *MEMORY, SYNC}
    if count == COUNT:
        names |= {*WORK, *STORES, *POSTGRESQL, *DATES}
    if count == RECORDS:
        names |= {
            f"{by}{workload}_{work}"
            for by in ("", "hand_")
            for workload in WORKLOADS
            for work in ("import", "export")
        }
    if count in UPDATED:
        names |= {UPDATE, f"hand_{UPDATE}"}
    return names


class MissingError(Exception):
    """The results lack what a table needs."""


def found(results: dict[str, Any], *path: str) -> Any:
    """What the results have there."""
    value: Any = results
    for name in path:
        if not isinstance(value, dict) or name not in value:
            raise MissingError(", ".join(path))
        value = value[name]
    return value


def row(results: dict[str, Any], name: str, count: int = COUNT) -> dict[str, float]:
    measured: dict[str, float] = found(results, "sizes", str(count), name)
    return measured


def markdown(head: str, lines: Iterable[Iterable[str]], first_columns: int = 1) -> str:
    """A table: the first columns are texts, the others numbers on the right."""
    names = head.split(" | ")
    rule = ["---"] * first_columns + ["--:"] * (len(names) - first_columns)
    rows = [f"| {' | '.join(line)} |" for line in (names, *lines)]
    return "\n".join([rows[0], f"|{'|'.join(rule)}|", *rows[1:]])


def time(one: dict[str, float]) -> str:
    return f"{one['seconds'] * 1e3:,.1f} ms"


def each(one: dict[str, float]) -> str:
    return f"{one['nanoseconds']:,.0f} ns"


def memory(one: dict[str, float]) -> str:
    return f"{one['megabytes']:,.0f} MB"


def lines(
    results: dict[str, Any], titles: dict[str, str], *cells: Callable[[dict[str, float]], str]
) -> list[list[str]]:
    """A line for each row: its title and these cells."""
    return [
        [title or TITLES[name], *(cell(row(results, name)) for cell in cells)]
        for name, title in titles.items()
    ]


def ratio(one: dict[str, float]) -> str:
    return f"{one['ratio']:.3f}"


def in_words(names: Iterable[str], versions: dict[str, str]) -> str:
    *most, last = (f"{name} {found(versions, name)}" for name in names)
    return f"{', '.join(most)} and {last}"


def versions(results: dict[str, Any]) -> str:
    """The machine, the method and the libraries, as sentences."""
    known, machine = found(results, "versions"), found(results, "machine")
    clock = "processor" if found(results, "clock") == "cpu" else "elapsed"
    python = f"Python {found(known, 'Python')}"
    if found(known, "SQLite of Python") != found(known, "SQLite"):
        python += f" with SQLite {known['SQLite of Python']}"
    runs = found(results, "runs")
    sentences = (
        f"One core of {found(machine, 'processor')}; {found(machine, 'system')}.",
        f"The medians of {runs} runs, in {clock} time unless a table has another.",
        f"The libraries in C and C++ are {in_words(NATIVE, known)}.",
        f"{python} has {in_words(LIBRARIES, known)}.",
    )
    return textwrap.fill(" ".join(sentences), 105, break_long_words=False, break_on_hyphens=False)


def work(results: dict[str, Any]) -> str:
    head = "work | time | each | ÷ `json_loadb` | peak memory"
    titles = dict.fromkeys(WORK, "")
    return markdown(head, lines(results, titles, time, each, ratio, memory))


def stores(results: dict[str, Any]) -> str:
    head = "work | time | each | ÷ `json_loadb` | peak memory"
    return markdown(head, lines(results, STORES, time, each, ratio, memory))


def postgresql(results: dict[str, Any]) -> str:
    head = "work | elapsed time | each | peak memory"
    return markdown(head, lines(results, POSTGRESQL, time, each, memory))


def by_size(results: dict[str, Any], head: str, names: Iterable[str], measure: str) -> str:
    """A column for each size; a cell is empty where a row leaves out a size."""
    counts = sorted(map(int, found(results, "sizes")))
    if len(counts) < 2:
        raise MissingError("a second size")
    return markdown(
        " | ".join([head, *(f"{count:,}" for count in counts)]),
        [
            [
                TITLES[name],
                *(
                    f"{row(results, name, count)[measure]:,.0f}" if count <= LARGEST[name] else ""
                    for count in counts
                ),
            ]
            for name in names
        ],
    )


def size(results: dict[str, Any]) -> str:
    return by_size(results, "nanoseconds for each of", SIZE, "nanoseconds")


def memory_by_size(results: dict[str, Any]) -> str:
    return by_size(results, "peak memory in MB", MEMORY, "megabytes")


def synchronization(results: dict[str, Any]) -> str:
    *head, nanoseconds = by_size(
        results, "synchronization with a list", [SYNC], "nanoseconds"
    ).splitlines()
    megabytes = by_size(results, "", [SYNC], "megabytes").splitlines()[-1]
    return "\n".join(
        [
            *head,
            nanoseconds.replace(TITLES[SYNC], "nanoseconds for each object"),
            megabytes.replace(TITLES[SYNC], "peak memory in MB"),
        ]
    )


def beside(results: dict[str, Any], name: str, count: int) -> list[str]:
    """Cells of a row: Groot, and Groot divided by the same work by hand."""
    groot, hand = row(results, name, count), row(results, f"hand_{name}", count)
    return [each(groot), f"{groot['nanoseconds'] / hand['nanoseconds']:.2f}"]


def memories(results: dict[str, Any], name: str, count: int) -> list[str]:
    return [memory(row(results, one, count)) for one in (name, f"hand_{name}")]


def other(results: dict[str, Any]) -> str:
    """Groot and C by hand beside each other: a line for each workload, and size of the update."""
    made = []
    for name, (what, _) in WORKLOADS.items():
        load, dump = f"{name}_import", f"{name}_export"
        cells = [*beside(results, load, RECORDS), *beside(results, dump, RECORDS)]
        made.append([f"{what}, {RECORDS:,}", *cells, *memories(results, load, RECORDS)])
    for count in UPDATED:
        if count == COUNT or UPDATE in results["sizes"].get(str(count), {}):
            cells = [*beside(results, UPDATE, count), "", ""]
            made.append([f"{TITLES[UPDATE]}, {count:,}", *cells, *memories(results, UPDATE, count)])
    head = "records | import | ÷ by hand | export | ÷ by hand | memory of the import | by hand"
    return markdown(head, made)


def dates(results: dict[str, Any]) -> str:
    def rate(one: dict[str, float]) -> str:
        return f"{round(1e9 / one['nanoseconds'], -5):,.0f}"

    return markdown("reader | each | dates per second", lines(results, DATES, each, rate))


def limit_title(limit: budget.Limit) -> str:
    """A limit for people: the titles of its rows."""
    title, count = TITLES[limit.row], f"{limit.size:,}"
    if limit.of is None:
        if limit.measure == "megabytes":
            return f"peak memory: {title}, {count}"
        if limit.measure == "ratio":
            return f"{title}, {count}, ÷ `json_loadb`"
        return f"{title}, {count}, nanoseconds"
    other, other_size = limit.of
    if other == limit.row:
        return f"{title}, each of {count} ÷ each of {other_size:,}"
    if other_size == limit.size:
        return f"{title} ÷ {TITLES[other]}, {count}"
    return f"{title}, each of {count} ÷ {TITLES[other]}, each of {other_size:,}"


def limit_values(limit: budget.Limit, value: float) -> tuple[str, str]:
    """The limit and what was measured, to the same accuracy or better."""
    if limit.measure == "megabytes" and limit.of is None:
        return f"{limit.limit:,.0f} MB", f"{value:,.0f} MB"
    places = 3 if limit.limit < 0.1 else 2
    return f"{limit.limit:g}", f"{value:.{places}f}"


def budget_table(limits: list[budget.Limit], check: dict[str, Any]) -> str:
    made = []
    for limit in limits:
        value = limit.value(found(check, "sizes"))
        if value is None:
            raise MissingError(limit.title())
        made.append([limit_title(limit), *limit_values(limit, value)])
    return markdown("ratio or memory | limit | measured", made)


TABLES: dict[str, Callable[[dict[str, Any]], str]] = {
    "versions": versions,
    "work": work,
    "size": size,
    "memory": memory_by_size,
    "synchronization": synchronization,
    "other": other,
    "stores": stores,
    "postgresql": postgresql,
    "dates": dates,
}
