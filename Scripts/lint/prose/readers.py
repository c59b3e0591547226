"""Takes the passages for people out of files: documents, comments, messages, names of tests."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CODE = "\N{REPLACEMENT CHARACTER}"
ITEM = re.compile(r"- (?:Parameters?:|Parameter \w+:|Returns:|Throws:|\w+:)? ?|[@\\]\w+ ")
#: An interpolation of Swift in a literal: parentheses in it nest twice at most.
INSERTED = r"\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
LITERAL = re.compile(rf'"((?:[^"\\\n]|{INSERTED}|\\.)*)"')
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Passage:
    """A text that stands by itself, such as a paragraph or a message, and its line."""

    line: int
    text: str


def passages(path: Path) -> Iterator[Passage]:
    """All texts for people of a file; the names of tests too."""
    text = path.read_text()
    if path.stem.endswith(("Tests", "Law")) or path.name.startswith("test_"):
        yield from names_of_tests(text, path.suffix)
    elif path.suffix == ".md":
        yield from of_document(text)
    elif path.suffix == ".swift":
        yield from of_comments(text, "//")
        yield from of_swift_messages(text)
    elif path.suffix in (".h", ".hpp", ".c", ".cpp"):
        yield from of_blocks(text)
    elif path.suffix == ".py":
        yield from of_python(text)
    elif path.suffix == ".json":
        about = json.loads(text).get("about")
        if isinstance(about, str):
            yield Passage(1 + text[: text.find('"about"')].count("\n"), about)


def plain(text: str) -> str:
    """The text with code as one word, and links as their text."""
    text = re.sub(r"``.+?``|`[^`]*`", CODE, text)
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\s+", " ", text.replace("**", "").replace("\\`", "")).strip()


def of_document(text: str) -> Iterator[Passage]:
    """Paragraphs, items and cells of Markdown, but no headings, heads of tables or code."""
    kept: list[str] = []
    start = 0
    in_code = False
    lines = text.split("\n")
    for number, line in enumerate([*lines, ""], 1):
        bare = line.strip()
        fence = bare.startswith("```")
        is_item = re.match(r"(?:[-*]|\d+\.) ", bare)
        if fence:
            in_code = not in_code
        ends = fence or in_code or not bare or bare[0] in "#|<" or is_item
        if ends and kept:
            yield Passage(start, plain(" ".join(kept)))
            kept = []
        if fence or in_code or not bare or bare[0] in "#<":
            continue
        if bare[0] == "|":
            below = lines[number].strip() if number < len(lines) else ""
            if not re.fullmatch(r"[|:\- ]+", bare) and not re.fullmatch(r"[|:\- ]+", below):
                for cell in re.split(r"(?<!\\)\|", plain(bare.strip("|"))):
                    yield Passage(number, cell.strip())
            continue
        if not kept:
            start = number
        kept.append(bare[is_item.end() :] if is_item else bare.lstrip("> "))


def of_lines(lines: list[tuple[int, str]]) -> Iterator[Passage]:
    """Paragraphs of the lines of one comment; code that is indented or fenced is left out."""
    kept: list[str] = []
    start = 0
    in_code = False
    for number, line in [*lines, (0, "")]:
        bare = line.strip()
        fence = bare.startswith("```")
        if fence:
            in_code = not in_code
        item = ITEM.match(bare)
        is_code = fence or in_code or (line.startswith("    ") and not kept) or bare[:1] == "|"
        # A list by indentation is not a sentence.
        is_code = is_code or bool(re.match(r" {2,}", line) and re.search(r"\S {2,}\S", bare))
        if (is_code or not bare or item or bare.startswith("#")) and kept:
            yield Passage(start, plain(" ".join(kept)))
            kept = []
        if is_code or not bare or bare.startswith("#"):
            continue
        if not kept:
            start = number
        kept.append(bare[item.end() :] if item else bare)


def of_comments(text: str, mark: str) -> Iterator[Passage]:
    """Comments that begin with a mark, of lines that follow each other."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        found = re.match(rf"\s*{mark}[/!]? ?(.*)$", line)
        if found and not re.match(r"\s*(MARK|swift-|----)", found[1]):
            block.append((number, found[1]))
            continue
        if block:
            yield from of_lines(block)
            block = []
        behind = re.search(rf"\s{mark} (.+)$", line)
        if (
            behind
            and not behind[1].startswith("MARK")
            and line[: behind.start()].count('"') % 2 == 0
        ):
            yield Passage(number, plain(behind[1]))


