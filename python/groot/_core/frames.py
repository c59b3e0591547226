"""Frames of pandas, which is optional."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def frame(table: Any) -> Any:
    """Read a `groot.tables.Table` by pandas itself, by pyarrow, or row by row."""
    pandas: Any = import_module("pandas")
    if hasattr(pandas.DataFrame, "from_arrow"):
        return pandas.DataFrame.from_arrow(table)
    try:
        pyarrow: Any = import_module("pyarrow")
    except ImportError:
        return pandas.DataFrame(list(table), columns=table.names)
    return pyarrow.table(table).to_pandas()
