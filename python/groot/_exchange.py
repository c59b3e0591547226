"""Values between Python and the JSON text that callbacks take and give."""

from __future__ import annotations

import json.encoder
import math
from typing import Any

from groot._json import decode, encode, is_large
from groot._text import encode_text
from groot.values import INT64, plain

_QUOTE, _ESCAPE = b'"'[0], b"\\"
_LEAST, _GREATEST = INT64[0], INT64[-1]
_quoted = json.encoder.encode_basestring


def to_python(text: bytes) -> Any:
    """Read what a callback is given."""
    # Most values are texts, most of which are written as they are.
    if text[0] == _QUOTE and _ESCAPE not in text:
        return text[1:-1].decode()
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
    if kind is float and math.isfinite(value):
        return repr(value).encode()
    return encode(value if is_large(value) else plain(value))
