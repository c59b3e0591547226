#!/usr/bin/env python3
"""Imports a JSON array larger than memory should be into a store, exports a copy, compares.

The array is of the benchmark's characters (generate.py). Import, copy and export are processes of
their own, whose peak memory is printed and must stay under a limit. All values of the export must
be those of the array, in its order; both files are compared piece by piece.

usage: large.py [--megabytes 1000] [--batch 10000] [--commits whole|each] [--limit 200] [--folder F]
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from generate import PUBLISHERS, characters

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / "Benchmarks" / "characters.json"
PIECE = 1 << 20
MEGABYTE = 1_000_000
NOTHING = object()


def generate(path: Path, size: int) -> int:
    """Write an array of at least `size` bytes; count its elements."""
    count = written = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        for character in characters(sys.maxsize, 1, PUBLISHERS):
            written += file.write(",\n" if count else "[")
            written += file.write(character)
            count += 1
            if written >= size:
                break
        file.write("]\n")
    return count


def elements(path: Path) -> Iterator[Any]:
    """Read the elements of an array of objects, a piece of the file at a time."""
    decode = json.JSONDecoder().raw_decode
    with path.open(encoding="utf-8") as file:
        text = file.read(PIECE).lstrip()
        if not text.startswith("["):
            raise ValueError(f"{path} is not an array")
        place = 1
        while True:
            while place < len(text) and text[place] in ", \n\r\t":
                place += 1
            if text.startswith("]", place):
                return
            try:
                element, place = decode(text, place)
            except ValueError:
                more = file.read(PIECE)
                if not more:
                    raise
                text, place = text[place:] + more, 0
                continue
            yield element


def compare(one: Path, other: Path) -> int:
    """Count the elements of two arrays, which must be equal."""
    count = 0
    for wanted, found in zip_longest(elements(one), elements(other), fillvalue=NOTHING):
        if wanted != found:
            sys.exit(f"element {count} was\n{wanted}\nand came back as\n{found}")
        count += 1
    return count


def import_into(store: str, source: str, batch: str, commits: str) -> int:
    """Import in a process of its own."""
    import groot

    with open_store(store) as context:
        found = context.load_file("Character", source, batch=int(batch), commits=commits)
        return int(groot.report(found).inserted)


def export_from(store: str, target: str) -> int:
    """Export in a process of its own."""
    with open_store(store) as context:
        return int(context.dump_fetched("Character", target))


def copy_to(store: str, target: str) -> int:
    """Copy the store in a process of its own."""
    with open_store(store) as context, open_store(target) as copy:
        context.copy_store(copy)
        return int(copy.count("Character"))


def open_store(store: str) -> Any:
    import groot

    registry = groot.Registry()
    registry.builtin("StringToInteger", "integer-text")
    return groot.Context(groot.Mapping(groot.Model.load(MODEL), registry), store=store)


STEPS: dict[str, Callable[..., int]] = {
    "import": import_into,
    "export": export_from,
    "copy": copy_to,
}


def run_step(name: str, *arguments: object) -> dict[str, float]:
    """Run a step in a process of its own: what it gave, its seconds and its peak memory."""
    command = [sys.executable, __file__, "--step", name, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    result: dict[str, float] = json.loads(done.stdout)
    print(
        f"{name:8} {result['count']:>12,.0f} objects {result['seconds']:8.1f} s"
        f" {result['peak']:8.1f} MB at most"
    )
    return result


def step(name: str, *arguments: str) -> None:
    """Be the process of a step."""
    begun = time.perf_counter()
    count = STEPS[name](*arguments)
    seconds = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE
    print(json.dumps({"count": count, "seconds": seconds, "peak": peak}))


def run(asked: argparse.Namespace, folder: Path) -> None:
    source, file, target = (folder / name for name in ("in.json", "large.sqlite", "out.json"))
    store = asked.store or file
    begun = time.perf_counter()
    count = generate(source, asked.megabytes * MEGABYTE)
    size = source.stat().st_size / MEGABYTE
    print(f"an array of {count:,} objects, {size:,.0f} MB, {time.perf_counter() - begun:.1f} s")
    peaks = [run_step("import", store, source, asked.batch, asked.commits)["peak"]]
    if not asked.store:
        print(f"store    {file.stat().st_size / MEGABYTE:12,.0f} MB")
    copy = folder / "copy.sqlite"
    peaks.append(run_step("copy", store, copy)["peak"])
    written = run_step("export", copy, target)
    peaks.append(written["peak"])
    begun = time.perf_counter()
    same = compare(source, target)
    print(f"equal    {same:>12,} objects {time.perf_counter() - begun:8.1f} s")
    if not same == count == written["count"]:
        sys.exit(f"{count} objects went in, {written['count']:.0f} came out")
    if max(peaks) >= asked.limit:
        sys.exit(f"{max(peaks):.1f} MB of memory are more than {asked.limit}")


def main() -> None:
    if sys.argv[1:2] == ["--step"]:
        step(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description="A JSON array through a store and back.")
    parser.add_argument("--megabytes", type=int, default=1000, help="the size of the array")
    parser.add_argument("--batch", type=int, default=10_000, help="records in memory at a time")
    parser.add_argument("--commits", choices=["whole", "each"], default="whole")
    parser.add_argument("--limit", type=float, default=200, help="MB of memory allowed")
    parser.add_argument("--store", help="the URL of a store without objects; else it is a file")
    parser.add_argument("--folder", help="where the files go for the time of the run")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        run(asked, Path(folder))


if __name__ == "__main__":
    main()
