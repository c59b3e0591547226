#!/usr/bin/env python3
"""Prints the figures by which the sources are kept calm, and fails when one is over its limit.

usage: figures.py [--list] [SOURCES]

Counted are the functions and initializers of Sources: the share with two or more parameters that
a call does not name, and the share with five parameters or more; and the lines of the files.
Callbacks of C (`@convention(c)`, `@_cdecl`) have the parameters that their declaration in C has, so
they are left out, as is what a protocol of Swift or an operator asks for. --list names each
function that counts, and the longest files.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

LIMITS = {"unlabelled": 0.05, "many": 0.03, "longest": 600}
UNLABELLED = 2
MANY = 5

TEXT = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|//.*|/\*(?:.|\n)*?\*/')
FUNCTION = re.compile(r"\bfunc\s+(`?\w+`?|[-+*/=<>!&|^~%.]+)\s*(?:<[^(]*>)?\s*\(|\binit[?!]?\s*\(")
EXPORTED = re.compile(r"@_cdecl\(.*\)[^{}]*$")
OPENING, CLOSING = "([{<", ")]}>"


def blank(match: re.Match[str]) -> str:
    """Comments and literals say nothing; literals stay a word, so that defaults are seen."""
    return re.sub(r"[^\n]", " ", match[0])


def parameters(code: str, start: int) -> list[str]:
    """The parameters between the parenthesis before `start` and the one that closes it."""
    depth = 1
    found = [""]
    for index in range(start, len(code)):
        character = code[index]
        if character in OPENING:
            depth += 1
        elif character in CLOSING and code[index - 1 : index + 1] != "->":
            depth -= 1
            if depth == 0:
                break
        if character == "," and depth == 1:
            found.append("")
        else:
            found[-1] += character
    return [part for part in found if part.strip()]


def is_declaration(code: str, match: re.Match[str]) -> bool:
    """Whether an `init(` declares one; others are calls, such as `self.init(` and `.init(`."""
    if not match[0].startswith("init"):
        return True
    line = code[code.rfind("\n", 0, match.start()) + 1 : match.start()]
    return re.fullmatch(r"\s*(?:@\w+(?:\([^)]*\))?\s+|[a-z]+\s+)*", line) is not None


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("sources", nargs="?", default="Sources", type=Path)
    options = parser.parse_args()

    lengths: dict[Path, int] = {}
    unlabelled: list[str] = []
    many: list[str] = []
    several = functions = 0
    for path in sorted(options.sources.rglob("*.swift")):
        text = path.read_text()
        lengths[path] = text.count("\n")
        code = TEXT.sub(blank, text)
        for match in FUNCTION.finditer(code):
            name = match[1] or "init"
            before = text[max(0, match.start() - 200) : match.start()]
            if not is_declaration(code, match) or EXPORTED.search(before) or not name[0].isalpha():
                continue
            functions += 1
            taken = parameters(code, match.end())
            several += len(taken) >= UNLABELLED
            place = f"{path}:{code.count(chr(10), 0, match.start()) + 1}: {name}"
            bare = [part for part in taken if part.split()[0] == "_"]
            if len(bare) >= UNLABELLED:
                unlabelled.append(f"{place}, {len(bare)} without a label")
            if len(taken) >= MANY:
                many.append(f"{place}, {len(taken)} parameters")

    by_length = sorted(lengths, key=lambda path: -lengths[path])
    figures = {
        "unlabelled": len(unlabelled) / max(functions, 1),
        "many": len(many) / max(functions, 1),
        "longest": lengths[by_length[0]],
    }
    print(f"{functions} functions, {several} of them with two parameters or more")
    print(f"two or more parameters without a label: {len(unlabelled)}, {figures['unlabelled']:.1%}")
    print(f"five parameters or more: {len(many)}, {figures['many']:.1%}")
    print(f"{len(lengths)} files, the longest has {figures['longest']} lines")
    if options.list:
        print(*unlabelled, *many, sep="\n")
        print(*[f"{path}: {lengths[path]} lines" for path in by_length[:10]], sep="\n")
    over = [name for name, limit in LIMITS.items() if figures[name] > limit]
    for name in over:
        print(f"over the limit of {LIMITS[name]}: {name}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
