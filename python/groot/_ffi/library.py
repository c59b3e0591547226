"""The candidates for the shared library, in the order in which they are tried."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

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
    package = Path(__file__).resolve().parents[1]
    source_tree = package.parent.parent
    for path in (
        package / NAME,
        package / SONAME,
        source_tree / "build" / "lib" / NAME,
    ):
        if path.exists():
            yield str(path)
    yield SONAME
    yield NAME


def not_found(failures: list[str]) -> ImportError:
    """Make the error with the failures and the remedies."""
    tried = "".join(f"\n  {failure}" for failure in failures)
    return ImportError(
        f"groot's shared library {NAME} cannot be loaded. Build it with `make`, install it with "
        f"`make install`, or name it in {VARIABLE}. Tried:{tried}"
    )
