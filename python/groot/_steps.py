"""Calls of C that no signal comes between.

Python runs the handlers of signals between its own instructions, never inside a function of C.
So what must happen whole, such as to take a context, call the library and give it back, is a
sequence of calls of C that one function of C makes. Ctrl-C comes before all of them or after them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Step = partial[Any]
else:
    Step = partial
"""A call to be made: a function of C and its arguments."""

_make = partial.__call__


def run(steps: Sequence[Any]) -> None:
    """Make some calls, in their order."""
    [].extend(map(_make, steps))


def run_all(steps: Sequence[Any], at: int) -> Any:
    """Make some calls, those behind `at` also when that one raises; give what that one gives.

    Gives None when the first one raises IndexError: then nothing has happened.
    """
    results: list[Any] = []
    try:
        results.extend(map(_make, steps))
    except IndexError:
        if results:
            raise
        return None
    except BaseException:
        if len(results) == at:  # ctypes has refused an argument
            run(steps[at + 1 :])
        raise
    return results[at]
