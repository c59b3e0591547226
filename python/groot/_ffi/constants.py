"""The constants of groot.h for arguments of calls."""

from __future__ import annotations

from ctypes import c_size_t

VERSION_NUMBER = 1000  # major * 1000000 + minor * 1000 + patch
ABI_VERSION = 1

# Any number of issues.
UNLIMITED = c_size_t(-1).value

# The length of a text that ends at its first NUL.
NTS = c_size_t(-1)

# The options of calls.
DRY_RUN, CHANGES, LINES = 0x1, 0x2, 0x4
NO_CREATE, ACCESS = 0x10, 0x20
SYNC_FLAGS = {
    "insert": 0x100,  # off, as are the next two
    "update": 0x200,
    "delete": 0x400,
    "members": 0x800,
    "members_insert": 0x1000,
    "members_update": 0x2000,
    "members_delete": 0x4000,
    "mark": 0x8000,
    "withhold": 0x80,  # off
    "max_deletions": 0x400000,
    "max_deletion_share": 0x800000,
}
DEPTH, TO_MANY, SUBOBJECTS = 0x10000, 0x20000, 0x40000
IMPLICIT = 0x100000
DESCRIBE_COUNTS = 0x20000000
STORE_FLAGS = {
    "no_create": 0x1000000,
    "no_migrate": 0x2000000,
    "destructive": 0x4000000,
    "triggers": 0x8000000,
    "views": 0x10000000,
    "versions": 0x80000,
    "no_write": 0x40000000,
    "immutable": 0x80000000,
}
DURABILITIES = {"full": 0, "normal": 1}
CONFLICTS = {"error": 0, "mine": 1, "theirs": 2}
RELATIONSHIPS = {"none": 1, "array": 2, "nested": 3}
INFLECTIONS = {"snake": 1, "camel": 2}
FORMS = {"array": 0, "keyed": 1, "grouped": 2}
NULLS = {"write": 1, "omit": 2}
ERROR_MODES = {"abort": 0, "collect": 1, "skip": 2}
COMMITS = {"whole": 0, "each": 1}

# The arguments of callbacks.
OPERATIONS = {
    1: "import",
    2: "export",
    3: "fetch",
    4: "save",
    5: "refresh",
    6: "migrate",
    7: "copy",
}
LOG_LEVELS = {1: "error", 2: "warning", 3: "event", 4: "statement"}
LOG_EVENTS, LOG_STATEMENTS = 3, 4
