#!/usr/bin/env python3
"""Checks that the documentation is true: its code runs, its names and links exist.

In README.md and docs/*.md
- the ```python blocks of a page, one after the other, are a program that runs; so are the
  ```swift blocks,
- a ```c block with a main function is a program that compiles without a warning and runs,
- a ```json block is JSON; with a file name behind the language, as in ```json model.json, it is
  also a file that the page's programs find,
- a block with the word output behind its language is what every program of the page prints, among
  other things,
- a name that begins with groot_ or GROOT_ stands in groot.h,
- a relative link leads to a file.
Programs run in a folder that also has the examples' JSON files. A block that is only to be read
says so behind the language: ```python no-run.

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
# Of the Python package, of the header itself, and the symbol version GROOT_0.1.
NOT_IN_HEADER = {"GROOT_LIBRARY", "GROOT_H", "GROOT_0"}
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"\b(?:groot_[a-z0-9_]+|GROOT_[A-Z0-9_]+)\b")
FILE_NAME = re.compile(r"[\w-]+\.json")
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


def run_python(code: str, folder: Path) -> str:
    (folder / "page.py").write_text(code)
    return run(sys.executable, "page.py", folder=folder, PYTHONPATH=str(ROOT / "python"))


def run_swift(code: str, folder: Path) -> str:
    (folder / "main.swift").write_text(code)
    # What is left of a file that is gone is no part of the library.
    sources = {path.name for path in (ROOT / "Sources" / "Groot").rglob("*.swift")}
    built = sorted((SWIFT_BUILD / "Groot.build").glob("*.o"))
    objects = [path for path in built if path.stem in sources]
    modules = ["-I", SWIFT_BUILD / "Modules"]
    for system in ("CAtomics", "CJansson", "CPCRE2"):
        modules += ["-I", ROOT / "Sources" / system]
    command = ["swiftc", "-swift-version", "6", *modules, "main.swift", *objects]
    run(*command, *flags("--libs", "jansson", "libpcre2-8"), "-o", "page", folder=folder)
    return run("./page", folder=folder)


def run_c(code: str, folder: Path) -> str:
    (folder / "page.c").write_text(code)
    warnings = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    groot = flags("--cflags", "--libs", "groot")
    run(os.environ.get("CC", "cc"), *warnings, "page.c", "-o", "page", *groot, folder=folder)
    return run("./page", folder=folder)


def parse_json(code: str) -> None:
    try:
        json.loads(code)
    except ValueError as error:
        raise Problem(str(error)) from error


RUNNERS = {"python": run_python, "swift": run_swift, "c": run_c}


def files(text: str) -> dict[str, str]:
    """The files of a page: name and content."""
    return {
        attributes.strip(): code
        for language, attributes, code in BLOCK.findall(text)
        if language == "json" and FILE_NAME.fullmatch(attributes.strip())
    }


def outputs(text: str) -> list[str]:
    """What every program of the page must print."""
    return [code for _, attributes, code in BLOCK.findall(text) if attributes.strip() == "output"]


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


def check_program(language: str, code: str, page: str) -> None:
    if language == "json":
        parse_json(code)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in (ROOT / "examples").glob("*.json"):
            shutil.copy(file, folder)
        for file_name, content in files(page).items():
            (folder / file_name).write_text(content)
        printed = RUNNERS[language](code, folder)
    for output in outputs(page):
        if output not in printed:
            raise Problem(f"expected it to print\n{output}but it printed\n{printed}")


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
            checks.append((language, partial(check_program, language, code, text)))
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
