"""Python values that imports take besides those of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from groot._json import encode
from groot.values import plain

# The kinds of numpy's truth values, integers, floats and texts; no dates, whose unit item() loses.
_NUMPY_KINDS = ("b", "i", "u", "f", "U")


def encode_input(value: Any) -> bytes:
    """Write what an import is given as JSON text.

    Takes what `encode` takes, other mappings than dicts, every finite `Decimal`, dates, times with
    a zone, and scalars of numpy that are not masked. Raises `groot.Error`, which says where
    something else is.
    """
    return encode(value, _stand_in)


def _stand_in(value: Any) -> Any:
    """Return what stands for a value in JSON; raise TypeError, with a reason if there is more."""
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
            raise TypeError("is masked: it has no value, which None says")
        return value.item()
    raise TypeError
