"""Names of a model as Swift identifiers.

A name that is an identifier stays unchanged. Any other name keeps its letters and digits, with a
capital letter after each gap. All other characters appear in the code only in quoted text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from groot.models.generate._swift.words import AWKWARD_MEMBERS, KEYWORDS, TYPES


def identifier(name: str, otherwise: str) -> str:
    """Make an identifier of a name, or return `otherwise` if no character can be kept."""
    made = ""
    is_gap = False
    for character in unicodedata.normalize("NFC", name):
        if not _is_part(character):
            is_gap = True
            continue
        made += _capital(character) if is_gap and made else character
        is_gap = False
    if not made:
        return otherwise
    return f"_{made}" if unicodedata.category(made[0]) == "Nd" else made


def _is_part(character: str) -> bool:
    """Whether a character is kept in identifiers: a letter, a digit or `_`."""
    return character == "_" or unicodedata.category(character) in _PARTS


_PARTS = ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd")


def _capital(character: str) -> str:
    """Return the capital of a letter, or the letter itself if that is not a single letter."""
    capital = character.upper()
    return capital if len(capital) == 1 and _is_part(capital) else character


def type_names(entities: Iterable[str]) -> dict[str, str]:
    """Return the name of each entity's type, which does not shadow a type that the code needs."""
    wanted = {}
    for entity in entities:
        name = identifier(entity, "Unnamed")
        name = _capital(name[0]) + name[1:]
        wanted[entity] = f"{name}Entity" if name in TYPES else name
    return _distinct(wanted, TYPES)


def reserved_members(types: Iterable[str]) -> frozenset[str]:
    """Return the names that members must not have.

    The names of types are included, since the initial values of members use these types.
    """
    return TYPES | AWKWARD_MEMBERS | frozenset(types)


def member_names(
    properties: Iterable[str], inherited: Mapping[str, str], reserved: frozenset[str]
) -> dict[str, str]:
    """Return the member of each property; new names differ from inherited ones."""
    wanted = {}
    for name in properties:
        made = identifier(name, "unnamed")
        wanted[name] = f"{made}Property" if made in reserved else made
    return {**inherited, **_distinct(wanted, reserved, inherited.values())}


def _distinct(
    wanted: Mapping[str, str], reserved: frozenset[str], taken: Iterable[str] = ()
) -> dict[str, str]:
    """Add numbers to names that are already used; unchanged names have precedence."""
    used = set(taken)
    numbers: dict[str, int] = {}
    found = {}
    for name in sorted(wanted, key=lambda name: (wanted[name] != name, name)):
        made = wanted[name]
        while made in used or made in reserved:
            number = numbers[wanted[name]] = numbers.get(wanted[name], 1) + 1
            made = f"{wanted[name]}{number}"
        used.add(made)
        found[name] = made
    return found


def is_identifier(name: str) -> bool:
    """Whether a name can be the name of a type without a change."""
    return identifier(name, "") == name and name not in KEYWORDS and name not in TYPES


def escaped(name: str) -> str:
    """Put backticks around an identifier that is a keyword."""
    return f"`{name}`" if name in KEYWORDS else name
