"""The command `schema`: each form that it writes of a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
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
