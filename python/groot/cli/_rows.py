"""The forms of rows: JSON lines, CSV, a table, a table of Markdown.

Numbers are written with the digits that the store has.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sys
import unicodedata
from datetime import datetime
from typing import IO, Any

from groot.cli._columns import Columns
from groot.cli._talk import has_colours

_MEASURED = 1000
"""The number of rows whose widths decide those of a table."""
_NARROWEST = 8
_needs_quotes = re.compile(r'[,"\r\n]|^\s|\s$|^$').search
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


class Number(str):
    """The text of a number."""

    __slots__ = ()


_WORDS = {None: "null", True: "true", False: "false"}
_NUMBERS = (int, float, Number)


def rows_of(form: str, columns: Columns, file: IO[bytes], *, is_file: bool) -> Rows:
    """Return the writer of a form.

    Args:
        form: "table", "json", "csv" or "markdown".
        columns: The columns.
        file: The file to write to.
        is_file: Whether it is another file than standard output.

    Returns:
        The writer.
    """
    if form == "table":
        return _Table(columns, file, is_terminal=not is_file and sys.stdout.isatty())
    made: dict[str, type[Rows]] = {"json": _Lines, "csv": _CSV, "markdown": _Markdown}
    return made[form](columns, file)


class Rows:
    """A writer of rows."""

    def __init__(self, columns: Columns, file: IO[bytes]) -> None:
        """Begin."""
        self._file = file
        self._lines: list[str] = []
        self.names = columns.names

    def add(self, values: list[Any]) -> None:
        """Write a row.

        Args:
            values: A value for each column.
        """

    def flush(self) -> None:
        """Write the rows so far to the file."""
        if self._lines:
            text = "\n".join(self._lines)
            self._lines.clear()
            self._file.write(f"{text}\n".encode("utf-8", "surrogateescape"))

    def end(self) -> None:
        """Write the rest."""
        self.flush()

    def _write(self, line: str) -> None:
        self._lines.append(line)


class _Lines(Rows):
    """An object of JSON a line."""

    def __init__(self, columns: Columns, file: IO[bytes]) -> None:
        super().__init__(columns, file)
        self._keys = [json.dumps(one, ensure_ascii=False) for one in self.names]

    def add(self, values: list[Any]) -> None:
        pairs = (f"{key}:{as_json(one)}" for key, one in zip(self._keys, values))
        self._write(f"{{{','.join(pairs)}}}")


class _CSV(Rows):
    """Values that are separated by commas: nothing for null, and "" for an empty text."""

    def __init__(self, columns: Columns, file: IO[bytes]) -> None:
        super().__init__(columns, file)
        self._write(",".join(map(_quoted, self.names)))

    def add(self, values: list[Any]) -> None:
        self._write(",".join("" if one is None else _quoted(text_of(one)) for one in values))


class _Markdown(Rows):
    """A table of Markdown."""

    def __init__(self, columns: Columns, file: IO[bytes]) -> None:
        super().__init__(columns, file)
        self._write(f"| {' | '.join(map(_escaped, self.names))} |")
        self._write(f"|{' --- |' * len(self.names)}")

    def add(self, values: list[Any]) -> None:
        cells = ("" if one is None else _escaped(text_of(one)) for one in values)
        self._write(f"| {' | '.join(cells)} |")


class _Table(Rows):
    """A table whose widths are those of the first rows.

    On a terminal it fits the terminal, and columns grow with later rows: a number must not be cut.
    """

    def __init__(self, columns: Columns, file: IO[bytes], *, is_terminal: bool) -> None:
        super().__init__(columns, file)
        self._is_terminal = is_terminal
        self._dates = [one.type == "date" and is_terminal for one in columns.columns]
        self._columns = shutil.get_terminal_size().columns if is_terminal else None
        self._waiting: list[list[tuple[str, bool]]] = []
        self._whole = [width_of(one) for one in self.names]
        """The widths of the columns without a cut."""
        self._widths: list[int] | None = None

    def add(self, values: list[Any]) -> None:
        cells = [
            (_local(one) if is_date else shown(one), type(one) in _NUMBERS)
            for one, is_date in zip(values, self._dates)
        ]
        if self._widths is None:
            self._waiting.append(cells)
            if len(self._waiting) == _MEASURED:
                self._begin()
            return
        if self._is_terminal:
            self._measure(cells)
            self._widths = self._fitted()
        self._write(self._line(cells, self._widths))

    def end(self) -> None:
        if self._widths is None:
            self._begin()
        super().end()

    def _begin(self) -> None:
        rows, self._waiting = self._waiting, []
        for cells in rows:
            self._measure(cells)
        widths = self._widths = self._fitted()
        head = self._line([(one, False) for one in self.names], widths)
        is_bold = self._is_terminal and has_colours(sys.stdout)
        self._write(f"{_BOLD}{head}{_PLAIN}" if is_bold else head)
        self._write("  ".join("-" * width for width in widths))
        for cells in rows:
            self._write(self._line(cells, widths))

    def _measure(self, cells: list[tuple[str, bool]]) -> None:
        """Widen the columns for a row."""
        self._whole = [max(width, width_of(text)) for width, (text, _) in zip(self._whole, cells)]

    def _fitted(self) -> list[int]:
        """Return the widths of the columns as they are shown."""
        return self._whole if self._columns is None else _fitting(self._whole, self._columns)

    def _line(self, cells: list[tuple[str, bool]], widths: list[int]) -> str:
        parts = []
        for (text, is_right), width in zip(cells, widths):
            written = cut(text, width) if self._is_terminal else text
            space = " " * (width - width_of(written))
            parts.append(f"{space}{written}" if is_right else f"{written}{space}")
        return "  ".join(parts).rstrip()


def as_json(value: Any) -> str:
    """Write a value as JSON, numbers as they are."""
    if value is None or value is True or value is False:
        return _WORDS[value]
    if isinstance(value, Number):
        return value
    if type(value) is int:
        return str(value)
    if isinstance(value, list):
        return f"[{','.join(map(as_json, value))}]"
    if isinstance(value, dict):
        pairs = (f"{as_json(key)}:{as_json(one)}" for key, one in value.items())
        return f"{{{','.join(pairs)}}}"
    return json.dumps(value, ensure_ascii=False)


def text_of(value: Any) -> str:
    """Write a value as text: a text as it is, lists and objects as JSON."""
    return value if isinstance(value, str) else as_json(value)


def shown(value: Any) -> str:
    """Write a value on one line, without control characters."""
    if value is None:
        return ""
    text = text_of(value)
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else _code(one) for one in text)


def width_of(text: str) -> int:
    """Return the number of columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))


