"""The rules that hold for a store in PostgreSQL whatever happened to it."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

from servers import Server

import groot
from groot import Status


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def references(server: Server, schema: str) -> list[tuple[str, str, str]]:
    """Return the table, the column and the destination of each foreign key."""
    rows = server.psql(f"""
        SELECT CAST(json_build_array(a.relname, c.attname, b.relname) AS text)
        FROM pg_constraint AS k
        JOIN pg_class AS a ON a.oid = k.conrelid
        JOIN pg_class AS b ON b.oid = k.confrelid
        JOIN pg_attribute AS c ON c.attrelid = a.oid AND c.attnum = k.conkey[1]
        WHERE k.contype = 'f' AND k.connamespace = CAST({text(quoted(schema))} AS regnamespace)
        ORDER BY 1""")
    return [tuple(json.loads(row)) for row in rows.split("\n") if row]


def orphans(server: Server, schema: str, keys: list[tuple[str, str, str]]) -> int:
    """Count the references to rows that are not there, without trust in the constraints."""
    place = quoted(schema)
    counts = [
        f"SELECT count(*) FROM {place}.{quoted(table)} AS t WHERE t.{quoted(column)} IS NOT NULL "
        f"AND NOT EXISTS (SELECT 1 FROM {place}.{quoted(other)} AS o "
        f"WHERE o._id = t.{quoted(column)})"
        for table, column, other in keys
    ]
    found = server.psql("SET enable_indexscan = off;\n" + ";\n".join(counts))
    return sum(map(int, found.split()))


def check_store(
    server: Server,
    schema: str,
    context: groot.Context,
    keys: list[tuple[str, str, str]] | None = None,
) -> None:
    """Check a store of which a context was just opened: nothing twice, no link to nothing."""
    found = references(server, schema) if keys is None else keys
    assert found
    assert orphans(server, schema, found) == 0
    for entity in context.mapping.model.document["entities"]:
        identities = Counter(str(one["id"]) for one in context.fetch(entity))
        assert [one for one, count in identities.items() if count > 1] == []
    context.check()


def everything(context: groot.Context) -> Any:
    """Return all that a context has, in an order of its own."""
    return {
        entity: sorted(map(json.dumps, context.dump(context.fetch(entity))))
        for entity in context.mapping.model.document["entities"]
    }


def code_of(call: Callable[[], object]) -> Status | None:
    """Return the status of a call's failure, or None."""
    try:
        call()
    except groot.Error as error:
        return Status(error.code)
    return None


def at_once(calls: list[Callable[[], None]]) -> list[groot.Error]:
    """Make calls at the same time, each on a thread of its own; their failures."""
    errors: list[groot.Error] = []
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], None]) -> None:
        barrier.wait()
        try:
            call()
        except groot.Error as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors
