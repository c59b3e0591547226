"""The command `export`: objects of a store as JSON, lines, CSV or Arrow."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

DESCRIPTION = (
    "Writes the objects of an entity as the feed has them: by the keys of the model, in its form. "
    "With --csv or --arrow it writes their properties as columns. The output is written in pieces, "
    "but for --arrow and for a keyed or grouped form, which are made in memory."
)
EXAMPLES = (
    "groot export heroes.sqlite Hero > heroes.json",
    'groot export heroes.sqlite Hero --lines --where \'{"rating": {">": 5}}\' -o best.ndjson',
    "groot export heroes.sqlite Hero --csv --properties id,name",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from groot.cli import _reading, _requests  # noqa: PLC0415

    _reading.add_arguments(command)
    _requests.add_where(command, "only objects that meet this predicate")
    command.add_argument(
        "--depth",
        metavar="N",
        type=_requests.count,
        help="write objects in full up to N steps away, and others as their identity",
    )
    command.add_argument(
        "--properties",
        metavar="A,B",
        type=_requests.names,
        help="the properties to write; all by default",
    )
    _requests.add_form(command)
    forms = command.add_mutually_exclusive_group()
    forms.add_argument("--lines", action="store_true", help="write an object a line")
    forms.add_argument("--csv", action="store_true", help="write CSV, with a line of names")
    forms.add_argument(
        "--arrow", action="store_true", help="write an Arrow stream; needs the package pyarrow"
    )


def run(options: argparse.Namespace) -> int:
    """Export the objects."""
    from groot.cli import _reading, output  # noqa: PLC0415

    known = _reading.known_of(options)
    entity = known.entity(options.entity)
    if options.csv:
        return _export_columns(options, known)
    with _reading.opened(options, known.mapping) as context:
        if options.arrow:
            return _export_arrow(options, context, entity)
        form = known.place(entity, None, options.form).form
        given: dict[str, Any] = {"lines": options.lines, "properties": options.properties}
        if options.depth is not None:
            given["depth"] = options.depth
        if not options.lines:
            given["form"] = form
        with output.opened(options.output) as file:
            count = context.dump_fetched(
                entity, file, options.where, sort=options.sort, limit=options.limit, **given
            )
            if not options.lines:
                file.write(b"\n")
    return _reading.told(options, count)


def _export_columns(options: argparse.Namespace, known: Any) -> int:
    """Write CSV, as a query does."""
    from groot.cli import _querying  # noqa: PLC0415

    return _querying.run(options, known, options.properties, "csv")


def _export_arrow(options: argparse.Namespace, context: Any, entity: str) -> int:
    """Write an Arrow stream of the attributes."""
    from groot.cli import _reading, output  # noqa: PLC0415
    from groot.errors import Status, error  # noqa: PLC0415

    try:
        pyarrow: Any = importlib.import_module("pyarrow")
    except ImportError:
        message = "--arrow needs the package pyarrow; run pip install pyarrow"
        raise error(Status.UNSUPPORTED, message) from None
    objects = context.fetch(entity, options.where, options.sort, options.limit)
    table = pyarrow.table(objects.table(*(options.properties or ())))
    with (
        output.opened(options.output) as file,
        pyarrow.ipc.new_stream(file, table.schema) as stream,
    ):
        stream.write_table(table)
    return _reading.told(options, len(objects))
