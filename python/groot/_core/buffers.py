"""Buffers of columns: flags and bits, and values spread over the objects that have them.

Each function is linear and has no instruction of Python per value. Flags are bytes that are 0 or 1.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import mul
from typing import Any, NamedTuple, Union

Buffer = Union[bytes, "memoryview[Any]", "array[Any]"]

_DIGITS = bytes.maketrans(b"\0\1", b"01")
_FLAGS = bytes.maketrans(b"01", b"\0\1")


class Buffers(NamedTuple):
    """The values of a column; an absent validity means that all objects have a value."""

    null_count: int
    values: Buffer
    offsets: Buffer | None
    validity: Buffer | None


def bits(flags: bytes) -> bytes:
    """Write flags as bits, the first one as the lowest bit of the first byte."""
    if not flags:
        return b""
    # A base that is a power of two makes this linear, and free of Python's limit of digits.
    number = int(flags[::-1].translate(_DIGITS), 2)
    return number.to_bytes((len(flags) + 7) // 8, "little")


def flags(bits: Buffer | None, count: int) -> bytes:
    """Read bits as flags; None means that all are 1."""
    if bits is None or not count:
        return b"\1" * count
    digits = f"{int.from_bytes(bits, 'little'):0{count}b}".encode()
    return digits[::-1].translate(_FLAGS)


def texts(values: Sequence[bytes | None]) -> Buffers:
    """Join texts; None means no value."""
    offsets = array("q", accumulate((len(one) if one else 0 for one in values), initial=0))
    joined = b"".join(filter(None, values))
    return Buffers(values.count(None), joined, offsets, present(values))


def numbers(format: str, values: Sequence[Any]) -> Buffers:
    """Pack numbers; None means no value, which is written as 0."""
    packed = array(format, (0 if one is None else one for one in values))
    return Buffers(values.count(None), packed, None, present(values))


def present(values: Sequence[Any]) -> bytes | None:
    """Return the validity of values, of which None means no value."""
    found = bytes(one is not None for one in values)
    return bits(found) if 0 in found else None


def spread(found: Any, links: Any) -> Buffers:
    """Spread the values of related objects over the objects that have one.

    Args:
        found: The column of the related objects.
        links: The column of the relationship; its objects without a member get no value.

    Returns:
        The values, one for each object of `links`.

    """
    has = flags(links.validity, len(links))
    validity = links.validity
    if found.validity is not None:
        known = b"\0" + flags(found.validity, len(found))
        validity = bits(bytes(map(known.__getitem__, _positions(has))))
    null_count = links.null_count + found.null_count
    if found.offsets is not None:
        starts = found.offsets.tolist()
        offsets = array("q", map(starts.__getitem__, accumulate(has, initial=0)))
        return Buffers(null_count, found.values, offsets, validity)
    format = found.values.format
    known_values = [0, *found.values.tolist()]
    spread_values = map(known_values.__getitem__, _positions(has))
    if format == "?":
        return Buffers(null_count, memoryview(bytes(spread_values)).cast("?"), None, validity)
    return Buffers(null_count, array(format, spread_values), None, validity)


def _positions(has: bytes) -> Iterable[int]:
    """Return the position from 1 of each object among those with a member, and 0 for others."""
    return map(mul, accumulate(has), has)
