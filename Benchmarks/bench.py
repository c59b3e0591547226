#!/usr/bin/env python3
"""Measures the rows of the benchmark and prints them as a table.

docs/explanation/performance.md has the method.

Each run of a row is a process of its own, pinned to one core. The rows of all sizes take turns, so
that a change of the machine's speed meets all of them. The tables have the median of a row's runs.
The budget compares the least, since other programs can only add to a time: on a shared machine the
median is theirs as much as the row's. Its short rows run more often, for a moment without other
programs is rare. Rows of a limit that was exceeded are measured again.

A time is the processor's, unless `--clock wall` is given. Rows that PostgreSQL works for are timed
by the wall's clock; they are left out unless the variable GROOT_POSTGRESQL has a server's URL, such
as Tests/PostgreSQL/server gives.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import re
import sqlite3
import statistics
import subprocess
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

import budget
import document_tables
import start
from catalogue import ROWS, SIMDJSON, WORKLOADS, YARDSTICK, Row

HERE = Path(__file__).parent
ROOT = HERE.parent
BUILD = ROOT / "build" / "bench"
MODEL = HERE / "characters.json"
REPEATS = 2
"""How often the rows of a limit that was exceeded are measured again."""
SHORT = 0.1
"""The greatest time in seconds of a row that the budget has run more often."""
OFTEN = 3
"""How many times as often that is."""
PART = "PART"
"""Stands for the name that a file has until it is whole."""
Taken = dict[tuple[int, str], list[dict[str, float]]]
"""What the runs of each row took, by its size and name."""


def command(program: str) -> list[str]:
    """What runs a program of the benchmark."""
    if program.endswith(".py"):
        return [sys.executable, str(HERE / program)]
    return [str(BUILD / program)]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYTHONDONTWRITEBYTECODE": "1"}


def workload(row: Row, count: int) -> Path:
    """The file of so many characters, dates or other records, made when it is not there."""
    if row.dates:
        path = BUILD / f"dates-{count}-{row.dates}.txt"
        program = "generate_dates.py"
        arguments = [str(count), PART, row.dates]
    elif row.workload:
        path = BUILD / f"{row.workload}-{count}.json"
        program, arguments = "generate_workload.py", [row.workload, str(count), PART]
    else:
        path = BUILD / f"characters-{count}-{row.publishers}.json"
        program, arguments = "generate.py", [str(count), PART, "1", str(row.publishers)]
    if not path.exists():
        part = path.with_suffix(".part")
        given = [str(part) if argument == PART else argument for argument in arguments]
        subprocess.run([sys.executable, str(HERE / program), *given], check=True)
        part.rename(path)
    return path


def model(row: Row) -> Path:
    """The model document of what a row reads."""
    return HERE / "workloads" / f"{row.workload}.json" if row.workload in WORKLOADS else MODEL


def ask(program: str, question: str) -> list[str]:
    """The lines that a program answers; none when it is not built here."""
    if program == SIMDJSON and not (BUILD / program).exists():
        return []
    asked = [*command(program), question]
    made = subprocess.run(asked, check=True, capture_output=True, text=True, env=environment())
    return made.stdout.splitlines()


def versions() -> dict[str, str]:
    """The versions of the libraries that rows work with."""
    found = {"Python": platform.python_version(), "SQLite of Python": sqlite3.sqlite_version}
    for program in ("bench", SIMDJSON):
        found.update(line.split(" ", 1) for line in ask(program, "versions"))
    for line in (HERE / "peers.txt").read_text().splitlines():
        name = re.split(r"[\[=]", line)[0]
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def run(row: Row, count: int) -> dict[str, float]:
    """Run a row once."""
    path = str(workload(row, count))
    arguments = [row.argument or row.name, str(model(row)), path, str(count)]
    if row.program in ("bench", SIMDJSON):
        arguments.append(str(BUILD))
    made = subprocess.run(
        [*command(row.program), *arguments], capture_output=True, text=True, env=environment()
    )
    if made.returncode:
        sys.exit(f"{row.name} with {count} characters: {made.stderr.strip() or made.returncode}")
    taken: dict[str, float] = json.loads(made.stdout)
    return taken


def measure(sizes: dict[int, list[Row]], runs: int, often: int = 1) -> Taken:
    """Run the rows of all sizes in turns; what each took, by its size and name.

    Short rows run `often` times as often.
    """
    taken: Taken = {}
    for turn in range(runs * often):
        for count, rows in sizes.items():
            for row in rows:
                found = taken.setdefault((count, row.name), [])
                if turn >= runs and min(one["wall"] for one in found) > SHORT:
                    continue
                show(f"run {turn + 1} of {runs * often}, {count} characters: {row.name}")
                found.append(run(row, count))
    show("")
    return taken


def compared(rows: list[Row], count: int, taken: Taken, clock: str) -> dict[str, Any]:
    """What the rows of a size took, and how that compares with the yardstick."""
    found: dict[str, Any] = {}
    for row in rows:
        by = row.clock or clock
        times = sorted(one[by] for one in taken[count, row.name])
        yardsticks = [one[by] for one in taken[count, row.yardstick]]
        seconds = statistics.median(times)
        operations = taken[count, row.name][0]["operations"]
        found[row.name] = {
            "seconds": seconds,
            "least": times[0],
            "most": times[-1],
            "ratio": seconds / statistics.median(yardsticks),
            "least_ratio": times[0] / min(yardsticks),
            "nanoseconds": seconds / operations * 1e9,
            "operations": operations,
            "megabytes": max(one["peak"] for one in taken[count, row.name]) / 1e6,
        }
    return found


def compare(rows: dict[int, list[Row]], taken: Taken, clock: str) -> dict[str, Any]:
    """What the rows of all sizes took."""
    return {str(count): compared(found, count, taken, clock) for count, found in rows.items()}


def doubtful(
    rows: dict[int, list[Row]], limits: list[budget.Limit], results: dict[str, Any]
) -> dict[int, list[Row]]:
    """The rows of limits that were exceeded, perhaps since every run was disturbed."""
    needed = {need for limit in limits if limit.exceeded(results) for need in limit.needs()}
    found = {}
    for count, all_rows in rows.items():
        names = {row.name for row in all_rows if (row.name, count) in needed}
        names |= {row.yardstick for row in all_rows if row.name in names}
        if names:
            found[count] = [row for row in all_rows if row.name in names]
    return found


def show(text: str) -> None:
    """A line that the next one replaces, for people who wait."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def table(results: dict[str, Any], titles: dict[str, str]) -> str:
    """The measurements as Markdown."""
    parts = []
    for count, rows in results["sizes"].items():
        lines = [
            f"**{int(count):,} characters**",
            "",
            "| work | time | each | ÷ `json_loadb` | peak memory |",
            "|---|--:|--:|--:|--:|",
        ]
        for name, one in rows.items():
            lines.append(
                f"| {titles[name]} | {one['seconds'] * 1e3:,.1f} ms | {one['nanoseconds']:,.0f} ns "
                f"| {one['ratio']:.3f} | {one['megabytes']:,.0f} MB |"
            )
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def rates(results: dict[str, Any]) -> str:
    """How many dates a second each reader reads, as Markdown."""
    readers = {row.name: row.title for row in ROWS if row.dates}
    lines = [
        f"| {readers[name]} | {int(count):,} | {1e9 / one['nanoseconds']:,.0f} |"
        for count, rows in results["sizes"].items()
        for name, one in rows.items()
        if name in readers
    ]
    head = ["", "| reader | list | dates per second |", "|---|--:|--:|"]
    return "\n".join(head + lines) if lines else ""


