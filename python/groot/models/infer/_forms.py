"""Forms of texts: dates, days, uuids and addresses, told by all texts of a place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Union

_MOST_MASKS = 64
_ENOUGH = 10_000
_SHORTEST_DATE = 10
_UUID_LENGTH = 36
_DIGITS = frozenset("0123456789")
_WEEKDAYS = frozenset(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
_NINES = {ord(digit): "9" for digit in "012345678"}
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_ANY_UUID = re.compile(_UUID.pattern, re.IGNORECASE)
_NAMES = re.compile(
    r"\b(?:(?P<day>Mon|Tue|Wed|Thu|Fri|Sat|Sun)|(?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))\b"
)


@dataclass(frozen=True)
class Form:
    """A form that all texts of a place have."""

    type: str
    """The type of the attribute."""
    words: str
    """The form in the words of the evidence."""
    date_format: str | None = None
    """The value of `groot.dateFormat`, for forms that need one."""


_TIMES = {"T": "'T'", " ": " "}


def _date_masks() -> dict[str, Form]:
    masks = {
        "9999-99-99": Form("day", "ISO days"),
        "99.99.9999": Form("day", "days", "dd.MM.yyyy"),
        "9999/99/99": Form("day", "days", "yyyy/MM/dd"),
        "DDD MMM 99 99:99:99 +ZZZZ 9999": Form("date", "dates", "EEE MMM dd HH:mm:ss Z yyyy"),
        "DDD, 99 MMM 9999 99:99:99 +ZZZZ": Form(
            "date", "dates of RFC 5322", "EEE, dd MMM yyyy HH:mm:ss Z"
        ),
        "DDD, 99 MMM 9999 99:99:99 GMT": Form(
            "date", "dates of HTTP", "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        ),
    }
    for between, quoted in _TIMES.items():
        for digits in range(7):
            fraction = "." + "9" * digits if digits else ""
            letters = "." + "S" * digits if digits else ""
            for zone, letter, words in (("Z", "X", "in UTC"), ("", "", "without a zone")):
                mask = f"9999-99-99{between}99:99:99{fraction}{zone}"
                is_default = between == "T" and not digits and zone
                pattern = f"yyyy-MM-dd{quoted}HH:mm:ss{letters}{letter}"
                name = f"ISO dates {words}" + (f" with {digits} digits of a second" * bool(digits))
                masks[mask] = Form("date", name, None if is_default else pattern)
    return masks


_DATES = _date_masks()


class _Once:
    """The number of each text where all are different."""

    def __getitem__(self, _: str) -> int:
        return 1


Weights = Union[_Once, "Counter[str]"]


class Texts:
    """Facts of all texts at a place, from which `form` tells their form."""

    __slots__ = ("addresses", "count", "identifiers", "longest", "lower", "masks", "others")

    def __init__(self) -> None:
        """Begin without texts."""
        self.count = 0
        self.longest = 0
        self.masks: Counter[str] = Counter()
        self.addresses = 0
        self.identifiers = 0
        """UUIDs in any letters."""
        self.lower = 0
        """UUIDs in lower case, as they are written."""
        self.others: str | None = None
        """The least text that does not begin as dates do; an example against them."""

    def add(self, texts: Sequence[str], different: Collection[str]) -> None:
        """Take in texts.

        Args:
            texts: All texts.
            different: The texts, each once.
        """
        self.count += len(texts)
        lengths = set(map(len, different))
        self.longest = max(self.longest, *lengths)
        if self.count > _ENOUGH and not (self.masks or self.addresses or self.identifiers):
            # A form is that of all texts, so no later text can give one to so many others.
            return
        dated = _dated(different) if max(lengths, default=0) >= _SHORTEST_DATE else []
        joined = "\n".join(different)
        if len(dated) < len(different):
            rest = min(set(different).difference(dated)) if dated else min(different)
            self.others = rest if self.others is None else min(self.others, rest)
        addresses = [one for one in different if "://" in one[:12]] if "://" in joined else []
        long: list[str] = []
        if _UUID_LENGTH in lengths:
            long = [one for one in different if len(one) == _UUID_LENGTH]
        if not (dated or addresses or long):
            return
        weights = _Once() if len(different) == len(texts) else Counter(texts)
        if dated and len(self.masks) <= _MOST_MASKS:
            self._add_masks(dated, weights, is_plain="+0000" not in joined)
        self.addresses += sum(weights[one] for one in addresses)
        for one in long:
            self.identifiers += weights[one] if _ANY_UUID.fullmatch(one) else 0
            self.lower += weights[one] if _UUID.fullmatch(one) else 0

    def _add_masks(self, dated: list[str], weights: Weights, *, is_plain: bool) -> None:
        if is_plain and isinstance(weights, _Once):
            # One translation of all texts takes a quarter of the time of one for each.
            lines = "\n".join(dated).translate(_NINES).split("\n")
            masks = Counter(lines)
            if len(lines) == len(dated) and all(mask[0] == "9" for mask in masks):
                self.masks.update(masks)
                return
        for one in dated:
            self.masks[_mask(one)] += weights[one]

    def merge(self, other: Texts) -> None:
        """Take in the facts of other texts."""
        self.count += other.count
        self.longest = max(self.longest, other.longest)
        self.masks.update(other.masks)
        self.addresses += other.addresses
        self.identifiers += other.identifiers
        self.lower += other.lower
        if other.others is not None:
            self.others = other.others if self.others is None else min(self.others, other.others)

    def form(self) -> Form | None:
        """Return the form that all texts have, and in which they are written; None for text."""
        if not self.count:
            return None
        if self.lower == self.count:
            return Form("uuid", "UUIDs in lower case")
        if self.addresses == self.count:
            return Form("uri", "addresses")
        forms = {_DATES.get(mask) for mask in self.masks}
        if sum(self.masks.values()) == self.count and len(forms) == 1:
            return forms.pop()
        return None

    def date_formats(self) -> list[str]:
        """Return the formats of all texts, the most frequent one first."""
        forms = {
            _DATES[mask]: number for mask, number in sorted(self.masks.items()) if mask in _DATES
        }
        ordered = sorted(forms, key=lambda form: -forms[form])
        formats = [form.date_format or "iso8601" for form in ordered]
        return [] if formats == ["iso8601"] else formats

    def counterexamples(self) -> str:
        """Say why most texts have a form that the place has not, or nothing."""
        dates = {
            mask: number for mask, number in self.masks.items() if mask in _DATES or _zoned(mask)
        }
        dated = sum(dates.values())
        if dated * 2 >= self.count and self.form() is None:
            if dated == self.count:
                several = f"{len(dates)} forms of dates" if len(dates) > 1 else "dates with offsets"
                return f"{several}: {', '.join(sorted(dates)[:3])}; an export would write one form"
            forms = [(dates[mask], _DATES[mask].words) for mask in dates if mask in _DATES]
            return f"{dated} of {self.count} are {max(forms)[1] if forms else 'dates'}"
        if self.identifiers == self.count and self.lower < self.count:
            return "UUIDs in capitals: an export would write lower case"
        if self.addresses * 2 >= self.count > self.addresses:
            return f"{self.addresses} of {self.count} are addresses"
        return ""

    def odd(self) -> str | None:
        """Return a text that is not of the form that most have, if it is known."""
        return self.others if self.counterexamples() else None


def _dated(texts: Collection[str]) -> list[str]:
    """Return the texts that begin as dates do."""
    return [
        one
        for one in texts
        if len(one) >= _SHORTEST_DATE and (one[0] in _DIGITS or one[:3] in _WEEKDAYS)
    ]


def _mask(text: str) -> str:
    """Return a text with 9 for each digit, and letters for UTC and names of days and months."""
    if len(text) > 40:
        return "long"
    mask = text.replace("+0000", "+ZZZZ").translate(_NINES)
    if mask[0] == "9":
        return mask
    return _NAMES.sub(lambda found: "DDD" if found["day"] else "MMM", mask)


def _zoned(mask: str) -> bool:
    """Return whether a mask is that of an ISO date with an offset."""
    return (
        re.fullmatch(r"9999-99-99[T ]99:99(:99(\.9+)?)?([+-]99:?99|[+]ZZZZ|Z)?", mask) is not None
    )
