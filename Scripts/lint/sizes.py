#!/usr/bin/env python3
"""Tells which types, folders and functions of the library are too large to know as a whole.

usage: sizes.py [SOURCES]

A type is spread over at most 10 files of a module, ManagedObjectContext over 12. A class or
struct of Import and Export has at most 20 stored properties; those of options and reports are
exempt. A folder has at most 25 files of its own. A function has at most 60 lines, unless it is
listed here as a table or a loop over cases. Prints each place that breaks this, and fails when
there is one.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

MOST_FILES = 10
MORE_FILES = {"ManagedObjectContext": 12}
MOST_PROPERTIES = 20
EXEMPT = re.compile(r"Options$|Report$")
MOST_IN_FOLDER = 25
MOST_LINES = 60
TABLES = {
    ("JSONScanner.swift", "scanValue"): "a loop over kinds of bytes",
    ("PlanBuilder.swift", "add"): "the members of a plan, one after the other",
    ("Plan.swift", "init"): "the members of a plan, one after the other",
}

EXTENSION = re.compile(
    r"^(?:@\S+ )*(?:(?:public|package|private|fileprivate|final|indirect) )*"
    r"(?:extension|class|struct|enum|actor) (\w+)",
    re.M,
)
BODY = re.compile(r"^(?:[a-z]+ )*(?:class|struct) (\w+)[^\n]*\{\n(.*?)^\}", re.M | re.S)
STORED = re.compile(
    r"^  (?:@\S+ )*(?:(?:private|fileprivate|package|public)(?:\(set\))? )*(?:lazy )?(?:let|var) "
    r"(?!.*\{ .*\}$)(?!.*\{$)",
    re.M,
)
FUNCTION = re.compile(
    r"^( *)(?:@\S+ )*(?:(?:public|package|private|fileprivate|static|mutating|final|convenience) )*"
    r"(?:func (\w+)|(init))\b"
)


def functions(text: str) -> list[tuple[str, int, int]]:
    """The name, the first line and the number of lines of each function with a body."""
    lines, found = text.split("\n"), []
    for start, line in enumerate(lines):
        match = FUNCTION.match(line)
        if not match or line.rstrip().endswith("}"):
            continue
        opened = False
        for end in range(start, len(lines)):
            opened = opened or lines[end].rstrip().endswith("{")
            if opened and lines[end] == match[1] + "}":
                found.append((match[2] or match[3], start + 1, end - start + 1))
                break
            if not opened and end > start and (not lines[end] or FUNCTION.match(lines[end])):
                break  # a requirement of a protocol
    return found


def main() -> int:
    sources = Path(sys.argv[1] if len(sys.argv) > 1 else "Sources")
    faults: list[str] = []
    files: dict[tuple[str, str], set[Path]] = defaultdict(set)
    folders: Counter[Path] = Counter()
    for path in sorted(sources.rglob("*.swift")):
        text = path.read_text()
        folders[path.parent] += 1
        for name in {match[1] for match in EXTENSION.finditer(text)}:
            files[path.relative_to(sources).parts[0], name].add(path)
        if {"Import", "Export"} & set(path.parts):
            for body in BODY.finditer(text):
                count = len(STORED.findall(body[2]))
                if count > MOST_PROPERTIES and not EXEMPT.search(body[1]):
                    faults.append(
                        f"{path}: {body[1]} has {count} stored properties; "
                        f"at most {MOST_PROPERTIES} can be known"
                    )
        for name, line, count in functions(text):
            if count > MOST_LINES and (path.name, name) not in TABLES:
                faults.append(
                    f"{path}:{line}: {name} has {count} lines; divide it into at most {MOST_LINES}"
                )
    for (_, name), places in sorted(files.items()):
        most = MORE_FILES.get(name, MOST_FILES)
        if len(places) > most:
            faults.append(f"{name} is in {len(places)} files; at most {most} can be known")
    for folder, count in sorted(folders.items()):
        if count > MOST_IN_FOLDER:
            faults.append(
                f"{folder}: {count} files; give a folder of more than {MOST_IN_FOLDER} rooms inside"
            )
    for fault in faults:
        print(fault)
    print(f"sizes: {len(faults)} {'place is' if len(faults) == 1 else 'places are'} too large")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
