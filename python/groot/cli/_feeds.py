"""The files that a command reads: paths, packed files, standard input."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from types import TracebackType
from typing import IO, Any

from groot.cli import _requests
from groot.errors import Issue, Status, error
from groot.models.records import MARK, FileSource, Records, source_of

_PIECE = 1 << 18
_NO_JSON = b"\0"
_INDEX = re.compile(r"\$\[(\d+)\]")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments for the place of records in files."""
    group = command.add_argument_group("the records in a file")
    group.add_argument(
        "--root",
        metavar="POINTER",
        help="the JSON Pointer to the records, such as /data/items; by default that of the model",
    )
    group.add_argument(
        "--lines",
        action="store_true",
        help="each line is a record, as in files named .ndjson or .jsonl",
    )
    _requests.add_form(group)


class Feed:
    """The files of a command, which can be read more than once.

    Standard input is copied to a temporary file, which is deleted at the end.
    """

    def __init__(self, files: Sequence[str], *, lines: bool = False) -> None:
        """Take files; "-" is standard input."""
        if list(files).count("-") > 1:
            raise error(Status.INVALID_ARGUMENT, "standard input is given twice; give '-' once")
        self._is_lines = lines
        self.sources: list[FileSource] = []
        try:
            for file in files:
                source = source_of(file)
                if isinstance(source, FileSource):
                    self.sources.append(source)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The name of the file, or the number of several."""
        if len(self.sources) == 1:
            return self.sources[0].name
        return f"{len(self.sources)} files"

    def has_lines(self, source: FileSource) -> bool:
        """Whether each line of a file is a record."""
        return self._is_lines or source.has_lines

    @contextlib.contextmanager
    def path(self, source: FileSource) -> Iterator[str]:
        """Return a path to the text of a file for a `with` statement.

        Args:
            source: One of the files.

        Yields:
            The path. That of a packed file, or of one with a byte order mark, is a pipe, which can
            be read once.

        Raises:
            groot.Error: If the file cannot be read or unpacked.
        """
        if source.is_plain():
            yield source.path
            return
        with _Pipe(source) as path:
            yield path

    def listed(self, root: str | None, form: str | None) -> Listed:
        """Read the records of all files into one list, in which numbers keep their digits.

        Args:
            root: The JSON Pointer to the records.
            form: The arrangement of the records.

        Returns:
            The records.

        Raises:
            groot.Error: If a file cannot be read, or is not JSON.
        """
        if form not in (None, "array"):
            message = f"several files cannot be joined in the form {form}; give one file"
            raise error(Status.INVALID_ARGUMENT, message)
        records: list[Any] = []
        places: list[tuple[int, str, list[int]]] = []
        with Records(self.sources, lines=self._is_lines, root=root, parse_float=Decimal) as reader:
            for batch in reader.batches():
                places.append((len(records), batch.file, batch.places))
                records += batch.records
        return Listed(records, places)

    def close(self) -> None:
        """Delete the copies of standard input."""
        for source in self.sources:
            source.close()

    def __enter__(self) -> Feed:
        """Return the files."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Delete the copies of standard input."""
        self.close()


class Listed:
    """The records of several files as one list."""

    def __init__(self, records: list[Any], places: list[tuple[int, str, list[int]]]) -> None:
        """Take records; `places` has for each part its first index, its file and its lines."""
        self.records = records
        self._places = places

    def located(self, issue: Issue) -> tuple[str | None, Issue]:
        """Return the file of an issue, and the issue with its line and path in that file."""
        found = _INDEX.match(issue.path or "")
        if found is None:
            return None, issue
        index, rest = int(found[1]), (issue.path or "")[found.end() :]
        before: dict[str, int] = {}
        for first, name, lines in self._places:
            if first <= index < first + len(lines):
                path = f"$[{before.get(name, 0) + index - first}]{rest}"
                return name, replace(issue, path=path, line=lines[index - first] or None)
            before[name] = before.get(name, 0) + len(lines)
        return None, issue


class _Pipe:
    """A pipe with the text of a file, which a thread unpacks."""

    def __init__(self, source: FileSource) -> None:
        self._source = source
        self._failure: BaseException | None = None

    def __enter__(self) -> str:
        self._reading, writing = os.pipe()
        self._thread = threading.Thread(target=self._write, args=(writing,), daemon=True)
        self._thread.start()
        return f"/dev/fd/{self._reading}"

    def _write(self, writing: int) -> None:
        with contextlib.suppress(BrokenPipeError), open(writing, "wb") as pipe:
            try:
                self._copy(pipe)
            except BrokenPipeError:
                raise
            except BaseException as failure:
                self._failure = failure
                # The import must not succeed with the text so far.
                pipe.write(_NO_JSON)

    def _copy(self, pipe: IO[bytes]) -> None:
        with self._source.open() as file:
            head = file.read(len(MARK))
            pipe.write(head.removeprefix(MARK))
            while piece := file.read(_PIECE):
                pipe.write(piece)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        os.close(self._reading)
        self._thread.join()
        if self._failure is not None:
            raise self._failure from exception
