"""The exit codes of commands."""

from __future__ import annotations

from groot.errors import Error, Status

GOOD = 0
FAULTY = 1
"""Faults in the data, or differences."""
WRONG = 2
"""A wrong command line, a file that cannot be used, or a root that leads nowhere."""
AGAIN = 3
"""A conflict or a lock: the same command may succeed later."""
REFUSED = 4
"""A guard refused the call."""
INTERRUPTED = 130
"""Ctrl-C came before the commit."""

MEANINGS = {
    GOOD: "good",
    FAULTY: "faults in the data, or differences",
    WRONG: "a wrong command line, or a file that cannot be used",
    AGAIN: "a conflict or a lock; the same command may succeed later",
    REFUSED: "refused by a guard, such as the limit of deletions",
    INTERRUPTED: "interrupted before the commit",
}
"""The meaning of each exit code for help."""

_AGAIN = {Status.STORE_CONFLICT, Status.STORE_DUPLICATE, Status.STORE_LOCKED, Status.BUSY}
_WRONG = {
    Status.INVALID_ARGUMENT,
    Status.UNSUPPORTED,
    Status.FILE_ERROR,
    Status.OUT_OF_MEMORY,
    Status.INVALID_MODEL,
    Status.INVALID_MAPPING,
    Status.UNKNOWN_ENTITY,
    Status.UNKNOWN_PROPERTY,
    Status.UNKNOWN_TRANSFORMER,
    Status.ABSTRACT_ENTITY,
    Status.STORE_INVALID,
    Status.STORE_TOO_NEW,
    Status.STORE_MODEL,
    Status.STORE_READ_ONLY,
    Status.STORE_FULL,
    Status.STORE_FAILED,
    Status.STORE_DISCONNECTED,
}


_REQUEST = ("$.where", "$.sort", "$.limit")


def code_of_failure(failure: Error) -> int:
    """Return the exit code of a failure outside of files: a wrong request is a wrong command line.

    Args:
        failure: The error.

    Returns:
        The exit code.
    """
    is_request = any((one.path or "").startswith(_REQUEST) for one in failure.issues)
    return WRONG if is_request else code_of(failure.code)


def code_of(status: int) -> int:
    """Return the exit code of a failure.

    Args:
        status: The status of the error.

    Returns:
        The exit code.
    """
    if status in _AGAIN:
        return AGAIN
    if status in _WRONG:
        return WRONG
    if status == Status.TOO_MANY_DELETIONS:
        return REFUSED
    return INTERRUPTED if status == Status.CANCELLED else FAULTY
