"""The scripts that complete commands in shells."""

from __future__ import annotations

from collections.abc import Sequence

from groot.cli._described import Described

SHELLS = ("bash", "zsh", "fish")


def script(shell: str, commands: Sequence[Described]) -> str:
    """Return the completion of commands for a shell.

    Args:
        shell: One of `SHELLS`.
        commands: The commands.

    Returns:
        The script.
    """
    from groot.cli._completions import bash, fish, zsh  # noqa: PLC0415

    scripts = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}
    return scripts[shell](commands)