def of_blocks(text: str) -> Iterator[Passage]:
    """Comments of C and C++."""
    for found in re.finditer(r"/\*.*?\*/", text, re.DOTALL):
        first = text[: found.start()].count("\n") + 1
        lines = [
            (first + index, re.sub(r"^\s*\* ?|^\s*/\*[*!]?<? ?|\s*\*/$", "", line))
            for index, line in enumerate(found[0].split("\n"))
        ]
        yield from of_lines(lines)
    blank = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    yield from of_comments(blank, "//")


def is_message(text: str) -> bool:
    """Whether a literal is a text for people: two words at least, of letters."""
    words = text.split()
    if re.search(r"\b(SELECT|CREATE|INSERT|UPDATE|DELETE|PRAGMA|WHERE|FROM)\b", text):
        return False
    return sum(bool(re.fullmatch(r"[A-Za-z][a-z]*[,;:.]?", word)) for word in words) >= 2


def of_swift_messages(text: str) -> Iterator[Passage]:
    """Literals of Swift that are texts for people; those that plus joins are one."""
    bare = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
    joined, line, end = "", 0, 0
    for found in LITERAL.finditer(bare):
        value = re.sub(INSERTED, CODE, found[1]).replace('\\"', "'").replace("\\n", " ")
        if joined and re.fullmatch(r"\s*\+\s*", bare[end : found.start()]):
            joined += value
        else:
            if is_message(joined):
                yield Passage(line, plain(joined))
            joined, line = value, bare[: found.start()].count("\n") + 1
        end = found.end()
    if is_message(joined):
        yield Passage(line, plain(joined))


def of_python(text: str) -> Iterator[Passage]:
    """Comments, docstrings and messages of Python."""
    yield from of_comments(text, "#")
    tree = ast.parse(text)
    seen: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            found = node.body[0].value
            seen.add(found)
            yield from of_docstring(found.lineno, found.value.split("\n"))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            seen.update(node.values)
            parts = (part.value if isinstance(part, ast.Constant) else CODE for part in node.values)
            literal = "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in seen:
            literal = node.value
        else:
            continue
        if is_message(literal) and "\n" not in literal.strip():
            yield Passage(node.lineno, plain(literal))


def of_docstring(first: int, lines: list[str]) -> Iterator[Passage]:
    """Paragraphs of a docstring, without examples, names of arguments and headings of parts."""
    indent = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    block: list[tuple[int, str]] = []
    for index, line in enumerate(lines):
        bare = line[indent:] if index else line
        heading = re.fullmatch(r"(Args|Returns|Raises|Yields|Attributes|Examples?):", bare.strip())
        if heading or bare.lstrip().startswith((">>>", "...")):
            block.append((first + index, ""))
            continue
        argument = re.match(r" {4}(\*{0,2}[\w`., ]{1,40}): ", bare)
        if argument:
            block.append((first + index, ""))
            bare = bare[argument.end() :]
        elif bare.startswith("    ") and block and block[-1][1]:
            bare = bare.strip()
        block.append((first + index, bare))
    yield from of_lines(block)


def names_of_tests(text: str, suffix: str) -> Iterator[Passage]:
    """Names of tests as sentences: `aKeyIsKept` is "a key is kept"."""
    pattern = (
        r"@Test\b(?:(?!@Test\b)[\s\S])*?\bfunc (?:`([^`]+)`|(\w+))"
        if suffix == ".swift"
        else r"()\bdef test_(\w+)"
    )
    for found in re.finditer(pattern, text):
        name = found[1] or found[2]
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").lower()
        yield Passage(text[: found.start()].count("\n") + 1, words)
