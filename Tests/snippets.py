#!/usr/bin/env python3
"""Checks that the documentation is true: its code runs, its names and links exist.

In README.md and docs/*.md
- the ```python blocks of a page, one after the other, are a program that runs; so are the
  ```swift blocks,
- a ```c block with a main function is a program that compiles without a warning and runs,
- a ```json block is JSON,
- a name that begins with groot_ or GROOT_ stands in groot.h,
- a relative link leads to a file.
Programs run in a folder that has the examples' JSON files. A block that is only to be read says so
behind the language: ```python no-run.

usage: snippets.py [PAGE...]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "lib"
SWIFT_BUILD = ROOT / ".build" / "debug"
HEADER = (ROOT / "include" / "groot.h").read_text()
NOT_IN_HEADER = {"GROOT_LIBRARY", "GROOT_H"}
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"\b(?:groot_[a-z0-9_]+|GROOT_[A-Z0-9_]+)\b")
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")


class Problem(Exception):
    """Something in a page that is not true."""


def run(*command: object, folder: Path, **variables: str) -> str:
    """Runs a command; its output when it succeeds, else a problem."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, "LD_LIBRARY_PATH": str(BUILD), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Problem(f"exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def flags(*arguments: str) -> list[str]:
    """What pkg-config says, with the library just built."""
    return run("pkg-config", *arguments, folder=ROOT, PKG_CONFIG_PATH=str(BUILD)).split()


def run_python(code: str, folder: Path) -> None:
    (folder / "page.py").write_text(code)
    run(sys.executable, "page.py", folder=folder, PYTHONPATH=str(ROOT / "python"))


def run_swift(code: str, folder: Path) -> None:
    (folder / "main.swift").write_text(code)
    objects = sorted((SWIFT_BUILD / "Groot.build").glob("*.o"))
    modules = ["-I", SWIFT_BUILD / "Modules", "-I", ROOT / "Sources" / "CJansson"]
    command = ["swiftc", "-swift-version", "6", *modules, "main.swift", *objects]
    run(*command, *flags("--libs", "jansson"), "-o", "page", folder=folder)
    run("./page", folder=folder)


def run_c(code: str, folder: Path) -> None:
    (folder / "page.c").write_text(code)
    warnings = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    groot = flags("--cflags", "--libs", "groot")
    run(os.environ.get("CC", "cc"), *warnings, "page.c", "-o", "page", *groot, folder=folder)
    run("./page", folder=folder)


def parse_json(code: str, folder: Path) -> None:
    try:
        json.loads(code)
    except ValueError as error:
        raise Problem(str(error)) from error


RUNNERS = {"python": run_python, "swift": run_swift, "c": run_c, "json": parse_json}


def programs(text: str) -> Iterator[tuple[str, str]]:
    """The programs of a page: language and code."""
    whole: dict[str, list[str]] = {"python": [], "swift": []}
    for language, attributes, code in BLOCK.findall(text):
        if "no-run" in attributes:
            continue
        if language in whole:
            whole[language].append(code)
        elif language == "json" or (language == "c" and "int main(" in code):
            yield language, code
    for language, parts in whole.items():
        if parts:
            yield language, "\n".join(parts)


def check_names(text: str) -> None:
    known = set(NAME.findall(HEADER)) | NOT_IN_HEADER
    unknown = sorted(set(NAME.findall(text)) - known)
    if unknown:
        raise Problem(f"not in groot.h: {', '.join(unknown)}")


def check_links(text: str, page: Path) -> None:
    without_code = BLOCK.sub("", text)
    broken = [link for link in LINK.findall(without_code) if not (page.parent / link).exists()]
    if broken:
        raise Problem(f"broken links: {', '.join(broken)}")


def check_program(language: str, code: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in (ROOT / "examples").glob("*.json"):
            shutil.copy(file, folder)
        RUNNERS[language](code, folder)


def main() -> int:
    pages = [Path(name).resolve() for name in sys.argv[1:]]
    if not pages:
        pages = [*ROOT.glob("README.md"), *sorted((ROOT / "docs").glob("*.md"))]
    passed = failed = 0
    for page in pages:
        text = page.read_text()
        checks = [
            ("names", partial(check_names, text)),
            ("links", partial(check_links, text, page)),
        ]
        for language, code in programs(text):
            checks.append((language, partial(check_program, language, code)))
        for what, check in checks:
            try:
                check()
                passed += 1
            except Problem as problem:
                failed += 1
                print(f"{page.relative_to(ROOT)}, {what}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
