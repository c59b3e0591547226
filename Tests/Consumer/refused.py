#!/usr/bin/env python3
"""Shows that the compiler refuses the lines of refused.txt, and says of each what is expected.

usage: refused.py MODULES      the folder of the modules that the consumer was built with
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent.parent / "Sources"
DECLARATIONS = HERE / "Sources" / "Consumer"
#: What a line may use; with nothing in the place of the line, it compiles.
PROGRAM = """import Groot

func use(_ context: ManagedObjectContext, _ hero: Hero, _ power: Power) throws {{
  {line}
}}
"""


def diagnose(line: str, modules: str) -> tuple[int, str]:
    """What the compiler answers for a line."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "Line.swift"
        program.write_text(PROGRAM.format(line=line))
        command = ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules]
        for module in ("CAtomics", "CFiles", "CJansson", "CPCRE2", "CVectors"):
            command += ["-I", str(SOURCES / module)]
        command += [str(program), str(DECLARATIONS / "Comics.swift")]
        command += [str(DECLARATIONS / "Checks.swift")]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.returncode, found.stderr


def main() -> int:
    modules = sys.argv[1]
    lines = [
        line
        for line in (HERE / "refused.txt").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    pairs = [("_ = (context, hero, power)", ""), *zip(lines[::2], lines[1::2], strict=True)]
    failures = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(lambda pair: diagnose(pair[0], modules), pairs)
        for (line, expected), (code, output) in zip(pairs, answers, strict=True):
            errors = "\n".join(part for part in output.split("\n") if "error:" in part)
            if code != (1 if expected else 0) or expected not in errors:
                failures += 1
                print(f"{line}\n  expected: {expected or 'that it compiles'}\n  found: {errors}")
    print(f"{len(pairs) - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
