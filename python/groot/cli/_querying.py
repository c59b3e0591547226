"""The rows of a query, written as they are read."""

from __future__ import annotations

import argparse
import json
from typing import Any

from groot.cli import _reading, output
from groot.cli._columns import Columns
from groot.cli._mappings import Known
from groot.cli._rows import Number, rows_of

_LONGEST_INTEGER = 4000
"""The number of digits up to which Python reads an integer."""


def run(
    options: argparse.Namespace,
    known: Known,
    paths: list[str] | None,
    form: str,
) -> int:
    """Write the values of objects.

    Args:
        options: The options of the command.
        known: The mapping of the store.
        paths: The columns.
        form: "table", "json", "csv" or "markdown".

    Returns:
        The exit code.

    Raises:
        groot.Error: For an unknown entity or property, and if the store cannot be read.
    """
    entity = known.entity(options.entity)
    columns = Columns(known, entity, paths)
    mapping = columns.mapping()
    with _reading.opened(options, mapping) as context, output.opened(options.output) as file:
        rows = rows_of(form, columns, file, is_file=options.output is not None)
        lines: Any = _Lines(columns, rows)
        count = context.dump_fetched(
            entity,
            lines,
            options.where,
            sort=options.sort,
            limit=options.limit,
            lines=True,
            depth=columns.depth,
        )
        rows.end()
    return _reading.told(options, count)


class _Lines:
    """The file that an export writes its lines to."""

    def __init__(self, columns: Columns, rows: Any) -> None:
        self._columns = columns
        self._rows = rows
        self._rest = b""
        self._read = json.JSONDecoder(parse_float=Number).decode
        self._read_long = json.JSONDecoder(parse_float=Number, parse_int=Number).decode

    def write(self, piece: bytes) -> int:
        """Take the next piece of the text."""
        lines = (self._rest + piece).split(b"\n")
        self._rest = lines.pop()
        row, add = self._columns.row, self._rows.add
        for line in lines:
            read = self._read if len(line) < _LONGEST_INTEGER else self._read_long
            add(row(read(line.decode())))
        self._rows.flush()
        return len(piece)
