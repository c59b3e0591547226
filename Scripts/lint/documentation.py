#!/usr/bin/env python3
"""Checks that what is public in Swift is documented.

usage: documentation.py FOLDER...    with the symbol graphs that Scripts/lint/symbols.sh writes

Of every public declaration that is written in the sources:
- its comment begins with a summary,
- where parameters are described, they are the function's, all of them and in its order,
- a function with three parameters or more describes them; so does one that takes a function, of
  which a name does not say what it is given and what it answers,
- what throws has a line "- Throws:" that says what, or where that is said: "as ``fetch(_:)``".
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlparse

MANY = 3
"""As many parameters are described, whatever their names are."""
PARAMETER = re.compile(r"^- Parameter `?(\w+)`?:", re.MULTILINE)
PARAMETERS = re.compile(r"^- Parameters:\n((?:(?:[ ]{2,}.*)?\n)*)", re.MULTILINE)
MEMBER = re.compile(r"^  - `?(\w+)`?: *\S", re.MULTILINE)
THROWS = re.compile(r"^- Throws: *\S", re.MULTILINE)


class Parameter(NamedTuple):
    """A parameter by the name that it has inside of the function."""

    name: str
    type: str


class Symbol(NamedTuple):
    """A public declaration, as a symbol graph has it."""

    name: str
    place: str
    comment: str
    parameters: list[Parameter]
    throws: bool

    @property
    def described(self) -> list[str]:
        """The parameters that the comment describes."""
        block = PARAMETERS.search(self.comment + "\n")
        return PARAMETER.findall(self.comment) + (MEMBER.findall(block[1]) if block else [])


def throws(fragments: list[dict[str, str]]) -> bool:
    """Whether a declaration throws, and not only a function that is one of its parameters."""
    depth = 0
    for fragment in fragments:
        if fragment["kind"] == "keyword" and fragment["spelling"] == "throws" and depth == 0:
            return True
        if fragment["kind"] == "text":
            text = fragment["spelling"].replace("->", "")
            depth += sum(map(text.count, "([<")) - sum(map(text.count, ")]>"))
    return False


def parameters(symbol: dict[str, Any]) -> Iterator[Parameter]:
    """The parameters of a function, an initializer or a subscript."""
    for found in symbol.get("functionSignature", {}).get("parameters", []):
        text = "".join(part["spelling"] for part in found["declarationFragments"])
        name = found.get("internalName", found["name"])
        yield Parameter(name, text.partition(":")[2].strip())


def symbols(folder: Path) -> Iterator[Symbol]:
    """The declarations of a folder's symbol graphs that are written somewhere, each once."""
    seen: set[str] = set()
    for file in sorted(folder.rglob("*.symbols.json")):
        graph = json.loads(file.read_text())
        for symbol in graph["symbols"]:
            identifier = symbol["identifier"]["precise"]
            if "location" not in symbol or "::SYNTHESIZED::" in identifier or identifier in seen:
                continue
            seen.add(identifier)
            path = Path(unquote(urlparse(symbol["location"]["uri"]).path))
            if path.is_relative_to(Path.cwd()):
                path = path.relative_to(Path.cwd())
            lines = symbol.get("docComment", {}).get("lines", [])
            is_alias = symbol["kind"]["identifier"] == "swift.typealias"
            yield Symbol(
                ".".join(symbol["pathComponents"]),
                f"{path}:{symbol['location']['position']['line'] + 1}",
                "\n".join(line["text"] for line in lines),
                list(parameters(symbol)),
                not is_alias and throws(symbol["declarationFragments"]),
            )


def faults(symbol: Symbol) -> Iterator[str]:
    """What a declaration's comment lacks."""
    summary = symbol.comment.strip().partition("\n")[0]
    if not summary or summary.startswith(("- ", "#", "```")):
        yield "no summary"
    names = [parameter.name for parameter in symbol.parameters]
    described = symbol.described
    if described and described != names:
        yield f"describes {', '.join(described)}, and the parameters are {', '.join(names)}"
    elif not described and len(names) >= MANY:
        yield f"{len(names)} parameters, which are not described"
    elif not described and any("->" in parameter.type for parameter in symbol.parameters):
        yield "takes a function, which is not described"
    if symbol.throws and not THROWS.search(symbol.comment):
        yield "throws, and does not say what"


def main() -> int:
    count = 0
    found = []
    for folder in map(Path, sys.argv[1:]):
        for symbol in symbols(folder):
            count += 1
            found += [f"{symbol.place}: {symbol.name}: {fault}" for fault in faults(symbol)]
    for line in sorted(found):
        print(line)
    if not count:
        print("no symbols to look at")
    print(f"documentation: {count} public symbols, {len(found)} faults")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
