"""The numbers of groot.h that calls are made with."""

from __future__ import annotations

from ctypes import c_size_t

VERSION_NUMBER = 1000  # major * 1000000 + minor * 1000 + patch
ABI_VERSION = 1

# As many issues as there may be.
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
