"""Types of attributes, by all values at a place."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isqrt
from typing import Any

from groot.models.infer._counterexamples import Odd
from groot.models.infer._naming import words_of
from groot.models.infer._places import Place, find
from groot.models.infer._uses import Use, scalar_type

_LEAST_TEXTS = 10
_LONGEST_CASE = 60
_DIGITS = 38
_TIME_WORDS = frozenset(
    ["at", "time", "timestamp", "date", "created", "updated", "modified", "published", "on"]
)
_SECONDS = range(10**9, 4 * 10**9)
_MILLISECONDS = range(10**12, 4 * 10**12)
_EXACT = 2**53


@dataclass
class Type:
    """The type of an attribute, with its evidence."""

    name: str
    reason: str
    members: dict[str, Any] = field(default_factory=dict)
    """Other members of the attribute in the model, such as `values`."""
    odd: Odd | None = None
    """The value that kept it from another type."""
    annotations: dict[str, str] = field(default_factory=dict)


def type_of(place: Place, key: str, use: Use) -> Type:
    """Return the type of an attribute at a place.

    Args:
        place: The place.
        key: The key of the place, of which words for times count.
        use: The use of the place.

    Returns:
        The type, in which every value is written as it came.
    """
    if use is Use.SCALAR:
        return _scalar(place, key)
    if use is Use.OPEN:
        return Type("transformable", f"open: {_empties(place)}")
    if use is Use.SCALARS and place.element is not None:
        element = find(place.element)
        return Type("transformable", f"lists of {_kinds(element)}")
    return Type("transformable", f"any JSON: {_kinds(place)}", odd=_rarest(place))


def told_type(place: Place, name: str) -> Type:
    """Return the type that the user tells, with the forms of its values."""
    formats = place.texts.date_formats() if name in ("date", "day") else []
    annotations = {"groot.dateFormat": " | ".join(formats)} if formats else {}
    return Type(name, f"told; {_kinds(place)}", annotations=annotations)


def _scalar(place: Place, key: str) -> Type:
    kind = scalar_type(place)
    if kind == "boolean":
        return Type("boolean", f"{place.booleans} of {place.present} are true or false")
    if kind == "number":
        return _number(place, key)
    return _text(place)


def _number(place: Place, key: str) -> Type:
    total = place.integers + place.reals
    if not place.reals:
        return _integer(place, key)
    largest = max(abs(place.low), abs(place.high)) if place.integers else 0
    counted = f"{place.reals} of {total} numbers have a fraction or exponent"
    if place.digits or largest > _EXACT:
        if largest < 10**_DIGITS and not place.beyond:
            return Type("decimal", f"{counted}, with more digits than a double has")
        return Type("transformable", f"{counted}, beyond 38 digits")
    return Type("double", counted, odd=Odd(type=float) if place.integers else None)


def _integer(place: Place, key: str) -> Type:
    low, high = place.low, place.high
    counted = f"{place.integers} of {place.present} are integers, from {low} to {high}"
    words = {word.lower() for word in words_of(key)}
    if words & _TIME_WORDS:
        for form, span, unit in (
            ("unixSeconds", _SECONDS, "seconds"),
            ("unixMillis", _MILLISECONDS, "milliseconds"),
        ):
            if low in span and high in span:
                reason = f"{place.integers} of {place.present} are {unit} since 1970, by the name"
                return Type("date", reason, annotations={"groot.dateFormat": form})
    if low >= -(2**63) and high < 2**63:
        # Room for ten times as much: a sample seldom has the largest value.
        is_small = max(-low, high) * 10 < 2**31
        return Type("integer32" if is_small else "integer64", counted)
    if max(-low, high) < 10**_DIGITS:
        return Type("decimal", f"{counted}, beyond 64 bits")
    return Type("transformable", f"{counted}, beyond 38 digits")


def _text(place: Place) -> Type:
    texts = place.texts
    form = texts.form()
    if form is not None:
        annotations = {"groot.dateFormat": form.date_format} if form.date_format else {}
        reason = f"{texts.count} of {place.present} are {form.words}"
        return Type(form.type, reason, annotations=annotations)
    against = texts.counterexamples()
    cases = _cases(place)
    if cases:
        reason = f"{len(cases)} different texts in {texts.count}"
        return Type("string", reason, {"values": cases})
    reason = against or f"{texts.count} of {place.present} are texts"
    odd = texts.odd()
    return Type("string", reason, odd=None if odd is None else Odd(text=odd))


def _cases(place: Place) -> list[str]:
    """Return the texts of an enumeration: few, short, and seen often."""
    values, count = place.text_values, place.texts.count
    if values is None or not values.is_in_memory or count < _LEAST_TEXTS:
        return []
    number = values.count()
    if number < 2 or number > isqrt(count) or place.texts.longest > _LONGEST_CASE:
        return []
    return sorted(values.values)


def _empties(place: Place) -> str:
    parts = [(place.nulls, "null"), (place.empty_arrays, "empty lists"), (place.objects, "{}")]
    found = [f"{number} {name}" for number, name in parts if number]
    return ", ".join(found) or "no value"


def _rarest(place: Place) -> Odd | None:
    """Return the rarest type of the values, where they are of several."""
    counts: dict[type[Any], int] = {
        bool: place.booleans,
        int: place.integers,
        float: place.reals,
        str: place.texts.count,
        dict: place.objects,
        list: place.arrays,
    }
    found = {type: number for type, number in counts.items() if number}
    return Odd(type=min(found, key=lambda one: found[one])) if len(found) > 1 else None


def _kinds(place: Place) -> str:
    parts = [
        (place.texts.count, "texts"),
        (place.integers, "integers"),
        (place.reals, "real numbers"),
        (place.booleans, "truth values"),
        (place.objects, "objects"),
        (place.arrays, "lists"),
        (place.nulls, "nulls"),
    ]
    return ", ".join(f"{number} {name}" for number, name in parts if number)
