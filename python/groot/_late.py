"""Imports that wait for their first use, since the modules below must not know those above.

`groot` adds them. `groot.Model` runs them before it looks for a reader or an inference.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_imports: list[Callable[[], object]] = []


def add(load: Callable[[], object]) -> None:
    """Add an import.

    Args:
        load: A function that imports modules, which add their parts to others. Each use calls it
            again.
    """
    _imports.append(load)


def run() -> None:
    """Run the imports. Python itself skips the second, and lets a thread wait for another's."""
    for load in _imports:
        load()
