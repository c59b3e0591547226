"""What the rows of the benchmark may take: reads the budget and compares measurements with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

TOLERANCE = 1.15


class Limit(NamedTuple):
    """One line of the budget: what a row takes, by itself or divided by another row's."""

    row: str
    size: int
    measure: str
    """`ratio` to json_loadb, `nanoseconds` of each operation, or `megabytes` at the peak: times are
    the least of the runs."""
    limit: float
    of: tuple[str, int] | None

    def needs(self) -> list[tuple[str, int]]:
        """The rows and sizes to measure."""
        return [(self.row, self.size), *([self.of] if self.of else [])]

    def title(self) -> str:
        text = f"{self.row}, {self.size:,} characters: {self.measure}"
        return f"{text} ÷ that of {self.of[0]}, {self.of[1]:,}" if self.of else text

    def value(self, sizes: dict[str, Any]) -> float | None:
        """The measurement; None when a row was not measured."""
        found = [sizes.get(str(size), {}).get(row) for row, size in self.needs()]
        if None in found:
            return None
        values = [self.least(one) for one in found]
        return values[0] / values[1] if len(values) == 2 else values[0]

    def exceeded(self, sizes: dict[str, Any]) -> bool:
        """Whether the measurement is above the limit by more than the tolerance."""
        value = self.value(sizes)
        return value is not None and value > self.limit * TOLERANCE

    def least(self, one: dict[str, float]) -> float:
        """The measure of the run that was disturbed least."""
        if self.measure == "nanoseconds":
            return one["least"] / one["operations"] * 1e9
        return one["least_ratio"] if self.measure == "ratio" else one[self.measure]


def read(path: Path) -> list[Limit]:
    """The budget in a file; its `measured` tells people of a known value above a limit."""
    limits = []
    for one in json.loads(path.read_text()):
        of = one.get("of")
        other = (of.get("row", one["row"]), of.get("size", one["size"])) if of else None
        limits.append(Limit(one["row"], one["size"], one["measure"], one["limit"], other))
    return limits


def report(limits: list[Limit], sizes: dict[str, Any]) -> int:
    """Print how the measurements compare; 1 when one is above its limit by more than 15 %."""
    print("\n| budget | limit | measured | |\n|---|--:|--:|---|")
    code = 0
    for limit in limits:
        value = limit.value(sizes)
        if value is None:
            print(f"| {limit.title()} | {limit.limit:g} | | not installed |")
            continue
        verdict = "within 15 %" if value > limit.limit else "good"
        if limit.exceeded(sizes):
            verdict, code = "EXCEEDED", 1
        print(f"| {limit.title()} | {limit.limit:g} | {value:.3g} | {verdict} |")
    return code
