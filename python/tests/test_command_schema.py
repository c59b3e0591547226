"""The command `schema`: each form that it writes of a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_checks import Folder
from diagram_models import PLAIN

import groot
from groot.cli import main
from groot.models import diagrams, schemas

FORMS = ("mermaid", "dot", "dbml", "svg")


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Write the model."""
    path = tmp_path / "heroes.json"
    path.write_text(json.dumps(PLAIN))
    return str(path)


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_the_text_of_its_function(form: str, file: str, capsys: Any) -> None:
    assert main(["schema", file, f"--{form}"]) == 0
    out, err = capsys.readouterr()
    assert out == getattr(diagrams, form)(groot.Model(PLAIN))
    assert err == ""


def test_the_output_can_be_a_file(file: str, tmp_path: Path, capsys: Any) -> None:
    output = tmp_path / "heroes.mmd"
    assert main(["schema", file, "--mermaid", "-o", str(output)]) == 0
    assert output.read_text(encoding="utf-8") == diagrams.mermaid(groot.Model(PLAIN))
    assert capsys.readouterr().out == ""


def test_sql_takes_the_option_implicit(file: str, capsys: Any) -> None:
    assert main(["schema", file, "--sql", "--implicit"]) == 0
    out, _ = capsys.readouterr()
    assert out == diagrams.sql(groot.Model(PLAIN), implicit=True)
    assert main(["schema", file, "--sql"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Hero.id: an identity attribute needs a JSONKeyPath" in err


@pytest.mark.parametrize(
    ("arguments", "direction"),
    [([], "read"), (["--json-schema"], "read"), (["--json-schema", "write"], "write")],
)
def test_json_schema_is_the_default(
    arguments: list[str], direction: Any, file: str, capsys: Any
) -> None:
    assert main(["schema", file, "--entity", "Hero", "--implicit", *arguments]) == 0
    expected = schemas.json_schema(groot.Model(PLAIN), "Hero", direction, implicit=True)
    assert json.loads(capsys.readouterr().out) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--mermaid", "--dot"], "not allowed with argument"),
        (["--svg", "--json-schema", "write"], "not allowed with argument"),
        (["--dbml", "--entity", "Hero"], "leave it out with --dbml"),
    ],
)
def test_a_contradiction_is_refused(
    arguments: list[str], message: str, file: str, capsys: Any
) -> None:
    assert main(["schema", file, *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


@pytest.mark.parametrize("form", FORMS)
def test_a_model_with_errors_is_a_fault(form: str, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "wrong.json"
    path.write_text('{"entities": {"A": {"parent": "B"}}}')
    assert main(["schema", str(path), f"--{form}"]) == 1
    assert capsys.readouterr().out == ""


def test_the_sql_of_a_store_is_its_own(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    number = {"type": "integer64", "optional": True}
    folder.write("m.json", {"entities": {"Person": {"attributes": {"id": number}}}})
    folder.write("p.json", [{"id": 1}])
    made = ("import", "p.sqlite", "Person", "p.json", "--model", "m.json", "--dialect", "hyper")
    assert folder.groot(*made, "--views").code == 0
    found = folder.groot("schema", "p.sqlite", "--sql").out
    # Only the dialect of the store makes the attribute an identity.
    assert 'CREATE UNIQUE INDEX "_Person_identity_1"' in found
    assert 'CREATE VIEW "Person_view"' in found
    assert "UNIQUE INDEX" not in folder.groot("schema", "m.json", "--sql").out


@pytest.mark.parametrize("command", [("schema",), ("generate", "python")])
def test_a_store_says_whether_its_mapping_is_implicit(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    folder = Folder(tmp_path)
    attributes = {"id": {"type": "integer64"}, "motto": {"type": "string"}}
    notes = {"identityAttributes": "id"}
    folder.write("m.json", {"entities": {"One": {"userInfo": notes, "attributes": attributes}}})
    folder.write("one.json", [{"id": 1, "motto": "x"}])
    made = ("import", "o.sqlite", "One", "one.json", "--model", "m.json", "--implicit")
    assert folder.groot(*made).code == 0
    of_store, of_model = (folder.groot(*command, one).out for one in ("o.sqlite", "m.json"))
    assert of_store == folder.groot(*command, "m.json", "--implicit").out != of_model
