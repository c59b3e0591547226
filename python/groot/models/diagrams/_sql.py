"""The SQL statements of the store of a model."""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from groot.context import Context
from groot.descriptions import describe_store, is_store_url
from groot.mapping import Mapping
from groot.model import Model
from groot.models import stores
from groot.models.diagrams._texts import entities_of
from groot.registry import Registry

_LENGTH = 100
_FUNCTIONS = {
    "JSONTransformerName": "transformer",
    "entityMapperName": "entity_mapper",
    "JSONDictionaryTransformerName": "dictionary_transformer",
}
_PART = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|, |[()]|[^'"(),]+|,""")
_STATEMENTS = "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite%'"


def sql(
    model: Model,
    registry: Registry | None = None,
    dialect: str = "groot",
    *,
    implicit: bool = False,
) -> str:
    """Write the statements that make the tables and indexes of a store.

    The statements are those of a store that is made for it in a temporary folder.

    Args:
        model: The model.
        registry: The functions that annotations name; by default any function will do.
        dialect: The dialect, as for `groot.Mapping`.
        implicit: Whether properties without a `JSONKeyPath` are read under their own names.

    Returns:
        The statements, each with a semicolon at its end.

    Raises:
        groot.Error: As `groot.Mapping`, and if the store cannot be made.
    """
    if registry is None:
        registry = _names(entities_of(model))
    mapping = Mapping(model, registry, dialect, implicit=implicit)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.sqlite"
        Context(mapping, store=path).close()
        return sql_of_store(path)


def sql_of_store(path: str | os.PathLike[str]) -> str:
    """Write the statements that made the tables, indexes and views of a store.

    For a database of PostgreSQL they are those of its tables, indexes and references.

    Args:
        path: The path of the store.

    Returns:
        The statements, each with a semicolon at its end.

    Raises:
        groot.Error: If there is no store, or it cannot be read.
    """

    def look(connection: sqlite3.Connection) -> list[Any]:
        rows = connection.execute(f"{_STATEMENTS} ORDER BY rowid").fetchall()
        return [text for (text,) in rows]

    is_url = is_store_url(path)
    found = describe_store(path)["statements"] if is_url else stores.examine(path, look)
    return "".join(f"{_wrapped(text)};\n" for text in found)


def _names(entities: dict[str, Any]) -> Registry:
    """Register a function under each name that annotations have: a store needs none of them."""
    registry = Registry()
    for described in entities.values():
        for one in (described, *described["attributes"].values()):
            for annotation, kind in _FUNCTIONS.items():
                name = one["userInfo"].get(annotation)
                if name is not None:
                    getattr(registry, kind)(name, _unchanged)
    return registry


def _unchanged(value: Any) -> Any:
    return value


def _wrapped(statement: str) -> str:
    """Write each part in the outermost parentheses of a long statement on a line of its own."""
    if len(statement) <= _LENGTH:
        return statement
    return "".join(_parts(statement))


def _parts(statement: str) -> Iterator[str]:
    depth = 0
    for found in _PART.finditer(statement):
        part = found[0]
        depth -= part == ")"
        if part == ")" and not depth:
            yield "\n"
        yield ",\n  " if part == ", " and depth == 1 else part
        if part == "(" and not depth:
            yield "\n  "
        depth += part == "("
