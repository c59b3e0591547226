"""Writes a copy of the sources in which every chosen fault can be switched on.

The environment variable GROOT_MUTANT holds the number of the one fault that a process has; without
it the copy does what the original does. So there is one build for all faults.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

from sites import OPERATORS, Site

FOLDERS = ["Sources/Groot", "Sources/GrootSQL", "Sources/GrootSQLite", "Sources/GrootC"]
SWITCH = "Sources/Groot/Errors/Mutant.swift"
#: One character of its own for each operator: Unicode has 512 mathematical ones in a row or two.
FIRST_CHARACTERS = [*range(0x2A00, 0x2B00), *range(0x2900, 0x2980), *range(0x27F0, 0x2800)]
PRECEDENCE = {
    "order": "ComparisonPrecedence",
    "equality": "ComparisonPrecedence",
    "conjunction": "LogicalConjunctionPrecedence",
    "disjunction": "LogicalDisjunctionPrecedence",
    "sum": "AdditionPrecedence",
    "wrapping sum": "AdditionPrecedence",
    "bits of a sum": "AdditionPrecedence",
    "product": "MultiplicationPrecedence",
    "bits of a product": "MultiplicationPrecedence",
    "shift": "BitwiseShiftPrecedence",
}
#: The operands that each kind of operator takes: generic parameters, types, result.
OVERLOADS = {
    "order": [
        ("<T: Comparable>", "T", "T", "Bool"),
        ("<T: BinaryInteger>", "T", "T", "Bool"),
        ("<A: BinaryInteger, B: BinaryInteger>", "A", "B", "Bool"),
    ],
    "equality": [
        ("<T: Equatable>", "T", "T", "Bool"),
        ("<T: BinaryInteger>", "T", "T", "Bool"),
        ("<A: BinaryInteger, B: BinaryInteger>", "A", "B", "Bool"),
    ],
    "conjunction": [("", "Bool", "@autoclosure () throws -> Bool", "Bool")],
    "disjunction": [("", "Bool", "@autoclosure () throws -> Bool", "Bool")],
    "sum": [
        ("<T: BinaryInteger>", "T", "T", "T"),
        ("<T: BinaryFloatingPoint>", "T", "T", "T"),
        ("<P: Strideable>", "P", "P.Stride", "P"),
    ],
    "wrapping sum": [("<T: FixedWidthInteger>", "T", "T", "T")],
    "product": [
        ("<T: BinaryInteger>", "T", "T", "T"),
        ("<T: BinaryFloatingPoint>", "T", "T", "T"),
    ],
    "bits of a product": [("<T: BinaryInteger>", "T", "T", "T")],
    "bits of a sum": [("<T: BinaryInteger>", "T", "T", "T")],
    "shift": [("<A: BinaryInteger, B: BinaryInteger>", "A", "B", "A")],
}
ERROR = re.compile(r"^(/\S+\.swift):(\d+):\d+: error:", re.MULTILINE)

SWITCH_TEXT = """\
import Glibc

/// Which fault this process has.
package enum Mutant {
  package static let active: Int = {
    guard let text = getenv("GROOT_MUTANT") else { return -1 }
    return Int(atoi(text))
  }()

  @inline(__always)
  package static func flips(_ number: Int, _ value: Bool) -> Bool {
    (active == number) != value
  }

  @inline(__always)
  package static func picks<T>(_ number: Int, _ original: T, _ fault: T) -> T {
    active == number ? fault : original
  }
}
"""


def operator_text(number: int, character: str, operator: str) -> str:
    fault, kind = OPERATORS[operator]
    lines = [f"infix operator {character}: {PRECEDENCE[kind]}"]
    for generic, left, right, result in OVERLOADS[kind]:
        lazy = "throws" in right
        faulty, true = (
            f"(a {fault} b{'()' * lazy})",
            f"(a {operator} b{'()' * lazy})",
        )
        if "Strideable" in generic:  # a pointer and a distance
            sign = {"+": "", "-": "-"}
            faulty, true = f"a.advanced(by: {sign[fault]}b)", f"a.advanced(by: {sign[operator]}b)"
        lines += [
            "@inline(__always)",
            f"package func {character} {generic}(a: {left}, b: {right})"
            f"{' rethrows' * lazy} -> {result} {{",
            f"  {'try ' * lazy}Mutant.active == {number} ? {faulty} : {true}",
            "}",
        ]
    return "\n".join(lines) + "\n"


def switched(site: Site, number: int, character: str) -> str:
    """What stands in the place of the site."""
    part = site.text[site.start : site.end]
    if site.kind == "operator":
        return character
    if site.kind == "condition":
        return f"Mutant.flips({number}, {part})"
    if site.kind in ("number", "truth"):
        return f"Mutant.picks({number}, {part}, {site.fault})"
    return f"if Mutant.active != {number} {{ {part} }}"


def write(root: Path, copy: Path, mutants: dict[int, Site]) -> None:
    """The sources with all mutants, each in its place; unchanged files are not touched."""
    operators = ""
    by_file: dict[str, list[tuple[int, Site]]] = defaultdict(list)
    characters = {}
    for number, site in mutants.items():
        by_file[site.file].append((number, site))
        if site.kind == "operator":
            characters[number] = chr(FIRST_CHARACTERS[len(characters)])
            part = site.text[site.start : site.end]
            operators += operator_text(number, characters[number], part)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.swift")):
            file = str(path.relative_to(root))
            lines = path.read_text().split("\n")
            for number, site in sorted(by_file[file], key=lambda m: (m[1].line, -m[1].start)):
                line = lines[site.line]
                new = switched(site, number, characters.get(number, ""))
                lines[site.line] = line[: site.start] + new + line[site.end :]
            text = "\n".join(lines)
            if (copy / file).read_text() != text:
                (copy / file).write_text(text)
    (copy / SWITCH).write_text(SWITCH_TEXT + "\n" + operators)


def copy_tree(root: Path, copy: Path) -> None:
    """A copy of what is under version control, as it is in the working tree."""
    shutil.rmtree(copy, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    for file in listed.split("\0"):
        if file and (root / file).is_file():
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / file, copy / file)


def one_a_line(sites: list[Site]) -> list[Site]:
    """The sites without those that share a line with one before them."""
    seen: set[tuple[str, int]] = set()
    kept = []
    for site in sites:
        place = (site.file, site.line)
        if place not in seen:
            seen.add(place)
            kept.append(site)
    return kept


def without_refused(copy: Path, mutants: dict[int, Site], output: str) -> dict[int, Site]:
    """The mutants without those that the compiler does not take."""
    refused = {
        (str(Path(file).relative_to(copy)), int(line)) for file, line in ERROR.findall(output)
    }
    kept = {n: s for n, s in mutants.items() if (s.file, s.line + 1) not in refused}
    # An error elsewhere, as at the end of a function that lost its result, or in a closure whose
    # type is no longer seen: the mutant nearest to it, rather one above.
    for file, line in refused - {(s.file, s.line + 1) for s in mutants.values()}:
        near = [n for n, s in kept.items() if s.file == file]
        if near:
            del kept[min(near, key=lambda n: distance(kept[n].line + 1, line))]
    return kept


def distance(line: int, error: int) -> int:
    """How far a mutant's line is from an error's; one below counts ten times as far."""
    return error - line if line <= error else (line - error) * 10
