"""What the benchmark measures: its rows in the order of the table."""

from __future__ import annotations

from typing import NamedTuple

YARDSTICK = "json_loadb"
WORKLOADS = {
    "wide": ("wide records", 100_000),
    "text": ("long texts", 30_000),
    "links": ("many links", 100_000),
    "deep": ("deep records", 30_000),
    "shape_keyed": ("lists under keys", 100_000),
    "shape_grouped": ("lists in groups", 100_000),
    "shape_positions": ("lists by position", 100_000),
    "shape_discriminator": ("sub-entities by a discriminator", 100_000),
    "shape_rest": ("unmapped keys that are kept", 100_000),
}
"""The other workloads with models of their own: what they are, and the most records of them."""
UPDATE = "update_hundredth"


class Row(NamedTuple):
    """A line of the table."""

    name: str
    title: str
    program: str = "bench"
    argument: str = ""
    publishers: int = 200
    largest: int = 10_000_000
    """Beyond this many characters the row is left out."""
    dates: str = ""
    """The form of the dates that the row reads in place of characters."""
    clock: str = ""
    """The only clock that makes sense for the row, whose work other processes do, too."""
    workload: str = ""
    """The records that the row reads in place of characters."""

    @property
    def yardstick(self) -> str:
        """The row that only parses the same text."""
        return f"{self.workload}_{YARDSTICK}" if self.workload in WORKLOADS else YARDSTICK


GROOT, PEERS, DATES = "groot_rows.py", "peer_rows.py", "date_rows.py"
CHANGES = "change_rows.py"
SHAPES, POSTGRESQL = "shape_rows.py", "postgresql_rows.py"
STORE_PEERS, SIMDJSON = "store_peer_rows.py", "simdjson"


def changes(name: str, title: str) -> Row:
    """A row of changes in a store."""
    return Row(name, title, CHANGES, largest=100_000)


def elapsed(name: str, title: str, program: str = "bench") -> Row:
    """A row that a server works for."""
    return Row(name, f"{title} (elapsed)", program, "", 200, 500_000, clock="wall")


def other(workload: str) -> list[Row]:
    """The rows of another workload: its yardstick, then Groot beside C by hand."""
    what, largest = WORKLOADS[workload]
    return [
        Row(
            f"{workload}_{YARDSTICK}",
            f"{what}: `json_loadb` of the text",
            argument=YARDSTICK,
            largest=largest,
            workload=workload,
        ),
        *(
            Row(f"{by}{workload}_{work}", title, largest=largest, workload=workload)
            for work in ("import", "export")
            for by, title in (
                ("", f"{what}: {work}"),
                ("hand_", f"{what}: {work}, C by hand"),
            )
        ),
    ]


