"""The errors and warnings about a schema, each with the JSON Pointer of its place."""

from __future__ import annotations

from dataclasses import dataclass, field

from groot.errors import Error, Issue, Status, made_of

_MAXIMUM = 1000
_WARNING = 1
_ERROR = 2


def refusal(file: object, message: str, status: int = Status.INVALID_MODEL) -> Error:
    """Make the error for a file that is refused as a whole."""
    return made_of(status, (Issue(status, message, path=str(file)),))


@dataclass
class Notes:
    """The errors and warnings about one schema, in the order in which they were found."""

    file: str
    """The name of the file in messages."""
    errors: list[Issue] = field(default_factory=list)
    """The reasons to refuse the model."""
    warnings: list[Issue] = field(default_factory=list)
    """The parts that were left out, or read with another meaning."""
    _known: set[tuple[int, str, str]] = field(default_factory=set)

    def add(self, severity: int, pointer: str, message: str) -> None:
        """Add an error or a warning once, up to a maximum number of each."""
        notes = self.errors if severity == _ERROR else self.warnings
        known = (severity, pointer, message)
        if len(notes) < _MAXIMUM and known not in self._known:
            self._known.add(known)
            path = f"{self.file}#{pointer}"
            notes.append(Issue(Status.INVALID_MODEL, message, severity, path))

    def error(self, pointer: str, message: str) -> None:
        """Add a reason to refuse the model."""
        self.add(_ERROR, pointer, message)

    def warn(self, pointer: str, message: str) -> None:
        """Add a warning of a part that was left out, or read with another meaning."""
        self.add(_WARNING, pointer, message)

    def limit(self, pointer: str, message: str) -> Error:
        """Make the error for a schema that is larger than a limit."""
        status = Status.LIMIT_EXCEEDED
        return made_of(status, (Issue(status, message, path=f"{self.file}#{pointer}"),))
