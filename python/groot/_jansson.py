"""Values between Python and jansson's `json_t`, as callbacks see them.

Strings, numbers and booleans go straight; containers go through JSON text, which is quicker than
a call for each member.
"""

from __future__ import annotations

import json
import math
from typing import Any

from groot import _ffi
from groot._ffi import c_int64, c_size_t, lib
from groot._json import encode
from groot._text import encode_text, shorten
from groot.errors import Status, error
from groot.values import INT64, json_form

_OBJECT, _ARRAY, _STRING, _INTEGER, _REAL, _TRUE, _FALSE, _NULL = range(8)  # json_type
_ENCODING = 0x20 | 0x200  # JSON_COMPACT | JSON_ENCODE_ANY
_DECODING = 0x4 | 0x10  # JSON_DECODE_ANY | JSON_ALLOW_NUL
_ROOM = 1024
_LEAST, _GREATEST = INT64[0], INT64[-1]
new_integer = lib.json_integer
text_of, length_of = lib.json_string_value, lib.json_string_length


def to_python(value: Any) -> Any:
    """Read a borrowed `json_t`."""
    # Most values are texts, and most texts have no NUL in them, where the pointer's bytes end.
    text = text_of(value)
    if text is not None and len(text) == length_of(value):
        return text.decode()
    return _long_to_python(value, _ffi.json_at(value.value))


def _long_to_python(value: Any, json_type: Any) -> Any:
    kind = json_type[0]
    if kind == _STRING:
        return json.loads(_dump(value))
    if kind == _INTEGER:
        return lib.json_integer_value(value)
    if kind <= _ARRAY:
        return json.loads(_dump(value))
    if kind == _REAL:
        return lib.json_real_value(value)
    return None if kind == _NULL else kind == _TRUE


def _dump(value: Any) -> bytes:
    """Write a `json_t` as text."""
    room = _ROOM
    while True:
        buffer = _ffi.buffer(room)
        size: int = lib.json_dumpb(value, buffer, room, _ENCODING)
        if not size:
            raise error(Status.INVALID_JSON, "a value from the library cannot be written as JSON")
        if size <= room:
            text: bytes = buffer.raw[:size]
            return text
        room = size


def to_json(value: Any) -> int:
    """Make a new `json_t` of `value`, and give its address.

    Takes what `_json.encode` takes, and the values that attributes have in Python. Raises
    `groot.Error` for all else.
    """
    if type(value) is int and _LEAST <= value <= _GREATEST:
        found: int | None = new_integer(c_int64(value))
        return found or _made(found, value)
    if isinstance(value, str):
        text = encode_text(value)
        return _made(lib.json_stringn(text, c_size_t(len(text))), value)
    if isinstance(value, bool):
        made: int = lib.json_true() if value else lib.json_false()
        return made
    if isinstance(value, int):
        if value not in INT64:
            raise error(Status.OUT_OF_RANGE, f"{shorten(value)} does not fit 64 bits")
        return _made(lib.json_integer(c_int64(value)), value)
    if isinstance(value, float) and math.isfinite(value):
        return _made(lib.json_real(value), value)
    text = encode(json_form(value))
    return _made(lib.json_loadb(text, len(text), _DECODING, None), value)


def _made(address: int | None, value: Any) -> int:
    """Check that jansson made something of `value`."""
    if not address:
        raise error(Status.INVALID_JSON, f"jansson refuses {shorten(value)}")
    return address


def release(address: int | None) -> None:
    """Give up a reference.

    `json_decref` is no function that could be called, so an array takes the reference over.
    """
    if address:
        array = lib.json_array()
        lib.json_array_append_new(array, address)
        lib.json_delete(array)


def take(address: int | None) -> Any:
    """Read a `json_t` that the library gave and give up the reference."""
    if not address:
        raise _nothing()
    try:
        return to_python(_ffi.JsonHandle(address))
    finally:
        release(address)


def take_text(address: int | None) -> bytes:
    """Write a `json_t` that the library gave as text and give up the reference."""
    if not address:
        raise _nothing()
    try:
        return _dump(_ffi.JsonHandle(address))
    finally:
        release(address)


def _nothing() -> Exception:
    return error(Status.INVALID_JSON, "the library gave no value")
