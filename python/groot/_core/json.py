"""Conversion between JSON text and Python values, and the errors of values that are not JSON."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any

from groot._core import nesting
from groot._core.text import shorten
from groot.errors import Error, Issue, Status, error

VALUE_LEVELS = 2046
"""The maximum number of levels in the JSON of an attribute, as in the library."""
_LEVELS = 2048
_PATH = 200
_STYLE: dict[str, Any] = {"ensure_ascii": False, "allow_nan": False, "separators": (",", ":")}
StandIn = Callable[[Any], Any]
_PLAIN = (str, int, float, dict, list, tuple)
_encoder = json.JSONEncoder(**_STYLE)
_read = json.JSONDecoder().decode
_may_be_large = re.compile(r"[eE]\+?[0-9]{3}|[0-9]{200}").search


def decode(text: bytes | str) -> Any:
    """Read JSON text as `json.loads` does.

    A number that `float` or `int` cannot hold becomes a `Decimal`, which `encode` takes. The text
    comes from the library, and may nest as deep as the library allows.
    """
    read = text.decode() if isinstance(text, bytes) else text
    try:
        # Calling a function for each number would cost more than everything else.
        if _may_be_large(read) is None:
            return _read(read)
        return json.loads(read, parse_float=_real, parse_int=_integer)
    except RecursionError:
        decoder: Any = json.JSONDecoder(parse_float=_real, parse_int=_integer)
        return nesting.read(read, decoder.scan_once)


def decode_exactly(text: str) -> Any:
    """Read JSON text of the library; each number with a fraction or an exponent is a `Decimal`."""
    decoder: Any = json.JSONDecoder(parse_float=_decimal, parse_int=_integer)
    try:
        return decoder.decode(text)
    except RecursionError:
        return nesting.read(text, decoder.scan_once)


def _real(text: str) -> float | Decimal:
    value = float(text)
    return value if math.isfinite(value) else _decimal(text)


def _integer(text: str) -> int | Decimal:
    try:
        return int(text)
    except ValueError:  # Python limits the number of digits that it reads
        return _decimal(text)


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise error(Status.OUT_OF_RANGE, f"{shorten(text)} is too large for Python") from None


def encode(value: Any, stand_in: StandIn | None = None, levels: int = _LEVELS) -> bytes:
    """Write `value` as JSON text.

    It takes the values that `json.dumps` takes, except NaN and infinities, and the large numbers
    that `decode` makes. Anything else, such as a `datetime`, another `Decimal` or a `UUID`, raises
    `groot.Error` with its path, unless `stand_in` returns a replacement. A replacement that is a
    `Decimal` is written as its digits. More than `levels` levels are refused here if they exceed
    Python's recursion limit, and otherwise by the library.
    """
    try:
        return _encoder.encode(value).encode()
    except (TypeError, ValueError, RecursionError) as cause:
        try:
            return _encode_others(value, stand_in, levels)
        except (TypeError, ValueError):
            raise _no_json(value, str(cause), stand_in, levels) from None


def _encode_others(value: Any, given: StandIn | None, levels: int) -> bytes:
    """Write a value that is not plain JSON, or nests deeper than Python's recursion limit."""
    try:
        return _encode_numbers(value, given)
    except RecursionError:
        return nesting.write(value, partial(_scalar, given), levels).encode()


def _scalar(given: StandIn | None, value: Any) -> Any:
    """Return the text of a scalar, or the container that replaces it."""
    if not isinstance(value, _PLAIN) and value is not None and not is_large(value):
        if given is None:
            raise TypeError(value)
        value = given(value)
        if isinstance(value, (dict, list, tuple)):
            return value
    return str(value) if isinstance(value, Decimal) else _encoder.encode(value)


