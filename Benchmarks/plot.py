#!/usr/bin/env python3
"""Draws what an object costs against how many there are, as an SVG file.

usage: plot.py RESULTS.json FILE.svg, with results that bench.py wrote
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 210, 40, 50
SERIES = {
    "json_loadb": ("json_loadb alone", "#888888"),
    "msgspec_import_nogc": ("msgspec, collector off", "#c77d0a"),
    "import_text": ("import of text", "#1261a0"),
    "import_one_publisher": ("all with one publisher", "#6aa5d8"),
    "hand_import": ("import, C by hand", "#5c3a8e"),
    "export_text": ("export to text", "#2c8a4b"),
}


class Plot:
    """Places values in the picture; both axes are logarithmic."""

    def __init__(self, sizes: list[int], low: float, high: float) -> None:
        self.sizes = sizes
        self.low, self.high = math.log10(low), math.log10(high)

    def x(self, size: float) -> float:
        first, last = math.log10(self.sizes[0]), math.log10(self.sizes[-1])
        part = (math.log10(size) - first) / ((last - first) or 1)
        return LEFT + part * (WIDTH - LEFT - RIGHT)

    def y(self, cost: float) -> float:
        part = (math.log10(cost) - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)


def text(x: float, y: float, content: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{content}</text>'


def line(x1: float, y1: float, x2: float, y2: float, color: str) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{color}" fill="none"/>'


def short(size: int) -> str:
    """A number of characters as few letters."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if size % unit == 0:
            return f"{size // unit}{letter}"
    return str(size)


def axes(plot: Plot) -> list[str]:
    parts = [text(LEFT, 22, "Nanoseconds of processor time for each character", 'font-size="15"')]
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    for exponent in range(int(plot.low) - 1, int(plot.high) + 2):
        for step in (1, 2, 5):
            cost = step * 10.0**exponent
            if not plot.low <= math.log10(cost) <= plot.high:
                continue
            y = plot.y(cost)
            parts.append(line(LEFT, y, right, y, "#dddddd"))
            parts.append(text(LEFT - 8, y + 4, f"{cost:,.0f}", 'text-anchor="end"'))
    for size in plot.sizes:
        x = plot.x(size)
        parts.append(line(x, bottom, x, bottom + 5, "#444444"))
        parts.append(text(x, bottom + 20, short(size), 'text-anchor="middle"'))
    parts.append(line(LEFT, bottom, right, bottom, "#444444"))
    middle = (LEFT + right) / 2
    parts.append(text(middle, HEIGHT - 10, "characters", 'text-anchor="middle"'))
    return parts


def series(plot: Plot, points: list[tuple[int, float]], color: str) -> list[str]:
    places = [(plot.x(size), plot.y(cost)) for size, cost in points]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    parts = [f'<path d="M{path}" stroke="{color}" stroke-width="2" fill="none"/>']
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in places]
    return parts


def legend(ends: list[tuple[float, str, str]]) -> list[str]:
    """The titles beside the ends of their lines, kept apart."""
    parts = []
    lowest = 0.0
    for y, title, color in sorted(ends):
        lowest = max(y + 4, lowest + 15)
        parts.append(text(WIDTH - RIGHT + 12, lowest, title, f'fill="{color}"'))
    return parts


def draw(results: dict[str, dict[str, dict[str, float]]]) -> str:
    sizes = sorted(map(int, results))
    found = {
        name: [
            (size, results[str(size)][name]["nanoseconds"])
            for size in sizes
            if name in results[str(size)]
        ]
        for name in SERIES
    }
    costs = [cost for points in found.values() for _, cost in points]
    plot = Plot(sizes, min(costs) * 0.7, max(costs) * 1.3)
    parts = axes(plot)
    ends = []
    for name, points in found.items():
        if not points:
            continue
        title, color = SERIES[name]
        parts += series(plot, points, color)
        ends.append((plot.y(points[-1][1]), title, color))
    parts += legend(ends)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n<g fill="#222222">\n{body}\n'
        "</g>\n</svg>\n"
    )


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    results = json.loads(Path(sys.argv[1]).read_text())["sizes"]
    Path(sys.argv[2]).write_text(draw(results))


if __name__ == "__main__":
    main()
