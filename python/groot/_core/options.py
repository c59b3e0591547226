"""Options of calls: the conversion to the structs of the library.

A table of options, such as `groot.options.LoadOptions`, is a `TypedDict`. Each of its fields has
an annotation with the `Write` that converts it and the text that documents it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from inspect import cleandoc
from typing import Annotated, Any, NamedTuple, TypeVar, get_origin

from groot import _ffi
from groot._core.compiled import Compiled
from groot._core.json import encode
from groot._core.references import identifier_of
from groot._core.requests import About
from groot._core.session import Session
from groot._core.text import encode_name, encode_path, refusal

_F = TypeVar("_F", bound=Callable[..., Any])
_MOST = 2**31 - 1
_NO_WAIT = -1


class Target(NamedTuple):
    """The struct that the options of a call are written to."""

    struct: Any
    given: Mapping[str, Any]
    """The values of all options of the call."""
    session: Session | None
    """The context of the call; None while it is being made."""


Write = Callable[[Target, str, Any], None]
"""A function that converts the option of a name with a value."""


class Given:
    """The options of one call."""

    __slots__ = ("_fields", "table", "values")

    def __init__(self, table: Any, values: Mapping[str, Any]) -> None:
        """Take options of a table; raise TypeError for an option that is not in it."""
        self.table = table
        self.values = values
        self._fields = _fields(table)
        for name in values:
            if name not in self._fields:
                known = ", ".join(self._fields)
                raise TypeError(f"unexpected keyword argument {name!r}; the options are {known}")

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of an option."""
        return self.values.get(name, default)

    def having(self, name: str, value: Any) -> Given:
        """Return these options with another value of one."""
        return Given(self.table, {**self.values, name: value})

    def native(self, struct: Any, session: Session | None = None) -> Any:
        """Write the options to a struct of the library, and return the struct.

        Args:
            struct: The struct; its fields for other options keep their values.
            session: The context of the call.

        Raises:
            groot.Error: For an invalid value.

        """
        target = Target(struct, self.values, session)
        for name, value in self.values.items():
            self._fields[name].write(target, name, value)
        return struct


class _Field(NamedTuple):
    """A field of a table."""

    write: Write
    text: str


@functools.cache
def _fields(table: Any) -> dict[str, _Field]:
    """Read the fields of a table."""
    annotations = table.__annotations__.items()
    return {
        name: _Field(*one.__metadata__) for name, one in annotations if get_origin(one) is Annotated
    }


def explained(table: Any) -> Callable[[_F], _F]:
    """Make a decorator that adds the texts of a table to the documentation of a function."""

    def add(function: _F) -> _F:
        if function.__doc__ is not None:  # None under `python -OO`
            lines = ["", "Options:"]
            for name, field in _fields(table).items():
                first, *others = [line.strip() for line in field.text.splitlines()]
                lines += [f"    {name}: {first}", *(f"        {line}" for line in others)]
            text = cleandoc(function.__doc__)  # as Python 3.13 has it
            function.__doc__ = "\n".join([text, *lines, ""])
        return function

    return add


def elsewhere(target: Target, name: str, value: Any) -> None:
    """Leave an option to the code of the call."""


def flag(bit: int, *, off: bool = False) -> Write:
    """Set a bit for an option that is true, or for one that is false if it means `off`."""

    def write(target: Target, name: str, value: Any) -> None:
        if truth(name, value) != off:
            target.struct.flags |= bit

    return write


def truth(name: str, value: Any) -> bool:
    """Return whether an option is true; None, numbers and booleans of numpy count as well.

    A text such as "no" would be true.
    """
    if value is None or isinstance(value, int) or getattr(value, "dtype", None) == "bool":
        return bool(value)
    raise refusal(name, value, "True or False")


def choice(member: str, choices: Mapping[str, int], *, optional: bool = False) -> Write:
    """Write the number of a choice that has a name; None is allowed if it is `optional`."""

    def write(target: Target, name: str, value: Any) -> None:
        if not optional or value is not None:
            setattr(target.struct, member, chosen(name, value, choices))

    return write


def chosen(name: str, value: Any, choices: Mapping[str, int]) -> int:
    """Look up the number of a choice by its name."""
    if not isinstance(value, str) or value not in choices:
        raise refusal(name, value, f"one of {', '.join(choices)}")
    return choices[value]


def number(member: str, least: int, bit: int = 0) -> Write:
    """Write a number of at least `least`, and set a bit for it; None is the default."""

    def write(target: Target, name: str, value: Any) -> None:
        if value is not None:
            setattr(target.struct, member, _number(name, value, least))
            target.struct.flags |= bit

    return write


