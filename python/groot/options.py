"""The options of calls: the keywords of `Context` and its methods, with a table for each.

A field of a table has the type of the option, the conversion to the library, and a text. A function
that passes its options on takes the same keywords with `**options: Unpack[LoadOptions]`.
"""

# The annotations are evaluated, on Python 3.9 too: so they have no `X | None`.

import os
from collections.abc import Iterable
from collections.abc import Mapping as Dictionary
from typing import Annotated, Literal, Optional, TypedDict, Union

from groot import _ffi
from groot._core import options as write
from groot._core.requests import Where
from groot.calls import Watcher
from groot.mapping import Mapping
from groot.objects import BaseObject

__all__ = [
    "DumpOptions",
    "FillOptions",
    "LoadOptions",
    "OneLoadOptions",
    "PlainDumpOptions",
    "StoreOptions",
    "SyncOptions",
]

JSONText = Union[str, bytes, bytearray, memoryview]
FilePath = Union[str, "os.PathLike[str]"]
Form = Literal["array", "keyed", "grouped"]
MemberOptions = Dictionary[Literal["insert", "update", "delete"], bool]
_SYNC = _ffi.SYNC_FLAGS
_STORE = _ffi.STORE_FLAGS


class FillOptions(TypedDict, total=False):
    """The options of `fill`, which the other imports have too."""

    policies: Annotated[
        Optional[Dictionary[str, str]],
        write.document,
        """Policies for all properties that have no annotation for it, in the words of the
        annotations: `{"null": "keep", "assignment": "union"}`.""",
    ]
    max_issues: Annotated[
        Optional[float],
        write.issue_limit,
        "More issues than this, 100 by default, end the call; None allows any number.",
    ]
    mapping: Annotated[
        Optional[Mapping], write.mapping, "Another mapping of the same model to import with."
    ]


class ImportOptions(FillOptions, total=False):
    """The options of `load` and `sync` for their report and their progress."""

    changes: Annotated[
        bool,
        write.flag(_ffi.CHANGES),
        "Whether the report has `changes`; a dry run always has them.",
    ]
    progress: Annotated[
        Union[Watcher, bool, None],
        write.watcher,
        """A function that is called now and then with a `Progress`. If it returns False, the call
        fails with `Status.CANCELLED`. True shows a bar on standard error.""",
    ]


class RecordOptions(TypedDict, total=False):
    """The options of `load` and `sync` for several records."""

    lines: Annotated[
        bool,
        write.flag(_ffi.LINES),
        "Whether each line of a text is a record; blank lines are skipped.",
    ]
    root: Annotated[
        Optional[str],
        write.text("root_path", "a JSON Pointer such as /data/items"),
        """A JSON Pointer such as "/data/items" to the object or array to import. The rest of the
        text is only checked for syntax.""",
    ]
    form: Annotated[
        Form,
        write.choice("form", _ffi.FORMS),
        """The arrangement of the records: "array", "keyed" with each under a key of an object, or
        "grouped" with an array of them under each key.""",
    ]
    dry_run: Annotated[
        bool,
        write.flag(_ffi.DRY_RUN),
        """Whether the call only reports the changes that it would make. The result then has
        existing objects only.""",
    ]


class AnyLoadOptions(ImportOptions, total=False):
    """The options of `load` that do not change the type of its result."""

    access: Annotated[
        bool, write.flag(_ffi.ACCESS), "Whether the report has `accessed` and `unaccessed`."
    ]


class OneLoadOptions(AnyLoadOptions, total=False):
    """The options of `load` with which a dict gives an object."""

    errors: Literal["abort", "collect"]


