"""The data of imports: Python values and texts, as JSON text for the library."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import IO, Any

from groot import _ffi
from groot._core.json import encode
from groot._core.text import encode_text, shorten
from groot.errors import Error, Status, error
from groot.values import plain

MARK = b"\xef\xbb\xbf"
"""The byte order mark that some programs write at the beginning of a text."""

_LIST = re.compile(rb"[ \t\r\n]*\[")
_PEEK = 4096
_LONGEST = 4096
_JSON_STARTS = ("{", "[", '"')
_PATH_STARTS = ("/", "./", "../", "~/")
_PATH_ENDS = (".json", ".jsonl", ".ndjson", ".gz")

# The kinds of numpy's booleans, integers, floats and texts. item() loses the unit of a date.
_NUMPY_KINDS = ("b", "i", "u", "f", "U")


def encode_input(value: Any) -> bytes:
    """Write the data of an import as JSON text.

    It takes the values that `encode` takes, mappings other than dicts, finite `Decimal`s, dates,
    datetimes with a time zone, and scalars of numpy that are not masked. Any other value raises
    `groot.Error` with its path.
    """
    return encode(value, _stand_in)


def _stand_in(value: Any) -> Any:
    """Return the JSON value for a value; raise TypeError, with a reason unless it is the type."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Decimal) and value.is_finite():
        return value
    if isinstance(value, datetime) and value.utcoffset() is None:
        raise TypeError("has no time zone; give it one, as in value.replace(tzinfo=timezone.utc)")
    if isinstance(value, date):
        return plain(value)
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if kind in _NUMPY_KINDS and getattr(value, "shape", None) == ():
        if getattr(value, "mask", False):
            raise TypeError("is masked: it has no value; give None instead")
        return value.item()
    raise TypeError


def is_text(data: Any) -> bool:
    """Whether data is JSON text, which has lines and columns."""
    return isinstance(data, (str, bytes, bytearray, memoryview))


def source_text(data: Any, file_call: str) -> tuple[Any, int]:
    """Return the text for the library, and its size in bytes; `file_call` takes a file instead."""
    if isinstance(data, os.PathLike):
        message = f"{shorten(data)} is the path of a file, not its JSON; {file_call} reads files"
        raise error(Status.WRONG_SHAPE, message)
    if isinstance(data, str):
        data = encode_text(data).removeprefix(MARK)
    elif isinstance(data, bytes):
        data = data.removeprefix(MARK)
    elif isinstance(data, (bytearray, memoryview)):
        view = memoryview(data)
        is_plain = view.contiguous and view.nbytes and not view.readonly
        if not is_plain or bytes(view.cast("B")[: len(MARK)]) == MARK:
            data = bytes(view).removeprefix(MARK)
        else:
            return _ffi.characters(view), view.nbytes
    else:
        if not isinstance(data, (Mapping, list, tuple)):
            message = f"{type(data).__name__} {shorten(data)} is not a dict, a list or a text"
            raise error(Status.WRONG_SHAPE, message)
        data = encode_input(data)
    return data, len(data)


def looks_like_path(data: Any) -> bool:
    """Whether a text that is not JSON is probably the path of a file."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        data = bytes(data[:_LONGEST]).decode(errors="replace")
    if not isinstance(data, str) or "\n" in data or len(data) >= _LONGEST:
        return False
    return not data.startswith(_JSON_STARTS) and (
        data.startswith(_PATH_STARTS) or data.lower().endswith(_PATH_ENDS)
    )


def mistaken(data: Any, wrong: Error, file_call: str) -> Error:
    """Return the error of a text that looks like a path, with the call that reads the file."""
    issue = wrong.issues[0]
    message = f"{shorten(data)} is not JSON; if it is the path of a file, call {file_call}"
    return Error(wrong.code, (replace(issue, message=message),))


def lines(records: Iterator[Any]) -> Iterator[bytes]:
    """Write each record as a line of JSON."""
    for index, record in enumerate(records):
        try:
            line = encode_input(record)
        except Error as wrong:
            raise _at(wrong, index) from None
        yield line + b"\n"


def _at(wrong: Error, index: int) -> Error:
    """Return an error of one record with paths that begin with the number of the record."""
    issues = tuple(
        replace(one, path=f"$[{index}]{(one.path or '$').removeprefix('$')}")
        for one in wrong.issues
    )
    return Error(wrong.code, issues)


def begins_list(text: Any) -> bool:
    """Tell a JSON array from a JSON object by its first character."""
    return _LIST.match(text) is not None


def file_begins_list(name: bytes) -> bool:
    """As `rest_begins_list`; False for an unreadable file, whose error the import raises."""
    try:
        with open(name, "rb") as file:
            return rest_begins_list(file)
    except OSError:
        return False


def rest_begins_list(file: IO[bytes]) -> bool:
    """As `begins_list`, for the rest of an open file."""
    piece = b" "
    while piece and not piece.lstrip(b" \t\r\n"):
        piece = file.read(_PEEK)
    return piece.lstrip(b" \t\r\n").startswith(b"[")


def is_marked(name: bytes) -> bool:
    """Whether a file begins with a byte order mark; False for an unreadable file."""
    try:
        with open(name, "rb") as file:
            return file.read(len(MARK)) == MARK
    except OSError:
        return False
