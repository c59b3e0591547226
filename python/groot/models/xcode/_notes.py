"""The errors and warnings about a model file."""

from __future__ import annotations

from dataclasses import dataclass, field

from groot.errors import Error, Issue, Status, made_of

_MAXIMUM = 1000
_WARNING = 1
_ERROR = 2


def refusal(
    file: object, message: str, status: int = Status.INVALID_MODEL, line: int | None = None
) -> Error:
    """Make the error for a file that is refused as a whole."""
    return made_of(status, (Issue(status, message, path=str(file), line=line),))


@dataclass
class Notes:
    """The errors and warnings about one file, in the order in which they were found."""

    file: str
    """The name of the file in messages."""
    errors: list[Issue] = field(default_factory=list)
    """The reasons to refuse the model."""
    warnings: list[Issue] = field(default_factory=list)
    """The parts that were left out, or read with another meaning."""

    def add(self, severity: int, location: Location, message: str) -> None:
        """Add an error or a warning, up to a maximum number of each."""
        notes = self.errors if severity == _ERROR else self.warnings
        if len(notes) < _MAXIMUM:
            notes.append(
                Issue(
                    Status.INVALID_MODEL,
                    message,
                    severity,
                    self.file,
                    location.entity,
                    location.property,
                    location.line,
                )
            )


@dataclass(frozen=True)
class Location:
    """A location in a file, for errors and warnings."""

    notes: Notes
    """The notes that receive them."""
    line: int | None = None
    """The line in the file, from 1."""
    entity: str | None = None
    """The entity there."""
    property: str | None = None
    """The property there."""

    def error(self, message: str) -> None:
        """Add a reason to refuse the model."""
        self.notes.add(_ERROR, self, message)

    def warn(self, message: str) -> None:
        """Add a warning of a part that was left out, or read with another meaning."""
        self.notes.add(_WARNING, self, message)