class LoadOptions(AnyLoadOptions, RecordOptions, total=False):
    """The options of `load`, `load_file` and `importing`, all optional."""

    errors: Annotated[
        Literal["abort", "collect", "skip"],
        write.choice("errors", _ffi.ERROR_MODES),
        """The effect of a wrong record: an element of the array, or the single object. "abort", the
        default, raises the first issue. "collect" raises all issues as one `groot.Error`. "skip"
        leaves out the whole record, and `report.issues` says why. Invalid JSON always fails the
        whole import.""",
    ]
    create: Annotated[
        bool,
        write.flag(_ffi.NO_CREATE, off=True),
        "Whether missing objects are made, True by default. False leaves them out.",
    ]
    batch: Annotated[
        Optional[int],
        write.number("batch_size", 1),
        """A number of records, such as 10_000, for an import in bounded memory. After so many
        records, their objects are checked, written to the store and freed. The context needs a
        store and no unsaved changes; `dry_run`, `changes` and `access` are excluded. The import is
        then already saved, and gives an empty `Objects` with a report. A record finds the objects
        of earlier batches. An identifier of an object that first appears in a later batch names
        nothing yet. "collect" gathers the issues of one batch. An object in several batches counts
        in each.""",
    ]
    threads: Annotated[
        Optional[int],
        write.number("threads", 1),
        """The number of threads that read a text or a file: 1, the default, or 2 to scan its
        records ahead in a second one, which the call starts and ends. Results and errors are the
        same. It does not help with records over 16 KiB, lines, and data that come in pieces.""",
    ]
    commits: Annotated[
        Literal["whole", "each"],
        write.choice("commits", _ffi.COMMITS),
        """"whole", the default, for one transaction around all batches. "each" for one transaction
        per batch; the batches before a failure stay.""",
    ]


class SyncOptions(ImportOptions, RecordOptions, total=False):
    """The options of `sync` and `sync_file`, all optional."""

    insert: Annotated[
        bool,
        write.flag(_SYNC["insert"], off=True),
        "Whether objects are inserted, True by default.",
    ]
    update: Annotated[
        bool, write.flag(_SYNC["update"], off=True), "Whether objects are updated, True by default."
    ]
    delete: Annotated[
        Union[bool, Literal["mark"]],
        write.deletion,
        """Whether objects that are not listed are deleted; True by default. "mark" instead sets the
        attribute that the annotation `groot.deletionMark` names.""",
    ]
    members: Annotated[
        Optional[MemberOptions],
        write.members,
        """The same three options for objects nested in an entry under a to-many relationship, as in
        `{"delete": False}`. A missing key has the option of the entries. Members that are not
        listed leave the relationship in any case.""",
    ]
    withhold: Annotated[
        bool,
        write.flag(_SYNC["withhold"], off=True),
        "Whether nothing is deleted while an entry has no usable identity; True by default.",
    ]
    max_deletions: Annotated[
        Union[int, float, None],
        write.deletion_limit,
        """The limit of deletions and marks; None, the default, allows any number. An int is a
        number of objects, those of cascades, tombstones and members included. A float is a share,
        0.0 to 1.0, of the objects in the scope. With more the call, or the dry run, fails with
        `Status.TOO_MANY_DELETIONS`.""",
    ]
    where: Annotated[
        Optional[Where],
        write.where,
        "The scope, a predicate as for `fetch`. Only objects that meet it are deleted.",
    ]
    parent: Annotated[
        Optional[BaseObject],
        write.reference,
        """An object whose members of this entity are the scope. Inserted objects become its
        members.""",
    ]


