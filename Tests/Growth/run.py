"""The law of growth: no operation grows faster than n log n.

Each operation is done at the sizes n, 2n and 4n, under callgrind, which counts instructions: the
same in each run, whatever else the machine does, and without privileges. From 2n to 4n an
operation may take about twice as much more as from n to 2n; what is quadratic takes four times as
much. So constant costs do not matter.

usage: run.py PROGRAM SIZE [NAME...]
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
import tempfile

MOST = 2.6
"""How much more the second step may take than the first: 2 is linear, 4 quadratic.

At these sizes n log n takes 2.2 at most; what grows by doubling, such as a hash table, takes its
steps at all three sizes alike. n to the power of 1.5 takes 2.8.
"""


def count(program: str, arguments: list[str]) -> dict[tuple[str, int], int]:
    """Run the program; the instructions of each operation at each size."""
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "--quiet", "--tool=callgrind", "--collect-atstart=no"]
        valgrind += [f"--callgrind-out-file={folder}/out", "--compress-strings=no"]
        subprocess.run([*valgrind, program, *arguments], check=True, stdout=subprocess.DEVNULL)
        found = {}
        for dump in pathlib.Path(folder).iterdir():
            text = dump.read_text(errors="replace")
            trigger = re.search(r"^desc: Trigger: Client Request: (\S+) (\d+)$", text, re.M)
            total = re.search(r"^totals: (\d+)", text, re.M)
            if trigger and total:
                found[trigger[1], int(trigger[2])] = int(total[1])
    return found


def main() -> int:
    """Print a table; the exit code is 1 when an operation grows too fast."""
    program, size, *names = sys.argv[1:]
    found = count(program, [size, *names])
    n = int(size)
    failed = 0
    print(f"{'millions of instructions at':32}{n:>10}{2 * n:>10}{4 * n:>10}  growth")
    operations = list(dict.fromkeys(name for name, _ in sorted(found)))
    for name in operations:
        costs = [found[name, n * factor] for factor in (1, 2, 4)]
        first, second = costs[1] - costs[0], costs[2] - costs[1]
        growth = second / max(first, 1)
        is_bad = growth > MOST or first <= 0
        failed += is_bad
        row = "".join(f"{cost / 1e6:10.2f}" for cost in costs)
        print(f"{name:32}{row}  {growth:6.2f}{'  grows too fast' if is_bad else ''}")
    print(f"growth: {len(operations) - failed} passed, {failed} failed")
    return 1 if failed or not operations else 0


if __name__ == "__main__":
    sys.exit(main())
