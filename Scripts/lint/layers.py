#!/usr/bin/env python3
"""Tells which folders of the library name types of folders that stand above them.

usage: layers.py [--counts] [SOURCES]

The folders of Sources/Groot stand in an order, and each may name only the types of those before
it. What is said in an extension belongs to the folder that its file is in. Some rooms inside a
folder stand in an order too, and no dialect names another one. Besides: the files that touch the
memory of rows are Graph's, or listed here; no folder of the engine names a dialect, jansson is
imported by JSON and GrootC alone, SQLite by GrootSQLite, PCRE2 by Pattern, and GrootFoundation by
nobody. Prints each place that breaks this, and fails when there is one. --counts adds how often
each folder names each other one.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

FOLDERS = [
    *["Errors", "Bytes", "JSON", "Values", "Model", "Transformers", "Mapping"],
    *["Graph", "Query", "Store", "Import", "Export", "Context", "Entities"],
]
ROOMS = {
    "JSON": [{"Tape"}, {"Value"}, {"Paths"}],
    "Mapping": [{"Compiled"}, {"Plan", "Build"}, {"Dialects"}],
    "Graph": [{"Rows"}, {"Links"}, {"Changes"}],
    "Store": [{"Schema"}, {"Coordinator", "Saving"}, {"Maintenance"}],
    "Import": [
        *[{"Input"}, {"Report"}, {"Read"}, {"Find"}, {"Delete"}, {"References"}],
        *[{"Fill"}, {"Resolve"}, {"Link"}, {"Prefetch"}],
    ],
}
"""By folder, the order of rooms inside it. Files and rooms that are not listed are free."""
ENGINE = {"Graph", "Query", "Store", "Import", "Export"}
DIALECT = re.compile(r"\b(Dialect|KVC\w*|Hyper\w*|Groot(Dialect|Annotations)\w*)\b|\.(kvc|hyper)\b")
"""What is said of one dialect only."""
IMPORTS = {
    "CJansson": ("Groot/JSON/", "GrootC/"),
    "CSQLite": ("GrootSQLite/",),
    "CPostgreSQL": ("GrootPostgreSQL/",),
    "CPCRE2": ("Groot/Model/Validation/Pattern",),
    "GrootFoundation": (),
    "Glibc": ("Groot/Bytes/CLibrary.swift",),
}
"""Which files import a module of C, or one that is for programs alone."""

ROWS = (
    (
        re.compile(r"\bTextSlot\b|\brecord \+ Int\("),
        "reads the bytes of a row",
        ("Groot/Export/ExportValues.swift",),
    ),
    (re.compile(r"\bsetPresence\(|arena: graph\.text"), "writes a value of a row", ()),
    (
        re.compile(r"\.pointee\.(?:state|epoch|marks|entity|generation)\s*[|&]?=(?!=)"),
        "sets a mark of a row",
        ("Groot/Import/Report/ImportTally.swift", "Groot/Export/ExportFrames.swift"),
    ),
)
"""The code that touches the memory of rows, and the files outside Graph that may have it."""

DECLARATION = re.compile(
    r"^(?:@[\w()]+ )*(?:(?:public|package|final|indirect|private|fileprivate) )*"
    r"(?:struct|class|enum|protocol|actor|typealias) (\w+)",
    re.M,
)
PRIVATE = re.compile(r"\b(?:private|fileprivate)\b")
TEXT = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|//.*|/\*(?:.|\n)*?\*/')
WORD = re.compile(r"(?<![\w.])[A-Z]\w*")


def blank(match: re.Match[str]) -> str:
    """Comments and literals say nothing; interpolations in them are left out too."""
    return re.sub(r"[^\n]", " ", match[0])


def read(sources: Path) -> dict[Path, str]:
    """The code of each file, without comments and literals."""
    return {path: TEXT.sub(blank, path.read_text()) for path in sorted(sources.rglob("*.swift"))}


def folder_of(path: Path, sources: Path) -> str:
    """The folder of Sources/Groot that a file is in; empty for another module's."""
    parts = path.relative_to(sources).parts
    return parts[1] if parts[0] == "Groot" and len(parts) > 2 else ""


def room_of(path: Path, sources: Path) -> list[str]:
    """The rooms inside its folder that a file is in, from the outermost on."""
    return list(path.relative_to(sources).parts[2:-1])


def is_above(folder: str, other: list[str], own: list[str]) -> bool:
    """Whether a room stands above another one of the same folder, or is beside it for a dialect."""
    if len(other) > 1 and len(own) > 1:
        return other[0] == own[0] and other != own
    levels = {room: level for level, rooms in enumerate(ROOMS.get(folder, [])) for room in rooms}
    if not other or not own or other[0] not in levels or own[0] not in levels:
        return False
    return levels[other[0]] > levels[own[0]]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("sources", nargs="?", default="Sources", type=Path)
    options = parser.parse_args()
    sources: Path = options.sources
    code = read(sources)

    home: dict[str, str] = {}
    rooms: dict[str, list[str]] = {}
    for path, text in code.items():
        folder = folder_of(path, sources)
        if folder and folder not in FOLDERS:
            print(f"{path}: no folder of this name is in the order", file=sys.stderr)
            return 1
        for match in DECLARATION.finditer(text):
            if folder and not PRIVATE.search(match[0]):
                home[match[1]] = folder
                rooms[match[1]] = room_of(path, sources)

    faults: list[str] = []
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for path, text in code.items():
        folder = folder_of(path, sources)
        own = {m[1] for m in DECLARATION.finditer(text)}
        name = str(path.relative_to(sources))
        room = room_of(path, sources)
        for number, line in enumerate(text.split("\n"), 1):
            where = f"{path}:{number}"
            for module, places in IMPORTS.items():
                if re.match(rf"\s*import {module}\b", line) and not name.startswith(places):
                    who = " and ".join(places) or "nobody"
                    faults.append(f"{where}: only {who} may import {module}")
            for code_of_rows, deed, places in ROWS:
                if folder != "Graph" and code_of_rows.search(line) and name not in places:
                    faults.append(f"{where}: only Graph {deed}: {line.strip()}")
            if not folder:
                continue
            if folder in ENGINE and (found := DIALECT.search(line)):
                faults.append(f"{where}: the engine names a dialect: {found[0].strip()}")
            for word in WORD.findall(line):
                other = home.get(word)
                if other is None or word in own:
                    continue
                if other == folder:
                    if is_above(folder, rooms[word], room):
                        inner, outer = "/".join(room), "/".join(rooms[word])
                        faults.append(f"{where}: {inner} names {word}, which is of {outer}")
                    continue
                counts[folder, other] += 1
                if FOLDERS.index(other) > FOLDERS.index(folder):
                    faults.append(f"{where}: {folder} names {word}, which is of {other}")
    for fault in faults:
        print(fault)
    if options.counts:
        for (folder, other), count in sorted(
            counts.items(), key=lambda item: [FOLDERS.index(part) for part in item[0]]
        ):
            mark = "  upwards" if FOLDERS.index(other) > FOLDERS.index(folder) else ""
            print(f"{folder:13} {other:13} {count:5}{mark}")
    print(
        f"layers: {len(faults)} {'place breaks' if len(faults) == 1 else 'places break'} the order"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
