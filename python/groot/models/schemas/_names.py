"""Names of entities and properties: identifiers, each of them once."""

from __future__ import annotations

import re

_LONGEST = 200


def identifier(text: str) -> str:
    """Return a text with other characters than those of identifiers replaced."""
    found = re.sub(r"\W+", "_", text[:_LONGEST]).strip("_") or "_"
    return f"_{found}" if found[0].isdigit() else found


def titled(text: str) -> str:
    """Return the words of a text as one name: `shipping address` is `ShippingAddress`."""
    words = re.findall(r"\w+", text[:_LONGEST])
    return identifier("".join(word[:1].upper() + word[1:] for word in words))


class Names:
    """The names that are taken."""

    def __init__(self) -> None:
        """Begin without names."""
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Take a name, with a number behind it if it is taken already."""
        found, number = wanted, self._next.get(wanted, 2)
        while found in self._taken:
            found = f"{wanted}{number}"
            number += 1
            self._next[wanted] = number
        self._taken.add(found)
        return found
