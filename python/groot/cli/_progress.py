"""The progress of a command, on a terminal only."""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import Any

from groot.progress import DELAY, ProgressBar


def watcher(options: argparse.Namespace) -> ProgressBar | None:
    """Return the progress function of a command; None if standard error is not a terminal.

    Args:
        options: The options of the command.

    Returns:
        The function: a bar of rich where it is installed, else a line.
    """
    if options.talk.is_quiet or options.talk.is_json or not sys.stderr.isatty():
        return None
    try:
        return _RichBar(importlib.import_module("rich.progress"))
    except ImportError:
        return ProgressBar(delay=DELAY)


class _RichBar(ProgressBar):
    """A bar that rich draws."""

    def __init__(self, rich: Any) -> None:
        self._rich = rich
        self._shown: Any = None
        super().__init__(delay=DELAY)

    def show(self, end: str) -> None:
        at = self.last
        if at is None:
            return
        if self._shown is None:
            self._shown = self._begun(at.operation)
        bar, task = self._shown
        bar.update(task, total=self.total, completed=at.bytes, counts=self.counts())
        if end:
            bar.stop()
            self._shown = None

    def _begun(self, operation: str) -> Any:
        rich = self._rich
        bar = rich.Progress(
            rich.TextColumn("{task.description}"),
            rich.BarColumn(),
            rich.TextColumn("{task.fields[counts]}"),
            console=importlib.import_module("rich.console").Console(file=sys.stderr),
        )
        bar.start()
        return bar, bar.add_task(operation, total=self.total, counts="")
