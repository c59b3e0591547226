"""C headers written from models: macros that a compiler takes, with the numbers of the library."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from ctypes import c_size_t
from pathlib import Path
from typing import Any

import pytest
from conftest import CASES
from diagram_models import PLAIN, hard

import groot
from groot import _ffi
from groot._ffi import byref, lib
from groot.cli import main
from groot.errors import call
from groot.models import generate
from groot.models.generate import COptions


def family() -> groot.Model:
    """Make a model of a hierarchy whose order is another one than that of the document."""
    parents = {
        "Mouse": "Rodent",
        "Cat": "Animal",
        "Animal": None,
        "Rodent": "Animal",
        "Lion": "Cat",
    }
    return groot.Model(
        {
            "entities": {
                name: {"parent": parent, "attributes": {name.lower(): {"type": "date"}}}
                for name, parent in parents.items()
            }
        }
    )


ROOT = CASES.parents[1]
MODELS = sorted((CASES / "models").glob("*.json"))
ALL = [hard(), groot.Model(PLAIN), family(), *map(groot.Model.load, MODELS)]
NAMES = ["hard", "plain", "family", *(path.stem for path in MODELS)]
DEFINE = re.compile(r"^#define (\w+) (.+)$", re.MULTILINE)
COMPILER = os.environ.get("CC", "cc").split()
COMPILER_OF_CPP = os.environ.get("CXX", "c++").split()

EXPECTED = """\
#ifndef COMICS_HERO_H
#define COMICS_HERO_H

/* It's a person. */
#define COMICS_HERO_ENTITY "Hero"
#define COMICS_HERO_ENTITY_NUMBER 0
#define COMICS_HERO_ID "id"
#define COMICS_HERO_ID_NUMBER 0
#define COMICS_HERO_REAL_NAME "realName"
#define COMICS_HERO_REAL_NAME_NUMBER 1
#define COMICS_HERO_POWERS "powers"
#define COMICS_HERO_POWERS_NUMBER 2

/* An entity whose objects are identified by `id`. `Hero` has its inherited properties. */
#define COMICS_VILLAIN_ENTITY "Villain"
#define COMICS_VILLAIN_ENTITY_NUMBER 1
#define COMICS_VILLAIN_PLAN "plan"
#define COMICS_VILLAIN_PLAN_NUMBER 3

