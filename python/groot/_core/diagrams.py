"""Diagrams of models: SVG without scripts, in which every text is escaped.

An entity is a box with its properties. A line leads from the row of a relationship to the box of
its destination; inverses share one, with an arrow at each end. A dashed line leads to the parent.

A notebook gives a diagram its colour. A file is shown alone, so it has colours of its own.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from groot._core.shown import cut, name_text

_ENTITIES = 40
_ROWS = 25
_ROW = 16
_CHARACTER = 7
_PADDING = 8
_GAP_ACROSS, _GAP_DOWN = 70, 30
_FONT = "font: 12px ui-monospace, monospace"
_COLOURS = (
    "svg{color:#1f2328;fill:currentColor}rect{fill:#fff}"
    "@media(prefers-color-scheme:dark){svg{color:#e6edf3}rect{fill:#0d1117}}"
)


class _Box(NamedTuple):
    """The place of an entity."""

    x: int
    y: int
    width: int
    rows: list[str]
    lines: dict[str, int]
    """By relationship the row that its line begins at."""

    @property
    def height(self) -> int:
        return (len(self.rows) + 1) * _ROW + _PADDING

    def side(self, other: _Box) -> tuple[int, int]:
        """Return the edge that is nearer to another box, and the direction out of it."""
        is_left = other.x + other.width / 2 < self.x + self.width / 2
        return (self.x, -1) if is_left else (self.x + self.width, 1)


def diagram(entities: Mapping[str, Any]) -> str:
    """Draw a model; empty for one that is empty or has too many entities to be read."""
    if not 0 < len(entities) <= _ENTITIES:
        return ""
    style = f'style="{_FONT}; max-width: none" fill="currentColor"'
    return _svg(entities, _ROWS, style, "")


def document(entities: Mapping[str, Any]) -> str:
    """Draw a model with all its properties as the document of a file."""
    page = f'<style>{_COLOURS}</style><rect width="100%" height="100%"/>'
    return _svg(entities, None, f'style="{_FONT}"', page)


def _svg(entities: Mapping[str, Any], limit: int | None, style: str, page: str) -> str:
    boxes = _boxes(entities, limit)
    width = max((box.x + box.width for box in boxes.values()), default=0) + _GAP_ACROSS // 2
    height = max((box.y + box.height for box in boxes.values()), default=0) + _PADDING
    parts = [*_lines(entities, boxes), *(_drawn(name, box) for name, box in boxes.items())]
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{page}{"".join(parts)}</svg>'


def _boxes(entities: Mapping[str, Any], limit: int | None) -> dict[str, _Box]:
    """Place the entities in columns, related ones near each other."""
    order = _order(entities)
    if not order:
        return {}
    columns = math.isqrt(len(order) - 1) + 1
    bottoms = [_PADDING] * columns
    contents = {name: _rows(entities[name], limit) for name in order}
    widths = {name: _width(name, rows) for name, (rows, _) in contents.items()}
    across = max(widths.values()) + _GAP_ACROSS
    found = {}
    for name in order:
        column = bottoms.index(min(bottoms))
        rows, lines = contents[name]
        x = _GAP_ACROSS // 2 + column * across
        found[name] = box = _Box(x, bottoms[column], widths[name], rows, lines)
        bottoms[column] += box.height + _GAP_DOWN
    return found


def _order(entities: Mapping[str, Any]) -> list[str]:
    """Order entities so that each follows one that it is related to, where there is one."""
    found: dict[str, None] = {}
    for start in entities:
        rest = [start]
        while rest:
            name = rest.pop(0)
            if name in found:
                continue
            found[name] = None
            relationships = entities[name].get("relationships", {}).values()
            rest += [one["destination"] for one in relationships]
            rest += [one for one, each in entities.items() if each.get("parent") == name]
    return list(found)


def _rows(described: Mapping[str, Any], limit: int | None) -> tuple[list[str], dict[str, int]]:
    """Return the rows of a box, and the row of each relationship."""
    rows = [
        f"{name_text(name)}: {one['type']}{'?' if one.get('optional') else ''}"
        for name, one in described.get("attributes", {}).items()
    ]
    lines = {}
    for name, one in described.get("relationships", {}).items():
        lines[name] = len(rows) if limit is None else min(len(rows), limit)
        arrow = "⇉" if one.get("toMany") else "→"
        rows.append(f"{name_text(name)} {arrow} {name_text(one['destination'])}")
    more = 0 if limit is None else len(rows) - limit
    return ([*rows[:limit], f"… {more:,} more"] if more > 0 else rows), lines


def _width(name: str, rows: list[str]) -> int:
    longest = max(len(cut(one)) for one in (name_text(name), *rows))
    return longest * _CHARACTER + 2 * _PADDING


def _drawn(name: str, box: _Box) -> str:
    """Draw a box with its texts."""
    frame = f'x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="4"'
    rule = box.y + _ROW + 4
    parts = [
        f'<rect {frame} fill="none" stroke="currentColor"/>',
        f'<path d="M{box.x} {rule}h{box.width}" stroke="currentColor" stroke-opacity="0.4"/>',
        _text(box.x, box.y + _ROW - 2, name_text(name), ' font-weight="bold"'),
    ]
    for number, row in enumerate(box.rows, 1):
        parts.append(_text(box.x, box.y + (number + 1) * _ROW, row))
    return "".join(parts)


def _text(x: int, y: int, text: str, more: str = "") -> str:
    return f'<text x="{x + _PADDING}" y="{y}"{more}>{html.escape(cut(text))}</text>'


def _lines(entities: Mapping[str, Any], boxes: Mapping[str, _Box]) -> Iterator[str]:
    drawn = set()
    for name, described in entities.items():
        parent = described.get("parent")
        if parent:
            yield _line(boxes[name], 0, boxes[parent], 0, ' stroke-dasharray="4 3"', "")
        for relationship, one in described.get("relationships", {}).items():
            destination, inverse = one["destination"], one.get("inverse")
            if (destination, inverse) in drawn:
                continue
            drawn.add((name, relationship))
            box, other = boxes[name], boxes[destination]
            start = box.lines[relationship] + 1
            end = 0 if inverse is None else other.lines.get(inverse, -1) + 1
            yield _line(box, start, other, end, "", "both" if inverse else "end")


def _line(box: _Box, row: int, other: _Box, other_row: int, more: str, arrows: str) -> str:
    """Draw a line from a row of a box to a row of another."""
    (x, out), (end_x, end_out) = box.side(other), other.side(box)
    if box is other:
        end_x, end_out = x, out
        other_row = 0 if row == other_row else other_row
    elif box.x == other.x:
        x, out, end_x, end_out = box.x, -1, other.x, -1
    y, end_y = box.y + row * _ROW + 12, other.y + other_row * _ROW + 12
    reach = _GAP_ACROSS // 2
    curve = f"M{x} {y}C{x + out * reach} {y} {end_x + end_out * reach} {end_y} {end_x} {end_y}"
    heads = [_head(end_x, end_y, end_out)]
    if arrows == "both":
        heads.append(_head(x, y, out))
    return f'<path d="{curve}{"".join(heads)}" fill="none" stroke="currentColor"{more}/>'


def _head(x: int, y: int, out: int) -> str:
    return f"M{x + out * 7} {y - 4}L{x} {y}l{out * 7} 4"
