"""The C interface of libgroot: the one module that knows ctypes.

`lib` has every function of groot.h under its name without the prefix `groot_`, and the functions
of jansson that callbacks need under their own names.
"""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    Union,
    byref,
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
from types import SimpleNamespace
from typing import Any

from groot import _library
from groot._table import TABLE

__all__ = ["byref", "c_int32", "c_int64", "c_size_t", "c_uint64", "c_void_p", "lib", "sizeof"]

ABI_VERSION = 1


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
        ("chars", c_char_p),  # the place of text.data, for writing
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


# As many problems as there may be.
UNLIMITED = c_size_t(-1).value

# What calls can be asked for.
JANSSON_ONLY, DRY_RUN, CHANGES, NO_CREATE, ACCESS, LINES = 1, 2, 4, 8, 16, 256
SYNC_FLAGS = {
    "insert": 1,  # not to be done, as are the next two
    "update": 2,
    "delete": 4,
    "members": 8,
    "members_insert": 16,
    "members_update": 32,
    "members_delete": 64,
    "jansson_only": 128,
    "dry_run": 256,
    "changes": 512,
}
TO_MANY, SUBOBJECTS, WRITE_LINES = 1, 2, 256
RELATIONSHIPS = {"none": 1, "array": 2, "nested": 3}
INFLECTIONS = {"snake": 1, "camel": 2}
ERROR_MODES = {"abort": 0, "collect": 1, "skip": 2}
COMMITS = {"whole": 0, "each": 1}


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


# The words of the table. A word with a star is a pointer to the type, for a result.
_WORDS: dict[str, tuple[Any, ...]] = {
    "nothing": (None,),
    "status": (c_int32,),
    "int32": (c_int32,),
    "int64": (c_int64,),
    "size": (c_size_t,),
    "double": (c_double,),
    "chars": (c_char_p,),
    "bytes": (POINTER(c_char),),
    "text": (c_char_p, c_size_t),  # two parameters
    "string": (Text,),
    "buffer": (Text,),
    "issue": (Issue,),
    "value": (Value,),
    "model": (ModelHandle,),
    "registry": (RegistryHandle,),
    "mapping": (MappingHandle,),
    "context": (ContextHandle,),
    "objects": (ObjectsHandle,),
    "import": (ImportHandle,),
    "object": (c_uint64,),
    "half": (c_uint32,),  # an int may be wider: ctypes passes its lower half
    "property": (c_int32,),
    "ids": (c_void_p, c_size_t),  # two parameters: the address of an array, its length
    "json": (JsonHandle,),
    "column": (Column,),
    "stream": (ArrowStream,),
    "import_options": (POINTER(ImportOptions),),
    "sync_options": (POINTER(SyncOptions),),
    "export_options": (POINTER(ExportOptions),),
    "error": (ErrorHandle,),
    "transform": (TransformFunction,),
    "destroy": (DestroyFunction,),
    "write": (WriteFunction,),
    "address": (c_void_p,),
}


def _types(word: str) -> tuple[Any, ...]:
    """Look up the ctypes types that `word` of the table stands for."""
    if word.endswith("*"):
        return (POINTER(_WORDS[word[:-1]][0]),)
    return _WORDS[word]


def signatures() -> dict[str, tuple[Any, list[Any], str]]:
    """Read the table: function name to result type, parameter types, and mark."""
    functions = {}
    for line in TABLE.strip().splitlines():
        name, result, *parameters = line.split()
        types = [one for word in parameters for one in _types(word)]
        mark = name.lstrip("abcdefghijklmnopqrstuvwxyz_")
        functions[name.rstrip("!?")] = (_types(result)[0], types, mark)
    return functions


