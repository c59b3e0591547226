#!/usr/bin/env python3
"""Builds the archive of the Swift documentation.

usage: docs.py DOCC CATALOGUE SYMBOL-GRAPH FOLDER

Fails on what docc warns of, such as a link to nothing, and when a page of the catalogue has topics
that leave out some of the symbols.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PAGE = re.compile(r"^# ``(.+)``$", re.MULTILINE)


def convert(docc: str, catalogue: Path, graphs: Path, archive: Path) -> bool:
    """Runs docc; what it says is printed when it fails."""
    command = [docc, "convert", str(catalogue), "--additional-symbol-graph-dir", str(graphs)]
    names = ["--fallback-display-name", "Groot", "--fallback-bundle-identifier", "groot"]
    done = subprocess.run(
        [*command, "--output-path", str(archive), *names, "--warnings-as-errors"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        print(done.stdout)
    return done.returncode == 0


def left_out(catalogue: Path, archive: Path) -> Iterator[str]:
    """The symbols that docc puts into groups of its own, since no topic of their page has them."""
    for file in sorted(catalogue.glob("*.md")):
        for page in PAGE.findall(file.read_text()):
            data = archive / "data" / "documentation" / f"{page.lower()}.json"
            for topic in json.loads(data.read_text()).get("topicSections", []):
                if topic.get("generated"):
                    for symbol in topic["identifiers"]:
                        yield f"{file}: in no topic: {symbol}"


def main() -> int:
    docc, catalogue, graph, folder = sys.argv[1], *map(Path, sys.argv[2:])
    graphs, archive = folder / "graph", folder / "Groot.doccarchive"
    shutil.rmtree(graphs, ignore_errors=True)
    graphs.mkdir(parents=True)
    shutil.copy(graph, graphs)
    if not convert(docc, catalogue, graphs, archive):
        return 1
    faults = list(left_out(catalogue, archive))
    for line in faults:
        print(line)
    print(f"{archive}: {len(list((archive / 'data').rglob('*.json')))} pages")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
