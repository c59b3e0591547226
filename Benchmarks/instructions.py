#!/usr/bin/env python3
"""Counts the instructions of some rows of the benchmark and compares them with those expected.

docs/explanation/performance.md has the method.

The counts are callgrind's, of the work of a row alone: neither the start of the program nor the
reading of files is counted. The neighbours on the machine do not change them. The secrets of the
library's hashes do, by about half a percent: so the least count of several runs is taken.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import bench
from catalogue import ROWS, Row

EXPECTED = bench.HERE / "instructions.json"
COUNT = 10_000
"""How many characters a row works on."""
CONTROL = "hand_import"
"""Has nothing of the library: another count of it is one of the machine or the C compiler."""
LONG = ("store_new", "store_again", "store_fetch", "import_file")
"""The rows that a short run leaves out: those of stores have much code of SQLite to translate."""
NAMES = (
    *LONG,
    *("import_text", "import_again", "export_text", "sync"),
    CONTROL,
)
"""The rows; those that run for the longest come first."""
TOLERANCE = 0.03
"""The share by which a count may differ from the one expected."""
SPREAD = 0.003
"""The share by which two runs may differ; beyond it there is a third one."""
UPDATE = "make bench-count-update"


class Counts(NamedTuple):
    """The instructions of rows, and the versions of all that they depend on."""

    versions: dict[str, str]
    rows: dict[str, int]

    def text(self) -> str:
        """Return the counts as the JSON of the file."""
        return json.dumps({"versions": self.versions, "rows": self.rows}, indent=2) + "\n"


class Verdict(NamedTuple):
    """A row's count beside the one expected; None for a count that is missing."""

    row: str
    expected: int | None
    found: int | None

    @property
    def percent(self) -> float:
        """The percent by which more was found than expected; 0 when a count is missing."""
        if self.expected is None or self.found is None:
            return 0.0
        return (self.found / self.expected - 1) * 100

    @property
    def failed(self) -> bool:
        """Whether a count is missing, or above the one expected by more than the tolerance."""
        return None in (self.expected, self.found) or self.percent > TOLERANCE * 100

    @property
    def is_low(self) -> bool:
        """Whether the count is so far below the one expected that the file is too old."""
        return self.percent < -TOLERANCE * 100

    def text(self) -> str:
        """Return a line for people."""
        name = f"{self.row} (by hand, without Groot)" if self.row == CONTROL else self.row
        if self.expected is None:
            return f"FAILED {name}: found {self.found:,}, nothing expected; run '{UPDATE}'"
        if self.found is None:
            return f"FAILED {name}: expected {self.expected:,}, not counted"
        line = f"{name}: expected {self.expected:,}, found {self.found:,}, {self.percent:+.1f} %"
        if self.is_low:
            return f"{line}; run '{UPDATE}' to keep the gain"
        return f"FAILED {line}" if self.failed else line


def read(path: Path) -> Counts:
    """Read the counts in a file."""
    found = json.loads(path.read_text())
    return Counts(found["versions"], found["rows"])


def differences(expected: dict[str, str], found: dict[str, str]) -> list[str]:
    """Return the versions that differ, as a text for each."""
    names = sorted({*expected, *found})
    return [
        f"{name} {found.get(name, 'unknown')}, expected {expected.get(name, 'unknown')}"
        for name in names
        if expected.get(name) != found.get(name)
    ]


def compare(expected: dict[str, int], found: dict[str, int]) -> list[Verdict]:
    """Compare the counts of all rows that are in one of the two."""
    names = [*found, *(name for name in expected if name not in found)]
    return [Verdict(name, expected.get(name), found.get(name)) for name in names]


def report(verdicts: list[Verdict]) -> int:
    """Print how the counts compare; 1 when a row failed or there is none."""
    for verdict in verdicts:
        print(verdict.text())
    failed = sum(verdict.failed for verdict in verdicts)
    print(f"bench-count: {len(verdicts) - failed} passed, {failed} failed")
    return 1 if failed or not verdicts else 0