ROWS = [
    Row(YARDSTICK, "`json_loadb` of the text"),
    Row("json_dumpb", "`json_dumpb` of the tree"),
    Row("hand_import", "import, C by hand for this model"),
    Row("hand_export", "export, C by hand for this model"),
    Row("simdjson_parse", "simdjson: the text as a tree", SIMDJSON),
    Row("simdjson_import", "import, C++ by hand with simdjson", SIMDJSON),
    Row("import_text", "import of text"),
    Row(
        "import_one_publisher", "import of text, all with one publisher", "bench", "import_text", 1
    ),
    Row("import_elapsed", "import of text (elapsed)", argument="import_text", clock="wall"),
    Row("import_threads", "the same with two threads (elapsed)", clock="wall"),
    Row("import_file", "import of a file"),
    Row("import_pieces", "import in pieces of 16 KiB"),
    Row("import_json", "import of a `json_t`"),
    Row("import_again", "import of text, nothing new"),
    Row("import_callback", "import of text, ids by a callback in C"),
    Row("export_text", "export to text"),
    Row("export_file", "export to a file"),
    Row("fetch_identity", "fetch by identity, each"),
    Row("fetch_attribute", "fetch by another attribute"),
    Row("fetch_sorted", "fetch sorted by two attributes"),
    Row("read_attributes", "read an attribute in C, each"),
    Row("sync", "synchronization with a list, half of it changed"),
    Row(UPDATE, "update of every hundredth character", largest=1_000_000, workload=UPDATE),
    Row(f"hand_{UPDATE}", "the same, C by hand", largest=1_000_000, workload=UPDATE),
    *(row for workload in WORKLOADS for row in other(workload)),
    Row("store_new", "import into a new store"),
    Row("hand_store_new", "the same, C by hand with SQLite"),
    Row("store_again", "import into a store that has it all"),
    Row("hand_store_again", "the same, C by hand with SQLite"),
    Row("store_fetch", "fetch by identity from a store, each"),
    Row("hand_store_fetch", "the same, C by hand with SQLite"),
    Row("duckdb_new", "Python: new tables of DuckDB", STORE_PEERS, "", 200, 1_000_000),
    Row("duckdb_new_nokeys", "Python: the same without keys", STORE_PEERS, "", 200, 1_000_000),
    Row("duckdb_again", "Python: DuckDB, tables that have it all", STORE_PEERS, "", 200, 1_000_000),
    Row("sqlite_utils_new", "Python: new tables by sqlite-utils", STORE_PEERS, "", 200, 100_000),
    Row("sqlalchemy_store_new", "Python: the same by SQLAlchemy", STORE_PEERS, "", 200, 100_000),
    Row("pyarrow_parquet", "Python: lines to Parquet by pyarrow", STORE_PEERS, "", 200, 1_000_000),
    Row("polars_parquet", "Python: the text to Parquet by Polars", STORE_PEERS, "", 200, 1_000_000),
    elapsed("postgresql_new", "import into a new store in PostgreSQL"),
    elapsed("postgresql_again", "import into a store in PostgreSQL that has it all"),
    elapsed("hand_postgresql_new", "new tables of PostgreSQL, C by hand with libpq"),
    elapsed("jansson_postgresql_new", "the same, read by jansson"),
    elapsed("hand_postgresql_again", "tables that have it all, C by hand with libpq"),
    elapsed("jansson_postgresql_again", "the same, read by jansson"),
    elapsed("psycopg_new", "Python: new tables of PostgreSQL by psycopg", POSTGRESQL),
    elapsed("sqlalchemy_new", "Python: the same by SQLAlchemy", POSTGRESQL),
    elapsed("sqlalchemy_again", "Python: tables that have it all by SQLAlchemy", POSTGRESQL),
    Row("dates", "a date by Groot, in any form", "dates", dates="whole"),
    Row("dates_iso8601", "a date by Groot, in ISO 8601", "dates", dates="whole"),
    Row("dates_strptime", "a date by `strptime` and `timegm`", dates="whole"),
    Row("dates_fromisoformat", "Python: a date by `fromisoformat`", DATES, dates="whole"),
    Row("dates_fraction", "a date with a fraction by Groot", "dates", "dates", dates="fraction"),
    Row(
        "dates_fraction_fromisoformat",
        "Python: a date with a fraction by `fromisoformat`",
        DATES,
        "dates_fromisoformat",
        dates="fraction",
    ),
    Row("python_import", "Python: import of text", GROOT),
    Row("python_import_callback", "Python: the same, ids by a callback", GROOT, "", 200, 100_000),
    Row(
        "python_import_batch", "Python: the same, ids by a batch callback", GROOT, "", 200, 100_000
    ),
    Row("python_export", "Python: export to text", GROOT),
    Row("python_export_bytes", "Python: export to bytes", GROOT),
    Row("python_read_attributes", "Python: read an attribute, each", GROOT),
    Row("python_read_typed", "Python: read an attribute of a class, each", GROOT),
    Row("python_column", "Python: a column of numbers as a list, each", GROOT),
    Row("python_text_column", "Python: a column of texts as a list, each", GROOT),
    Row("python_buffer", "Python: a column of numbers as a buffer, each", GROOT),
    Row("python_arrow", "Python: eight attributes as an Arrow stream, each", GROOT),
    changes("python_save_attributes", "Python: save of a changed name, each"),
    changes("python_save_lists", "Python: save of another first member, each"),
    changes("python_tenth_attributes", "Python: import into a store, a tenth changed"),
    changes("python_tenth_lists", "Python: the same, with lists"),
    Row("python_infer", "Python: infer a model, with its check", GROOT, "", 200, 100_000),
    Row(
        "python_store",
        "Python: import with that model into a store",
        GROOT,
        "",
        200,
        500_000,
    ),
    Row(
        "python_command",
        "Python: import with the command `groot`",
        GROOT,
        "",
        200,
        500_000,
    ),
    *(
        Row(f"{shape}_{work}", f"Python: {title}, {what}", SHAPES, "", 200, 500_000)
        for shape, what in (
            ("array", "lists as arrays"),
            ("keyed", "lists under keys"),
            ("grouped", "lists in groups"),
            ("discriminator", "sub-entities by a discriminator"),
        )
        for work, title in (
            ("import", "import of text"),
            ("again", "import, nothing new"),
            ("export", "export to text"),
        )
    ),
    *(
        Row(f"{peer}_{work}{ending}", f"Python: {work} by {peer}{note}", PEERS, "", 200, largest)
        for peer, work, largest in (
            ("json", "import", 100_000),
            ("json", "export", 100_000),
            ("orjson", "import", 100_000),
            ("orjson", "export", 100_000),
            ("msgspec", "import", 1_000_000),
            ("msgspec", "export", 100_000),
            ("pydantic", "import", 100_000),
        )
        for ending, note in (("", ""), ("_nogc", ", collector off"))
    ),
]
