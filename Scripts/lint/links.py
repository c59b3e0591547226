#!/usr/bin/env python3
"""Checks where documents lead: every relative link to a file, and to a heading, that is there.

Of all Markdown files:
- a relative link leads to a file, and what follows # in it to a heading of that file,
- a page in docs/ can be reached from docs/README.md, and has at most 350 lines,
- a name such as `JSONTape` is one of the sources or tests, and so is a method of Swift such as
  `column(_:of:objects:)`.
Of all other files, and of articles for DocC, which cannot link to docs/: a path that begins with
docs/ leads to a file.

usage: links.py [FOLDER]    the folder is that of the project unless told
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]).resolve()
LINES = 350
SKIPPED = {".build", "build", "node_modules"}
SUFFIXES = {".c", ".cpp", ".h", ".json", ".mk", ".py", ".sh", ".swift", ".in", ""}
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
TYPE = re.compile(r"`([A-Z][a-z]+[A-Z]\w*)(?:\+\w+)?`")
METHOD = re.compile(r"`((?!init\()[a-z]\w*\((?:\w+:)+\))`")
FUNCTION = re.compile(r"\bfunc (\w+)(?:<[^(]*>)?\(((?:[^()]|\([^()]*(?:\([^()]*\))?[^()]*\))*)\)")
NESTED = re.compile(r"\([^()]*\)|\[[^][]*\]|<[^<>]*>")
NAMED = re.compile(r"(?<![\w/.-])docs/[\w/-]+\.(?:md|json|svg)\b")


def files(folder: Path) -> Iterator[Path]:
    """All files below a folder that are part of the project."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in SKIPPED and not path.name.startswith("."):
            yield from files(path)
        elif path.is_file() and not path.name.startswith("."):
            yield path


def anchors(page: Path) -> set[str]:
    """What a link into a page may name."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = HEADING.findall(text)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def links(page: Path) -> Iterator[tuple[str, Path, str]]:
    """The relative links of a page: as written, the file, the heading."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for match in LINK.finditer(text):
        yield match[0][2:-1], (page.parent / match[1]).resolve() if match[1] else page, match[2]


def words(everything: list[Path]) -> set[str]:
    """All words of the sources and tests."""
    folders = [ROOT / name for name in ("Sources", "Tests", "python")]
    code = [path for path in everything if path.suffix in (".swift", ".py")]
    found: set[str] = set()
    for path in code:
        if any(path.is_relative_to(folder) for folder in folders):
            text = path.read_text()
            found.update(re.findall(r"\w+", text))
            found.update(method(*match) for match in FUNCTION.findall(text))
    return found


def method(name: str, parameters: str) -> str:
    """The name of a method of Swift with its labels."""
    while NESTED.search(parameters):
        parameters = NESTED.sub("", parameters)
    labels = [part.split()[0].rstrip(":") for part in parameters.split(",") if part.strip()]
    return f"{name}({''.join(label + ':' for label in labels)})"


def check_page(page: Path, known: set[str]) -> Iterator[str]:
    for written, file, anchor in links(page):
        if not file.exists():
            yield f"{written} leads to no file"
        elif anchor and (file.suffix != ".md" or anchor not in anchors(file)):
            yield f"{written} leads to no heading"
    for name in TYPE.findall(page.read_text()) + METHOD.findall(page.read_text()):
        if name not in known and page.name != "CHANGELOG.md":
            yield f"{name} is not a name of the sources"
    length = len(page.read_text().splitlines())
    if page.is_relative_to(ROOT / "docs") and length > LINES:
        yield f"{length} lines; {LINES} are allowed"


def reached(start: Path) -> set[Path]:
    """The pages that links lead to from a page, and from those."""
    found = {start}
    waiting = [start]
    while waiting:
        for _, file, _ in links(waiting.pop()):
            if file.suffix == ".md" and file.exists() and file not in found:
                found.add(file)
                waiting.append(file)
    return found


def main() -> int:
    everything = list(files(ROOT))
    pages = [path for path in everything if path.suffix == ".md"]
    known = words(everything)
    problems = []
    for page in pages:
        problems += [f"{page.relative_to(ROOT)}: {text}" for text in check_page(page, known)]
    on_map = reached(ROOT / "docs" / "README.md")
    for page in pages:
        if page.is_relative_to(ROOT / "docs") and page not in on_map:
            problems.append(f"{page.relative_to(ROOT)}: docs/README.md does not lead here")
    for path in everything:
        is_article = path.parent.suffix == ".docc"
        if (path.suffix in SUFFIXES or is_article) and path.stem != "links":
            for named in NAMED.findall(path.read_text(errors="ignore")):
                if not (ROOT / named).exists():
                    problems.append(f"{path.relative_to(ROOT)}: {named} is not there")
    for problem in problems:
        print(problem)
    print(f"{len(pages)} documents, {len(problems)} wrong links")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
