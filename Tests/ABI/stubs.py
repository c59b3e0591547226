"""A C library of nothing but the declarations of a header, for tools that compare libraries.

The library's own debug information tells of Swift. Here each function of the header has an empty
body, and the numbers that the header defines are the values of one enumeration.

usage: stubs.py HEADER... >stubs.c
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

FUNCTION = re.compile(r"^GROOT_API ([^;{]+);", re.M)
NUMBER = re.compile(r"^#define (GROOT_\w+) (?![\"{\\])\S", re.M)

# Names that a release changes, and texts other than numbers.
LEFT_OUT = re.compile(r"GROOT_(VERSION\w*|ABI_VERSION|API|H|FFI_H|NO_JANSSON|\w+_INIT)")


def stubs(header: str) -> str:
    """C source with what the header declares."""
    code = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    numbers = [name for name in NUMBER.findall(code) if not LEFT_OUT.fullmatch(name)]
    lines = ['#include "groot_ffi.h"', "enum groot_numbers {"]
    lines += [f"  number_{name} = {name}," for name in numbers]
    lines += ["};", "enum groot_numbers groot_numbers(void) { __builtin_trap(); }"]
    lines += [f"{function} {{ __builtin_trap(); }}" for function in FUNCTION.findall(code)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(stubs("\n".join(Path(name).read_text() for name in sys.argv[1:])), end="")
