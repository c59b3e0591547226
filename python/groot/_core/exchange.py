"""Conversion between Python values and the JSON text of callbacks."""

from __future__ import annotations

import json
import math
from typing import Any

from groot._core.json import decode, encode, is_large
from groot._core.text import encode_text
from groot.values import INT64, plain

_QUOTE, _MINUS = b'"-'
_ESCAPE = b"\\"
_WORDS = {b"true": True, b"false": False, b"null": None}
_SHORT = 200  # a longer number may exceed floats, or Python's limit of digits
_LEAST, _GREATEST = INT64[0], INT64[-1]
_quoted = json.encoder.encode_basestring
_decoder: Any = json.decoder
_unquoted = _decoder.scanstring


def to_python(text: bytes) -> Any:
    """Read the argument of a callback: text of the library, without white space.

    Scalars are read here, in a fraction of the time of `decode`.
    """
    first = text[0]
    if first == _QUOTE:
        if _ESCAPE not in text:
            return text[1:-1].decode()
        return _unquoted(text.decode(), 1)[0]
    if text.isdigit() and len(text) < _SHORT:
        return int(text)
    if first in b"{[":
        return decode(text)
    if text in _WORDS:
        return _WORDS[text]
    if len(text) < _SHORT:
        if first == _MINUS and text[1:].isdigit():
            return int(text)
        real = float(text)
        if math.isfinite(real):
            return real
    return decode(text)


def to_text(value: Any) -> bytes:
    """Write the result of a callback.

    It takes the values that `json.encode` takes, and the Python values of attributes. Any other
    value raises `groot.Error`.
    """
    kind = type(value)
    if kind is str:
        return encode_text(_quoted(value))
    if kind is int and _LEAST <= value <= _GREATEST:
        return b"%d" % value
    if kind is bool:
        return b"true" if value else b"false"
    if kind is float and math.isfinite(value):
        return repr(value).encode()
    return encode(value if is_large(value) else plain(value))
