"""Writes the part of a C test that follows from the declarations of the headers.

A function that a table here has no line for is an error, so that none goes untested.

usage: write.py layout|null|twins INCLUDE FILE
"""

from __future__ import annotations

import sys
from pathlib import Path

import declarations
import layout
import null
import twins

PARTS = {"layout": layout.write, "null": null.write, "twins": twins.write}


def main() -> None:
    part, include, file = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    try:
        lines = PARTS[part](declarations.read(include))
    except declarations.Missing as missing:
        sys.exit(f"Tests/CTests/generated/{missing}")
    head = f"/* Written by Tests/CTests/generated/write.py from {include}. */"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([head, *lines]) + "\n")


if __name__ == "__main__":
    main()
