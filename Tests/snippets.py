#!/usr/bin/env python3
"""Checks that the documentation is true: the code in it runs.

In the Markdown files at the top, in docs/, in Tests/ and in the DocC catalogues of Sources/
- the ```python blocks of a page, one after the other, are a program that runs; so are the
  ```swift blocks,
- the ```c blocks are programs that compile without a warning and run; a program ends with the block
  that closes its main function,
- a ```json block is JSON; with a file name behind the language, as in ```json model.json, it is
  also a file that the page's programs find,
- a ```sql block with a file name behind the language runs on that SQLite file, and a ```sh block as
  a script, after the page's Python program and in its folder,
- the ```console blocks are a session of a shell, with what each command prints (sessions.py),
- the statements of a ```sql block with "schema FILE" behind the language are those of that file,
- a block with the word output behind its language is what every program of the page prints, among
  other things; with languages behind it, as in "output c swift", what every program in those does,
- a name that begins with groot_ or GROOT_ is in groot.h.
A program with a URL "postgresql:///..." connects to the server that GROOT_POSTGRESQL names.
Programs run in a folder that also has the examples' JSON files. A block that cannot be run says why
behind the language, as in ```python no-run: needs pyarrow; these are listed at the end. Any other
block is a failure: no code is passed over in silence. ```text is for all else.

usage: snippets.py [PAGE...]
"""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import sessions

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "lib"
SERVER = "GROOT_POSTGRESQL"
VALGRIND = (
    *("valgrind", "--quiet", "--leak-check=full", "--show-leak-kinds=all"),
    *("--errors-for-leak-kinds=all", "--error-exitcode=9"),
    f"--suppressions={ROOT / 'Scripts' / 'package' / 'install' / 'groot.supp'}",
)
SWIFT_BUILD = ROOT / "build" / "debug" / "debug"
# What programs import; Groot always.
SWIFT_MODULES = ("Groot", "GrootSQLite", "GrootFoundation")
HEADER = "".join(path.read_text() for path in sorted((ROOT / "include").glob("*.h")))
# Of the Python package, of the header itself, and the symbol version GROOT_0.1.
NOT_IN_HEADER = {"GROOT_LIBRARY", "GROOT_H", "GROOT_0"}
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^\s*(?:```|~~~)", re.MULTILINE)
NAME = re.compile(r"\b(?:groot_[a-z0-9_]+|GROOT_[A-Z0-9_]+)\b")
FILE_NAME = re.compile(r"[\w-]+\.json")
NO_RUN = re.compile(r"no-run: (\S.*)")
STORE = re.compile(r"(schema )?([\w-]+\.sqlite)")
C_STRING = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


class Problem(Exception):
    """Something in a page that is not true."""


class Block(NamedTuple):
    """A block of code: its language, what is said behind that, the code."""

    language: str
    words: str
    code: str

    @property
    def prints(self) -> tuple[str, ...]:
        """The languages whose programs print the block; empty when it is not printed."""
        word, *languages = self.words.split() or [""]
        if word != "output" or not RUNNERS.keys() >= set(languages):
            return ()
        return tuple(languages) or tuple(RUNNERS)

    @property
    def reason(self) -> str:
        """Why it is not run; empty when it is."""
        found = NO_RUN.fullmatch(self.words)
        return found[1] if found else ""


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
    python = str(ROOT / "python")
    return run(sys.executable, "page.py", folder=folder, PYTHONPATH=python, **server(code))


def server(code: str) -> dict[str, str]:
    """The variables by which libpq finds the server of the tests, for a program that needs one."""
    if '"postgresql:///' not in code:
        return {}
    if SERVER not in os.environ:
        raise Problem(f"{SERVER} names no server; run it under Tests/PostgreSQL/server")
    found = parse_qs(urlsplit(os.environ[SERVER]).query)
    return {"PGHOST": found["host"][0], "PGUSER": found["user"][0]}


def run_swift(code: str, folder: Path) -> str:
    (folder / "main.swift").write_text(code)
    objects = []
    modules = [name for name in SWIFT_MODULES if name == "Groot" or f"import {name}\n" in code]
    if "GrootSQLite" in modules:
        modules.append("GrootSQL")
    for module in modules:
        # The rest of a file that is gone is not part of the library.
        sources = {path.name for path in (ROOT / "Sources" / module).rglob("*.swift")}
        built = sorted((SWIFT_BUILD / f"{module}.build").glob("*.o"))
        objects += [path for path in built if path.stem in sources]
    paths = ["-I", SWIFT_BUILD / "Modules"]
    for system in ("CAtomics", "CFiles", "CJansson", "CPCRE2", "CSQLite", "CVectors"):
        paths += ["-I", ROOT / "Sources" / system]
    command = ["swiftc", "-swift-version", "6", *paths, "main.swift", *objects]
    libraries = flags("--libs", "jansson", "libpcre2-8", "sqlite3")
    run(*command, *libraries, "-o", "page", folder=folder)
    return run("./page", folder=folder)


def run_c(code: str, folder: Path) -> str:
    (folder / "page.c").write_text(code)
    warnings = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    groot = flags("--cflags", "--libs", "groot")
    run(os.environ.get("CC", "cc"), *warnings, "page.c", "-o", "page", *groot, folder=folder)
    said = run("./page", folder=folder)
    if "\ndone:\n" in code:  # a program that frees everything
        run(*VALGRIND, "./page", folder=folder)
    return said


def run_shell(code: str, folder: Path) -> None:
    """Runs a script in which the command python is the one that runs this."""
    paths = sessions.environment(folder / "bin")
    run(
        "sh",
        "-e",
        "-c",
        code,
        folder=folder,
        **{**paths, **server(code), "PKG_CONFIG_PATH": str(BUILD)},
    )


def plain(statement: str) -> str:
    """A statement of SQL without the white space that means nothing."""
    return re.sub(r"\s*([(),])\s*", r"\1", " ".join(statement.split()))


def run_sql(block: Block, folder: Path) -> None:
    """Runs statements on a store, or compares them with what its tables were made with."""
    named = STORE.fullmatch(block.words)
    if not named or not (folder / named[2]).exists():
        raise Problem(f"no file for ```sql {block.words}")
    statements = [text for text in block.code.split(";") if text.strip()]
    connection = sqlite3.connect(folder / named[2])
    try:
        made = {plain(sql) for (sql,) in connection.execute("SELECT sql FROM sqlite_master") if sql}
        for statement in statements:
            if not named[1]:
                connection.execute(statement).fetchall()
            elif plain(statement) not in made:
                raise Problem(f"the file was not made with {plain(statement)}")
    except sqlite3.Error as error:
        raise Problem(f"{error} in {block.code}") from error
    finally:
        connection.close()


def parse_json(code: str) -> None:
    try:
        json.loads(code)
    except ValueError as error:
        raise Problem(str(error)) from error


RUNNERS: dict[str, Callable[[str, Path], str]] = {
    "python": run_python,
    "swift": run_swift,
    "c": run_c,
}


def blocks(text: str) -> list[Block]:
    """The blocks of a page; every fence belongs to one, and each is of a kind that is checked."""
    found = [Block(match[1], match[2].strip(), match[3]) for match in BLOCK.finditer(text)]
    if len(FENCE.findall(text)) != 2 * len(found):
        raise Problem("a block without a language, not at the margin, or not closed")
    for block in found:
        known = {
            "json": not block.words or FILE_NAME.fullmatch(block.words) or block.prints,
            "text": not block.words or block.prints,
            "sql": STORE.fullmatch(block.words),
        }.get(block.language, block.language in (*RUNNERS, "sh", "console") and not block.words)
        if not known and not block.reason:
            raise Problem(f"no way to check ```{block.language} {block.words}")
    return found


def c_programs(codes: list[str]) -> Iterator[str]:
    """Joins blocks of C to programs, each with a whole main function."""
    program = ""
    for code in codes:
        program += code
        bare = C_STRING.sub("", program)
        if "int main(" in bare and bare.count("{") == bare.count("}"):
            yield program
            program = ""
    if program:
        raise Problem("C that is not part of a program")


def programs(found: list[Block]) -> Iterator[tuple[str, str]]:
    """The programs of a page: language and code."""
    whole: dict[str, list[str]] = {"python": [], "swift": [], "c": []}
    for block in found:
        if block.language in whole and not block.reason:
            whole[block.language].append(block.code)
    for code in c_programs(whole.pop("c")):
        yield "c", code
    for language, codes in whole.items():
        if codes:
            yield language, "\n".join(codes)


def check_names(text: str) -> None:
    known = set(NAME.findall(HEADER)) | NOT_IN_HEADER
    unknown = sorted(set(NAME.findall(text)) - known)
    if unknown:
        raise Problem(f"not in groot.h: {', '.join(unknown)}")


def check_session(found: list[Block]) -> None:
    """Runs the commands of a page, and compares what they print."""
    codes = [one.code for one in found if one.language == "console" and not one.reason]
    with tempfile.TemporaryDirectory() as name:
        write_files(found, Path(name))
        try:
            steps = [step for code in codes for step in sessions.steps(code)]
        except ValueError as wrong:
            raise Problem(str(wrong)) from wrong
        faults = list(sessions.faults(steps, Path(name)))
        if faults:
            raise Problem("\n".join(faults))


def write_files(found: list[Block], folder: Path) -> None:
    """Writes the files that a page defines."""
    for block in found:
        if block.language == "json" and FILE_NAME.fullmatch(block.words):
            (folder / block.words).write_text(block.code)


def check_program(language: str, code: str, found: list[Block]) -> None:
    """Runs a program and, after that in Python, what looks at its files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in (ROOT / "examples").glob("*.json"):
            shutil.copy(file, folder)
        write_files(found, folder)
        printed = RUNNERS[language](code, folder)
        for block in found if language == "python" else []:
            if block.language == "sql" and not block.reason:
                run_sql(block, folder)
            elif block.language == "sh" and not block.reason:
                run_shell(block.code, folder)
    for block in found:
        if language in block.prints and block.code not in printed:
            raise Problem(f"expected it to print\n{block.code}but it printed\n{printed}")


def checks(text: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """What is to be checked of a page."""
    yield "names", lambda: check_names(text)
    found = blocks(text)
    ran = [language for language, _ in programs(found)]
    for block in found:
        if block.language == "json" and not block.reason:
            yield "json", lambda code=block.code: parse_json(code)
        follows = block.language in ("sql", "sh") and not block.reason and "python" not in ran
        if follows or (block.prints and not set(block.prints) & set(ran)):
            raise Problem(f"no program of the page for ```{block.language} {block.words}")
    if any(block.language == "console" and not block.reason for block in found):
        yield "console", lambda: check_session(found)
    for language, code in programs(found):
        yield language, lambda part=(language, code): check_program(*part, found)


def pages() -> list[Path]:
    """All documents of the project."""
    folders = [ROOT / "docs", ROOT / "Tests", *(ROOT / "Sources").glob("*/*.docc")]
    return sorted([*ROOT.glob("*.md"), *(page for one in folders for page in one.rglob("*.md"))])


def main() -> int:
    passed = 0
    failures = []
    skipped = []
    for page in [Path(name).resolve() for name in sys.argv[1:]] or pages():
        text = page.read_text()
        name = os.path.relpath(page, ROOT)
        for match in BLOCK.finditer(text):
            if "no-run" in match[2]:
                skipped.append(f"{name}, {match[1]} {match[2].strip()}")
        try:
            waiting = list(checks(text))
        except Problem as problem:
            failures.append(f"{name}: {problem}")
            continue
        for what, check in waiting:
            try:
                check()
                passed += 1
            except Problem as problem:
                failures.append(f"{name}, {what}: {problem}")
    for line in [*failures, *skipped]:
        print(line)
    print(f"{passed} passed, {len(failures)} failed, {len(skipped)} not run")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
