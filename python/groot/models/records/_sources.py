"""The inputs of a reader: files, standard input, open files, and values of Python."""

from __future__ import annotations

import contextlib
import gzip
import importlib
import os
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol, Union

from groot.errors import Error, Status, error, file_error

Input = Union[str, "os.PathLike[str]", "FileSource", BinaryIO, Mapping[str, Any], Iterable[Any]]

STANDARD_INPUT = "-"
MARK = b"\xef\xbb\xbf"
"""The byte order mark that some programs write at the beginning of a text."""
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_PACKED = (".gz", ".zst")
_LINES = (".ndjson", ".jsonl")
_ZSTD_MODULES = ("compression.zstd", "zstandard")


class Readable(Protocol):
    """A file of bytes, as much of it as a window needs."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes, and none only at the end."""


class FileSource:
    """A file that can be opened again and again, perhaps a copy of a stream."""

    def __init__(self, name: str, path: str, is_copy: bool = False) -> None:
        self.name = name
        self.path = path
        self._is_copy = is_copy

    @property
    def has_lines(self) -> bool:
        """Whether the name is that of a file with one value a line."""
        name = self.name.lower()
        for ending in _PACKED:
            name = name[: -len(ending)] if name.endswith(ending) else name
        return name.endswith(_LINES)

    def is_plain(self) -> bool:
        """Whether the file is its text: neither packed nor with a byte order mark.

        Raises:
            groot.Error: If the file cannot be read.
        """
        try:
            with Path(self.path).open("rb") as file:
                return not file.read(len(_ZSTD)).startswith((_GZIP, _ZSTD, MARK))
        except OSError as cause:
            raise file_error(self.name, "read", cause) from cause

    @contextlib.contextmanager
    def open(self) -> Iterator[Readable]:
        """Open the file for its bytes after unpacking.

        Yields:
            The file.

        Raises:
            groot.Error: If the file cannot be read or unpacked.
        """
        with contextlib.ExitStack() as opened:
            try:
                file = opened.enter_context(Path(self.path).open("rb"))
            except OSError as cause:
                raise file_error(self.name, "read", cause) from cause
            try:
                yield self._unpacked(file)
            except Error:
                raise
            except (OSError, EOFError, zlib.error) as cause:
                reason = getattr(cause, "strerror", None) or cause
                message = f"{self.name} cannot be read: {reason}"
                raise error(Status.FILE_ERROR, message) from cause

    def _unpacked(self, file: IO[bytes]) -> Readable:
        start = file.read(len(_ZSTD))
        file.seek(0)
        if start.startswith(_GZIP):
            return gzip.GzipFile(fileobj=file)
        return _Zstd(self.name, file) if start == _ZSTD else file

    def close(self) -> None:
        """Delete the file if it is a copy."""
        if self._is_copy:
            self._is_copy = False
            Path(self.path).unlink()


class ValueSource:
    """Values of Python in the place of a file."""

    name = "<values>"
    has_lines = False

    def __init__(self, value: Any) -> None:
        self.value = value

    def close(self) -> None:
        """Do nothing, since values hold nothing."""


Source = Union[FileSource, ValueSource]


class _Zstd:
    """The bytes of a file that is packed with Zstandard."""

    def __init__(self, name: str, file: IO[bytes]) -> None:
        self._name = name
        module = next(filter(None, map(_imported, _ZSTD_MODULES)), None)
        if module is None:
            remedy = "install groot-graph[zstd], or use Python 3.14"
            message = f"{name} is packed with Zstandard, which this Python cannot read; {remedy}"
            raise error(Status.UNSUPPORTED, message)
        self._wrong: type[Exception] = module.ZstdError
        if hasattr(module, "ZstdFile"):
            self._reader = module.ZstdFile(file)
        else:
            self._reader = module.ZstdDecompressor().stream_reader(file, read_across_frames=True)

    def read(self, size: int, /) -> bytes:
        try:
            piece: bytes = self._reader.read(size)
        except self._wrong as cause:
            message = f"{self._name} cannot be read: {cause}"
            raise error(Status.FILE_ERROR, message) from cause
        return piece


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def source_of(given: Input) -> Source:
    """Return the source for an input; a stream is copied to a temporary file.

    Args:
        given: A path, "-" for standard input, a source of another reader, a file that is open for
            bytes, or values.

    Returns:
        The source.

    Raises:
        groot.Error: If the input is of another kind, or a stream cannot be read.
    """
    if isinstance(given, FileSource):
        return FileSource(given.name, given.path)  # its owner deletes a copy
    if isinstance(given, str) and given == STANDARD_INPUT:
        return _copy(sys.stdin.buffer, STANDARD_INPUT)
    if isinstance(given, (str, os.PathLike)):
        path = os.fspath(given)
        return FileSource(path, path) if not _is_stream(path) else _copied(path)
    if isinstance(given, (Mapping, list)):
        return ValueSource(given)
    read: Any = getattr(given, "read", None)
    if read is not None:
        return _copy(given, str(getattr(given, "name", "<stream>")))
    if isinstance(given, Iterable) and not isinstance(given, (bytes, bytearray, memoryview)):
        return ValueSource(list(given))
    kind = type(given).__name__
    message = f"an input is a {kind}; give a path, '-', a file open for bytes, or a list of values"
    raise error(Status.INVALID_ARGUMENT, message)


def _is_stream(path: str) -> bool:
    """Whether a path is that of a pipe or a device, which can be read once."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False  # the error comes when the file is opened
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _copied(path: str) -> FileSource:
    try:
        with Path(path).open("rb") as stream:
            return _copy(stream, path)
    except OSError as cause:
        raise file_error(path, "read", cause) from cause


def _copy(stream: Any, name: str) -> FileSource:
    """Copy a stream to a temporary file."""
    number, path = tempfile.mkstemp(prefix="groot-", suffix=".json")
    source = FileSource(name, path, is_copy=True)
    try:
        with os.fdopen(number, "wb") as copy:
            shutil.copyfileobj(stream, copy, 1 << 20)
    except TypeError as cause:
        source.close()
        message = f"{name} is open for text; open it for bytes, with mode 'rb'"
        raise error(Status.INVALID_ARGUMENT, message) from cause
    except OSError as cause:
        source.close()
        raise file_error(name, "read", cause) from cause
    except BaseException:
        source.close()
        raise
    return source
