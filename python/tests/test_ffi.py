"""The table of functions against groot.h, and the search for the library."""

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
HEADER = ROOT / "include" / "groot.h"
DECLARATION = re.compile(r"GROOT_API\s+([^;(]*?)(\bgroot_\w+)\s*\(([^;]*?)\)\s*;", re.DOTALL)

C_TYPES = {
    "void": None,
    "int32_t": _ffi.c_int32,
    "size_t": _ffi.c_size_t,
    "groot_status": _ffi.c_int32,
    "groot_property": _ffi.c_int32,
    "groot_object_id": _ffi.c_uint64,
    "groot_string": _ffi.Text,
    "char*": _ffi.c_char_p,
    "json_t*": _ffi.JsonHandle,
    "groot_error*": _ffi.ErrorHandle,
    "groot_model*": _ffi.ModelHandle,
    "groot_registry*": _ffi.RegistryHandle,
    "groot_mapping*": _ffi.MappingHandle,
    "groot_context*": _ffi.ContextHandle,
    "groot_objects*": _ffi.ObjectsHandle,
    "groot_failure*": _ffi.c_void_p,
    "void*": _ffi.c_void_p,
    "groot_transform_function": _ffi.TransformFunction,
    "groot_destroy_function": _ffi.DestroyFunction,
    "groot_write_function": _ffi.WriteFunction,
    "groot_buffer": _ffi.Text,
    "groot_issue": _ffi.Issue,
    "groot_value": _ffi.Value,
    "groot_import_options": _ffi.ImportOptions,
}


def declared() -> dict[str, tuple[object, list[object]]]:
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)
    functions = {}
    for result, name, parameters in DECLARATION.findall(text):
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
    return _ffi.POINTER(C_TYPES[name[:-1]] if name[:-1] in C_TYPES else C_TYPES[name[:-2]])


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
                assert given in (_ffi.c_void_p, _ffi.POINTER(_ffi.c_uint64)), name
            else:
                assert given == wanted, name


def test_statuses_are_those_of_the_header() -> None:
    text = HEADER.read_text()
    section = text[text.index("#define GROOT_OK") : text.index("typedef struct groot_error")]
    defined = dict(re.findall(r"^#define GROOT_([A-Z0-9_]+) (\d+)\b", section, re.M))
    statuses = {name: status.value for name, status in groot.Status.__members__.items()}
    assert {name: int(number) for name, number in defined.items()} == {"OK": 0, **statuses}


def test_only_one_module_knows_ctypes() -> None:
    package = Path(groot.__file__).parent
    imports = re.compile(r"^\s*(import|from) ctypes\b", re.MULTILINE)
    knowing = [path.name for path in package.rglob("*.py") if imports.search(path.read_text())]
    assert knowing == ["_ffi.py"]


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


@pytest.mark.parametrize("name", groot.__all__)
def test_public_names_are_documented(name: str) -> None:
    public = getattr(groot, name)
    if name.startswith("__") or isinstance(public, str):
        return
    assert public.__doc__
    for member, value in vars(public).items():
        is_public = not member.startswith("_") and (callable(value) or isinstance(value, property))
        assert not is_public or value.__doc__, f"{name}.{member}"
