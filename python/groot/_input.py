"""Python values that imports take in addition to JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from groot._json import encode
from groot.values import plain

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
