"""The functions, structs and numbers of the package against groot.h."""

from __future__ import annotations

import ctypes
import json
import re
from pathlib import Path
from typing import Any

import pytest

import groot
from groot import _ffi
from groot._ffi import library

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "include" / "groot.h"
FFI_HEADER = ROOT / "include" / "groot_ffi.h"
LAYOUT = json.loads((ROOT / "Tests" / "ABI" / "layout.json").read_text())
JANSSON = re.compile(r"^#ifndef GROOT_NO_JANSSON$.*?^#endif$", re.DOTALL | re.MULTILINE)
FUNCTION = re.compile(r"void \(\*(\w+)\)\([^)]*\)")
STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\} \1;", re.DOTALL)
MEMBER = re.compile(r"\s*(\w[^;{}]*?)(\w+);")
DECLARATION = re.compile(r"GROOT_API\s+([^;(]*?)(\bgroot_\w+)\s*\(([^;]*?)\)\s*;", re.DOTALL)

C_TYPES = {
    "void": None,
    "int32_t": _ffi.c_int32,
    "int64_t": ctypes.c_int64,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": _ffi.c_uint64,
    "double": ctypes.c_double,
    "size_t": _ffi.c_size_t,
    "groot_status": _ffi.c_int32,
    "groot_property": _ffi.c_int32,
    "groot_object_id": _ffi.c_uint64,
    "groot_string": _ffi.Text,
    "char*": ctypes.c_char_p,
    "groot_error*": _ffi.ErrorHandle,
    "groot_model*": _ffi.ModelHandle,
    "groot_registry*": _ffi.RegistryHandle,
    "groot_mapping*": _ffi.MappingHandle,
    "groot_context*": _ffi.ContextHandle,
    "groot_objects*": _ffi.ObjectsHandle,
    "groot_stream*": _ffi.StreamHandle,
    "groot_call*": _ffi.CallHandle,
    "void*": _ffi.c_void_p,
    "groot_transform_function": _ffi.TransformFunction,
    "groot_destroy_function": _ffi.DestroyFunction,
    "groot_progress_function": _ffi.ProgressFunction,
    "groot_write_function": _ffi.WriteFunction,
    "groot_buffer": _ffi.Text,
    "groot_issue": _ffi.Issue,
    "groot_value": _ffi.Value,
    "groot_progress": _ffi.Progress,
    "groot_entity_info": _ffi.EntityInfo,
    "groot_property_info": _ffi.PropertyInfo,
    "groot_log_function": _ffi.LogFunction,
    "groot_mapping_options": _ffi.MappingOptions,
    "groot_store_options": _ffi.StoreOptions,
    "groot_counts": _ffi.Counts,
    "groot_import_options": _ffi.ImportOptions,
    "groot_sync_options": _ffi.SyncOptions,
    "groot_export_options": _ffi.ExportOptions,
    "groot_column": _ffi.Column,
    "groot_arrow_column": _ffi.ArrowColumn,
    "structArrowArrayStream": _ffi.ArrowStream,
}


def header() -> str:
    """Read the header without the part for jansson and without comments."""
    text = HEADER.read_text() + FFI_HEADER.read_text()
    return re.sub(r"/\*.*?\*/", "", JANSSON.sub("", text), flags=re.DOTALL)


def declared() -> dict[str, tuple[object, list[object]]]:
    functions = {}
    for result, name, parameters in DECLARATION.findall(header()):
        named = FUNCTION.sub(r"groot_destroy_function \1", parameters)
        types = [] if named.strip() == "void" else named.split(",")
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
    assert "json_t" in HEADER.read_text()
    assert "json_t" not in header()
    functions = declared()
    bound = _ffi.signatures()
    assert bound.keys() == functions.keys()
    assert len(functions) > 50
    for name, (result, parameters) in functions.items():
        bound_result, bound_parameters, _ = bound[name]
        assert bound_result == result, name
        assert len(bound_parameters) == len(parameters), name
        for given, wanted in zip(bound_parameters, parameters):
            if wanted == "groot_object_id*":  # an array as input, or one id as output
                assert given in (_ffi.c_void_p, ctypes.POINTER(_ffi.c_uint64)), name
            else:
                assert given == wanted, name


SIZED = [
    *(f"groot_{name}" for name in ("issue", "progress", "column")),
    *(f"groot_{name}_options" for name in ("mapping", "store", "import", "sync", "export")),
]


@pytest.mark.parametrize("name", SIZED)
def test_structs_are_those_of_the_header(name: str) -> None:
    text = dict(STRUCT.findall(header()))[name]
    members = [(member, type.strip()) for type, member in MEMBER.findall(text)]
    bound = [(member, type) for member, type in C_TYPES[name]._fields_]
    if name == "groot_column":  # pointers to buffers are bound as addresses
        pointers = {member for member, type in members if type.endswith("*")}
        assert pointers == {"values", "offsets", "validity", "owner"}
        members = [(one, "void *" if one in pointers else type) for one, type in members]
    assert bound == [(member, c_type(type)) for member, type in members]
    assert C_TYPES[name]().struct_size == _ffi.sizeof(C_TYPES[name])


