"""Bundles and versions of Xcode models, refused files, and the command line."""

from __future__ import annotations

import json
import os
import plistlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import CASES

import groot
from groot.models import xcode

MODELS = CASES.parents[1] / "Tests" / "Models"
MODEL = '<?xml version="1.0"?>\n<model><entity name="{}"/></model>'


def bundle(folder: Path, *versions: str, current: Any = None) -> Path:
    """Make a bundle whose versions each have an entity of the same name."""
    made = folder / "Model.xcdatamodeld"
    for version in versions:
        (made / f"{version}.xcdatamodel").mkdir(parents=True)
        (made / f"{version}.xcdatamodel" / "contents").write_text(MODEL.format(version))
    if current is not None:
        content = plistlib.dumps({"_XCCurrentVersionName": current})
        (made / ".xccurrentversion").write_bytes(content)
    return made


def entities(path: Path, version: str | None = None) -> list[str]:
    return list(groot.Model.load(path, version).document["entities"])


def refused(
    path: Path,
    *parts: str,
    code: int = groot.Status.INVALID_MODEL,
    version: str | None = None,
) -> groot.Issue:
    with pytest.raises(groot.Error) as raised:
        groot.Model.load(path, version)
    issue = raised.value.issues[0]
    assert raised.value.code == issue.status == code
    assert issue.path
    assert issue.path.startswith(str(path))
    for part in parts:
        assert part in issue.message
    return issue


# Versions


def test_the_current_version(tmp_path: Path) -> None:
    made = bundle(tmp_path, "Model", "Model 2", "Model 10", current="Model 2.xcdatamodel")
    assert entities(made) == ["Model 2"]
    read = xcode.read(made)
    assert (read.version, read.versions) == ("Model 2", ("Model", "Model 2", "Model 10"))
    assert read.warnings == ()


def test_the_version_asked_for(tmp_path: Path) -> None:
    made = bundle(tmp_path, "Model", "Model 2", current="Model 2.xcdatamodel")
    assert entities(made, "Model") == ["Model"]
    assert entities(made, "Model.xcdatamodel") == ["Model"]
    failed = refused(
        made, "'Model 3'", "'Model 2'", code=groot.Status.FILE_ERROR, version="Model 3"
    )
    assert "asked for" in failed.message


def test_without_current_version_it_is_the_last(tmp_path: Path) -> None:
    made = bundle(tmp_path, "Model", "Model 9", "Model 10")
    (made / "._Model 11.xcdatamodel").mkdir()
    assert entities(made) == ["Model 10"]
    (warning,) = groot.Model.load(made).warnings
    assert warning.severity == 1
    assert "'Model 10'" in warning.message


def test_the_only_version_needs_no_warning(tmp_path: Path) -> None:
    assert groot.Model.load(bundle(tmp_path, "Model")).warnings == ()


@pytest.mark.parametrize("name", ["Model 3.xcdatamodel", "../Model.xcdatamodel", "", 7])
def test_a_missing_current_version(tmp_path: Path, name: Any) -> None:
    refused(bundle(tmp_path, "Model", current=name))


def test_a_current_version_that_cannot_be_read(tmp_path: Path) -> None:
    made = bundle(tmp_path, "Model", current="Model.xcdatamodel")
    for content in (b"", b"{}", b"<plist><dict/></plist>", b"bplist00", b"x" * (65 << 10)):
        (made / ".xccurrentversion").write_bytes(content)
        refused(made, "current version")


def test_only_bundles_have_versions() -> None:
    folder = MODELS / "Cards.xcdatamodel"
    for path in (folder, folder / "contents"):
        refused(path, "versions", code=groot.Status.FILE_ERROR, version="Model")


# Refused files


def test_a_document_type_is_refused() -> None:
    issue = refused(MODELS / "Entities.xcdatamodel", "DTD")
    assert issue.line == 2


def test_entities_that_grow_are_refused() -> None:
    declared = "".join(
        f'<!ENTITY e{level} "{f"&e{level - 1};" * 10 if level else "x"}">' for level in range(10)
    )
    bomb = f'<!DOCTYPE model [{declared}]><model name="&e9;"/>'
    with pytest.raises(groot.Error, match="DTD"):
        xcode.read_contents(bomb.encode())


def binary_list() -> bytes:
    return plistlib.dumps({"$archiver": "NSKeyedArchiver"}, fmt=plistlib.FMT_BINARY)


def test_binary_models_are_refused(tmp_path: Path) -> None:
    old = tmp_path / "Old.xcdatamodel"
    old.mkdir()
    for name in ("elements", "layout"):
        (old / name).write_bytes(binary_list())
    refused(old, "binary model", "Xcode")
    refused(old / "elements", "binary model", "Xcode")
    (old / "contents").write_bytes(binary_list())
    refused(old, "binary model", "Xcode")
    plain = tmp_path / "model"
    plain.write_bytes(binary_list())
    refused(plain, "binary model", "Xcode")


