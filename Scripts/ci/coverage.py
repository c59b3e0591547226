#!/usr/bin/env python3
"""Tells which lines of the library the Swift and C tests do not reach.

usage: coverage.py LLVM-COV PROFILE OBJECT...

Prints the share of each folder and the lines that are not reached, by file. Fails when less than 97
of 100 lines of a folder are, or when a file has such lines and Tests/uncovered.md, which says why,
does not name it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("Sources/Groot", "Sources/GrootSQL", "Sources/GrootSQLite")
LEAST = 97.0
REASONS = ROOT / "Tests" / "uncovered.md"


def export(llvm_cov: str, profile: str, objects: list[str]) -> list[dict]:
    """What llvm-cov knows of each file."""
    more = [word for name in objects[1:] for word in ("-object", name)]
    command = [llvm_cov, "export", objects[0], *more, "-instr-profile", profile]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout
    return json.loads(output)["data"][0]["files"]


def lines_of(segments: list[list]) -> dict[int, int]:
    """How often each line was reached: as often as the part of it that was reached most."""
    counts: dict[int, int] = defaultdict(int)
    for here, there in zip(segments, segments[1:]):
        line, _, count, has_count, _, is_gap = here
        if not has_count or is_gap:
            continue
        last = there[0] if there[1] > 1 else there[0] - 1
        for number in range(line, last + 1):
            counts[number] = max(counts[number], count)
    return counts


def ranges(numbers: list[int]) -> str:
    """Numbers of lines as text: 3, 7-9."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def main() -> int:
    files = export(sys.argv[1], sys.argv[2], sys.argv[3:])
    reasons = REASONS.read_text()
    total: dict[str, int] = defaultdict(int)
    reached: dict[str, int] = defaultdict(int)
    unexplained = []
    for file in sorted(files, key=lambda f: f["filename"]):
        path = Path(file["filename"])
        name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else ""
        folder = next((f for f in FOLDERS if name.startswith(f + "/")), None)
        if not folder:
            continue
        counts = lines_of(file["segments"])
        missed = sorted(number for number, count in counts.items() if count == 0)
        total[folder] += len(counts)
        reached[folder] += len(counts) - len(missed)
        if missed:
            print(f"{name}: {ranges(missed)}")
            if path.name not in reasons:
                unexplained.append(name)
    code = 0
    for folder in FOLDERS:
        share = 100 * reached[folder] / max(total[folder], 1)
        print(f"{folder}: {reached[folder]} of {total[folder]} lines, {share:.1f} %")
        if share < LEAST:
            code = 1
    for name in unexplained:
        print(f"{name}: Tests/uncovered.md does not say why", file=sys.stderr)
        code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
