"""The notes about a model file: errors, which refuse it, and warnings."""

from __future__ import annotations

from dataclasses import dataclass, field

from groot.errors import Error, Issue, Status, made_of

_MAXIMUM = 1000
_WARNING = 1
_ERROR = 2


def refusal(
    file: object, message: str, status: int = Status.INVALID_MODEL, line: int | None = None
) -> Error:
    """Make the error of a file that is not read any further."""
    return made_of(status, (Issue(status, message, path=str(file), line=line),))


@dataclass
class Notes:
    """The errors and warnings about one file, in the order they were met."""

    file: str
    """The file as messages name it."""
    errors: list[Issue] = field(default_factory=list)
    """The errors, which refuse the model."""
    warnings: list[Issue] = field(default_factory=list)
    """The parts that were read in another way than they are written, or not at all."""

    def add(self, severity: int, location: Location, message: str) -> None:
        """Add an error or a warning, unless there are very many."""
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
    """A location in a file, about which there may be something to say."""

    notes: Notes
    """Where it is said."""
    line: int | None = None
    """The line in the file, from 1."""
    entity: str | None = None
    """The entity there."""
    property: str | None = None
    """The property there."""

    def error(self, message: str) -> None:
        """Say what refuses the model."""
        self.notes.add(_ERROR, self, message)

    def warn(self, message: str) -> None:
        """Say what was read in another way than it is written, or not at all."""
        self.notes.add(_WARNING, self, message)
