"""A drawing of a terminal in SVG, without a script or a font of its own."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from terminal import Run, Shown, lines, width

CELL, LINE, SIZE = 8.4, 20, 14
EDGE, BAR = 16, 36
COMMAND_SECONDS, LINE_SECONDS = 0.9, 0.08
STYLE = """\
text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: 14px; fill: #1f2328; }
.window { fill: #f6f8fa; stroke: #d1d9e0; }
.button { fill: #d1d9e0; }
.prompt { fill: #1a7f37; }
.bold { font-weight: bold; }
.black, .white { fill: #59636e; }
.red { fill: #cf222e; }
.green { fill: #1a7f37; }
.yellow { fill: #9a6700; }
.blue { fill: #0969da; }
.magenta { fill: #8250df; }
.cyan { fill: #1b7c83; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .window { fill: #0d1117; stroke: #3d444d; }
  .button { fill: #3d444d; }
  .prompt, .green { fill: #3fb950; }
  .black, .white { fill: #9198a1; }
  .red { fill: #ff7b72; }
  .yellow { fill: #d29922; }
  .blue { fill: #58a6ff; }
  .magenta { fill: #bc8cff; }
  .cyan { fill: #39c5cf; }
}
@media (prefers-reduced-motion: no-preference) {
  .line { animation: appear 0.2s both; }
}
@keyframes appear { from { opacity: 0; } to { opacity: 1; } }
"""
PROMPT = Run("$ ", frozenset({"prompt"}))
MORE = Run("> ", frozenset({"prompt"}))


def draw(shown: list[Shown], columns: int, title: str) -> str:
    """Draws commands and their lines in a window that has a number of columns."""
    rows = list(_rows(shown, columns))
    wide = round(columns * CELL + 2 * EDGE)
    high = BAR + len(rows) * LINE + EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {wide} {high}" xml:space="preserve" role="img" aria-labelledby="title">',
        f'<title id="title">{escape(title)}</title>',
        f"<style>\n{STYLE}</style>",
        f'<rect class="window" x="0.5" y="0.5" width="{wide - 1}" height="{high - 1}" rx="8"/>',
    ]
    parts += [f'<circle class="button" cx="{20 + 18 * one}" cy="18" r="5.5"/>' for one in range(3)]
    for index, (seconds, row) in enumerate(rows):
        if texts := "".join(_texts(row, BAR + index * LINE + SIZE)):
            parts.append(f'<g class="line" style="animation-delay: {seconds:.2f}s">{texts}</g>')
    return "\n".join([*parts, "</svg>", ""])


def _rows(shown: list[Shown], columns: int) -> Iterator[tuple[float, list[Run]]]:
    """The lines of the window, each with the time at which it appears."""
    seconds = 0.0
    for index, (command, output) in enumerate(shown):
        if index:
            yield seconds, []
        seconds += COMMAND_SECONDS if index else 0.3
        for number, line in enumerate(command.split("\n")):
            for part, row in enumerate(lines(line, columns - 2)):
                mark = MORE if number else PROMPT
                bold = [Run(one.text, one.styles | {"bold"}) for one in row]
                yield seconds, [mark if not part else Run("  ", frozenset()), *bold]
        seconds += COMMAND_SECONDS / 2
        for row in output:
            yield seconds, row
            seconds += LINE_SECONDS


def _narrow_or_wide(row: list[Run]) -> Iterator[Run]:
    """The parts of a line, cut so that all characters of a part have one width."""
    for text, styles in row:
        for _, characters in groupby(text, key=lambda one: width(one) > 1):
            yield Run("".join(characters), styles)


def _texts(row: list[Run], y: int) -> Iterator[str]:
    """The elements of a line: each part has its place and length, whatever the font is."""
    column = 0
    for run in _narrow_or_wide(row):
        start = column + width(run.text) - width(run.text.lstrip(" "))
        column += width(run.text)
        text = run.text.strip(" ")
        if text:
            classes = f' class="{" ".join(sorted(run.styles))}"' if run.styles else ""
            yield (
                f'<text{classes} x="{EDGE + start * CELL:.1f}" y="{y}" '
                f'textLength="{width(text) * CELL:.1f}">{escape(text, quote=False)}</text>'
            )
