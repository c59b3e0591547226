"""The functions of the library, each with its types in the table."""

from __future__ import annotations

import ctypes
from ctypes import (
    POINTER,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from types import SimpleNamespace
from typing import Any

from groot._ffi import library, types
from groot._ffi.constants import ABI_VERSION, VERSION_NUMBER
from groot._ffi.table import TABLE

# The words of the table. A word with a star is a pointer to the type, for an output.
_WORDS: dict[str, tuple[Any, ...]] = {
    "nothing": (None,),
    "status": (c_int32,),
    "int32": (c_int32,),
    "int64": (c_int64,),
    "uint64": (c_uint64,),
    "size": (c_size_t,),
    "double": (c_double,),
    "chars": (c_char_p,),
    "text": (c_char_p, c_size_t),  # two parameters
    "string": (types.Text,),
    "buffer": (types.Text,),
    "issue": (types.Issue,),
    "entity_info": (types.EntityInfo,),
    "property_info": (types.PropertyInfo,),
    "value": (types.Value,),
    "model": (types.ModelHandle,),
    "registry": (types.RegistryHandle,),
    "mapping": (types.MappingHandle,),
    "context": (types.ContextHandle,),
    "objects": (types.ObjectsHandle,),
    "stream": (types.StreamHandle,),
    "call": (types.CallHandle,),
    "object": (c_uint64,),
    "half": (c_uint32,),  # ctypes passes the lower half of a wider int
    "property": (c_int32,),
    "ids": (c_void_p, c_size_t),  # two parameters: the address of an array, its length
    "column": (types.Column,),
    "columns": (POINTER(types.ArrowColumn), c_size_t),  # two parameters
    "arrow": (types.ArrowStream,),
    "mapping_options": (POINTER(types.MappingOptions),),
    "store_options": (POINTER(types.StoreOptions),),
    "import_options": (POINTER(types.ImportOptions),),
    "sync_options": (POINTER(types.SyncOptions),),
    "export_options": (POINTER(types.ExportOptions),),
    "error": (types.ErrorHandle,),
    "transform": (types.TransformFunction,),
    "destroy": (types.DestroyFunction,),
    "write": (types.WriteFunction,),
    "progress": (types.ProgressFunction,),
    "address": (c_void_p,),
}


def _types(word: str) -> tuple[Any, ...]:
    """Look up the ctypes types of a word in the table."""
    if word.endswith("*"):
        return (POINTER(_WORDS[word[:-1]][0]),)
    return _WORDS[word]


def signatures() -> dict[str, tuple[Any, list[Any], str]]:
    """Read the table: result type, parameter types and mark of each function, by name."""
    functions = {}
    for line in TABLE.strip().splitlines():
        name, result, *parameters = line.split()
        given = [one for word in parameters for one in _types(word)]
        mark = name.lstrip("abcdefghijklmnopqrstuvwxyz_")
        functions[name.rstrip("!?")] = (_types(result)[0], given, mark)
    return functions


class _Loaded:
    """A loaded library, for calls that release the interpreter's lock and calls that keep it."""

    def __init__(self, path: str) -> None:
        """Load the library; raise OSError if that fails."""
        self.path = path
        self._releasing = ctypes.CDLL(path)
        self._keeping = ctypes.PyDLL(path)

    def function(self, name: str, quick: bool = True) -> Any:
        """Return a new function object; raise ImportError if the library lacks the function."""
        try:
            return (self._keeping if quick else self._releasing)[name]
        except AttributeError:
            raise ImportError(f"{self.path} is not a groot library: it lacks {name}") from None


def _refuse_another_version(found: _Loaded) -> None:
    """Raise ImportError unless this package can use the library."""
    number = found.function("groot_version_number")()
    series, ours = _series(number), _series(VERSION_NUMBER)
    if series != ours:
        raise ImportError(
            f"{found.path} is groot {series}, and this package needs groot {ours}; "
            f"install both from one version, or name another library in {library.VARIABLE}"
        )
    interface = found.function("groot_abi_version")()
    if interface < ABI_VERSION:
        raise ImportError(
            f"{found.path} has version {interface} of groot's binary interface, and this package "
            f"needs {ABI_VERSION} or later; install a newer library"
        )


def _series(number: int) -> str:
    """Return the name of the versions with the same interface: 0.1, 0.2, and later 1, 2."""
    major, minor = divmod(number // 1000, 1000)
    return str(major) if major else f"0.{minor}"


def _load() -> _Loaded:
    """Load the first library that exists, and check its version."""
    failures = []
    for path in library.candidates():
        try:
            found = _Loaded(path)
        except OSError as error:
            failures.append(str(error))
            continue
        _refuse_another_version(found)
        return found
    raise library.not_found(failures)


def _bind(groot: _Loaded, releasing: bool) -> SimpleNamespace:
    """Bind the whole table; with `releasing` all functions release the interpreter's lock."""
    functions = {}
    for name, (result, parameters, mark) in signatures().items():
        function = groot.function(name, quick=bool(mark) and not releasing)
        function.restype = result
        if mark != "?":
            function.argtypes = parameters
        functions[name.removeprefix("groot_")] = function
    return SimpleNamespace(**functions)


_found = _load()
lib: Any = _bind(_found, releasing=False)
"""The functions of groot.h, without the prefix `groot_`."""


def released(function: Any) -> Any:
    """Return a function of `lib` in the form that releases the interpreter's lock.

    Args:
        function: The function.

    Returns:
        Another function object for the same function of the library.
    """
    if not _released:
        _released.append(_bind(_found, releasing=True))
    return getattr(_released[0], function.__name__.removeprefix("groot_"))


_released: list[SimpleNamespace] = []

library_version: str = lib.version().decode()
"""The version of the shared library in use."""