class _Loaded:
    """A library, for calls that release the interpreter's lock and for calls that keep it."""

    def __init__(self, path: str) -> None:
        """Load the library; OSError when it cannot be."""
        self.path = path
        self._releasing = ctypes.CDLL(path)
        self._keeping = ctypes.PyDLL(path)

    def function(self, name: str, quick: bool = True) -> Any:
        """Give a new function object; ImportError when the library has no such function."""
        try:
            return (self._keeping if quick else self._releasing)[name]
        except AttributeError:
            raise ImportError(f"{self.path} is no groot library: it lacks {name}") from None


def _load() -> _Loaded:
    """Load the first library there is, and look at its version."""
    failures = []
    for path in _library.candidates():
        try:
            found = _Loaded(path)
        except OSError as error:
            failures.append(str(error))
            continue
        version = found.function("groot_abi_version")()
        if version < ABI_VERSION:
            raise ImportError(
                f"{path} has version {version} of groot's binary interface; "
                f"this package needs {ABI_VERSION}"
            )
        return found
    raise _library.not_found(failures)


def _bind() -> SimpleNamespace:
    """Bind the whole table."""
    groot = jansson = _load()
    # The library needs jansson, whose functions are found through it, unless it swallowed it.
    try:
        jansson.function("json_loadb")
    except ImportError:
        jansson = _Loaded("libjansson.so.4")
    functions = {}
    for name, (result, parameters, mark) in signatures().items():
        of = groot if name.startswith("groot_") else jansson
        function = of.function(name, quick=bool(mark))
        function.restype = result
        if mark != "?":
            function.argtypes = parameters
        functions[name.removeprefix("groot_")] = function
    return SimpleNamespace(**functions)


lib: Any = _bind()

pointer = ctypes.pointer
buffer = ctypes.create_string_buffer
address_argument = c_void_p.from_param
NO_TRANSFORM = TransformFunction()


def json_at(address: int) -> Any:
    """Give the pointer for the address of a `json_t`."""
    return ctypes.cast(address, JsonPointer)


_places: dict[int, c_void_p] = {}


def put_address(place: int, address: int) -> None:
    """Write an address into a place of native memory.

    Places come again and again, since they lie on the stack; what stands for them is kept.
    """
    found = _places.get(place)
    if found is None:
        if len(_places) == 256:
            _places.clear()
        found = _places[place] = c_void_p.from_address(place)
    found.value = address


def characters(view: memoryview) -> Any:
    """Give the bytes of a writable buffer without copying them."""
    return (c_char * view.nbytes).from_buffer(view)


def view(address: int, size: int, format: Any, owner: object) -> memoryview:
    """Give native memory, read only, that `owner` keeps as long as any view of it lives."""
    block: Any = (c_char * size).from_address(address)
    block.owner = owner
    found: memoryview = memoryview(block).cast("B").cast(format).toreadonly()
    return found


_STREAM_NAME = b"arrow_array_stream"
_new_capsule: Any = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]
_inside_capsule: Any = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_streams: dict[int, ArrowStream] = {}


def _drop(capsule: int) -> None:
    """Release a stream that nobody took out of its capsule."""
    address = _inside_capsule(capsule, _STREAM_NAME)
    stream = _streams.pop(address)
    if stream.release:
        stream.release(address)


_drop_stream: Any = ctypes.PYFUNCTYPE(None, c_void_p)(_drop)


def stream_capsule(stream: ArrowStream) -> Any:
    """Make the capsule in which Python programs hand streams of Arrow to each other."""
    address = ctypes.addressof(stream)
    _streams[address] = stream
    return _new_capsule(address, _STREAM_NAME, ctypes.cast(_drop_stream, c_void_p))


def address_of(ids: Any, start: int) -> int:
    """Give the address of an element behind a pointer to object ids."""
    first: int = ctypes.cast(ids, c_void_p).value or 0
    return first + start * sizeof(c_uint64)


def text_of(text: Text) -> str:
    """Copy the characters of `text`; what is no UTF-8 is replaced."""
    data: bytes = text.data[: text.size]
    return data.decode("utf-8", "replace")
