"""The table of functions against groot.h, and the search for the library."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import groot
from groot import _ffi, _options
from groot._ffi import library

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "include" / "groot.h"
STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\} \1;", re.DOTALL)
MEMBER = re.compile(r"\s*(\w[^;{}]*?)(\w+);")
DECLARATION = re.compile(r"GROOT_API\s+([^;(]*?)(\bgroot_\w+)\s*\(([^;]*?)\)\s*;", re.DOTALL)

C_TYPES = {
    "void": None,
    "int32_t": _ffi.c_int32,
    "int64_t": _ffi.c_int64,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": _ffi.c_uint64,
    "double": ctypes.c_double,
    "size_t": _ffi.c_size_t,
    "groot_status": _ffi.c_int32,
    "groot_property": _ffi.c_int32,
    "groot_object_id": _ffi.c_uint64,
    "groot_string": _ffi.Text,
    "char*": ctypes.c_char_p,
    "json_t*": _ffi.JsonHandle,
    "groot_error*": _ffi.ErrorHandle,
    "groot_model*": _ffi.ModelHandle,
    "groot_registry*": _ffi.RegistryHandle,
    "groot_mapping*": _ffi.MappingHandle,
    "groot_context*": _ffi.ContextHandle,
    "groot_objects*": _ffi.ObjectsHandle,
    "groot_import*": _ffi.ImportHandle,
    "groot_failure*": _ffi.c_void_p,
    "void*": _ffi.c_void_p,
    "groot_transform_function": _ffi.TransformFunction,
    "groot_destroy_function": _ffi.DestroyFunction,
    "groot_progress_function": _ffi.ProgressFunction,
    "groot_write_function": _ffi.WriteFunction,
    "groot_buffer": _ffi.Text,
    "groot_issue": _ffi.Issue,
    "groot_value": _ffi.Value,
    "groot_progress": _ffi.Progress,
    "groot_import_options": _ffi.ImportOptions,
    "groot_sync_options": _ffi.SyncOptions,
    "groot_export_options": _ffi.ExportOptions,
    "groot_column": _ffi.Column,
    "structArrowArrayStream": _ffi.ArrowStream,
}


def header() -> str:
    """Read the header without its comments."""
    return re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)


def declared() -> dict[str, tuple[object, list[object]]]:
    functions = {}
    for result, name, parameters in DECLARATION.findall(header()):
        types = [] if parameters.strip() == "void" else parameters.split(",")
        functions[name] = (c_type(result), [c_type(one, named=True) for one in types])
    return functions


def c_type(text: str, named: bool = False) -> object:
    words = text.replace("*", " * ").replace("const", " ").split()
    if named:
        words.pop()
    name = "".join(words)
    if name == "groot_object_id*" and named:
        return name
    if name in C_TYPES:
        return C_TYPES[name]
    assert name.endswith("*"), text
    return ctypes.POINTER(C_TYPES[name[:-1]] if name[:-1] in C_TYPES else C_TYPES[name[:-2]])


def test_every_function_is_bound_as_declared() -> None:
    functions = declared()
    bound = {name: one for name, one in _ffi.signatures().items() if name.startswith("groot_")}
    assert bound.keys() == functions.keys()
    assert len(functions) > 50
    for name, (result, parameters) in functions.items():
        bound_result, bound_parameters, _ = bound[name]
        assert bound_result == result, name
        assert len(bound_parameters) == len(parameters), name
        for given, wanted in zip(bound_parameters, parameters):
            if wanted == "groot_object_id*":  # an array going in, or one id coming out
                assert given in (_ffi.c_void_p, ctypes.POINTER(_ffi.c_uint64)), name
            else:
                assert given == wanted, name


STRUCTS = ["issue", "progress", "import_options", "sync_options", "export_options"]


@pytest.mark.parametrize("name", [f"groot_{name}" for name in STRUCTS])
def test_structs_are_those_of_the_header(name: str) -> None:
    members = MEMBER.findall(dict(STRUCT.findall(header()))[name])
    bound = [(member, type) for member, type in C_TYPES[name]._fields_]
    assert bound == [(member, c_type(type)) for type, member in members]


def test_structs_with_members_of_their_own_names() -> None:
    members = {name: MEMBER.findall(text) for name, text in STRUCT.findall(header())}
    for name in ("groot_string", "groot_buffer"):
        assert [member for _, member in members[name]] == ["data", "size"]
        assert _ffi.Text.address.offset == _ffi.Text.data.offset == 0
        assert _ffi.Text.size.offset == _ffi.sizeof(_ffi.c_void_p)
    names = [member for _, member in members["groot_value"]][:6]
    assert names == ["kind", "reserved", "integer", "real", "text", "object"]
    value = _ffi.Value
    assert [getattr(value, name).offset for name in names if name != "text"] == [0, 4, 8, 8, 8]
    assert value.chars.offset == value.data.offset == 8
    assert value.size.offset == 16
    assert _ffi.sizeof(value) == 24


def test_numbers_are_those_of_the_header() -> None:
    numbers = dict(re.findall(r"^#define GROOT_(\w+) (\d+)u?\b", header(), re.MULTILINE))
    assert int(numbers["ABI_VERSION"]) == _ffi.ABI_VERSION
    assert int(numbers["VERSION_NUMBER"]) == _ffi.VERSION_NUMBER
    assert library.SONAME == "libgroot.so.0.1"
    assert groot.__version__ == groot.library_version

    def defined(prefix: str) -> dict[str, int]:
        return {
            name.removeprefix(prefix): int(number)
            for name, number in numbers.items()
            if name.startswith(prefix)
        }

    for name, number in (defined("IMPORT_") | defined("EXPORT_")).items():
        assert number == getattr(_ffi, name), name
    assert {name.lower(): number for name, number in defined("ERRORS_").items()} == (
        _ffi.ERROR_MODES
    )
    assert list(defined("COMMITS_").values()) == list(_ffi.COMMITS.values())
    for prefix, bound in (
        ("RELATIONSHIPS_", _ffi.RELATIONSHIPS),
        ("INFLECTION_", _ffi.INFLECTIONS),
    ):
        assert defined(prefix) == {"DEFAULT": 0, **{k.upper(): v for k, v in bound.items()}}
    sync = {name.replace("NO_", "").lower(): number for name, number in defined("SYNC_").items()}
    assert sync == _ffi.SYNC_FLAGS


def test_statuses_are_those_of_the_header() -> None:
    text = HEADER.read_text()
    section = text[text.index("#define GROOT_OK") : text.index("typedef struct groot_error")]
    defined = dict(re.findall(r"^#define GROOT_([A-Z0-9_]+) (\d+)\b", section, re.M))
    statuses = {name: status.value for name, status in groot.Status.__members__.items()}
    assert {name: int(number) for name, number in defined.items()} == {"OK": 0, **statuses}


@pytest.mark.parametrize(
    ("keywords", "run_with"),
    [
        (_options.AnyLoadKeywords, _options.Loading),
        (_options.SyncKeywords, _options.Syncing),
        (_options.DumpKeywords, _options.Dumping),
    ],
    ids=["load", "sync", "dump"],
)
def test_keywords_are_those_that_calls_are_run_with(keywords: Any, run_with: Any) -> None:
    assert keywords.__annotations__.keys() == set(run_with._fields)
    assert all(name in run_with._field_defaults for name in run_with._fields)
    for name, type in keywords.__annotations__.items():
        declared, bound = (
            str(getattr(one, "__forward_arg__", one))
            for one in (type, run_with.__annotations__[name])
        )
        assert declared == bound or bound.startswith("str"), name


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


def test_a_library_that_is_not_there_is_an_import_error() -> None:
    result = run("import groot", GROOT_LIBRARY="/nowhere/libgroot.so")
    assert "ImportError" in result.stderr
    assert "GROOT_LIBRARY" in result.stderr
    assert "/nowhere/libgroot.so" in result.stderr


def test_another_library_is_an_import_error() -> None:
    result = run("import groot", GROOT_LIBRARY="libjansson.so.4")
    assert "ImportError: libjansson.so.4 is no groot library" in result.stderr


@pytest.mark.parametrize(
    ("number", "interface", "refusal"),
    [
        (2000, 1, "is groot 0.2, and this package needs groot 0.1"),
        (0, 1, "is groot 0.0, and this package needs groot 0.1"),
        (1_000_000, 9, "is groot 1, and this package needs groot 0.1"),
        (1000, 0, "has version 0 of groot's binary interface, and this package needs 1"),
        (1001, 2, "is no groot library: it lacks"),
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
    result = run("import groot", GROOT_LIBRARY=str(other))
    assert f"ImportError: {other} {refusal}" in result.stderr


@pytest.mark.parametrize("name", groot.__all__)
def test_public_names_are_documented(name: str) -> None:
    public = getattr(groot, name)
    if name.startswith("__") or isinstance(public, str):
        return
    assert public.__doc__
    for member, value in vars(public).items():
        is_public = not member.startswith("_") and (callable(value) or isinstance(value, property))
        assert not is_public or value.__doc__, f"{name}.{member}"