def cut(text: str, width: int) -> str:
    """Cut a text to a width."""
    if width_of(text) <= width:
        return text
    kept = text[: width - 1]
    while width_of(kept) > width - 1:
        kept = kept[:-1]
    return f"{kept}…"


def _code(character: str) -> str:
    return json.dumps(character)[1:-1] if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


def _quoted(text: str) -> str:
    """Write a value of CSV, in quotes where it needs them."""
    if _needs_quotes(text) is None:
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _escaped(text: str) -> str:
    """Write a cell of Markdown."""
    escaped = text.replace("\\", "\\\\").replace("|", "\\|")
    return escaped.replace("\r\n", "\n").replace("\n", "<br>").replace("\r", "<br>")


def _local(value: Any) -> str:
    """Write a date in the zone of the terminal."""
    with contextlib.suppress(ValueError, OverflowError, TypeError):
        local = datetime.fromisoformat(value.replace("Z", "+00:00")).astimezone()
        return local.isoformat(sep=" ")
    return shown(value)


def _fitting(widths: list[int], total: int) -> list[int]:
    """Narrow the widest columns until all fit, none below a few characters."""
    room = total - 2 * (len(widths) - 1)
    widths = [min(one, max(room, _NARROWEST)) for one in widths]
    while sum(widths) > room and max(widths) > _NARROWEST:
        index = widths.index(max(widths))
        least = max([_NARROWEST, *widths[:index], *widths[index + 1 :]])
        over = sum(widths) - room
        widths[index] = max(min(least, widths[index] - 1), widths[index] - over)
    return widths
