"""The rows of the benchmark that write a file of Parquet, with pyarrow and with Polars.

It has one table, with the powers nested. Ids become integers, and dates timestamps.
"""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path
from typing import Any

from peer_files import Found, apart, expected, folder
from row import Input, require, timed


def check_parquet(path: Path, given: Input) -> None:
    table = importlib.import_module("pyarrow.parquet").read_table(path)
    rows = table.to_pylist()
    first = rows[0]
    found = Found(
        len({row["id"] for row in rows}),
        len({one["id"] for row in rows for one in row["powers"]}),
        len({row["publisher"]["id"] for row in rows}),
        sum(len(row["powers"]) for row in rows),
        (
            *(first["name"], first["rating"], first["stats"]["strength"]),
            *(first["publisher"]["name"], first["created_at"].year, len(first["powers"])),
        ),
    )
    require(found == expected(given), "the file of Parquet is wrong")
    require(isinstance(first["id"] + first["powers"][0]["id"], int), "an id is not an integer")


def pyarrow_parquet(given: Input) -> None:
    """Read lines of JSON, convert ids and write the table."""
    arrow = importlib.import_module("pyarrow")
    reader = importlib.import_module("pyarrow.json")
    parquet = importlib.import_module("pyarrow.parquet")

    def schema(identifier: Any) -> Any:
        one = arrow.struct([("id", identifier), ("name", arrow.string())])
        stats = arrow.struct([("strength", arrow.int16()), ("speed", arrow.int16())])
        return arrow.schema(
            [
                ("id", identifier),
                ("name", arrow.string()),
                ("real_name", arrow.string()),
                ("created_at", arrow.timestamp("us", "UTC")),
                ("rating", arrow.float64()),
                ("active", arrow.bool_()),
                ("stats", stats),
                ("powers", arrow.list_(one)),
                ("publisher", one),
            ]
        )

    def make_lines() -> None:
        with lines.open("w", encoding="utf-8") as file:
            for record in json.loads(given.path.read_bytes()):
                print(json.dumps(record, ensure_ascii=False), file=file)

    with folder(given) as scratch:
        path, lines = scratch / "peer.parquet", scratch / "lines.json"
        apart(make_lines)
        with timed(given.count):
            table = reader.read_json(
                lines,
                read_options=reader.ReadOptions(use_threads=False),
                parse_options=reader.ParseOptions(explicit_schema=schema(arrow.string())),
            )
            parquet.write_table(table.cast(schema(arrow.int64())), path)
        check_parquet(path, given)


def polars_parquet(given: Input) -> None:
    """Read the array, convert ids and dates and write the table."""
    os.environ["POLARS_MAX_THREADS"] = "1"
    polars = importlib.import_module("polars")
    text, col = polars.String, polars.col
    read, kept = (
        polars.Struct({"id": identifier, "name": text}) for identifier in (text, polars.Int64)
    )
    schema = {
        "id": text,
        "name": text,
        "real_name": text,
        "created_at": text,
        "rating": polars.Float64,
        "active": polars.Boolean,
        "stats": polars.Struct({"strength": polars.Int16, "speed": polars.Int16}),
        "powers": polars.List(read),
        "publisher": read,
    }
    date = col("created_at").str.to_datetime("%Y-%m-%dT%H:%M:%SZ", time_unit="us", time_zone="UTC")
    with folder(given) as scratch:
        path = scratch / "peer.parquet"
        with timed(given.count):
            table = polars.read_json(given.path, schema=schema).with_columns(
                col("id").cast(polars.Int64),
                date,
                col("powers").cast(polars.List(kept)),
                col("publisher").cast(kept),
            )
            table.write_parquet(path)
        check_parquet(path, given)
