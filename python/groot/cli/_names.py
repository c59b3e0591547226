"""Names that a user may have meant."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from groot.errors import Status, error

_FEW = 12
_LIKENESS = 0.6


def nearest(name: str, names: Sequence[str]) -> str | None:
    """Return a question with the name that is nearest to an unknown one.

    Args:
        name: The unknown name.
        names: The names that exist.

    Returns:
        The question, or None if no name is near.
    """
    folded = {one.casefold(): one for one in names}
    near = get_close_matches(name.casefold(), folded, 1, _LIKENESS)
    return f"did you mean '{folded[near[0]]}'?" if near else None


def meant(name: str, names: Sequence[str]) -> str:
    """Return the end of a message about an unknown name.

    Args:
        name: The unknown name.
        names: The names that exist.

    Returns:
        The question with the nearest name, or else all names if they are few.
    """
    question = nearest(name, names)
    if question is not None:
        return f"; {question}"
    return f"; there are {', '.join(names)}" if 0 < len(names) <= _FEW else ""


def entity_of(name: str, names: Sequence[str]) -> str:
    """Return the name of an entity.

    Args:
        name: The name as given.
        names: The names of all entities.

    Returns:
        The name.

    Raises:
        groot.Error: If it is unknown, with the nearest name.
    """
    if name in names:
        return name
    message = f"the model has no entity '{name}'{meant(name, names)}"
    raise error(Status.UNKNOWN_ENTITY, message)
