"""Sessions of a shell in documents: commands with what they print.

A ```console block has lines that begin with "$ ", commands, and behind each what it prints. A
command with another exit code than 0 ends with a comment such as "# exits 1". All blocks of a page
are one session, in a folder with the page's files.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MARK = "\x01"
EXITS = re.compile(r"# exits (\d+)$")
SHELL = f"""exec 2>&1
mark() {{ local code=$?; printf '{MARK}%s\\n' $code; return $code; }}
"""


class Step(NamedTuple):
    """A command of a session."""

    command: str
    output: str

    @property
    def code(self) -> int:
        """The exit code that is expected."""
        found = EXITS.search(self.command)
        return int(found[1]) if found else 0


def steps(text: str) -> list[Step]:
    """Read the commands of a block."""
    found: list[Step] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append(Step(line[2:].rstrip("\n"), ""))
        elif not found:
            raise ValueError(f"the block does not begin with a command: {line}")
        elif found[-1].command.endswith("\\") and not found[-1].output:
            found[-1] = Step(f"{found[-1].command}\n{line.rstrip()}", "")
        else:
            found[-1] = found[-1]._replace(output=found[-1].output + line)
    return found


def environment(commands: Path) -> dict[str, str]:
    """Return an environment with the commands `groot` and `python` of this Python."""
    commands.mkdir(exist_ok=True)
    for name, arguments in (("groot", "-m groot"), ("python", "")):
        file = commands / name
        if not file.exists():
            # Not a link: with one, Python would not find the packages of its environment.
            file.write_text(f'#!/bin/sh\nexec {sys.executable} {arguments} "$@"\n')
            file.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{commands}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "python"),
        "LD_LIBRARY_PATH": str(ROOT / "build" / "lib"),
        "TZ": "UTC",
        "COLUMNS": "100",
    }


def faults(session: list[Step], folder: Path) -> Iterable[str]:
    """Run the commands of a session, and yield what differs."""
    script = SHELL + "".join(f"mark\n{one.command}\n" for one in session) + "mark\n"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment(folder / "bin"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    parts = done.stdout.split(MARK)[1:]
    # The mark before a command ends the output of the one before it, with its exit code.
    printed = [part.partition("\n")[2] for part in parts[:-1]]
    codes = [int(part.partition("\n")[0]) for part in parts[1:]]
    if len(codes) != len(session):
        yield f"the session ended early:\n{done.stdout}"
        return
    for step, output, code in zip(session, printed, codes):
        if code != step.code:
            yield f"$ {step.command}\nexits {code}, not {step.code}\n{output}"
        elif output != step.output:
            yield f"$ {step.command}\nprints\n{output}and not\n{step.output}"
