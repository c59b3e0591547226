"""Names of a model as Python identifiers.

A name that is an identifier stays unchanged. Any other name keeps its letters and digits, with `_`
for each gap; a name with another meaning in the file gets `_` at its end.
"""

from __future__ import annotations

import keyword
import unicodedata
from collections.abc import Iterable, Mapping

_TYPES = """
    Annotated Any Attribute Decimal Entity Literal None ToMany ToOne UUID
    attribute bits bool bytes dict dt float int mro relationship str
    """
RESERVED = frozenset((*_TYPES.split(), *keyword.kwlist))
"""Names that the file uses itself, and the words of Python."""


def identifier(name: str, otherwise: str) -> str:
    """Make an identifier of a name, or return `otherwise` if no character can be kept."""
    made = ""
    for character in unicodedata.normalize("NFKC", name):
        made += character if f"a{character}".isidentifier() else "_"
    made = made.strip("_") if made != name or made.startswith("_") else made
    if not made:
        return otherwise
    return made if made.isidentifier() else f"n{made}"


def distinct(names: Iterable[str], otherwise: str, taken: Iterable[str] = ()) -> Mapping[str, str]:
    """Choose an identifier for each name; unchanged names have precedence."""
    wanted = {name: identifier(name, otherwise) for name in names}
    used = {*RESERVED, *taken}
    found: dict[str, str] = {}
    for name in sorted(wanted, key=lambda name: (wanted[name] != name, name)):
        made = wanted[name]
        if made in RESERVED:
            made = f"{made}_"
        number = 1
        while made in used:
            number += 1
            made = f"{wanted[name]}{number}"
        used.add(made)
        found[name] = made
    return found