def _encode_numbers(value: Any, given: StandIn | None) -> bytes:
    """Write a value with exact numbers, which are first written as unpredictable texts."""
    mark = os.urandom(16).hex()
    numbers: list[str] = []

    def stand_in(found: Any) -> Any:
        if not is_large(found):
            if given is None:
                raise TypeError(found)
            found = given(found)
            if not isinstance(found, Decimal):
                return found
        numbers.append(str(found))
        return f"{mark}{len(numbers) - 1}"

    text = json.JSONEncoder(default=stand_in, **_STYLE).encode(value)
    return re.sub(f'"{mark}([0-9]+)"', lambda found: numbers[int(found[1])], text).encode()


def is_large(value: Any) -> bool:
    """Whether a value is a number that a `float` cannot hold."""
    if not isinstance(value, Decimal) or not value.is_finite():
        return False
    try:
        return math.isinf(float(value))
    except OverflowError:
        return True


def _no_json(value: Any, reason: str, stand_in: StandIn | None, levels: int) -> Error:
    """Make the error for the first part of `value` that is not JSON, or else `reason`."""
    nothing = (Status.WRONG_TYPE, "$", reason)
    status, path, message = next(_wrong(value, stand_in, levels), nothing)
    if len(path) > _PATH:
        path = f"{path[:_PATH]}..."
    return Error(status, (Issue(status, f"not JSON: {message}", path=path),))


def _wrong(value: Any, stand_in: StandIn | None, levels: int) -> Iterator[tuple[int, str, str]]:
    """Walk through `value` without recursion, and yield each part that is not JSON."""
    pending: list[Iterator[tuple[str, Any]]] = [iter([("$", value)])]
    parents: list[int] = []
    while pending:
        entry = next(pending[-1], None)
        if entry is None:
            pending.pop()
            if parents:
                parents.pop()
            continue
        path, current = entry
        if len(parents) >= levels:
            yield Status.LIMIT_EXCEEDED, path, f"the value has more than {levels} levels"
            return
        if stand_in is not None and not isinstance(current, _PLAIN):
            try:
                current = stand_in(current)
            except TypeError as cause:
                if str(cause):
                    yield Status.WRONG_TYPE, path, f"{type(current).__name__} {cause}"
                    return
            if isinstance(current, Decimal) and current.is_finite():
                continue
        if isinstance(current, (dict, list, tuple)):
            if id(current) in parents:
                yield Status.WRONG_SHAPE, path, "a container that contains itself"
                return
            parents.append(id(current))
            pending.append(_members(path, current))
        else:
            yield from _wrong_scalar(path, current)


def _members(path: str, container: Any) -> Iterator[tuple[str, Any]]:
    """Yield the path and the value of each member; an invalid key counts as a value."""
    if not isinstance(container, dict):
        for index, value in enumerate(container):
            yield f"{path}[{index}]", value
        return
    for key, value in container.items():
        if isinstance(key, str):
            if not _is_unicode(key):
                yield path, key
            plain = key.isidentifier() and key.isascii()
            yield (f"{path}.{key}" if plain else f"{path}[{json.dumps(key)}]"), value
        elif key is None or isinstance(key, (bool, int, float)):
            yield f"{path}[{key!r}]", value
        else:
            yield path, _Key(key)


class _Key:
    """A key that JSON cannot have, in the place of a value."""

    def __init__(self, key: Any) -> None:
        self.key = key

    def __repr__(self) -> str:
        return f"a key that is a {type(self.key).__name__}: {shorten(self.key)}"


def _wrong_scalar(path: str, value: Any) -> Iterator[tuple[int, str, str]]:
    """Yield the problem of a scalar, if it has one."""
    if value is None or isinstance(value, (bool, int)):
        return
    if isinstance(value, str):
        if not _is_unicode(value):
            yield Status.INVALID_UTF8, path, f"an unpaired surrogate in {shorten(value)}"
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield Status.WRONG_TYPE, path, f"{value!r} is not a JSON number"
    elif is_large(value):
        return
    elif isinstance(value, _Key):
        yield Status.WRONG_TYPE, path, repr(value)
    else:
        yield Status.WRONG_TYPE, path, f"{type(value).__name__} {shorten(value)}"


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