def version(command: str, pattern: str) -> str:
    """Return what matches in the version that a tool prints; `unknown` without the tool."""
    try:
        made = subprocess.run([*shlex.split(command), "--version"], capture_output=True, text=True)
    except OSError:
        return "unknown"
    match = re.search(pattern, made.stdout)
    return match[0] if match else "unknown"


def processor() -> str:
    """Return the architecture, with the extension by which the C library chooses its functions."""
    try:
        flags = Path("/proc/cpuinfo").read_text().split()
    except OSError:
        flags = []
    return f"{platform.machine()}{' with AVX2' if 'avx2' in flags else ''}"


def versions(characters: Path) -> dict[str, str]:
    """Return the versions of all that the counts depend on."""
    libraries = dict(line.split(" ", 1) for line in bench.ask("bench", "versions"))
    return {
        "Swift": version(os.environ.get("SWIFT", "swift"), r"(?<=Swift version ).*"),
        "C compiler": version(os.environ.get("CC", "cc"), r"(?<= ).*"),
        "C library": " ".join(platform.libc_ver()),
        "SQLite": libraries["SQLite"],
        "jansson": libraries["jansson"],
        "valgrind": version("valgrind", r"\d[\d.]*"),
        "architecture": processor(),
        "characters": f"{COUNT}, {hashlib.sha256(characters.read_bytes()).hexdigest()[:16]}",
    }


def count_once(row: Row) -> int:
    """Run a row under callgrind once; its instructions."""
    with tempfile.TemporaryDirectory(dir=bench.BUILD) as folder:
        # A process that the row forks writes to this file too, but ends before the row does.
        out = Path(folder) / "out"
        valgrind = ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no"]
        program = [*bench.command(row.program), row.name, str(bench.MODEL)]
        made = subprocess.run(
            [
                *[*valgrind, f"--callgrind-out-file={out}"],
                *[*program, str(bench.workload(row, COUNT)), str(COUNT), folder],
            ],
            capture_output=True,
            text=True,
            # The hashes of Swift's own dictionaries have a fixed seed then.
            env={**bench.environment(), "SWIFT_DETERMINISTIC_HASHING": "1"},
        )
        text = out.read_text(errors="replace") if out.exists() else ""
    total = re.search(r"^totals: (\d+)", text, re.M)
    if made.returncode or not total or total[1] == "0":
        sys.exit(f"{row.name} is not counted: {made.stderr.strip() or made.returncode}")
    return int(total[1])


def least(row: Row) -> tuple[str, int]:
    """Return the name of a row and its least count of two runs, or of three if they differ."""
    counts = [count_once(row), count_once(row)]
    if max(counts) > min(counts) * (1 + SPREAD):
        counts.append(count_once(row))
    spread = max(counts) / min(counts) - 1
    if spread > TOLERANCE:
        sys.exit(f"{row.name} is not reproducible: {counts}")
    return row.name, min(counts)


def count(names: Iterable[str]) -> dict[str, int]:
    """Return the least count of each row; as many rows run at once as there are processors."""
    rows = {row.name: row for row in ROWS}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(pool.map(least, [rows[name] for name in names]))


def main() -> int:
    """Count, then compare with the file or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--update", action="store_true", help="write the file that is expected")
    choice.add_argument("--short", action="store_true", help="leave out stores and files")
    asked = parser.parse_args()
    if not shutil.which("valgrind"):
        print("SKIPPED the count of instructions: valgrind is not installed")
        return 1 if asked.update else 0
    found = versions(bench.workload(next(row for row in ROWS if row.name == CONTROL), COUNT))
    if asked.update:
        EXPECTED.write_text(Counts(found, count(NAMES)).text())
        print(f"written: {EXPECTED.relative_to(bench.ROOT)}")
        return 0
    expected = read(EXPECTED)
    others = differences(expected.versions, found)
    if others:
        print(f"SKIPPED the count of instructions, which depends on versions: {'; '.join(others)}")
        return 0
    left_out = LONG if asked.short else ()
    counted = count(name for name in NAMES if name not in left_out)
    print(f"instructions by callgrind, {COUNT:,} characters, the least of two or three runs")
    rows = {name: one for name, one in expected.rows.items() if name not in left_out}
    return report(compare(rows, counted))


if __name__ == "__main__":
    sys.exit(main())
