#!/usr/bin/env python3
"""Rewrites the tables and the plot of docs/explanation/performance.md from what was measured.

A table is between `<!-- table NAME -->` and `<!-- end -->`; all but the budget's come from
build/bench/results.json (make bench), the budget's, which has a page of its own, from
build/bench/check.json (make bench-check).
A table that lacks rows in them keeps its text. The program names it and ends with 1, so that no
table stays older than the others without notice. The sentences on the machine and the versions go
with the table of the work, the plot with the table of sizes.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import budget
import plot
from document_tables import TABLES, MissingError, budget_table, found

HERE = Path(__file__).parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "bench"
START = re.compile(r"^<!-- table ([a-z]+) -->$")
END = "<!-- end -->"


class MarkerError(Exception):
    """The page has not the markers that it should have."""


def fill(page: str, tables: dict[str, str | None]) -> str:
    """The page with these tables; None keeps the text of one.

    Raises:
        MarkerError: a table has no place in the page, or two; a place has no table or no end.
    """
    lines: list[str] = []
    inside: str | None = None
    seen: list[str] = []
    for line in page.splitlines():
        start = START.match(line)
        if start:
            if inside:
                raise MarkerError(f"table {inside} has no end before table {start[1]}")
            inside = start[1]
            seen.append(inside)
            if inside not in tables:
                raise MarkerError(f"nothing makes a table {inside}")
            lines.append(line)
            text = tables[inside]
            if text is not None:
                lines += ["", text, ""]
        elif line == END:
            if not inside:
                raise MarkerError("an end belongs to no table")
            inside = None
            lines.append(line)
        elif not inside or tables[inside] is None:
            lines.append(line)
    if inside:
        raise MarkerError(f"table {inside} has no end")
    wrong = [name for name in tables if seen.count(name) != 1]
    if wrong:
        raise MarkerError(f"there must be one place for each table: {', '.join(wrong)}")
    return "\n".join(lines) + "\n"


def made(make: Callable[[], str], name: str) -> str | None:
    """A table, or None after a message when it cannot be made."""
    try:
        return make()
    except MissingError as missing:
        print(f"table {name} keeps its text, not measured: {missing}", file=sys.stderr)
        return None


def tables(results: dict[str, Any], check: dict[str, Any]) -> dict[str, str | None]:
    """All tables of the page."""

    def of_budget() -> str:
        if found(results, "machine", "processor") != found(check, "machine", "processor"):
            raise MissingError("the budget on the machine of the other tables")
        return budget_table(budget.read(HERE / "budget.json"), check)

    makers = {name: partial(make, results) for name, make in TABLES.items()}
    texts = {name: made(make, name) for name, make in {**makers, "budget": of_budget}.items()}
    if texts["work"] is None and texts["versions"] is not None:
        print("table versions keeps its text, as that of the work does", file=sys.stderr)
        texts["versions"] = None
    return texts


def read(path: Path) -> dict[str, Any]:
    """The results in a file; none when it is not there."""
    if not path.exists():
        return {}
    results: dict[str, Any] = json.loads(path.read_text())
    return results


def rewrite(path: Path, texts: dict[str, str | None]) -> None:
    """Put tables into a page; end the program if it has not the markers that it should have."""
    try:
        page = fill(path.read_text(encoding="utf-8"), texts)
    except MarkerError as error:
        sys.exit(f"{path}: {error}")
    path.write_text(page, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=BUILD / "results.json")
    parser.add_argument("--check", type=Path, default=BUILD / "check.json")
    parser.add_argument("--page", type=Path, default=ROOT / "docs/explanation/performance.md")
    parser.add_argument(
        "--budget", type=Path, default=ROOT / "docs/explanation/performance-budget.md"
    )
    asked = parser.parse_args()
    results = read(asked.results)
    texts = tables(results, read(asked.check))
    rewrite(asked.page, {name: text for name, text in texts.items() if name != "budget"})
    rewrite(asked.budget, {"budget": texts["budget"]})
    if texts["size"] is not None:
        asked.page.with_suffix(".svg").write_text(plot.draw(results["sizes"]), encoding="utf-8")
    return 1 if None in texts.values() else 0


if __name__ == "__main__":
    sys.exit(main())
