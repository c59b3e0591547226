"""The reader of records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from groot.errors import Status, error
from groot.models._pointers import parts
from groot.models.records import _forms, _outline
from groot.models.records._outline import Outline
from groot.models.records._sources import FileSource, Input, Source, source_of
from groot.models.records._window import Window

FORMS = ("array", "keyed", "grouped", "value")
_FEW = 1024


@dataclass(frozen=True)
class Batch:
    """Some records that follow one another in a file."""

    records: list[Any]
    """The values as `json.loads` gives them; pairs of key and value in the other forms."""
    file: str
    """The file; "-" for standard input."""
    first: int
    """The index of the first record among those of this file and root, from 0."""
    places: list[int]
    """For each record the line where it begins, from 1; 0 without a text."""
    text: str | None = None
    """The text of the records between the brackets of an array, if they come from one."""


class Records:
    """The records of inputs, which can be read more than once.

    As a context manager it deletes the copies of streams at the end.
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        *,
        lines: bool = False,
        root: str | None = None,
        form: str = "array",
        parse_float: Any = None,
        optional: bool = False,
    ) -> None:
        """Take inputs; a file is opened when its records are read.

        Args:
            inputs: Paths, "-" for standard input, files that are open for bytes, or values: a list
                of records or a document. Files may be packed with gzip or Zstandard. Streams are
                copied to temporary files.
            lines: Whether a file has one value a line, so that an array at the top is a record.
                Files whose names end in `.ndjson` or `.jsonl` have.
            root: The JSON Pointer to the records in each document; by default the document.
            form: "array": the elements of an array, or one value. "keyed": the members of an
                object, as pairs of key and value. "grouped": pairs of key and list. "value": the
                value at the root as it is. Null at a root below the top has no records.
            parse_float: A function that makes the value of a number with a fraction or an exponent
                from its text, such as `decimal.Decimal`.
            optional: Whether a document without the root has no records, instead of an error.

        Raises:
            groot.Error: If an input, the root or the form is not one of these.
        """
        self._lines = lines
        self._owned: list[Source] = []
        if form not in FORMS:
            message = f"the form {form!r} is not one of {', '.join(FORMS)}"
            raise error(Status.INVALID_ARGUMENT, message)
        parts(root)
        self._place = _forms.Place(root or "", form, optional)
        self._parse_float = parse_float
        try:
            for one in inputs:
                self._owned.append(source_of(one))
        except BaseException:
            self.close()
            raise
        self._sources: tuple[Source, ...] = tuple(self._owned)

    def at(
        self,
        root: str | None,
        form: str = "array",
        parse_float: Any = None,
        *,
        optional: bool = False,
    ) -> Records:
        """Return a reader of the same inputs at another root, which lives as long as this one.

        Args:
            root: As in the initialiser.
            form: As in the initialiser.
            parse_float: As in the initialiser.
            optional: As in the initialiser.

        Returns:
            The reader.

        Raises:
            groot.Error: If the root or the form is wrong.
        """
        other = Records(
            [],
            lines=self._lines,
            root=root,
            form=form,
            parse_float=parse_float,
            optional=optional,
        )
        other._sources = self._sources
        return other

    @property
    def is_collection(self) -> bool:
        """Whether the first input begins as an array or as lines, so that records are at its top.

        Raises:
            groot.Error: If the file cannot be read.
        """
        for source in self._sources:
            if not isinstance(source, FileSource):
                return isinstance(source.value, list)
            with source.open() as file:
                first = Window(source.name, file).peek(is_between=True)
            return self._lines or source.has_lines or first == "["
        return False

    @property
    def names(self) -> list[str]:
        """The names of the files among the inputs; "-" is standard input."""
        return [one.name for one in self._sources if isinstance(one, FileSource)]

    def batches(self) -> Iterator[Batch]:
        """Yield all records in their order.

        Yields:
            Records of one file.

        Raises:
            groot.Error: For text that is not JSON, with file, line and column; if a file cannot be
                read; if a document has nothing at the root.
        """
        for source in self._sources:
            first = 0
            for records, places, text in _joined(self._pieces(source)):
                yield Batch(records, source.name, first, places, text)
                first += len(records)

    def _pieces(self, source: Source) -> Iterator[_forms.Piece]:
        if not isinstance(source, FileSource):
            yield from _forms.of_value(source.value, self._place)
            return
        with source.open() as file:
            window = Window(source.name, file, self._parse_float)
            is_lines = self._lines or source.has_lines
            yield from _forms.of_text(window, self._place, is_lines)

    def outline(self) -> Outline:
        """Return a picture of the top of the documents, whatever the root is.

        Returns:
            The picture of all inputs together.

        Raises:
            groot.Error: As `batches`.
        """
        return _outline.of(self._sources, self._lines)

    def close(self) -> None:
        """Delete the copies of streams."""
        for source in self._owned:
            source.close()

    def __enter__(self) -> Records:
        """Return the reader."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Delete the copies of streams."""
        self.close()


def _joined(pieces: Iterator[_forms.Piece]) -> Iterator[_forms.Piece]:
    """Join small pieces, such as those of documents with a record each."""
    records: list[Any] = []
    places: list[int] = []
    text: str | None = None
    for some, lines, part in pieces:
        if not records:
            records, places, text = some, lines, part
        else:
            records += some
            places += lines
            text = None if text is None or part is None else f"{text},{part}"
        if len(records) >= _FEW:
            yield records, places, text
            records, places = [], []
    if records:
        yield records, places, text
