"""The types of groot.h: handles, structures and functions that the library calls."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    Union,
    c_char,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any


class ErrorHandle(c_void_p):
    """`groot_error *`."""


class ModelHandle(c_void_p):
    """`groot_model *`."""


class RegistryHandle(c_void_p):
    """`groot_registry *`."""


class MappingHandle(c_void_p):
    """`groot_mapping *`."""


class ContextHandle(c_void_p):
    """`groot_context *`."""


class ObjectsHandle(c_void_p):
    """`groot_objects *`."""


class ImportHandle(c_void_p):
    """`groot_import *`."""


class JsonHandle(c_void_p):
    """`json_t *`."""


class _Start(Union):
    _fields_ = [("data", POINTER(c_char)), ("address", c_void_p)]


class Text(Structure):
    """`groot_string`, and `groot_buffer`, which differs in that it is owned."""

    _anonymous_ = ("start",)
    _fields_ = [("start", _Start), ("size", c_size_t)]


class _ValueUnion(Union):
    _anonymous_ = ("text",)
    _fields_ = [
        ("integer", c_int64),
        ("real", c_double),
        ("text", Text),
        ("object", c_uint64),
        ("chars", c_char_p),  # where text.data is, for writing
    ]


class Value(Structure):
    """`groot_value`, with the members of its union as its own."""

    _anonymous_ = ("as_",)
    _fields_ = [("kind", c_int32), ("reserved", c_int32), ("as_", _ValueUnion)]


class Issue(Structure):
    """`groot_issue`."""

    _fields_ = [
        *((name, c_int32) for name in ("status", "severity")),
        *((name, Text) for name in ("message", "path", "entity", "property")),
        *((name, c_int64) for name in ("line", "column", "offset")),
    ]


class Progress(Structure):
    """`groot_progress`."""

    _fields_ = [
        (name, c_uint64) for name in ("bytes", "records", "inserted", "updated", "unchanged")
    ]


JsonPointer = POINTER(c_int32)  # a json_t begins with its type

# Any: as decorators they would make what they decorate untyped.
# Of the parameters only the value becomes an object of ctypes; addresses are ints.
TransformFunction: Any = CFUNCTYPE(c_int32, c_void_p, JsonHandle, c_void_p, c_void_p)
DestroyFunction: Any = CFUNCTYPE(None, c_void_p)
ProgressFunction: Any = CFUNCTYPE(c_int32, c_void_p, POINTER(Progress))
WriteFunction: Any = CFUNCTYPE(c_int32, c_void_p, POINTER(c_char), c_size_t)


class Column(Structure):
    """`groot_column`."""

    _fields_ = [
        *((name, c_int32) for name in ("kind", "reserved")),
        *((name, c_size_t) for name in ("count", "null_count")),
        ("values", c_void_p),
        ("size", c_size_t),
        *((name, c_void_p) for name in ("offsets", "validity", "owner")),
    ]


class ArrowStream(Structure):
    """`ArrowArrayStream`."""

    _fields_ = [
        *((name, c_void_p) for name in ("get_schema", "get_next", "get_last_error")),
        ("release", CFUNCTYPE(None, c_void_p)),
        ("private_data", c_void_p),
    ]


class ImportOptions(Structure):
    """`groot_import_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("errors", c_int32),
        ("progress", ProgressFunction),
        ("progress_userdata", c_void_p),
        ("max_issues", c_size_t),
        ("policies", JsonHandle),
        ("report", POINTER(JsonHandle)),
        ("mapping", MappingHandle),
        ("root_path", c_char_p),
        ("batch_size", c_size_t),
        ("commits", c_int32),
    ]


class SyncOptions(Structure):
    """`groot_sync_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("progress", ProgressFunction),
        ("progress_userdata", c_void_p),
        ("max_issues", c_size_t),
        ("where", JsonHandle),
        ("parent", c_uint64),
        ("mapping", MappingHandle),
        ("report", POINTER(JsonHandle)),
    ]


class ExportOptions(Structure):
    """`groot_export_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("depth", c_int32),
        ("properties", JsonHandle),
        ("relationships", c_int32),
        ("inflection", c_int32),
        ("exclude", JsonHandle),
        ("dates", c_char_p),
        ("mapping", MappingHandle),
    ]