class PlainDumpOptions(TypedDict, total=False):
    """The options of `dump` that do not change the type of its result."""

    properties: Annotated[
        Optional[Iterable[str]],
        write.names,
        "The names of the properties to write for the given objects; all by default.",
    ]
    exclude: Annotated[
        Optional[Iterable[str]],
        write.names,
        """The JSON keys to leave out of the given objects; "a.b" is b inside a.""",
    ]
    depth: Annotated[
        Optional[int],
        write.number("depth", 0, _ffi.DEPTH),
        """The number of steps along relationships within which objects are written in full,
        unlimited by default. Objects beyond are written as their identity. If they have none, the
        relationship is left out.""",
    ]
    relationships: Annotated[
        Optional[Literal["none", "array", "nested"]],
        write.choice("relationships", _ffi.RELATIONSHIPS, optional=True),
        """The style of relationships in naming conventions: "none", "array" or "nested".""",
    ]
    inflection: Annotated[
        Optional[Literal["snake", "camel"]],
        write.choice("inflection", _ffi.INFLECTIONS, optional=True),
        """The style of names in naming conventions: "snake" or "camel".""",
    ]
    dates: Annotated[
        Optional[str],
        write.text("dates", "a pattern"),
        """"iso8601", "unixSeconds", "unixMillis", or a pattern such as "yyyy-MM-dd".""",
    ]
    nulls: Annotated[
        Optional[Literal["write", "omit"]],
        write.choice("nulls", _ffi.NULLS, optional=True),
        """"write", or "omit" to leave out properties without a value.""",
    ]
    to_many: Annotated[
        bool,
        write.flag(_ffi.TO_MANY),
        "Whether rules write to-many relationships that they give as foreign keys.",
    ]
    subobjects: Annotated[bool, write.flag(_ffi.SUBOBJECTS), "Whether rules write nested objects."]
    mapping: Annotated[
        Optional[Mapping], write.mapping, "Another mapping of the same model to export with."
    ]
    lines: Annotated[
        bool,
        write.flag(_ffi.LINES),
        """Whether a text of several objects has one on each line, each followed by a newline;
        without effect on the result of `dump`.""",
    ]


class DumpOptions(PlainDumpOptions, total=False):
    """The options of `dump`, `dumps`, `dump_file` and `dump_fetched`, all optional."""

    form: Annotated[
        Form,
        write.choice("form", _ffi.FORMS),
        """The arrangement of several objects: "array", "keyed" or "grouped". "keyed" gives a dict
        with an object under each key, "grouped" a dict with a list under each key.""",
    ]


class StoreOptions(TypedDict, total=False):
    """The options of a context with a store, all optional."""

    durability: Annotated[
        Literal["full", "normal"],
        write.choice("durability", _ffi.DURABILITIES),
        """"full", the default, for saves that survive a loss of power; "normal" for saves that
        survive the end of the process.""",
    ]
    conflicts: Annotated[
        Literal["error", "mine", "theirs"],
        write.choice("conflicts", _ffi.CONFLICTS),
        """The policy of a save for an object that another process has written to since it was read.
        "error", the default, fails, "mine" writes the values changed here, and "theirs" drops
        them.""",
    ]
    busy_timeout: Annotated[
        float,
        write.milliseconds,
        """The number of seconds, 10 by default, that a save waits for another process that is
        writing.""",
    ]
    create: Annotated[
        bool,
        write.flag(_STORE["no_create"], off=True),
        "Whether a missing file is created, True by default.",
    ]
    read_only: Annotated[
        Union[bool, Literal["immutable"]],
        write.access,
        """Whether the file is only read, False by default: it must have a store of the same model,
        and a save with changes is an error. "immutable" is for a file that no program changes, such
        as published data: nothing is locked.""",
    ]
    migrate: Annotated[
        Union[bool, Literal["destructive"]],
        write.migration,
        """Whether a store of another model is migrated to this one, True by default. A migration
        that loses objects, values or links is refused unless this is "destructive".""",
    ]
    backup: Annotated[
        Optional[FilePath], write.path, "The path of a copy that is made before a migration."
    ]
    triggers: Annotated[
        bool,
        write.flag(_STORE["triggers"]),
        "Whether a file with triggers is accepted. They would run in saves.",
    ]
    views: Annotated[
        bool,
        write.flag(_STORE["views"]),
        "Whether the file has a view of each entity for people, such as `Hero_view`.",
    ]
    versions: Annotated[
        bool,
        write.flag(_STORE["versions"]),
        """Whether the file has triggers that raise the version of each row that another program
        changes, so that a context finds such changes.""",
    ]