def _number(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise refusal(name, value, f"a number from {least}")
    return min(value, _MOST)


def issue_limit(target: Target, name: str, value: Any) -> None:
    """Write a number of issues; None and infinity mean any number."""
    is_unlimited = value is None or value == math.inf
    target.struct.max_issues = _ffi.UNLIMITED if is_unlimited else _number(name, value, 1)


def function(name: str, value: Any) -> Any:
    """Check that a value is a function or None."""
    if value is not None and not callable(value):
        raise refusal(name, value, "a function")
    return value


def watcher(target: Target, name: str, value: Any) -> None:
    """Check a progress function, True or False; the code of the call takes it."""
    if not isinstance(value, bool):
        function(name, value)


def memory_limit_in_bytes(limit: int | None) -> int:
    """Check a memory limit, and return 0 for None."""
    if limit is None:
        return 0
    if not isinstance(limit, int) or not 0 < limit < 1 << 64:
        raise refusal("memory_limit", limit, "a number of bytes from 1, or None")
    return limit


def text(member: str, expected: str) -> Write:
    """Write a text; None is the default."""

    def write(target: Target, name: str, value: Any) -> None:
        if value is not None:
            if not isinstance(value, str) or "\0" in value:
                raise refusal(name, value, expected)
            setattr(target.struct, member, encode_name(value))

    return write


def names(target: Target, name: str, value: Any) -> None:
    """Write a list of names; None is the default."""
    if value is not None:
        if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
            raise refusal(name, value, "a list of names")
        setattr(target.struct, name, encode(list(value)))


def document(target: Target, name: str, value: Any) -> None:
    """Write a dict as JSON text; None and an empty dict are the default."""
    if value is not None and not isinstance(value, Mapping):
        raise refusal(name, value, 'a dict, such as {"null": "keep"}')
    if value:
        setattr(target.struct, name, encode(dict(value)))


def where(target: Target, name: str, value: Any) -> None:
    """Write a predicate; None is the default."""
    if target.session is not None:
        target.struct.where = About(target.session.mapping, None).predicate(value)


def mapping(target: Target, name: str, value: Any) -> None:
    """Write the native mapping; None is the default."""
    if value is not None:
        if not isinstance(value, Compiled):
            raise refusal(name, value, "a groot.Mapping")
        target.struct.mapping = value._handle.pointer


def reference(target: Target, name: str, value: Any) -> None:
    """Write the number of an object of the context; None is the default."""
    if value is not None and target.session is not None:
        setattr(target.struct, name, identifier_of(value, target.session))


def path(target: Target, name: str, value: Any) -> None:
    """Write the path of a file; None is the default."""
    if value is not None:
        setattr(target.struct, name, encode_path(value, name))


def milliseconds(target: Target, name: str, value: Any) -> None:
    """Write a number of seconds as milliseconds; 0 has a number of its own."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not value >= 0:
        raise refusal(name, value, "a number of seconds from 0")
    count = _MOST if value > _MOST else min(round(value * 1000), _MOST)
    setattr(target.struct, name, count or _NO_WAIT)


def migration(target: Target, name: str, value: Any) -> None:
    """Write True, False or "destructive"."""
    flags = _ffi.STORE_FLAGS
    if value not in (True, False, "destructive"):
        raise refusal(name, value, "True, False or 'destructive'")
    if value == "destructive":
        target.struct.flags |= flags["destructive"]
    elif not value:
        target.struct.flags |= flags["no_migrate"]


def access(target: Target, name: str, value: Any) -> None:
    """Write False, True or "immutable"."""
    flags = _ffi.STORE_FLAGS
    if value not in (True, False, "immutable"):
        raise refusal(name, value, "True, False or 'immutable'")
    if value:
        target.struct.flags |= flags["immutable" if value == "immutable" else "no_write"]


def deletion(target: Target, name: str, value: Any) -> None:
    """Write True, False or "mark"."""
    flags = _ffi.SYNC_FLAGS
    if value not in (True, False, "mark"):
        raise refusal(name, value, "True, False or 'mark'")
    if value == "mark":
        target.struct.flags |= flags["mark"]
    elif not value:
        target.struct.flags |= flags["delete"]


def deletion_limit(target: Target, name: str, value: Any) -> None:
    """Write an int as a number of deletions, and a float as a share; None is the default."""
    if value is None:
        return
    is_share = isinstance(value, float)
    if isinstance(value, bool) or not (0 <= value <= 1 if is_share else _is_count(value)):
        raise refusal(name, value, "an int from 0, or a float from 0.0 to 1.0")
    member = "max_deletion_share" if is_share else "max_deletions"
    setattr(target.struct, member, value if is_share else min(value, _ffi.UNLIMITED))
    target.struct.flags |= _ffi.SYNC_FLAGS[member]


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and value >= 0


def members(target: Target, name: str, value: Any) -> None:
    """Write a dict with insert, update and delete; a missing key has the option of the entries."""
    if value is None:
        return
    keys = ("insert", "update", "delete")
    if not isinstance(value, dict) or not value.keys() <= set(keys):
        raise refusal(name, value, "a dict with insert, update and delete")
    target.struct.flags |= _ffi.SYNC_FLAGS["members"]
    for key in keys:
        if not value.get(key, target.given.get(key, True)):
            target.struct.flags |= _ffi.SYNC_FLAGS[f"members_{key}"]
