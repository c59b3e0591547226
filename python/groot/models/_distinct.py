"""Names in another language for names of a model, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping


def distinct(
    names: Iterable[str],
    made_of: Callable[[str], str],
    taken: Iterable[str] = (),
    join: str = "",
) -> Mapping[str, str]:
    """Choose a name for each name; unchanged names have precedence over others.

    Args:
        names: The names in the model.
        made_of: The wanted name for a name.
        taken: Names that must not be used.
        join: The text between a name and its number.

    Returns:
        The chosen names by the names in the model, in their order. One that is in use has a number
        at its end.
    """
    wanted = {name: made_of(name) for name in names}
    used = set(taken)
    found: dict[str, str] = {}
    for name in sorted(wanted, key=lambda name: wanted[name] != name):
        made, number = wanted[name], 1
        while made in used:
            number += 1
            made = f"{wanted[name]}{join}{number}"
        used.add(made)
        found[name] = made
    return {name: found[name] for name in wanted}
