"""Imports whose text comes in pieces."""

from __future__ import annotations

from typing import Generic

from groot._core.stream import Stream
from groot.objects import E
from groot.options import JSONText
from groot.sequence import Objects


class ImportStream(Stream, Generic[E]):
    """An import whose text comes in pieces of any size, begun by `Context.importing`.

    The result and the errors are those of an import of the whole text. The context is busy from the
    beginning to the end. As a context manager, the stream finishes at the end of the block. If an
    exception leaves the block, the import is cancelled and has changed nothing.
    """

    __slots__ = ()

    @property
    def result(self) -> Objects[E] | None:
        """The objects of the import, with their report; None until it is finished."""
        found: Objects[E] | None = self._import.result
        return found

    def write(self, data: JSONText) -> None:
        """Take the next piece of the text, which may end anywhere, even within a character.

        Args:
            data: The piece, as str or bytes.

        Raises:
            groot.Error: For invalid JSON, perhaps some pieces later, and after the import is over.
                The issues of wrong records are raised by `finish`, since invalid JSON is reported
                first.
        """
        self._import.write(data)

    def finish(self) -> Objects[E]:
        """End the text, accept the import, and return its objects.

        Returns:
            The objects, with their report.

        Raises:
            groot.Error: As `Context.load`, and after the import is over.
        """
        self._import.finish()
        found: Objects[E] = self._import.result
        return found

    def cancel(self) -> None:
        """Cancel the import, which has then changed nothing; nothing happens if it is over.

        Raises:
            groot.Error: With `Status.BUSY` while a call is running.
        """
        self._import.cancel()
