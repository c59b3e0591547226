"""Runs of commands on a pseudo-terminal, and the text that they show."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shlex
import struct
import subprocess
import sys
import termios
import time
import unicodedata
from pathlib import Path
from typing import NamedTuple

from sessions import EXITS, Step
from snippets import Problem

SECONDS = 60
SEQUENCE = re.compile(r"\x1b\[([\d;]*)m")
COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


class Run(NamedTuple):
    """Text of one style: "bold" and the names of colours."""

    text: str
    styles: frozenset[str]


class Shown(NamedTuple):
    """A command, and the lines that it has shown."""

    command: str
    lines: list[list[Run]]


def prepare(commands: Path, project: Path) -> None:
    """Makes the command groot in a folder of commands."""
    words = shlex.join([sys.executable, "-m", "groot"])
    paths = shlex.quote(str(project / "python"))
    (commands / "groot").write_text(f'#!/bin/sh\nPYTHONPATH={paths} exec {words} "$@"\n')
    (commands / "groot").chmod(0o755)


def run(step: Step, folder: Path, commands: Path, columns: int) -> Shown:
    """Runs a command of the shell."""
    command = EXITS.sub("", step.command).rstrip()
    main, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {
        "PATH": f"{commands}:{os.environ['PATH']}",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "TZ": "UTC",
    }
    with subprocess.Popen(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdin=inner,
        stdout=inner,
        stderr=inner,
        start_new_session=True,
    ) as process:
        os.close(inner)
        try:
            text = _read(main, command)
        except BaseException:
            process.kill()
            raise
        finally:
            os.close(main)
    if process.returncode != step.code:
        raise Problem(f"exit code {process.returncode} of {command}\n{text}")
    if str(folder) in text or "Traceback" in text:
        raise Problem(f"a line of {command} cannot be shown\n{text}")
    return Shown(command, lines(text, columns))


def _read(main: int, command: str) -> str:
    """Reads to the end of all processes on the terminal."""
    last = time.monotonic() + SECONDS
    text = b""
    while True:
        ready, _, _ = select.select([main], [], [], max(last - time.monotonic(), 0))
        if not ready:
            raise Problem(f"{command} takes too long, or asks\n{text.decode()}")
        try:
            piece = os.read(main, 1 << 16)
        except OSError:  # so Linux tells the end
            piece = b""
        if not piece:
            return text.decode().replace("\r\n", "\n")
        text += piece


def lines(text: str, columns: int) -> list[list[Run]]:
    """The lines of a terminal; a line that is too long goes on in the next."""
    found: list[list[Run]] = []
    styles: frozenset[str] = frozenset()
    for line in text.removesuffix("\n").split("\n") if text else []:
        found.append([])
        column = 0
        parts = SEQUENCE.split(line)
        for place, part in enumerate(parts):
            if place % 2:
                styles = _styled(styles, part)
                continue
            for character in part:
                if not character.isprintable():
                    raise Problem(f"{character!r} of {line!r} cannot be drawn")
                if column + width(character) > columns:
                    found.append([])
                    column = 0
                column += width(character)
                _add(found[-1], character, styles)
    return found


def width(text: str) -> int:
    """The number of columns that a text takes."""
    wide = sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))


def _add(line: list[Run], character: str, styles: frozenset[str]) -> None:
    if line and line[-1].styles == styles:
        line[-1] = Run(line[-1].text + character, styles)
    else:
        line.append(Run(character, styles))


def _styled(styles: frozenset[str], codes: str) -> frozenset[str]:
    """The styles after a sequence of codes."""
    for code in (int(one or 0) for one in codes.split(";")):
        if code == 0:
            styles = frozenset()
        elif code == 1:
            styles |= {"bold"}
        elif code in range(30, 38):
            styles = styles - set(COLOURS) | {COLOURS[code - 30]}
        else:
            raise Problem(f"the code {code} of the terminal cannot be drawn")
    return styles
