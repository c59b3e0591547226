"""The start: which modules an import loads, and that each can be the first.

Every program here is a fresh interpreter without `site`, whose modules differ between machines.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import pydoc
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from xcode_text import contents

import groot

PACKAGE = Path(groot.__file__).parent
ROOMS = {f"groot.models.{name}" for name in groot.models.__all__}
HEAVY = {
    "argparse", "asyncio", "concurrent.futures", "difflib", "html", "http", "logging", "pathlib",
    "plistlib", "secrets", "shutil", "socket", "sqlite3", "tempfile", "textwrap",
    "unicodedata", "urllib", "xml", "zipfile",
}  # fmt: skip
UNUSED = {"groot.cli._main", "groot._core.notebooks", "groot._core.diagrams", *ROOMS}
BASIC = {
    "ctypes", "collections", "contextlib", "dataclasses", "datetime", "decimal", "enum",
    "functools", "inspect", "json", "re", "threading", "typing", "uuid", "warnings",
}  # fmt: skip


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", *arguments],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def loaded(*arguments: str) -> frozenset[str]:
    """Find the modules that a program loads, without those of Python's own start."""
    return modules(*arguments) - modules("-c", "pass")


@lru_cache
def modules(*arguments: str) -> frozenset[str]:
    done = python("-X", "importtime", *arguments)
    assert done.returncode == 0, done.stderr
    lines = [line.split("|") for line in done.stderr.splitlines()]
    assert all(len(line) == 3 for line in lines), done.stderr
    return frozenset(name.strip() for _, _, name in lines)


def test_the_import_of_the_package_loads_no_other_module() -> None:
    assert loaded("-c", "import groot") == {"groot", "groot._late", "groot.version", "__future__"}