#endif /* COMICS_HERO_H */
"""


def heroes() -> groot.Model:
    powers = {"destination": "Hero", "toMany": True, "optional": True}
    return groot.Model(
        {
            "entities": {
                "Hero": {
                    "userInfo": {"identityAttributes": "id", "comment": "It's a person."},
                    "attributes": {"id": {"type": "integer64"}, "realName": {"type": "string"}},
                    "relationships": {"powers": powers},
                },
                "Villain": {"parent": "Hero", "attributes": {"plan": {"type": "string"}}},
            }
        }
    )


def macros(model: groot.Model) -> dict[str, str]:
    """Return the macros of a header, of which each has another name."""
    found = DEFINE.findall(generate.c(model))
    assert len(dict(found)) == len(found)
    return dict(found)


def text_of(literal: str) -> str:
    """Read a literal of C."""
    codes = re.sub(r"\\([0-7]{3})", lambda code: f"\\x{int(code[1], 8):02x}", literal[1:-1])
    return codes.encode().decode("unicode_escape").encode("latin-1").decode()


def test_a_header_has_names_and_numbers() -> None:
    text = generate.c(heroes(), COptions("COMICS_", "hero.h"))
    assert text.startswith("/*\n * The names and numbers of a model, ")
    assert text[text.index("#ifndef") :] == EXPECTED


def test_the_guide_shows_a_part_of_what_is_written() -> None:
    page = (ROOT / "docs" / "guides" / "generate-types.md").read_text()
    model = re.search(r"^```json library.json\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    shown = re.search(r"^```text\n(/\* An entity .*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert model
    assert shown
    assert shown[1] in generate.c(groot.Model(model[1]), COptions("LIBRARY_"))


@pytest.mark.parametrize("model", ALL, ids=NAMES)
def test_every_name_has_the_number_that_the_library_gives_it(model: groot.Model) -> None:
    known: dict[tuple[str, str], int] = {}
    for entity, described in model.document["entities"].items():
        number = c_size_t()
        call(lib.model_entity_number, model._handle.pointer, entity.encode(), byref(number))
        known[entity, ""] = number.value
        for index in range(len(described["allProperties"])):
            info = _ffi.PropertyInfo()
            call(lib.model_property, model._handle.pointer, number.value, index, byref(info))
            known[entity, _ffi.text_of(info.name)] = info.number
    found = macros(model)
    entity = ""
    for name, value in found.items():
        if not value.startswith('"'):
            continue
        is_entity = re.search(r"_ENTITY(_\d+)?$", name) and (text_of(value), "") in known
        entity = text_of(value) if is_entity else entity
        key = (entity, "" if is_entity else text_of(value))
        assert int(found[f"{name}_NUMBER"]) == known[key]
    own = [
        (len(one["attributes"]) + len(one["relationships"]) + 1) * 2
        for one in model.document["entities"].values()
    ]
    assert len(found) == sum(own)


@pytest.mark.skipif(shutil.which(COMPILER[0]) is None, reason="a compiler is missing")
@pytest.mark.parametrize("model", [ALL[0], ALL[1]], ids=NAMES[:2])
def test_a_compiler_takes_the_header(model: groot.Model, tmp_path: Path) -> None:
    (tmp_path / "model.h").write_text(generate.c(model))
    uses = [f"  (void)({name});" for name in macros(model)]
    headers = ["limits", "stdlib", "stdio", "errno", "math", "float", "locale", "signal", "time"]
    before = [f"#include <{name}.h>" for name in headers]
    main_function = ["int main(void) {", *uses, "  return 0;", "}"]
    source = [*before, '#include "groot.h"', '#include "model.h"', *main_function]
    (tmp_path / "page.c").write_text("\n".join([*source, ""]))
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-DGROOT_NO_JANSSON"]
    command = [*warnings, f"-I{ROOT / 'include'}", "-fsyntax-only", "page.c"]
    subprocess.run([*COMPILER, "-std=c99", *command], cwd=tmp_path, check=True)
    if shutil.which(COMPILER_OF_CPP[0]):
        command = [*warnings, f"-I{ROOT / 'include'}", "-fsyntax-only", "-x", "c++", "page.c"]
        subprocess.run([*COMPILER_OF_CPP, *command], cwd=tmp_path, check=True)


@pytest.mark.skipif(shutil.which(COMPILER[0]) is None, reason="a compiler is missing")
def test_a_compiled_name_is_that_of_the_model(tmp_path: Path) -> None:
    model = hard()
    (tmp_path / "model.h").write_text(generate.c(model))
    texts = {name: text_of(value) for name, value in macros(model).items() if value[0] == '"'}
    lines = [f"  fwrite({name}, 1, sizeof {name}, stdout);" for name in texts]
    source = ["#include <stdio.h>", '#include "model.h"', "int main(void) {", *lines, "  return 0;"]
    (tmp_path / "page.c").write_text("\n".join([*source, "}", ""]))
    subprocess.run([*COMPILER, "-std=c99", "page.c", "-o", "page"], cwd=tmp_path, check=True)
    found = subprocess.run([tmp_path / "page"], capture_output=True, check=True).stdout
    assert found.decode().split("\0")[:-1] == list(texts.values())


@pytest.mark.parametrize(
    ("entity", "attribute", "expected"),
    [
        ("Hero", "realName", "HERO_REAL_NAME"),
        ("HTTPServer", "URLPath", "HTTP_SERVER_URL_PATH"),
        ("2nd", "3rd", "N2ND_3RD"),
        ("Crème brûlée", "a-b__c", "CREME_BRULEE_A_B_C"),
        ("日本", "名", "UNNAMED_UNNAMED"),
        ("Size", "max", "SIZE_MAX_2"),
        ("Int", "max", "INT_MAX_2"),
        ("Groot", "ok", "MODEL_GROOT_OK"),
        ("Json", "indent", "MODEL_JSON_INDENT"),
        ("Hero", "entity", "HERO_ENTITY_2"),
        ("Hero", "entityNumber", "HERO_ENTITY_NUMBER_2"),
        ("Model", "h", "MODEL_H_2"),
    ],
)
def test_a_name_becomes_a_macro(entity: str, attribute: str, expected: str) -> None:
    found = macros(
        groot.Model({"entities": {entity: {"attributes": {attribute: {"type": "date"}}}}})
    )
    assert list(found)[2] == expected


def test_equal_macros_of_two_entities_differ_in_all_their_names() -> None:
    attributes = {"x": {"type": "date"}}
    entities = {name: {"attributes": attributes} for name in ("a b", "A_B")}
    names = [name for name in macros(groot.Model({"entities": entities})) if "NUMBER" not in name]
    assert names == ["A_B_2_ENTITY", "A_B_2_X", "A_B_ENTITY", "A_B_X"]


@pytest.mark.parametrize("prefix", ["1", "a-b", "_X", "A__B", "GROOT_", "json", "é", None])
def test_a_prefix_that_no_macro_can_have_is_an_issue(prefix: Any) -> None:
    with pytest.raises(groot.Error, match="prefix is ") as caught:
        generate.c(heroes(), COptions(prefix))
    assert caught.value.code == groot.Status.INVALID_ARGUMENT


# The command


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write the model of heroes."""
    path = tmp_path / "heroes.json"
    path.write_text(heroes().document_text)
    return path


def test_the_command_names_the_guard_after_the_file(file: Path, tmp_path: Path) -> None:
    output = tmp_path / "hero.h"
    command = ["generate", "c", str(file), "--prefix", "COMICS_", "-o", str(output)]
    assert main(command) == 0
    assert output.read_text() == generate.c(heroes(), COptions("COMICS_", "hero.h"))


def test_the_command_writes_to_standard_output(file: Path, capsys: Any) -> None:
    assert main(["generate", "c", str(file)]) == 0
    assert capsys.readouterr().out == generate.c(heroes())


@pytest.mark.parametrize(
    ("language", "option", "owner"),
    [("c", "--public", "swift"), ("swift", "--prefix=A_", "c"), ("c", "--implicit", "swift")],
)
def test_an_option_of_another_language_is_refused(
    language: str, option: str, owner: str, file: Path, capsys: Any
) -> None:
    assert main(["generate", language, str(file), option]) == 2
    assert f"is for {owner}; leave it out" in capsys.readouterr().err
