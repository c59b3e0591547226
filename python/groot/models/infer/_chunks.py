"""Pieces of a sample, whose records are read from their text only when they are needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from groot.models.infer._numbers import Decode


class Chunk:
    """Some records that follow one another, as values or as text."""

    __slots__ = ("_decode", "_records", "count", "text")

    def __init__(
        self, count: int, text: str | None, records: list[Any] | None, decode: Decode | None = None
    ) -> None:
        """Take records.

        Args:
            count: The number of records.
            text: Their JSON text between the brackets of an array, if they come from one.
            records: The records, or pairs of key and record; None if only the text is known.
            decode: The function that reads the text.
        """
        self.count = count
        self.text = text
        self._records = records
        self._decode = decode

    @property
    def array(self) -> str | None:
        """The text of the records as an array, if it is known."""
        return None if self.text is None else f"[{self.text}]"

    @property
    def records(self) -> list[Any]:
        """The records, or pairs of key and record."""
        array = self.array if self._records is None else None
        if array is not None and self._decode is not None:
            self._records = self._decode(array)
        return self._records or []


def joined(chunks: Iterable[Chunk], at_least: int) -> Iterator[Chunk]:
    """Join pieces until they have so many records.

    Args:
        chunks: The pieces.
        at_least: The number of records; the last piece may have fewer.

    Yields:
        Pieces.
    """
    waiting: list[Chunk] = []
    count = 0
    for chunk in chunks:
        waiting.append(chunk)
        count += chunk.count
        if count >= at_least:
            yield _one(waiting, count)
            waiting, count = [], 0
    if waiting:
        yield _one(waiting, count)


def _one(chunks: list[Chunk], count: int) -> Chunk:
    if len(chunks) == 1:
        return chunks[0]
    texts = [chunk.text for chunk in chunks if chunk.text is not None]
    text = ",".join(texts) if len(texts) == len(chunks) else None
    decode = chunks[0]._decode
    if text is not None and decode is not None:
        return Chunk(count, text, None, decode)
    return Chunk(count, text, [record for chunk in chunks for record in chunk.records])