@pytest.mark.parametrize(
    ("program", "unused"),
    [
        (("-c", "import groot; dir(groot)"), BASIC | HEAVY | UNUSED | {"groot._ffi"}),
        (("-c", "import groot; groot.Error"), HEAVY | UNUSED | {"groot.model", "json"}),
        (("-c", "import groot; groot.Model"), HEAVY | UNUSED | {"groot.models", "groot.context"}),
        (("-c", "import groot; groot.Model({'entities': {}}).document"), HEAVY | UNUSED),
        (("-c", "import groot; groot.Context"), HEAVY | UNUSED | {"groot.models", "groot.typed"}),
        (("-c", "import groot; groot.Entity"), HEAVY | UNUSED | {"groot.models", "groot.context"}),
        (("-c", "import groot; groot.models"), HEAVY | UNUSED | {"groot.context"}),
        (("-c", "from groot import *"), HEAVY | UNUSED),
        (("-c", "from groot.models import xcode"), {"argparse", *ROOMS} - {"groot.models.xcode"}),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)
def test_a_program_loads_only_the_modules_it_uses(
    program: tuple[str, ...], unused: set[str]
) -> None:
    assert loaded(*program) & unused == set()


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_printed_without_the_command_line(option: str) -> None:
    assert python("-m", "groot", option).stdout == f"groot {groot.__version__}\n"
    added = loaded("-c", f"from groot.cli import main; main([{option!r}])")
    assert "groot.version" in added
    # The types of the module's annotations load the collections.
    assert added & (HEAVY | UNUSED | BASIC | {"groot._ffi", "groot._core"}) <= {"collections"}


def test_each_module_can_be_the_first_that_is_imported(tmp_path: Path) -> None:
    program = """
import argparse, ctypes, dataclasses, datetime, decimal, json, plistlib, tempfile, uuid
import importlib, os, sys, traceback

# Each child imports modules of the package alone; those of Python are there already.
for name in sys.argv[1:]:
    child = os.fork()
    if not child:
        try:
            importlib.import_module(name)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print(name)
"""
    paths = [path.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("*.py")]
    parts = [path.parts[:-1] if path.stem == "__init__" else path.with_suffix("").parts
             for path in paths]  # fmt: skip
    names = sorted(".".join(each) for each in parts)
    assert "groot.models.infer._told" in names
    # All children share the compiled modules, whatever the variables of this process say.
    cache = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path)}
    done = python("-c", program, *names, **cache)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_threads_can_use_names_for_the_first_time_together(tmp_path: Path) -> None:
    program = """
import importlib, sys, threading
import groot

sys.setswitchinterval(1e-6)
ready = threading.Barrier(len(sys.argv) - 1)

def use(name):
    ready.wait()
    found = getattr(groot, name) if name[0] != "." else importlib.import_module(f"groot{name}")
    if name == "Model":
        found.infer([{"id": 1}], "Hero")

threads = [threading.Thread(target=use, args=(name,)) for name in sys.argv[1:]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
    modules = [f".{name}" for name in public_modules()]
    names = [*groot.__all__, "Model", *modules]
    cache = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path)}
    for order in (names, names[::-1], modules):
        done = python("-c", program, *order, **cache)
        assert (done.stderr, done.returncode) == ("", 0)


def public_modules() -> list[str]:
    found = [*PACKAGE.glob("*.py"), PACKAGE / "models", PACKAGE / "typed"]
    return sorted(path.stem for path in found if not path.name.startswith("_"))


def test_each_name_is_that_which_type_checkers_see() -> None:
    tree = ast.parse(Path(groot.__file__).read_text())
    condition = next(
        node for node in tree.body if isinstance(node, ast.If) and isinstance(node.test, ast.Name)
    )
    seen: dict[str, str] = {}
    for node in condition.body:
        assert isinstance(node, ast.ImportFrom)
        seen.update({alias.name: node.module or "" for alias in node.names})
    assert {"__version__", *seen} == set(groot.__all__)
    for name, module in seen.items():
        whole = f"groot.{name}" if module == "groot" else module
        expected: Any = importlib.import_module(whole)
        assert groot.__getattr__(name) is (
            expected if module == "groot" else getattr(expected, name)
        )
        assert vars(groot)[name] is getattr(groot, name)


@pytest.mark.parametrize("package", [groot, groot.models], ids=["groot", "groot.models"])
def test_each_public_module_is_an_attribute(package: Any) -> None:
    names = public_modules() if package is groot else [name.split(".")[-1] for name in ROOMS]
    assert set(names) | set(package.__all__) <= set(dir(package))
    for name in names:
        assert package.__getattr__(name) is sys.modules[f"{package.__name__}.{name}"]


@pytest.mark.parametrize("module", ["groot", "groot.models"])
def test_a_missing_name_is_an_error(module: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{module}' has no attribute 'Nonsense'"):
        importlib.import_module(module).Nonsense  # noqa: B018
    done = python("-c", f"from {module} import Nonsense")
    assert "ImportError: cannot import name 'Nonsense'" in done.stderr


def test_the_help_of_the_package_has_its_names() -> None:
    text = pydoc.plain(pydoc.render_doc(groot))
    assert [name for name in groot.__all__ if name not in text] == ["__version__"]


@pytest.mark.parametrize("beginning", ["from groot.model import Model", "from groot import Model"])
@pytest.mark.parametrize(
    "call",
    [
        "Model.load('model.xcdatamodel/contents')",
        "Model.load('model.xcdatamodel')",
        "Model.load('schema.json')",
        "Model.load('model.json')",
        "Model.infer('feed.json', 'Hero')",
    ],
)
def test_a_model_is_made_of_each_format_by_the_first_call(
    beginning: str, call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    entity = {"attributes": {"name": {"type": "string"}}}
    schema = {"title": "Hero", "type": "object", "properties": {"name": {"type": "string"}}}
    Path("model.json").write_text(json.dumps({"entities": {"Hero": entity}}))
    Path("schema.json").write_text(json.dumps(schema))
    Path("feed.json").write_text('[{"id": 1, "name": "Ada"}]')
    Path("model.xcdatamodel").mkdir()
    Path("model.xcdatamodel/contents").write_bytes(contents('<entity name="Hero"/>'))
    done = python("-c", f"{beginning}\nprint({call})")
    assert done.stdout == "<groot.Model Hero>\n", done.stderr


def test_the_readers_of_the_package_come_before_those_of_a_program(tmp_path: Path) -> None:
    program = """
import sys
from groot.model import Model
Model.add_reader(lambda path, version: path.suffix == ".mine", lambda path, version: "mine")
Model.add_reader(lambda path, version: True, lambda path, version: "last")
print(Model.load("heroes.mine"), Model.load("heroes.json"), Model.load(sys.argv[1]))
"""
    file = tmp_path / "contents"
    file.write_bytes(contents('<entity name="Hero"/>'))
    done = python("-c", program, str(file))
    assert done.stdout == "mine last <groot.Model Hero>\n", done.stderr
