"""The types of groot.h: handles, structures and callbacks."""

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
    sizeof,
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


class StreamHandle(c_void_p):
    """`groot_stream *`."""


class CallHandle(c_void_p):
    """`groot_call *`."""


class _Start(Union):
    _fields_ = [("data", POINTER(c_char)), ("address", c_void_p)]


class Text(Structure):
    """`groot_string`, and `groot_buffer`, whose memory belongs to the caller."""

    _anonymous_ = ("start",)
    _fields_ = [("start", _Start), ("size", c_size_t)]


class _ValueUnion(Union):
    _anonymous_ = ("text",)
    _fields_ = [
        ("integer", c_int64),
        ("real", c_double),
        ("text", Text),
        ("object", c_uint64),
        ("chars", c_char_p),  # the same field as text.data, for writing
    ]


class Value(Structure):
    """`groot_value`, with the members of its union as direct members."""

    _anonymous_ = ("as_",)
    _fields_ = [("kind", c_int32), ("reserved", c_int32), ("as_", _ValueUnion)]


class _Sized(Structure):
    """A structure that begins with its size."""

    def __init__(self, **members: Any) -> None:
        super().__init__(struct_size=sizeof(self), **members)


class Issue(_Sized):
    """`groot_issue`."""

    _fields_ = [
        ("struct_size", c_size_t),
        *((name, c_int32) for name in ("status", "severity")),
        *((name, Text) for name in ("message", "path", "entity", "property")),
        *((name, c_int64) for name in ("line", "column", "offset")),
    ]


class Progress(_Sized):
    """`groot_progress`."""

    _fields_ = [
        ("struct_size", c_size_t),
        *((name, c_uint64) for name in ("bytes", "records", "inserted", "updated", "unchanged")),
        *((name, c_int32) for name in ("operation", "reserved")),
    ]


# Typed as Any, since a decorated function would otherwise be untyped.
# The call of a transformer stays a ctypes object, for further calls. The value becomes bytes that
# end at the first NUL, which JSON text does not have.
TransformFunction: Any = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_size_t, CallHandle)
DestroyFunction: Any = CFUNCTYPE(None, c_void_p)
ProgressFunction: Any = CFUNCTYPE(c_int32, c_void_p, POINTER(Progress))
WriteFunction: Any = CFUNCTYPE(c_int32, c_void_p, POINTER(c_char), c_size_t)


LogFunction: Any = CFUNCTYPE(None, c_void_p, c_int32, c_char_p, c_size_t)


class EntityInfo(_Sized):
    """`groot_entity_info`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("name", Text),
        *((name, c_int32) for name in ("parent", "is_abstract")),
        ("property_count", c_size_t),
    ]


class PropertyInfo(_Sized):
    """`groot_property_info`."""

    _fields_ = [
        ("struct_size", c_size_t),
        *((name, Text) for name in ("name", "type")),
        *((name, c_int32) for name in ("number", "value", "entity", "destination", "inverse")),
        ("flags", c_uint32),
        ("values", Text),
    ]


class Column(_Sized):
    """`groot_column`."""

    _fields_ = [
        ("struct_size", c_size_t),
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


class ArrowColumn(Structure):
    """`groot_arrow_column`."""

    _fields_ = [
        *((name, c_char_p) for name in ("format", "name")),
        *((name, c_int64) for name in ("length", "null_count")),
        *((name, c_size_t) for name in ("children", "buffer_count")),
        ("buffers", c_void_p * 3),
        ("sizes", c_size_t * 3),
    ]


class MappingOptions(_Sized):
    """`groot_mapping_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("dialect", c_char_p),
        ("rules", c_char_p),
        ("rules_length", c_size_t),
        ("flags", c_uint32),
        ("nulls", c_int32),
        ("roots", c_char_p),
        ("roots_length", c_size_t),
    ]


class StoreOptions(_Sized):
    """`groot_store_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("durability", c_int32),
        ("conflicts", c_int32),
        ("busy_timeout", c_int32),
        ("backup", c_char_p),
        ("progress", ProgressFunction),
        ("progress_userdata", c_void_p),
        ("log", LogFunction),
        ("log_userdata", c_void_p),
        ("log_level", c_int32),
        ("reserved", c_int32),
    ]


class Counts(_Sized):
    """`groot_counts`."""

    _fields_ = [
        ("struct_size", c_size_t),
        *((name, c_size_t) for name in ("inserted", "updated", "unchanged", "deleted")),
        *((name, c_size_t) for name in ("skipped", "stale", "issues")),
    ]


class ImportOptions(_Sized):
    """`groot_import_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("errors", c_int32),
        ("max_issues", c_size_t),
        ("progress", ProgressFunction),
        ("progress_userdata", c_void_p),
        ("callback_userdata", c_void_p),
        ("policies", c_char_p),
        ("root_path", c_char_p),
        ("mapping", MappingHandle),
        ("report", POINTER(Text)),
        ("batch_size", c_size_t),
        ("commits", c_int32),
        ("form", c_int32),
        ("counts", POINTER(Counts)),
        ("threads", c_size_t),
    ]


class SyncOptions(_Sized):
    """`groot_sync_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("form", c_int32),
        ("max_issues", c_size_t),
        ("progress", ProgressFunction),
        ("progress_userdata", c_void_p),
        ("callback_userdata", c_void_p),
        ("where", c_char_p),
        ("parent", c_uint64),
        ("mapping", MappingHandle),
        ("report", POINTER(Text)),
        ("policies", c_char_p),
        ("root_path", c_char_p),
        ("counts", POINTER(Counts)),
        ("max_deletions", c_uint64),
        ("max_deletion_share", c_double),
    ]


class ExportOptions(_Sized):
    """`groot_export_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("flags", c_uint32),
        ("depth", c_int32),
        ("relationships", c_int32),
        ("inflection", c_int32),
        ("properties", c_char_p),
        ("exclude", c_char_p),
        ("dates", c_char_p),
        ("mapping", MappingHandle),
        ("callback_userdata", c_void_p),
        ("count", POINTER(c_size_t)),
        ("form", c_int32),
        ("nulls", c_int32),
    ]
