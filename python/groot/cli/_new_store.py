"""The file of a new store, which gets its name when it is complete."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets

from groot.cli._interrupts import Interrupts
from groot.errors import Status, error, file_error

_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)
_ENDINGS = ("", "-wal", "-shm", "-journal")


class NewStore:
    """A store that is made beside its place: until it gets its name nothing is there."""

    def __init__(self, path: str, interrupts: Interrupts) -> None:
        """Choose the path of the file beside the place of the store."""
        self._path = path
        # The path may be a link.
        self._place = os.path.realpath(path)
        self._interrupts = interrupts
        folder, name = os.path.split(self._place)
        self.made = os.path.join(folder, f".{name}.{secrets.token_hex(4)}.new")
        """The path of the file until then."""

    def name(self) -> None:
        """Give the store its name.

        Raises:
            groot.Error: With `Status.STORE_CONFLICT` if another process has made a file of this
                name meanwhile. It is a `groot.FileError` if the name cannot be given.
        """
        try:
            try:
                os.link(self.made, self._place)
            except OSError as cause:
                if cause.errno not in _NO_LINKS:
                    raise
                if os.path.exists(self._place):
                    raise FileExistsError from cause
                os.rename(self.made, self._place)
        except FileExistsError as cause:
            message = f"the store '{self._path}' was made by another process meanwhile"
            raise error(Status.STORE_CONFLICT, message) from cause
        except OSError as cause:
            raise file_error(self._path, "written", cause) from cause
        _flush(os.path.dirname(self._place))

    def remove(self) -> None:
        """Remove the file, whose own name stays if it has got it."""
        with self._interrupts.deferring():
            for ending in _ENDINGS:
                with contextlib.suppress(OSError):
                    os.unlink(f"{self.made}{ending}")


def _flush(folder: str) -> None:
    """Let a new name in a folder survive a loss of power, where the system can."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