def by_hand(results: dict[str, Any]) -> str:
    """The other workloads, divided by the same work by hand, as Markdown."""
    titles = {row.name: row.title for row in ROWS if row.workload}
    lines = [
        f"| {titles[name]} | {int(count):,} "
        f"| {one['nanoseconds'] / rows[f'hand_{name}']['nanoseconds']:.2f} |"
        for count, rows in results["sizes"].items()
        for name, one in rows.items()
        if name in titles and f"hand_{name}" in rows
    ]
    head = ["", "| work | records | ÷ by hand |", "|---|--:|--:|"]
    return "\n".join(head + lines) if lines else ""


def machine() -> dict[str, Any]:
    model = platform.processor() or "unknown"
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
    except OSError:
        pass
    return {"processor": model, "system": platform.platform(), "python": platform.python_version()}


def pin(core: int | None) -> int | None:
    """Stay on one core, with all processes to come."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    chosen = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {chosen})
    return chosen


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10000,100000,500000", help="numbers of characters")
    parser.add_argument("--runs", type=int, default=5, help="runs of each row")
    parser.add_argument(
        "--rows", help="these rows, separated by commas, or all; by default those of the documents"
    )
    parser.add_argument("--clock", choices=("cpu", "wall"), default="cpu")
    parser.add_argument("--core", type=int, help="the core to stay on; the last one by default")
    parser.add_argument("--json", type=Path, help="where the results go as JSON")
    parser.add_argument("--check", type=Path, help="compare with the budget in this file")
    return parser.parse_args()


def chosen(asked: argparse.Namespace, limits: list[budget.Limit], count: int) -> list[Row]:
    """The rows to measure with so many characters."""
    if limits:
        wanted = {name for limit in limits for name, size in limit.needs() if size == count}
    elif asked.rows == "all":
        wanted = {row.name for row in ROWS}
    else:
        wanted = set(asked.rows.split(",")) if asked.rows else document_tables.needed(count)
    unknown = wanted - {row.name for row in ROWS}
    wanted |= {row.yardstick for row in ROWS if row.name in wanted} | {YARDSTICK}
    if unknown:
        sys.exit(f"no such row: {', '.join(sorted(unknown))}")
    return [row for row in ROWS if row.name in wanted and (limits or count <= row.largest)]


def installed(rows: Iterable[Row]) -> list[Row]:
    """The rows that can be measured here; says which cannot."""
    rows = list(rows)
    found = {program: set(ask(program, "list")) for program in {row.program for row in rows}}
    missing = [row.name for row in rows if (row.argument or row.name) not in found[row.program]]
    if missing:
        print(f"not installed, left out: {', '.join(missing)}", file=sys.stderr)
    return [row for row in rows if row.name not in missing]


def main() -> int:
    asked = arguments()
    limits = budget.read(asked.check) if asked.check else []
    sizes = sorted({size for limit in limits for _, size in limit.needs()}) if limits else []
    results: dict[str, Any] = {"core": pin(asked.core), "clock": asked.clock, "runs": asked.runs}
    results.update(machine=machine(), versions=versions())
    sizes = sizes or [int(size) for size in asked.sizes.split(",")]
    rows = {count: installed(chosen(asked, limits, count)) for count in sizes}
    taken: Taken = {}
    wanted = rows
    for _ in range(1 + REPEATS):
        for key, runs in measure(wanted, asked.runs, OFTEN if limits else 1).items():
            taken.setdefault(key, []).extend(runs)
        results["sizes"] = compare(rows, taken, asked.clock)
        wanted = doubtful(rows, limits, results["sizes"])
        if not wanted:
            break
    if not limits:
        library = ROOT / "build" / "lib" / "libgroot.so"
        results["start"] = start.measure(BUILD / "start", library, MODEL)
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=2) + "\n")
    print(table(results, {row.name: row.title for row in ROWS}))
    print(rates(results))
    print(by_hand(results))
    if "start" in results:
        print(start.text(results["start"]))
    return budget.report(limits, results["sizes"]) if limits else 0


if __name__ == "__main__":
    sys.exit(main())
