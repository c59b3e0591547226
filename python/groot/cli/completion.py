"""The command `completion`: the completion of commands for shells."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from groot.cli import _codes
from groot.cli._completions import SHELLS, script

DESCRIPTION = (
    "Writes a script that completes commands, options, choices and files in a shell, and the "
    "entities and properties of a store. Packages install the scripts by themselves."
)
EXAMPLES = (
    "source <(groot completion bash)    # in ~/.bashrc",
    "source <(groot completion zsh)    # in ~/.zshrc, after compinit",
    "groot completion fish > ~/.config/fish/completions/groot.fish",
)
# A shell takes other names apart, or runs them.
_PLAIN = re.compile(r"\w[\w.-]*")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    command.add_argument("shell", choices=SHELLS, nargs="?", metavar="SHELL", help="the shell")
    command.add_argument("--names", nargs="+", help=argparse.SUPPRESS)
    command.usage = f"%(prog)s {'|'.join(SHELLS)}"


def run(options: argparse.Namespace) -> int:
    """Write the script; for the scripts themselves, names of a store."""
    from groot.cli import _described  # noqa: PLC0415, it imports the table of commands
    from groot.cli._commands import UsageError  # noqa: PLC0415

    if options.names is not None:
        print("".join(f"{name}\n" for name in _names(*options.names[:2])), end="")
    elif options.shell is None:
        raise UsageError(f"the shell is missing; give {', '.join(SHELLS)}")
    else:
        print(script(options.shell, _described.all_commands()), end="")
    return _codes.GOOD


def _names(store: str, entity: str | None = None) -> Iterator[str]:
    """Yield the entities that a store remembers, or the properties of one of them."""
    import json  # noqa: PLC0415

    from groot.models import stores  # noqa: PLC0415, scripts do without

    remembered = stores.read(store)
    entities = json.loads(remembered.model)["entities"] if remembered is not None else {}
    names = list(entities) if entity is None else []
    while entity in entities:
        described = entities[entity]
        names += [*described.get("attributes", ()), *described.get("relationships", ())]
        entity = described.get("parent")
    yield from (name for name in names if _PLAIN.fullmatch(name))
