"""Finds the places in Swift sources where a small fault can be planted.

A site is a part of one line and the fault that takes its place. Which of the two counts is
decided while the program runs, so all faults are compiled once: see switches.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: An operator, the one that takes its place, and what kind of operands both have.
OPERATORS = {
    "<": ("<=", "order"),
    "<=": ("<", "order"),
    ">": (">=", "order"),
    ">=": (">", "order"),
    "==": ("!=", "equality"),
    "!=": ("==", "equality"),
    "&&": ("||", "conjunction"),
    "||": ("&&", "disjunction"),
    "+": ("-", "sum"),
    "-": ("+", "sum"),
    "&+": ("&-", "wrapping sum"),
    "&-": ("&+", "wrapping sum"),
    "*": ("+", "product"),
    "&": ("|", "bits of a product"),
    "|": ("&", "bits of a sum"),
    "<<": (">>", "shift"),
    ">>": ("<<", "shift"),
}
OPERATOR = re.compile(r"(?<=[\w)\]}?!]) ([-+*<>=!&|]{1,2}) (?=[\w(.\[!~-])")
CONDITION = re.compile(r"^\s*(?:\} else )?(?:if|while) (.+) \{$|^\s*guard (.+) else \{.*$")
NUMBER = re.compile(r"(?<![\w.\"#$-])(\d+)(?![\w.\"])")
TRUTH = re.compile(r"\b(true|false)\b")
LEAVING = re.compile(r"^\s*(continue|break|return)$")
STATEMENT = re.compile(
    r"^\s+(?:try |_ = |_ = try )?[\w.]+(?:\[[^\]]*\])?(?:[\w.]|\[[^\]]*\])*"
    r"(?:\(.*\)| (?:=|[-+|&]=|&[-+]=) .+)$"
)
#: Where a value is needed before the program runs, or a name is made and not used.
NOT_HERE = re.compile(
    r"^\s*(?:@|case\b|default\b|import\b|typealias\b|associatedtype\b|infix\b|#)|"
    r"\b(?:func|init|subscript|struct|class|enum|extension|protocol|precedencegroup)\b.*[{(]$|"
    r"\b(?:func|init\(|subscript)\b"
)


@dataclass(frozen=True)
class Site:
    """Columns `start` to `end` of a line, and what a fault makes of them."""

    file: str
    line: int
    start: int
    end: int
    kind: str
    fault: str
    text: str

    @property
    def key(self) -> str:
        """Names the site in words that outlast changes elsewhere in the file."""
        part = self.text[self.start : self.end]
        return f"{self.file}: {self.text.strip()} | {self.kind} {part} -> {self.fault}"


def plain(line: str) -> str:
    """The line with texts and comments blanked, at the same columns."""
    out = []
    in_text = False
    index = 0
    while index < len(line):
        character = line[index]
        if in_text:
            if character == "\\":
                out.append("  ")
                index += 2
                continue
            in_text = character != '"'
            out.append(" ")
        elif line.startswith("//", index):
            out.append(" " * (len(line) - index))
            break
        else:
            in_text = character == '"'
            out.append(" " if in_text else character)
        index += 1
    return "".join(out).ljust(len(line))[: len(line)]


def is_balanced(part: str) -> bool:
    depth = 0
    for character in part:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def has_top_level_comma(part: str) -> bool:
    depth = 0
    for character in part:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            return True
    return False


def sites_of_line(file: str, number: int, text: str) -> Iterator[Site]:
    bare = plain(text)
    if not bare.strip() or NOT_HERE.search(bare):
        return

    def site(start: int, end: int, kind: str, fault: str) -> Site:
        return Site(file, number, start, end, kind, fault, text)

    for found in OPERATOR.finditer(bare):
        operator = found.group(1)
        if operator in OPERATORS and not bare[found.end() :].startswith("nil"):
            fault, _ = OPERATORS[operator]
            yield site(found.start(1), found.end(1), "operator", fault)
    found = CONDITION.match(bare)
    if found:
        group = 1 if found.group(1) else 2
        part = found.group(group)
        if (
            is_balanced(part)
            and not has_top_level_comma(part)
            and not re.search(r"\b(let|var|case)\b|#", part)
        ):
            yield site(found.start(group), found.end(group), "condition", "its opposite")
    for found in NUMBER.finditer(bare):
        value = int(found.group(1))
        yield site(found.start(1), found.end(1), "number", str(value + 1))
    for found in TRUTH.finditer(bare):
        yield site(
            found.start(1), found.end(1), "truth", "false" if found.group(1) == "true" else "true"
        )
    found = LEAVING.match(bare)
    if found:
        yield site(found.start(1), found.end(1), "leaving", "nothing")
    if STATEMENT.match(bare) and is_balanced(bare) and "{" not in bare:
        start = len(bare) - len(bare.lstrip())
        end = len(bare.rstrip())
        if not re.match(r"(return|throw|let|var|if|guard|while|for|else)\b", bare[start:]):
            yield site(start, end, "statement", "nothing")


def is_ended(lines: list[str], number: int) -> bool:
    """Whether the statement on this line neither began above nor goes on below."""
    above = plain(lines[number - 1]).rstrip() if number else ""
    below = plain(lines[number + 1]).lstrip() if number + 1 < len(lines) else ""
    if above and not re.search(r"[{})\w\]?!\"]$|^\s*$", above):
        return False
    if re.match(r"[.?:&|+\-*<>=]", below):
        return False
    return not re.match(r"\s*[.?:&|+*<>=)]", plain(lines[number]))


def find_sites(root: Path, folders: list[str]) -> list[Site]:
    """All sites in the Swift files of the folders, in order."""
    sites = []
    for folder in folders:
        for path in sorted((root / folder).rglob("*.swift")):
            lines = path.read_text().split("\n")
            file = str(path.relative_to(root))
            in_long_text = False
            depth_of_list = 0
            for number, text in enumerate(lines):
                in_long_text ^= text.count('"""') % 2 == 1
                bare = plain(text)
                inside = depth_of_list > 0
                depth_of_list += sum(c in "([" for c in bare) - sum(c in ")]" for c in bare)
                if in_long_text:
                    continue
                for site in sites_of_line(file, number, text):
                    if site.kind in ("statement", "leaving") and (
                        inside or not is_ended(lines, number)
                    ):
                        continue
                    sites.append(site)
    return sites
