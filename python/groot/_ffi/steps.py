"""Sequences of C calls that no signal interrupts.

Python runs signal handlers between its own instructions, never inside a C function. Some steps must
not be interrupted, such as taking a context, calling the library and releasing the context. They
are a sequence of C calls that one C function makes. Ctrl-C comes before all of them or after them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Step = partial[Any]
else:
    Step = partial
"""A call to make later: a C function and its arguments."""

_make = partial.__call__


def run(steps: Sequence[Any]) -> None:
    """Make calls in order."""
    [].extend(map(_make, steps))


def run_all(steps: Sequence[Any], at: int) -> Any:
    """Make calls in order, and return the result of the call at the position `at`.

    If that call raises, the calls after it are still made. If the first call raises IndexError,
    nothing has happened, and None is the result.
    """
    results: list[Any] = []
    try:
        results.extend(map(_make, steps))
    except BaseException as raised:
        if not results and isinstance(raised, IndexError):
            return None
        if len(results) == at:  # ctypes has refused an argument
            run(steps[at + 1 :])
        raise
    return results[at]
