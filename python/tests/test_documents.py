"""The tables in docs/ agree with the library."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import groot
from groot._ffi import lib
from groot.options import DumpOptions, LoadOptions

ROOT = Path(__file__).resolve().parents[2]


def rows(page: str, pattern: str) -> list[tuple[str, ...]]:
    """Find the rows in the tables of a page that match a pattern."""
    text = (ROOT / "docs" / page).read_text()
    return re.findall(pattern, text, re.MULTILINE)


STATUSES = rows("reference/errors.md", r"^\| (\d+) \| `GROOT_(\w+)` \| ([^|]+) \|")


def test_statuses_are_those_of_the_header():
    header = (ROOT / "include" / "groot.h").read_text()
    section = header[header.index("#define GROOT_OK") : header.index("typedef struct groot_error")]
    defined = re.findall(r"^#define GROOT_(\w+) (\d+)", section, re.MULTILINE)
    assert [(name, number) for number, name, _ in STATUSES] == defined


def test_statuses_are_those_of_swift():
    source = (ROOT / "Sources" / "Groot" / "Errors" / "Status.swift").read_text()
    defined = re.findall(r"static let (\w+) = Status\(rawValue: (\d+)\)", source)
    # invalidUTF8 and INVALID_UTF8
    names = [(name.replace("_", "").lower(), number) for number, name, _ in STATUSES]
    assert names == [(name.lower(), number) for name, number in defined]


def test_statuses_are_those_of_python():
    names = [(name, int(number)) for number, name, _ in STATUSES if number != "0"]
    assert names == [(status.name, status.value) for status in groot.Status]


def test_statuses_have_these_words():
    for number, _, words in STATUSES:
        assert lib.status_name(int(number)).decode() == words


def test_builtin_transformers_are_those_of_the_library():
    names = rows("reference/transformers.md", r"^\| `([a-z-]+)` \| .+ \| `")
    assert sorted(names) == sorted(groot.Registry.builtins())


def test_builtin_transformers_serve_these_types():
    table = rows("reference/transformers.md", r"^\| `([a-z-]+)` \| .+ \| (`.+`) \|$")
    all_types = rows("reference/model-document.md", r"^\| (`\w+`(?:, `\w+`)*) \| .+ \| .+ \|$")
    names = {name for cell in all_types for name in re.findall(r"`(\w+)`", cell)}
    types = {name for name in names if _takes(name, None)}
    assert len(types) == 15
    for builtin, cell in table:
        documented = set(re.findall(r"`(\w+)`", cell))
        assert {type for type in types if _takes(type, builtin)} == documented, builtin


def swift(path: str) -> str:
    """Read a source of the library."""
    return (ROOT / "Sources" / "Groot" / path).read_text()


def words(source: str, pattern: str) -> list[str]:
    """Find the quoted words in the match of a pattern's group."""
    found = re.search(pattern, source, re.DOTALL)
    assert found, pattern
    return re.findall(r'"([\w.]+)"', found[1])


POLICIES = swift("Mapping/Compiled/Policies.swift")
POLICY_NAMES = words(POLICIES, r"static let names = \[(.*?)\]")


def test_annotations_are_those_of_the_library():
    source = swift("Mapping/Dialects/Groot/AnnotationNames.swift")
    property = words(source, r"let property =\s*\[(.*?)\]")
    relationship = [
        name
        for kind in ("relationship", "toOne", "toMany")
        for name in words(source, rf"let {kind} =[^\[]*\[(.*?)\]")
    ]
    known = {
        "entity": words(source, r"let entity = \[(.*?)\]"),
        "attribute": words(source, r"let attribute =\s*\[(.*?)\]") + property,
        "relationship": relationship + property,
    }
    policies = {"groot." + name for name in POLICY_NAMES}
    assert policies <= {name for names in known.values() for name in names}
    row = r"^\| \[?`([\w.]+)`(?:\]\([\w./#-]+\))? \| ([a-z -]+(?:, \w+)*) \|"
    table = rows("reference/annotations.md", row)
    documented = [name for name, places in table if places.split()[-1] in known]
    assert len(set(documented)) == len(documented)
    assert set(documented) == {name for names in known.values() for name in names}
    for name, places in table:
        for place in places.split(", ") if name in documented else []:
            assert name in known[place.split()[-1]], name


