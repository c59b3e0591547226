"""Python classes written from models: they make the same models again."""

from __future__ import annotations

import ast
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from conftest import CASES

import groot
from groot.cli import main
from groot.models import generate
from groot.models.generate import PythonOptions

ROOT = CASES.parents[1]
SHOP = ROOT / "Tests" / "Generated" / "Models" / "shop.json"
MODELS = sorted(
    [
        *(CASES / "models").glob("*.json"),
        *(ROOT / "Tests" / "Generated" / "Models").glob("*.json"),
        *(path for path in (ROOT / "Tests" / "Models").iterdir() if path.stem != "Entities"),
    ]
)


def classes_of(text: str, name: str = "generated") -> list[type[groot.Entity]]:
    """Run written code as a module, and return its classes."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, name, "exec"), module.__dict__)  # noqa: S102
    found = vars(module).values()
    return [
        one
        for one in found
        if isinstance(one, type) and issubclass(one, groot.Entity) and one is not groot.Entity
    ]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: str(path.stem))
def test_written_classes_make_the_same_model_again(path: Path) -> None:
    model = groot.Model.load(path)
    again = groot.Model.of(*classes_of(generate.python(model)))
    assert again.document == model.document
    assert generate.python(again) == generate.python(model)


def test_classes_written_of_hand_written_classes_make_the_same_model_again() -> None:
    class Page(groot.Entity, name="a page", identity=("book", "number"), unknown_keys="error"):
        number: groot.Attribute[int] = groot.attribute("@index")
        book: groot.ToOne[Book] = groot.relationship("@parent", inverse="pages")
        rest: groot.Attribute[Any] = groot.attribute("@rest", policies={"null": "keep"})

    class Book(groot.Entity):
        title: groot.Attribute[str] = groot.attribute("title.main", identity=True)
        pages: groot.ToMany[Page] = groot.relationship(inverse="book", ordered=True)
        authors: groot.ToMany[Author] = groot.relationship(inverse="books", export="identifier")

    class Author(groot.Entity):
        name: groot.Attribute[str] = groot.attribute(identity=True)

    model = groot.Model.of(Book)
    again = groot.Model.of(*classes_of(generate.python(model)))
    assert again.document == model.document


@pytest.mark.parametrize("path", MODELS, ids=lambda path: str(path.stem))
def test_implicit_classes_read_and_write_what_an_implicit_mapping_does(path: Path) -> None:
    model = groot.Model.load(path)
    text = generate.python(model, PythonOptions(implicit=True))
    again = groot.Model.of(*classes_of(text)).document["entities"]
    for name, described in model.document["entities"].items():
        for kind in ("attributes", "relationships"):
            for key, property in described[kind].items():
                notes = again[name][kind][key]["userInfo"]
                own = "" if described["userInfo"].get("groot.implicit") == "true" else key
                expected = property["userInfo"].get("JSONKeyPath", own)
                assert notes.get("JSONKeyPath", "").replace("\\", "") == expected.replace("\\", "")


def test_the_file_that_checkers_read_is_current() -> None:
    written = generate.python(groot.Model.load(SHOP))
    stored = (ROOT / "python" / "tests" / "typing" / "generated.py").read_text()
    assert ast.dump(ast.parse(written)) == ast.dump(ast.parse(stored))


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "shop.py"
    assert main(["generate", "python", str(SHOP), "-o", str(output)]) == 0
    assert output.read_text() == generate.python(groot.Model.load(SHOP))
    assert main(["generate", "python", str(SHOP), "--implicit"]) == 0
    shown = capsys.readouterr().out
    assert "implicit=False" in output.read_text()
    assert "implicit=False" not in shown


def test_options_of_swift_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "python", str(SHOP), "--public"]) == 2
    assert "--public is for swift" in capsys.readouterr().err


def test_names_that_python_or_the_file_uses_are_changed() -> None:
    names = ["class", "Decimal", "attribute", "a-b", "a b", "2nd", "_x", "__init__", "größe", ""]
    attributes = {name: {"type": "string"} for name in names if name}
    model = groot.Model({"entities": {"Thing": {"attributes": attributes}}})
    (thing,) = classes_of(generate.python(model))
    made = groot.Context(thing).insert(thing, **dict.fromkeys(thing._groot.members.values(), "x"))
    assert [made[name] for name in attributes] == ["x"] * len(attributes)
    assert thing._groot.members["größe"] == "größe"
