"""Groot: an annotated object graph that reads and writes JSON.

A `Model` has the entities and a `Registry` has named functions. A `Mapping` compiles both. A
`Context` holds the objects: it loads them from JSON, finds, updates and links them, and dumps them
as JSON again. Every failure is a `groot.Error`.

The attributes of an `Object` in Python are the properties of its entity. Its other facts come from
functions: `object_id`, `entity_name`, `is_deleted` and `report`.

`import groot` is cheap: each name loads its module, and the shared library, at its first use.
"""

from groot import _late
from groot.version import __version__

TYPE_CHECKING = False  # as in typing, whose import is slow
if TYPE_CHECKING:
    from groot import models, options
    from groot._ffi import library_version
    from groot.calls import Call, Progress
    from groot.changes import Change
    from groot.columns import Column
    from groot.context import Context
    from groot.descriptions import describe_store
    from groot.errors import Error, FileError, Issue, Status
    from groot.mapping import Mapping
    from groot.members import Members
    from groot.model import Model
    from groot.objects import Object, entity_name, is_deleted, object_id
    from groot.registry import Registry
    from groot.reports import Report, report
    from groot.sequence import Objects
    from groot.streams import ImportStream
    from groot.tables import Table
    from groot.typed import (
        Attribute,
        Condition,
        Entity,
        Expression,
        ToMany,
        ToOne,
        attribute,
        bits,
        is_null,
        relationship,
    )

__all__ = [
    "Attribute",
    "Call",
    "Change",
    "Column",
    "Condition",
    "Context",
    "Entity",
    "Error",
    "Expression",
    "FileError",
    "ImportStream",
    "Issue",
    "Mapping",
    "Members",
    "Model",
    "Object",
    "Objects",
    "Progress",
    "Registry",
    "Report",
    "Status",
    "Table",
    "ToMany",
    "ToOne",
    "__version__",
    "attribute",
    "bits",
    "describe_store",
    "entity_name",
    "is_deleted",
    "is_null",
    "library_version",
    "models",
    "object_id",
    "options",
    "relationship",
    "report",
]

_NAMES = {
    "_ffi": ("library_version",),
    "calls": ("Call", "Progress"),
    "changes": ("Change",),
    "columns": ("Column",),
    "context": ("Context",),
    "descriptions": ("describe_store",),
    "errors": ("Error", "FileError", "Issue", "Status"),
    "mapping": ("Mapping",),
    "members": ("Members",),
    "model": ("Model",),
    "objects": ("Object", "entity_name", "is_deleted", "object_id"),
    "registry": ("Registry",),
    "reports": ("Report", "report"),
    "sequence": ("Objects",),
    "streams": ("ImportStream",),
    "tables": ("Table",),
    "typed": (
        "Attribute", "Condition", "Entity", "Expression", "ToMany", "ToOne",
        "attribute", "bits", "is_null", "relationship",
    ),
}  # fmt: skip
_MODULES = (
    "asynchronous", "calls", "changes", "columns", "context", "descriptions", "diff", "drawing",
    "errors", "exporting", "fetching", "importing", "key_paths", "mapping", "members", "model",
    "models", "objects", "options", "progress", "registry", "reports", "sequence", "streams",
    "tables", "typed", "values", "version",
)  # fmt: skip
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}


def _load_models() -> None:
    from groot import models  # noqa: F401, PLC0415 (it adds readers and the inference to Model)


_late.add(_load_models)

if not TYPE_CHECKING:  # a checker would take every name of a module with __getattr__

    def __getattr__(name: str) -> object:
        """Load the module of a name when the name is first used."""
        from importlib import import_module  # noqa: PLC0415 (the first use needs it)

        if name in _MODULES:
            return import_module(f"groot.{name}")
        if name not in _MODULE_OF:
            raise AttributeError(f"module 'groot' has no attribute {name!r}")
        found = getattr(import_module(f"groot.{_MODULE_OF[name]}"), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        """List the names, loaded or not."""
        return sorted({*globals(), *__all__, *_MODULES})