def test_conventions_are_those_of_the_library():
    source = swift("Mapping/Dialects/Hyper/HyperAnnotations.swift")
    names = words(source, r"let names = \[(.*?)\]")
    assert rows("reference/conventions.md", r"^\| `sync\.(\w+)` \| ") == names


def options(section: str) -> list[tuple[str, ...]]:
    """Find the names of the options by language, in a section of the page about options."""
    text = (ROOT / "docs" / "reference" / "options.md").read_text()
    part = text[text.index(f"## {section}") :].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \| `(\w+)` \| `(\w+)` \| ", part, re.MULTILINE)


def test_options_are_those_of_python():
    imports = [python for python, _, _ in options("Options of imports")]
    assert sorted(imports) == sorted(LoadOptions.__annotations__)
    exports = [python for python, _, _ in options("Options of exports")]
    assert sorted(exports) == sorted(DumpOptions.__annotations__)


@pytest.mark.parametrize("what", ["import", "export"])
def test_options_are_those_of_c_and_swift(what: str):
    header = (ROOT / "include" / "groot.h").read_text()
    end = header.index(f"}} groot_{what}_options;")
    struct = header[header.rindex("typedef struct", 0, end) : end]
    source = swift(f"{what.capitalize()}/{what.capitalize()}Options.swift")
    fields = set(re.findall(r"^  public var (\w+)", source, re.MULTILINE))
    documented = options(f"Options of {what}s")
    for _, c, _ in documented:
        known = f"#define {c} " in header if c.isupper() else f" {c};" in struct
        assert known or f"*{c};" in struct, c
    progress = {"bytes", "records", "inserted", "updated", "unchanged"}
    assert {member for _, _, member in documented} == fields - progress


def test_policies_are_those_of_the_library():
    table = rows("reference/policies.md", r"^\| (?:`groot\.(\w+)`)? ?\| `(\w+)` \|")
    documented: dict[str, list[str]] = {}
    name = ""
    for first, value in table:
        name = first or name
        documented.setdefault(name, []).append(value)
    assert list(documented) == POLICY_NAMES
    for name, values in documented.items():
        type = name[0].upper() + name[1:]
        body = re.search(rf"enum {type}: .*?\n  \}}\n", POLICIES, re.DOTALL)
        assert body
        assert values == re.findall(r"^    case `?(\w+)`?", body[0], re.MULTILINE), name
        default = re.search(rf"var {name} = {type}\.(\w+)", POLICIES)
        assert default
        assert values[0] == default[1], name


def _takes(type: str, builtin: str | None) -> bool:
    """Return whether a model may have an attribute of a type, with a transformer."""
    user_info = {"JSONKeyPath": "x", **({"JSONTransformerName": "X"} if builtin else {})}
    attribute = {"type": type, "userInfo": user_info}
    registry = groot.Registry()
    if builtin:
        registry.builtin("X", builtin)
    try:
        model = groot.Model({"entities": {"A": {"attributes": {"x": attribute}}}})
        groot.Mapping(model, registry)
    except groot.Error:
        return False
    return True


def test_sizes_are_those_of_the_header():
    layout = json.loads((ROOT / "Tests" / "ABI" / "layout.json").read_text())
    table = rows("reference/abi.md", r"^\| (`groot_\w+`(?:, `groot_\w+`)*) \| (\d+) \|$")
    documented = {name: int(size) for names, size in table for name in re.findall(r"\w+", names)}
    assert documented == {name: fields["sizeof"] for name, fields in layout.items()}
