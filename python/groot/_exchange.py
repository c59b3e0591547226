"""Values between Python and the JSON text that callbacks take and give."""

from __future__ import annotations

import json.decoder
import json.encoder
import math
from typing import Any

from groot._json import decode, encode, is_large
from groot._text import encode_text
from groot.values import INT64, plain

_QUOTE, _MINUS = b'"-'
_ESCAPE = b"\\"
_WORDS = {b"true": True, b"false": False, b"null": None}
_SHORT = 200  # a longer number may be beyond all floats, or more than Python reads
_LEAST, _GREATEST = INT64[0], INT64[-1]
_quoted = json.encoder.encode_basestring
_decoder: Any = json.decoder
_unquoted = _decoder.scanstring


def to_python(text: bytes) -> Any:
    """Read what a callback is given: text as the library writes it, without white space.

    A scalar is read here, which takes a fraction of the time.
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
    """Write what a callback gives.

    Takes what `_json.encode` takes, and the values that attributes have in Python. Raises
    `groot.Error` for all else.
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
