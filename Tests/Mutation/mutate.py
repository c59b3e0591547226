#!/usr/bin/env python3
"""Plants small faults in the sources, one at a time, and counts how many the tests find.

Each fault is looked for by the shared cases first, then by the C tests, random programs of calls,
the Swift tests and the Python tests; the first that fails has found it, and so has one that takes
ten times as long as it does without a fault. What no test finds is listed, unless equivalent.txt
says why it makes no difference.

usage: mutate.py [--mutants 200] [--seed 1] [--least 95] [--only PART-OF-A-PATH] [--again LOG]

With --again, the faults that survived in an earlier run's output are planted alone.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import switches
from sites import Site, find_sites

ROOT = Path(__file__).resolve().parent.parent.parent
COPY = ROOT / "build" / "mutate" / "tree"
SWIFT_FLAGS = ["-c", "release", "-Xswiftc", "-enable-testing"]
SWIFT_TEST = ["swift", "test", "--skip-build", *SWIFT_FLAGS]
#: The cheapest tests that find the most come first.
TESTS = {
    "cases": [*SWIFT_TEST, "--filter", "CaseTests"],
    "test-c": ["make", "--no-print-directory", "test-c"],
    "fuzz-api": ["make", "--no-print-directory", "fuzz-api"],
    "test-swift": SWIFT_TEST,
    "test-python": [
        *[str(ROOT / ".venv/bin/python"), "-m", "pytest", "-x", "-q"],
        *["-p", "no:cacheprovider", "python/tests"],
        # It reads sources, which are full of planted faults.
        *["-k", "not test_statuses_are_those_of_swift"],
    ],
}


def kill_session(session: int) -> None:
    """Kills all processes of a session: tests are in process groups of their own."""
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(int(entry.name)) == session:
                os.kill(int(entry.name), signal.SIGKILL)


def run(command: list[str], mutant: int | None, limit: float | None, log: Path) -> str:
    """Runs a command in the copy: "passed", "failed" or "endless"."""
    environment = {**os.environ, "PYTHONPATH": "python"}
    if mutant is not None:
        environment["GROOT_MUTANT"] = str(mutant)
    with log.open("w") as output:
        child = subprocess.Popen(
            command,
            cwd=COPY,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            return "passed" if child.wait(limit) == 0 else "failed"
        except subprocess.TimeoutExpired:
            kill_session(child.pid)
            child.wait()
            return "endless"


def build(mutants: dict[int, Site]) -> dict[int, Site]:
    """Builds the copy with all mutants that compile, and tells which those are."""
    log = COPY.parent / "build.log"
    while True:
        switches.write(ROOT, COPY, mutants)
        if run(["swift", "build", "--build-tests", *SWIFT_FLAGS], None, None, log) == "passed":
            break
        kept = switches.without_refused(COPY, mutants, log.read_text(errors="replace"))
        if len(kept) == len(mutants):
            sys.exit(f"the copy does not build, see {log}")
        print(f"{len(mutants) - len(kept)} faults do not compile", flush=True)
        mutants = kept
    if run(["make", "--no-print-directory", "lib"], None, None, log) != "passed":
        sys.exit(f"the library of the copy does not build, see {log}")
    return mutants


def measure() -> dict[str, float]:
    """The seconds that each test takes without a fault."""
    seconds = {}
    for name, command in TESTS.items():
        log = COPY.parent / f"{name}.log"
        start = time.monotonic()
        if run(command, None, None, log) != "passed":
            sys.exit(f"{name} fails without a fault, see {log}")
        seconds[name] = time.monotonic() - start
    return seconds


def look_for(number: int, seconds: dict[str, float]) -> str | None:
    """The test that finds the mutant."""
    for name, command in TESTS.items():
        log = COPY.parent / f"mutant-{number}.log"
        result = run(command, number, 60 + 10 * seconds[name], log)
        if result != "passed":
            return name if result == "failed" else f"{name}, which does not end"
    return None


def read_equivalent() -> dict[str, str]:
    """The faults that make no difference, and why: two lines each."""
    lines = [
        line
        for line in (Path(__file__).parent / "equivalent.txt").read_text().split("\n")
        if line and not line.startswith("#")
    ]
    return dict(zip(lines[::2], lines[1::2]))


def refuse_stale(keys: set[str], sites: list[Site]) -> None:
    """Ends the program when a key names a fault that cannot be planted: its line was changed."""
    stale = sorted(keys - {site.key for site in sites})
    if stale:
        sys.exit("no such faults, say again what they are:\n" + "\n".join(stale))


def in_order(sites: list[Site], seed: int) -> list[Site]:
    """The sites in an order by chance, which changes elsewhere do not change."""

    def chance(site: Site) -> bytes:
        return hashlib.sha256(f"{seed} {site.key}".encode()).digest()

    return sorted(sites, key=chance)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=95, help="percent that must be found")
    parser.add_argument("--only", default="", help="sources whose path contains this")
    parser.add_argument("--again", type=Path, help="an earlier run's output: only its survivors")
    options = parser.parse_args()

    sites = find_sites(ROOT, switches.FOLDERS)
    equivalent = read_equivalent()
    refuse_stale(set(equivalent), sites)
    switches.copy_tree(ROOT, COPY)
    sites = [site for site in sites if options.only in site.file]
    if options.again:
        survivors = {
            line.split("SURVIVED: ", 1)[1]
            for line in options.again.read_text().split("\n")
            if "SURVIVED: " in line
        }
        refuse_stale(survivors, sites)
        sites = [site for site in sites if site.key in survivors]
    sites = in_order(sites, options.seed)
    # Some do not compile; those that are too many are left out at the end.
    chosen = switches.one_a_line(sites)[: options.mutants + options.mutants // 2]
    mutants = build(dict(enumerate(chosen)))
    mutants = dict(list(mutants.items())[: options.mutants])
    seconds = measure()
    print("without a fault: " + ", ".join(f"{n} {s:.0f} s" for n, s in seconds.items()), flush=True)

    survived = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        finders = pool.map(lambda number: look_for(number, seconds), mutants)
        for (number, site), finder in zip(mutants.items(), finders):
            same = finder is None and site.key in equivalent
            print(
                f"{number:4} {finder or ('equal' if same else 'SURVIVED')}: {site.key}", flush=True
            )
            if finder is None and not same:
                survived.append(site)

    found = len(mutants) - len(survived)
    share = 100 * found / len(mutants) if mutants else 0
    print(f"{found} of {len(mutants)} faults are found, {share:.1f} %")
    return 0 if share >= options.least and mutants else 1


if __name__ == "__main__":
    sys.exit(main())
