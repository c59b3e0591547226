"""Groot: an annotated object graph that reads and writes JSON.

A `Model` has the entities and a `Registry` has named functions. A `Mapping` compiles both. A
`Context` holds the objects: it loads them from JSON, finds, updates and links them, and dumps them
as JSON again. Every failure is a `groot.Error`.

The attributes of an `Object` in Python are the properties of its entity. Its other facts come from
functions: `object_id`, `entity_name`, `is_deleted` and `report`.
"""

from groot import models, options
from groot._ffi import lib as _lib
from groot.calls import Call, Progress
from groot.changes import Change
from groot.columns import Column
from groot.context import Context
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

__version__ = "0.1.0"

library_version: str = _lib.version().decode()
"""The version of the shared library in use."""

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
