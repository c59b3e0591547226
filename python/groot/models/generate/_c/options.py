"""The options of the header."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class COptions:
    """The form of the C header."""

    prefix: str = ""
    """The beginning of all names in the header, such as "SHOP_"."""
    file: str = "model.h"
    """The name of the file, which gives the include guard its name."""
