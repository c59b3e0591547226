"""Names of a model as identifiers of Swift.

A name that is an identifier stays as it is. Of any other its letters and digits are kept, with a
capital after each gap. Nothing else of a name gets into the code, except as text in quotes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from groot.generate._words import AWKWARD_MEMBERS, KEYWORDS, TYPES


def identifier(name: str, otherwise: str) -> str:
    """Make an identifier of a name; `otherwise` where nothing of it can be kept."""
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
    """Whether Swift allows a character in identifiers: all letters and digits are among those."""
    return character == "_" or unicodedata.category(character) in _PARTS


_PARTS = ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd")


def _capital(character: str) -> str:
    """Return the capital of a letter, where that is one letter too."""
    capital = character.upper()
    return capital if len(capital) == 1 and _is_part(capital) else character


def type_names(entities: Iterable[str]) -> dict[str, str]:
    """Return each entity the name of its type, which shadows no type that the code needs."""
    wanted = {}
    for entity in entities:
        name = identifier(entity, "Unnamed")
        name = _capital(name[0]) + name[1:]
        wanted[entity] = f"{name}Entity" if name in TYPES else name
    return _distinct(wanted, TYPES)


def reserved_members(types: Iterable[str]) -> frozenset[str]:
    """Return the names that no member may have.

    Those of types are among them: the initial values of members could not use that type.
    """
    return TYPES | AWKWARD_MEMBERS | frozenset(types)


def member_names(
    properties: Iterable[str], inherited: Mapping[str, str], reserved: frozenset[str]
) -> dict[str, str]:
    """Return each property the name of its member, other than those that are inherited."""
    wanted = {}
    for name in properties:
        made = identifier(name, "unnamed")
        wanted[name] = f"{made}Property" if made in reserved else made
    return {**inherited, **_distinct(wanted, reserved, inherited.values())}


def _distinct(
    wanted: Mapping[str, str], reserved: frozenset[str], taken: Iterable[str] = ()
) -> dict[str, str]:
    """Add numbers to names that are taken; names that are kept as they are come first."""
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
    """Whether a name can be that of a type as it is."""
    return identifier(name, "") == name and name not in KEYWORDS and name not in TYPES


def escaped(name: str) -> str:
    """Put an identifier that is a keyword into backticks."""
    return f"`{name}`" if name in KEYWORDS else name
