#!/usr/bin/env python3
"""Checks what every function and struct of groot.h must be, for the languages that bind it.

usage: header.py [FOLDER]

Without jansson (GROOT_NO_JANSSON) the header compiles in C and C++ where there is no jansson.h, and
what it declares speaks of no json_t. Each function that takes or gives a json_t ends in _json and
has a twin that takes and gives text. No function has more than seven parameters. No struct has
padding, and options begin with their size and have an INIT macro and an init function. FOLDER is
where groot.h is; CC and CXX say with what it is compiled.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MOST_PARAMETERS = 7
STANDARDS = {
    "c": ("CC", "cc", ("c99", "c11", "c17")),
    "c++": ("CXX", "g++", ("c++11", "c++17", "c++20")),
}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wpadded", "-Werror"]
TWICE = '#include "groot.h"\n#include "groot.h"\n'

COMMENT = re.compile(r"/\*(?:.|\n)*?\*/|//.*")
FUNCTION = re.compile(r"GROOT_API\s[^;(]*?\b(groot_\w+)\s*\(([^;]*)\)\s*;")
OPTIONS = re.compile(r"typedef struct (groot_(\w+)_options) \{\s*([^;]*);")


def compile_alone(folder: Path) -> list[str]:
    """What compilers say of the header by itself, where a jansson.h is an error."""
    found = []
    with tempfile.TemporaryDirectory() as bare:
        Path(bare, "jansson.h").write_text('#error "jansson.h is taken in"\n')
        for language, (variable, default, standards) in STANDARDS.items():
            compiler = os.environ.get(variable, default)
            for standard in standards:
                command = [compiler, "-x", language, f"-std={standard}", *WARNINGS]
                command += ["-DGROOT_NO_JANSSON", f"-I{bare}", f"-I{folder}", "-fsyntax-only", "-"]
                run = subprocess.run(command, input=TWICE, capture_output=True, text=True)
                if run.returncode != 0:
                    found.append(f"{standard} without jansson: {run.stderr.strip()}")
    return found


def split(text: str) -> tuple[str, str]:
    """The declarations that are always there, and those that jansson is needed for."""
    parts: tuple[list[str], list[str]] = ([], [])
    conditions: list[bool] = []  # of the lines that follow, the innermost last
    for line in COMMENT.sub("", text).splitlines():
        if line.startswith("#if"):
            conditions.append(line.split() == ["#ifndef", "GROOT_NO_JANSSON"])
        elif line.startswith("#endif") and conditions:
            conditions.pop()
        parts[any(conditions)].append(line)
    return "\n".join(parts[0]), "\n".join(parts[1])


def functions(text: str) -> dict[str, int]:
    """The functions that are declared, and how many parameters each has."""
    found = {}
    for name, parameters in FUNCTION.findall(text):
        # Commas inside the parentheses of a parameter that is a function are its own.
        outer = re.sub(r"\([^()]*\)", "", parameters)
        found[name] = 0 if outer.strip() == "void" else outer.count(",") + 1
    return found


def check(text: str) -> list[str]:
    always, with_jansson = split(text)
    found = []
    if "json_t" in always:
        line = next(line for line in always.splitlines() if "json_t" in line)
        found.append(f"a json_t without jansson: {line.strip()}")
    plain, twins = functions(always), functions(with_jansson)
    for name in twins:
        if name == "groot_json_free":
            continue
        base = name.removesuffix("_json")
        if base == name:
            found.append(f"{name} needs jansson, but its name does not end in _json")
        elif base not in plain and f"{base}_text" not in plain:
            found.append(f"{name} has no twin that takes and gives text")
    found += [
        f"{name} ends in _json, but needs no jansson" for name in plain if name[-5:] == "_json"
    ]
    for name, count in (plain | twins).items():
        if count > MOST_PARAMETERS:
            found.append(f"{name} has {count} parameters; {MOST_PARAMETERS} are the most")
    for struct, short, first in OPTIONS.findall(always):
        if first != "size_t struct_size":
            found.append(f"{struct} does not begin with its size")
        if f"define GROOT_{short.upper()}_OPTIONS_INIT" not in always:
            found.append(f"{struct} has no INIT macro")
        if f"{struct}_init" not in plain:
            found.append(f"{struct} has no init function")
    if len(plain) < 50 or len(twins) < 10:
        found.append(f"only {len(plain)} and {len(twins)} functions were found")
    return found


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "include")
    found = check((folder / "groot.h").read_text()) + compile_alone(folder)
    for message in found:
        print(f"{folder / 'groot.h'}: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
