"""The law of growth: no operation grows faster than n log n, in instructions and in memory.

Each operation is done at the sizes n, 2n and 4n. Under callgrind instructions are counted: the same
in each run, whatever else the machine does, and without privileges. Hashes have a fixed seed there:
a key that is missing n times costs more or less by the luck of a seed. From 2n to 4n an operation
may take about twice as much more as from n to 2n; quadratic work takes four times as much. So
constant costs do not matter. A second run, by itself and with larger sizes, tells the bytes that
each operation takes at its peak. Operations on JSON of all shapes are done at smaller sizes.

usage: run.py PROGRAM SIZE [NAME...]
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

MOST = 2.6
"""How much more the second step may take than the first: 2 is linear, 4 quadratic.

At these sizes n log n takes 2.2 at most; what grows by doubling, such as a hash table, takes its
steps at all three sizes alike. n to the power of 1.5 takes 2.8.
"""

MOST_MEMORY = 6.5
"""How many times the memory 4n may take that n takes: 4 is linear, 16 quadratic."""
LEAST_MEMORY = 1 << 19
"""Fewer bytes are blocks that are not full yet."""
SHAPE_SHARE = 8
"""How much smaller the sizes of shapes are: there are many of them."""
MEMORY_FACTOR = 32
"""How much larger they are when memory is measured: without callgrind they cost little."""
BY_DESIGN = {"import-many-kinds"}
"""Each record has two bits for each property of its hierarchy: n kinds of n objects have n * n."""

Costs = dict[tuple[str, int], int]


def count(program: str, arguments: list[str]) -> Costs:
    """Run the program; the instructions of each operation at each size."""
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "--quiet", "--tool=callgrind", "--collect-atstart=no"]
        valgrind += [f"--callgrind-out-file={folder}/out", "--compress-strings=no"]
        subprocess.run(
            [*valgrind, program, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"},
        )
        found = {}
        for dump in pathlib.Path(folder).iterdir():
            text = dump.read_text(errors="replace")
            trigger = re.search(r"^desc: Trigger: Client Request: (\S+) (\d+)$", text, re.M)
            total = re.search(r"^totals: (\d+)", text, re.M)
            if trigger and total:
                found[trigger[1], int(trigger[2])] = int(total[1])
    return found


def peaks(program: str, arguments: list[str]) -> Costs:
    """Run the program by itself; the bytes of each operation at each size."""
    ran = subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True)
    lines = re.findall(r"^memory (\S+) (\d+) (\d+)$", ran.stdout, re.M)
    return {(name, int(size)): int(peak) for name, size, peak in lines}


def by_name(found: Costs) -> dict[str, list[int]]:
    """Give the costs of each operation from the smallest size to the largest."""
    costs: dict[str, list[int]] = {}
    for (name, _), cost in sorted(found.items()):
        costs.setdefault(name, []).append(cost)
    return costs


def main() -> int:
    """Print a table; the exit code is 1 when an operation grows too fast."""
    program, size, *names = sys.argv[1:]
    shapes = max(int(size) // SHAPE_SHARE, 32)
    memory = by_name(peaks(program, [size, str(shapes * MEMORY_FACTOR), *names]))
    wanted, parts = list(memory), os.cpu_count() or 1
    found: Costs = {}
    with ThreadPoolExecutor(parts) as pool:
        for part in pool.map(
            lambda first: count(program, [size, str(shapes), *wanted[first::parts]]),
            range(min(parts, len(wanted))),
        ):
            found.update(part)
    instructions = by_name(found)
    failed = 0
    print(f"{'millions of instructions at':32}{'n':>10}{'2n':>10}{'4n':>10}  growth  memory")
    for name, costs in instructions.items():
        first, second = costs[1] - costs[0], costs[2] - costs[1]
        growth = second / max(first, 1)
        small, _, large = memory[name]
        taken = large / max(small, 1)
        is_bad = growth > MOST or first <= 0
        if name not in BY_DESIGN:
            is_bad |= taken > MOST_MEMORY and large - small > LEAST_MEMORY
        failed += is_bad
        row = "".join(f"{cost / 1e6:10.2f}" for cost in costs)
        print(f"{name:32}{row}  {growth:6.2f}  {taken:6.2f}{'  grows too fast' if is_bad else ''}")
    print(f"growth: {len(instructions) - failed} passed, {failed} failed")
    return 1 if failed or not instructions else 0


if __name__ == "__main__":
    sys.exit(main())
