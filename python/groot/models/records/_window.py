"""A window on the text of a file: it moves forward and grows only for values that do not fit."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import accumulate, repeat
from typing import Any

from groot.errors import Error, Issue, Status, error
from groot.models.records._sources import Readable

LEVELS = 512
"""The deepest nesting of a text."""
PIECE = 1 << 18
"""The bytes that are read at a time; with four times as many an inference takes 8 % longer."""

_MARGIN = 16  # a literal, number or escape that is cut is cut within so many characters
_SHALLOW = 2 * LEVELS
_MARK = "\ufeff"
_white = re.compile(r"[ \t\n\r]*").match
_between = re.compile(r"[ \t\n\r\x1e]*").match
_texts = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_constants = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|(NaN|-?Infinity)', re.DOTALL)
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}
_no_brackets = re.compile(r"[^\[\]{}]+")


class _ConstantError(ValueError):
    """NaN or an infinity."""


def _refuse(name: str) -> Any:
    raise _ConstantError(name)


def _integer(text: str) -> Any:
    try:
        return int(text)
    except ValueError:  # Python limits the number of digits that it reads
        return Decimal(text)


class Window:
    """The text of a file from a position on, and a place in it."""

    def __init__(self, name: str, file: Readable, parse_float: Any = None) -> None:
        """Begin at the beginning of an open file.

        Args:
            name: The name of the file, for messages.
            file: The file, open for bytes.
            parse_float: A function that makes the value of a number with a fraction.
        """
        self.text = ""
        self.at = 0
        self.ended = False
        self.last = 0
        """The end of the last value that `take` took, perhaps with white space behind it."""
        self._name = name
        self._file = file
        self._parse_float = parse_float
        self._scan = self._scanner(None)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._bytes = 0
        self._is_begun = False
        self._line = 1
        self._counted = 0
        self._column = 0

    def _scanner(self, parse_int: Any) -> Callable[[str, int], tuple[Any, int]]:
        decoder: Any = json.JSONDecoder(
            parse_float=self._parse_float, parse_int=parse_int, parse_constant=_refuse
        )
        scan: Callable[[str, int], tuple[Any, int]] = decoder.scan_once
        return scan

    def more(self) -> None:
        """Drop the text before the place, and read as much as there is, at least a piece."""
        self._count(self.at)
        start = self.text.rfind("\n", 0, self.at)
        self._column = self.at - start - 1 if start >= 0 else self._column + self.at
        self.text = self.text[self.at :]
        self._counted = self.at = 0
        piece = self._file.read(max(PIECE, len(self.text)))
        self.ended = not piece
        begin = self._bytes - len(self._decoder.getstate()[0])
        try:
            added = self._decoder.decode(piece, self.ended)
        except UnicodeDecodeError as cause:
            offset = begin + cause.start
            message = f"{self._name}: byte {offset} is not UTF-8: {cause.reason}"
            issue = Issue(Status.INVALID_UTF8, message, offset=offset)
            raise Error(Status.INVALID_UTF8, (issue,)) from None
        self._bytes += len(piece)
        if added and not self._is_begun:
            self._is_begun = True
            added = added.removeprefix(_MARK)
        self.text += added

    def peek(self, is_between: bool = False) -> str:
        """Skip white space and return the next character, or nothing at the end.

        Args:
            is_between: Whether the place is between two documents, where record separators stand.

        Returns:
            The character.
        """
        skip = _between if is_between else _white
        while True:
            found: Any = skip(self.text, self.at)
            self.at = found.end()
            if self.at < len(self.text) or self.ended:
                return self.text[self.at : self.at + 1]
            self.more()

    def take(self, values: list[Any], starts: list[int], closing: str) -> bool:
        """Take all elements of an array, or values between documents, that are in the text.

        Args:
            values: The list that the values are added to.
            starts: The list that their positions in the text are added to.
            closing: "]" for elements, and nothing for values one after another.

        Returns:
            Whether the end of the array was reached and passed. Otherwise the place is at a value
            that is not whole; at the end of the text it is after all values.
        """
        text, at, scan, skip = self.text, self.at, self._scan, _white if closing else _between
        limit = len(text) if self.ended else len(text) - _MARGIN
        try:
            while True:
                value, end = scan(text, at)
                if end > limit:
                    break
                if end - at > _SHALLOW:
                    self._check_levels(at, end)
                following = text[end : end + 1]
                if closing:
                    if following != ",":
                        end = skip(text, end).end()  # type: ignore[union-attr]
                        following = text[end : end + 1]
                        if following == closing:
                            values.append(value)
                            starts.append(at)
                            self.last = end
                            self.at = end + 1
                            return True
                        if following != ",":
                            if not following and not self.ended:
                                break
                            raise self.wrong(end, "a comma or ] is missing")
                    end += 1
                values.append(value)
                starts.append(at)
                self.last = end - 1 if closing else end
                at = end
                if text[at : at + 1] in " \n\r\t\x1e":
                    at = skip(text, at).end()  # type: ignore[union-attr]
                    if not closing and at == len(text):
                        break
        except (StopIteration, ValueError, RecursionError, ArithmeticError) as cause:
            self.at = at
            self._stopped(cause)
        self.at = at
        return False

    def value(self) -> Any:
        """Read the whole value at the place, however large it is."""
        while True:
            found = self._attempt()
            if found:
                return found[0]
            self.more()

    def skip(self, level: int = 0) -> None:
        """Pass over the value at the place, and hold no more of it than a piece or a scalar."""
        if level > LEVELS:
            raise self._too_deep()
        while not self._attempt():
            is_container = self.text[self.at : self.at + 1] in ("{", "[")
            if is_container and len(self.text) - self.at >= PIECE:
                for _ in self.members() if self.text[self.at] == "{" else self.elements():
                    self.skip(level + 1)
                return
            self.more()

    def fits(self) -> bool:
        """Whether the value at the place ends within a piece."""
        while not self._is_whole():
            if len(self.text) - self.at >= PIECE:
                return False
            self.more()
        return True

    def elements(self) -> Iterator[int]:
        """Yield the indexes of an array at the place; the caller reads or skips each element."""
        self.at += 1
        if self.peek() == "]":
            self.at += 1
            return
        index = 0
        while True:
            self.peek()
            yield index
            index += 1
            if self._is_last("]"):
                return

    def members(self) -> Iterator[str]:
        """Yield the keys of an object at the place; the caller reads or skips each value."""
        self.at += 1
        if self.peek() == "}":
            self.at += 1
            return
        while True:
            if self.peek() != '"':
                raise self.wrong(self.at, "a key in double quotes is missing")
            key: str = self.value()
            if self.peek() != ":":
                raise self.wrong(self.at, "a colon is missing")
            self.at += 1
            self.peek()
            yield key
            if self._is_last("}"):
                return

    def _is_last(self, closing: str) -> bool:
        """Pass over the comma or the end after a value."""
        following = self.peek()
        if following not in (",", closing):
            raise self.wrong(self.at, f"a comma or {closing} is missing")
        self.at += 1
        return following == closing

    def _attempt(self) -> list[Any]:
        """Read the value at the place if it is whole, and return it in a list."""
        try:
            value, end = self._scan(self.text, self.at)
        except (StopIteration, ValueError, RecursionError, ArithmeticError) as cause:
            self._stopped(cause)
            return []
        if end > len(self.text) - _MARGIN and not self.ended:
            return []
        if end - self.at > _SHALLOW:
            self._check_levels(self.at, end)
        self.at = end
        return [value]

    def _is_whole(self) -> bool:
        at = self.at
        is_whole = bool(self._attempt())
        self.at = at
        return is_whole

    def _stopped(self, cause: Exception) -> None:
        """Return if the text is only cut where the scanner stopped, and raise its error if not."""
        if isinstance(cause, RecursionError):
            raise self._too_deep() from None
        if isinstance(cause, _ConstantError):
            found = (one for one in _constants.finditer(self.text, self.at) if one[1])
            at = next((one.start() for one in found), self.at)
            raise self.wrong(at, f"{cause} is not JSON") from None
        if isinstance(cause, ArithmeticError):
            raise self.wrong(self.at, "a number is too large for Python") from None
        is_syntax = isinstance(cause, json.JSONDecodeError)
        if isinstance(cause, ValueError) and not is_syntax:
            self._scan = self._scanner(_integer)
            return
        at = cause.pos if isinstance(cause, json.JSONDecodeError) else self.at
        reason = cause.msg if isinstance(cause, json.JSONDecodeError) else "a value is missing"
        if isinstance(cause, StopIteration):
            at = cause.value
        is_open = reason.startswith("Unterminated string")
        if self.ended or not (is_open or at > len(self.text) - _MARGIN):
            if self.ended and at >= len(self.text):
                reason = "the text ends too early"
            raise self.wrong(at, reason) from None

    def missing(self, line: int, reason: str) -> Error:
        """Make the error of a document that lacks something."""
        return error(Status.MISSING_VALUE, f"{self._name}:{line}: {reason}")

    def _check_levels(self, start: int, end: int) -> None:
        """Refuse a value that nests too deep."""
        text = self.text
        if text.count("[", start, end) + text.count("{", start, end) > LEVELS:
            brackets = _no_brackets.sub("", _texts.sub("", text[start:end]))
            if max(accumulate(map(_STEPS.__getitem__, brackets))) > LEVELS:
                raise self._too_deep()

    def _too_deep(self) -> Error:
        return self.wrong(self.at, f"the value has more than {LEVELS} levels")

    def lines(self, starts: list[int]) -> list[int]:
        """Return the numbers of the lines of ascending positions in the text."""
        if not starts:
            return []
        self._count(starts[0])
        if self.text.find("\n", starts[0], starts[-1]) < 0:
            return [self._line] * len(starts)
        ends = map(self.text.count, repeat("\n"), starts, starts[1:])
        found = list(accumulate(ends, initial=self._line))
        self._counted, self._line = starts[-1], found[-1]
        return found

    def line(self) -> int:
        """Return the number of the line of the place."""
        self._count(self.at)
        return self._line

    def _count(self, to: int) -> None:
        if to > self._counted:
            self._line += self.text.count("\n", self._counted, to)
            self._counted = to

    def wrong(self, at: int, reason: str, status: int = Status.INVALID_JSON) -> Error:
        """Make the error of a position in the text.

        Args:
            at: The position in the text.
            reason: The problem.
            status: The kind of failure.

        Returns:
            The error, for the caller to raise.
        """
        line = self._line + self.text.count("\n", self._counted, at)
        line -= self.text.count("\n", at, self._counted)
        start = self.text.rfind("\n", 0, at)
        column = at - start if start >= 0 else self._column + at + 1
        return error(status, f"{self._name}:{line}:{column}: {reason}")
