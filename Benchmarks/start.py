"""How long a program waits before it can import: to load the library, and for a first model."""

from __future__ import annotations

import json
import statistics
import subprocess
from pathlib import Path

TIMES = 31


def measure(program: Path, library: Path, model: Path) -> dict[str, float]:
    """The median of a few starts, in seconds of the clock; each is a process of its own."""
    taken: list[dict[str, float]] = []
    for _ in range(TIMES):
        made = subprocess.run([program, library, model], check=True, capture_output=True, text=True)
        taken.append(json.loads(made.stdout))
    totals = [sum(one.values()) for one in taken]
    return {
        "load": statistics.median(one["load"] for one in taken),
        "model": statistics.median(one["model"] for one in taken),
        "both": statistics.median(totals),
        "least": min(totals),
        "most": max(totals),
    }


def text(found: dict[str, float]) -> str:
    """The measurement as a line of Markdown."""
    load, model, both, least, most = (f"{found[name] * 1e3:.2f}" for name in found)
    return (
        f"Start: {both} ms ({least} to {most}): {load} ms to load the library, "
        f"{model} ms for a first model"
    )
