"""The records of one root of a sample."""

from __future__ import annotations

import marshal
import re
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Any

from groot.models.infer._chunks import Chunk
from groot.models.infer._numbers import Decode, exact, read
from groot.models.infer._places import Place
from groot.models.infer._roots import Found
from groot.models.infer._survey import add
from groot.models.records import Batch, Records

_IN_MEMORY = 8_000_000
"""A larger copy of the records is in a file."""
_TITLE = re.compile(r"[^\W\d][\w -]{0,40}")


class Sample:
    """The records of one root, read as often as needed."""

    def __init__(self, records: Records, found: Found) -> None:
        """Take a root.

        Args:
            records: The inputs.
            found: The place of the records.
        """
        self.found = found
        self._records = records.at(found.pointer, found.form, exact)
        self.is_positional = False
        self._copy: Any = None
        """A file with all records, for the next passes."""
        self._sizes: list[tuple[int, int, bool]] = []
        """For each piece of the file its bytes, its records and whether it is text."""
        self.decode: Decode = read
        """A function that reads the text of records again."""
        self._headers: set[tuple[str, ...]] = set()
        self._header_count = 0

    @property
    def titles(self) -> dict[str, str]:
        """The titles of columns, where exactly one row has them."""
        if self._header_count != 1:
            return {}
        return {str(number): title for number, title in enumerate(next(iter(self._headers)))}

    def survey(self, place: Place) -> None:
        """Take in all records."""
        for values in self.values():
            if self.is_positional:
                headers = [tuple(row.values()) for row in values if _is_header(row)]
                self._header_count += len(headers)
                self._headers.update(headers[: 2 - len(self._headers)])
            add(place, values)

    def values(self) -> Iterator[list[Any]]:
        """Yield records, in which arrays are objects with positions for keys."""
        for records in self.pairs():
            values = records if self.found.form == "array" else [value for _, value in records]
            if self.found.form == "grouped":
                values = [one for group in values for one in group]
            if values and all(map(_is_row, values)):
                self.is_positional = True
                values = [{str(number): one for number, one in enumerate(row)} for row in values]
            yield values

    def batches(self) -> Iterator[Batch]:
        """Yield the records with their lines."""
        return self._records.batches()

    def pairs(self) -> Iterator[list[Any]]:
        """Yield records, or pairs of key and record."""
        for chunk in self.chunks():
            yield chunk.records

    def chunks(self) -> Iterator[Chunk]:
        """Yield records, or pairs of key and record."""
        if self._copy is not None:
            self._copy.seek(0)
            for size, count, is_text in self._sizes:
                copied = self._copy.read(size)
                if is_text:
                    yield Chunk(count, copied.decode(), None, self.decode)
                else:
                    yield Chunk(count, None, marshal.loads(copied))  # noqa: S302, a file of ours
            return
        copy = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115, it is kept for the next passes
        sizes: list[tuple[int, int, bool]] | None = []
        for batch in self._records.batches():
            count = len(batch.records)
            yield Chunk(count, batch.text, batch.records)
            if sizes is not None:
                copied = _copied(batch)
                if copied is None:
                    sizes = None
                else:
                    sizes.append((copy.write(copied), count, batch.text is not None))
        if sizes is not None:
            self._copy, self._sizes = copy, sizes


def _copied(batch: Batch) -> bytes | None:
    """Return the text of records, or a copy that is faster to read; None for decimals."""
    if batch.text is not None:
        return batch.text.encode()
    try:
        return marshal.dumps(batch.records)
    except ValueError:
        return None


def _is_row(value: Any) -> bool:
    return type(value) is list


def _is_header(row: dict[str, Any]) -> bool:
    texts = list(row.values())
    return len(set(map(str, texts))) == len(texts) and all(
        type(one) is str and _TITLE.fullmatch(one) for one in texts
    )
