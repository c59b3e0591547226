"""The candidates for the shared library, in the order in which they are tried."""

from __future__ import annotations

import os
from collections.abc import Iterator

NAME = "libgroot.so"
SONAME = "libgroot.so.0.1"
VARIABLE = "GROOT_LIBRARY"


def candidates() -> Iterator[str]:
    """Yield paths and names for the dynamic loader, best first.

    If `GROOT_LIBRARY` is set, it is the only candidate. Otherwise the candidates are the library in
    the package, which a wheel has, the build in the source tree, and the loader's search path.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        yield chosen
        return
    package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    source_tree = os.path.dirname(os.path.dirname(package))
    for path in (
        os.path.join(package, NAME),
        os.path.join(package, SONAME),
        os.path.join(source_tree, "build", "lib", NAME),
    ):
        if os.path.exists(path):
            yield path
    yield SONAME
    yield NAME


def not_found(failures: list[str]) -> ImportError:
    """Make the error with the failures and the remedies."""
    tried = "".join(f"\n  {failure}" for failure in failures)
    return ImportError(
        f"groot's shared library {NAME} cannot be loaded. Build it with `make`, install it with "
        f"`make install`, or name it in {VARIABLE}. Tried:{tried}"
    )