@pytest.mark.parametrize("name", sorted(LAYOUT))
def test_structs_lie_in_memory_as_those_of_c(name: str) -> None:
    bound = C_TYPES[name]
    offsets = {member: where for member, where in LAYOUT[name].items() if member != "sizeof"}
    assert _ffi.sizeof(bound) == LAYOUT[name]["sizeof"]
    assert {member: _offset(bound, member) for member in offsets} == offsets


def _offset(bound: Any, member: str) -> int:
    """Return the offset of a member; `as` is the union of a value."""
    return getattr(bound, "as_" if member == "as" else member).offset


@pytest.mark.parametrize("name", [name for name in SIZED if name.endswith("_options")])
def test_the_library_makes_the_same_defaults(name: str) -> None:
    made = C_TYPES[name](flags=5)
    getattr(_ffi.lib, f"{name.removeprefix('groot_')}_init")(_ffi.byref(made), _ffi.sizeof(made))
    assert bytes(made) == bytes(C_TYPES[name]())


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


def numbers() -> dict[str, int]:
    """Return all numbers in the header, by their names without `GROOT_`."""
    pattern = r"^#define GROOT_(\w+) (0x[0-9a-f]+|\d+)u?(?=\s|$)"
    return {name: int(text, 0) for name, text in re.findall(pattern, header(), re.I | re.M)}


def defined(prefix: str) -> dict[str, int]:
    """Return the numbers whose names have a prefix, by the rest of their names."""
    return {
        name.removeprefix(prefix): number
        for name, number in numbers().items()
        if name.startswith(prefix)
    }


def test_flags_are_those_of_the_header() -> None:
    shared = ("DRY_RUN", "CHANGES", "LINES")
    flags = {name: numbers()[name] for name in shared}
    for prefix in ("IMPORT_", "EXPORT_", "MAPPING_"):
        flags |= defined(prefix)
    for name, number in flags.items():
        assert number == getattr(_ffi, name), name
    sync = {name.replace("NO_", "").lower(): number for name, number in defined("SYNC_").items()}
    assert sync == _ffi.SYNC_FLAGS
    store = {name: number for name, number in defined("STORE_").items() if number >= 0x1000}
    assert {name.lower(): number for name, number in store.items()} == _ffi.STORE_FLAGS
    bits = [*flags.values(), *sync.values(), *store.values()]
    assert len(bits) == 3 + 2 + 3 + 1 + 11 + 8
    assert sum(bits) == sum(1 << bit for bit in range(32) if 1 << bit in bits)


def test_numbers_are_those_of_the_header() -> None:
    assert numbers()["ABI_VERSION"] == _ffi.ABI_VERSION
    assert numbers()["VERSION_NUMBER"] == _ffi.VERSION_NUMBER
    assert library.SONAME == "libgroot.so.0.1"
    assert groot.__version__ == groot.library_version
    for prefix, bound in (
        ("ERRORS_", _ffi.ERROR_MODES),
        ("DURABILITY_", _ffi.DURABILITIES),
        ("CONFLICTS_", _ffi.CONFLICTS),
        ("RELATIONSHIPS_", {"default": 0, **_ffi.RELATIONSHIPS}),
        ("INFLECTION_", {"default": 0, **_ffi.INFLECTIONS}),
    ):
        assert {name.lower(): number for name, number in defined(prefix).items()} == bound
    assert list(defined("COMMITS_").values()) == list(_ffi.COMMITS.values())
    operations = {number: name.lower() for name, number in defined("OPERATION_").items()}
    assert operations == _ffi.OPERATIONS
    levels = {number: name.lower() for name, number in defined("LOG_").items()}
    assert levels == {number: f"{name}s" for number, name in _ffi.LOG_LEVELS.items()}
    assert (levels[_ffi.LOG_EVENTS], levels[_ffi.LOG_STATEMENTS]) == ("events", "statements")
    sizes = {"NTS": _ffi.NTS.value, "UNLIMITED": _ffi.UNLIMITED}
    assert sizes == dict.fromkeys(sizes, ctypes.c_size_t(-1).value)
    for name, text in (("NTS", "((size_t)-1)"), ("UNLIMITED", "SIZE_MAX")):
        assert re.search(rf"^#define GROOT_{name} {re.escape(text)}", header(), re.M), name


def test_statuses_are_those_of_the_header() -> None:
    text = HEADER.read_text()
    section = text[text.index("#define GROOT_OK") : text.index("typedef struct groot_error")]
    defined = dict(re.findall(r"^#define GROOT_([A-Z0-9_]+) (\d+)\b", section, re.M))
    statuses = {name: status.value for name, status in groot.Status.__members__.items()}
    assert {name: int(number) for name, number in defined.items()} == {"OK": 0, **statuses}
