"""What the Python rows of the benchmark share: a row does one piece of work once, in a process of
its own, and prints what that took as a JSON object.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Input(NamedTuple):
    """What the command line gave."""

    model: Path
    path: Path
    count: int


Row = Callable[[Input], None]
_taken: dict[str, float] = {}


def highest_memory() -> int:
    """The most memory in bytes that the process had so far; 0 where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


@contextmanager
def timed(operations: int) -> Iterator[None]:
    """Note what the body takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    cpu = time.process_time() - cpu
    wall = time.perf_counter() - wall
    _taken.update(wall=wall, cpu=cpu, operations=operations, peak=highest_memory())


def require(condition: bool, message: str) -> None:
    """End the program unless what a row made is right."""
    if not condition:
        sys.exit(f"bench: {message}")


def main(rows: dict[str, Row]) -> None:
    """Run the row that the command line names."""
    if sys.argv[1:] == ["list"]:
        print("\n".join(rows))
        return
    if len(sys.argv) != 5 or sys.argv[1] not in rows:
        sys.exit(f"usage: {sys.argv[0]} ROW MODEL.json CHARACTERS.json COUNT")
    name, model, path, count = sys.argv[1:]
    rows[name](Input(Path(model), Path(path), int(count)))
    print(json.dumps(_taken))
