"""Comments of Swift."""

from __future__ import annotations

import textwrap

from groot.models.generate._comments import visible

_WIDTH = 100


def comment(text: str, indent: int) -> list[str]:
    """Write a comment as lines with slashes."""
    margin = " " * indent + "///"
    lines = []
    for paragraph in text.splitlines():
        wrapped = textwrap.wrap(
            visible(paragraph),
            _WIDTH - len(margin) - 1,
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += [f"{margin} {line}" for line in wrapped] or [margin]
    while lines and lines[-1] == margin:
        lines.pop()
    return lines