def test_compiled_and_mapping_models_are_refused(tmp_path: Path) -> None:
    for name in ("Model.mom", "Model.omo"):
        (tmp_path / name).write_bytes(binary_list())
        refused(tmp_path / name, "compiled model", ".xcdatamodeld")
    compiled = tmp_path / "Model.momd"
    compiled.mkdir()
    refused(compiled, "compiled model", ".xcdatamodeld")
    refused(tmp_path / "Model.xcmappingmodel", "mapping model")


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "no element"),
        (b"<model>", "well-formed"),
        (b"<model a='1' a='2'/>", "duplicate"),
        (b"<plist/>", "'plist'"),
        (b"<?xml version='1.0' encoding='nonsense'?><model/>", "encoding"),
        (b"<model name='\xff'/>", "well-formed"),
        (b"<a>" * 17, "deep"),
        (b"<model>" + b"<a/>" * 250_001, "elements"),
        (b" " * ((16 << 20) + 1), "16 MiB"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_other_than_models(tmp_path: Path, data: bytes, part: str) -> None:
    (tmp_path / "contents").write_bytes(data)
    refused(tmp_path / "contents", part)


def test_unreadable_models(tmp_path: Path) -> None:
    failed = groot.Status.FILE_ERROR
    refused(tmp_path / "none.xcdatamodeld", "cannot be read", code=failed)
    refused(tmp_path, "neither")
    pipe = tmp_path / "contents"
    os.mkfifo(pipe)
    refused(pipe, "not a file", code=failed)


def test_an_error_names_file_entity_property_and_line(tmp_path: Path) -> None:
    made = bundle(tmp_path, "Model")
    file = made / "Model.xcdatamodel" / "contents"
    file.write_text('<model>\n<entity name="A">\n<attribute name="a" attributeType="Text"/>\n'
                    "</entity></model>")  # fmt: skip
    issue = refused(made, "'Text'")
    assert (issue.path, issue.entity, issue.property, issue.line) == (str(file), "A", "a", 3)
    problem = "A.a: 'Text' is not an attribute type of Core Data; choose one in Xcode"
    assert f"{problem} - at {file}, line 3" == str(issue)


# The command line


def run(*arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "groot", *map(str, arguments)]
    path = os.pathsep.join([str(Path(groot.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "ascii"}
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env=environment
    )


def test_convert_prints_the_document(tmp_path: Path) -> None:
    done = run("convert", bundle(tmp_path, "Büro"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == '{\n  "entities": {\n    "Büro": {}\n  }\n}\n'


def test_the_output_is_the_model(tmp_path: Path) -> None:
    written = tmp_path / "comics.json"
    model = MODELS / "Comics.xcdatamodeld"
    done = run("convert", model, "-o", written)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert groot.Model.load(written).document == groot.Model.load(model).document
    first = run("convert", model, "--version", "Comics")
    assert list(json.loads(first.stdout)["entities"]) == ["Character", "Power", "Publisher"]


def test_check(tmp_path: Path) -> None:
    done = run("convert", MODELS / "Dirty.xcdatamodel", "--check")
    assert done.returncode == 0
    assert "no errors" in done.stdout
    assert "warning: Number.word: " in done.stderr
    file = tmp_path / "contents"
    file.write_text(
        '<model><entity name="A" parentEntity="B"><attribute name="a" attributeType="Text"/>'
        "</entity></model>"
    )
    done = run("convert", file, "--check", "-o", tmp_path / "out")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error: A.a: 'Text'" in done.stderr
    assert "error: A: its parent 'B'" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_model_document_needs_no_conversion(tmp_path: Path) -> None:
    file = tmp_path / "heroes.json"
    for text, expected in (
        ('\ufeff {"entities": {}}', "already a model document"),
        ('{"heroes": []}', "JSON"),
        ("[1", "JSON"),
    ):
        file.write_text(text, encoding="utf-8")
        done = run("convert", file)
        assert (done.returncode, done.stdout) == (1, "")
        assert expected in done.stderr
        assert "heroes.json" in done.stderr
        assert "XML" in done.stderr


def test_exit_codes(tmp_path: Path) -> None:
    assert run("convert", MODELS / "Entities.xcdatamodel").returncode == 1
    assert run("convert", tmp_path / "none").returncode == 2
    assert run("convert", MODELS / "Cards.xcdatamodel", "-o", tmp_path).returncode == 2
    assert run("convert").returncode == run().returncode == run("nonsense").returncode == 2
    assert run("convert", "--help").returncode == 0
