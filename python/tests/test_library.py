"""The choice of the library, and the functions of it that are used."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import groot
from groot import _ffi

ROOT = Path(__file__).resolve().parents[2]


def test_only_one_package_knows_ctypes() -> None:
    package = Path(groot.__file__).parent
    imports = re.compile(r"^\s*(import|from) ctypes\b", re.MULTILINE)
    knowing = {path.parent for path in package.rglob("*.py") if imports.search(path.read_text())}
    assert knowing == {package / "_ffi"}


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT / "python"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_library_of_the_source_tree_is_found() -> None:
    result = run("import groot; print(groot.library_version)", GROOT_LIBRARY="")
    assert result.stdout.strip() == groot.library_version, result.stderr


def test_a_missing_library_is_an_import_error() -> None:
    result = run("import groot; groot.Context", GROOT_LIBRARY="/nowhere/libgroot.so")
    assert "ImportError" in result.stderr
    assert "GROOT_LIBRARY" in result.stderr
    assert "/nowhere/libgroot.so" in result.stderr


def test_another_library_is_an_import_error() -> None:
    result = run("import groot; groot.Context", GROOT_LIBRARY="libjansson.so.4")
    assert "ImportError: libjansson.so.4 is not a groot library" in result.stderr


@pytest.mark.parametrize(
    ("number", "interface", "refusal"),
    [
        (2000, 1, "is groot 0.2, and this package needs groot 0.1"),
        (0, 1, "is groot 0.0, and this package needs groot 0.1"),
        (1_000_000, 9, "is groot 1, and this package needs groot 0.1"),
        (1000, 0, "has version 0 of groot's binary interface, and this package needs 1"),
        (1001, 2, "is not a groot library: it lacks"),
    ],
)
def test_a_library_of_another_version_is_an_import_error(
    number: int, interface: int, refusal: str, tmp_path: Path
) -> None:
    other = tmp_path / "libgroot.so"
    source = tmp_path / "other.c"
    source.write_text(
        f"int groot_version_number(void) {{ return {number}; }}\n"
        f"int groot_abi_version(void) {{ return {interface}; }}\n"
    )
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-shared", "-fPIC", "-o", other, source], check=True)
    result = run("import groot; groot.Context", GROOT_LIBRARY=str(other))
    assert f"ImportError: {other} {refusal}" in result.stderr


@pytest.mark.parametrize("name", groot.__all__)
def test_public_names_are_documented(name: str) -> None:
    public = getattr(groot, name)
    if name.startswith("__") or isinstance(public, str):
        return
    assert public.__doc__
    listed = getattr(public, "__all__", vars(public))
    for member, value in ((one, getattr(public, one)) for one in listed):
        is_public = not member.startswith("_") and (callable(value) or isinstance(value, property))
        assert not is_public or value.__doc__, f"{name}.{member}"


def test_nothing_of_jansson_is_named() -> None:
    """The package works with a libgroot that contains jansson and does not export it."""
    assert all(name.startswith("groot_") for name in _ffi.signatures())
    named = re.compile(r"\bjson_(?!schema\b)\w+|\bjansson(?!_only)")
    for path in Path(groot.__file__).parent.rglob("*.py"):
        code = path.read_text()
        assert not named.findall(code), path


def test_nothing_but_the_table_is_looked_up(tmp_path: Path) -> None:
    """A library with only the functions of the table can be loaded."""
    source, library = tmp_path / "empty.c", tmp_path / "libempty.so"
    functions = "".join(f"long {name}(void) {{ return 1; }}\n" for name in _ffi.signatures())
    version = 'const char *groot_version(void) { return "of a test"; }'
    functions = functions.replace("long groot_version(void) { return 1; }", version)
    number = f"long groot_version_number(void) {{ return {_ffi.VERSION_NUMBER}; }}"
    source.write_text(functions.replace("long groot_version_number(void) { return 1; }", number))
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    result = run("import groot; print(groot.library_version)", GROOT_LIBRARY=str(library))
    assert result.stdout.strip() == "of a test", result.stderr
