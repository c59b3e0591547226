"""A schema that was read: the document made of it, and its errors and warnings."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from groot.errors import Error, Issue, Status
from groot.models._document_paths import names_at
from groot.models.schemas import _files
from groot.models.schemas._converter import convert
from groot.models.schemas._names import titled
from groot.models.schemas._notes import Notes
from groot.models.schemas._source import Source

_Made = TypeVar("_Made")


@dataclass(frozen=True)
class SchemaModel:
    """A JSON Schema or OpenAPI document, read and converted, but not yet checked as a whole.

    In every issue `path` is the file and the JSON Pointer of the place in it.
    """

    file: str
    """The file that was read."""
    document: dict[str, Any]
    """The model document; incomplete if there are errors."""
    errors: tuple[Issue, ...] = ()
    """The wrong parts; `make` raises them together with the errors of the model's check."""
    warnings: tuple[Issue, ...] = ()
    """The parts that were left out, or read with another meaning."""
    _places: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)

    def make(self, model: Callable[[dict[str, Any]], _Made]) -> _Made:
        """Make a model of the document.

            model = groot.models.schemas.read("heroes.schema.json").make(groot.Model)

        Args:
            model: The function that makes a model of a document: `groot.Model`.

        Returns:
            The model.

        Raises:
            groot.Error: With `Status.INVALID_MODEL` and an issue for each error, both in the schema
                and in the model as a whole.
        """
        if self.errors:
            raise Error(Status.INVALID_MODEL, self.errors)
        try:
            return model(self.document)
        except Error as cause:
            raise Error(cause.code, tuple(map(self._placed, cause.issues))) from None

    def _placed(self, issue: Issue) -> Issue:
        """Add the pointer to an issue that the library found in the document."""
        message, entity, property = issue.message, issue.entity, issue.property
        if issue.path:
            message += f" (at {issue.path} of the document)"
            found = names_at(issue.path)
            if found[0] is not None:
                entity, property = found
        place = self._places.get((entity or "", property or ""))
        place = place or self._places.get((entity or "", ""), "")
        path = f"{self.file}#{place}"
        return dataclasses.replace(
            issue, message=message, path=path, entity=entity, property=property
        )


def read(path: str | os.PathLike[str]) -> SchemaModel:
    """Read a file with a JSON Schema (2020-12, draft 7) or an OpenAPI document (3.0, 3.1).

    Args:
        path: The path of the file: JSON, or YAML if its suffix is `.yaml` or `.yml`.

    Returns:
        The model document, with errors and warnings.

    Raises:
        groot.Error: For a file that is not such a document, and with `Status.LIMIT_EXCEEDED` for
            one that is too large. With `Status.UNSUPPORTED` for YAML without PyYAML. It is a
            `groot.FileError` if the file cannot be read.
    """
    return read_document(_files.load(path), str(path))


def read_document(document: Any, file: str = "schema") -> SchemaModel:
    """Read a document that is already a JSON value.

    Args:
        document: The document, a dict.
        file: The name of the file in issues. Without a title, the root's entity has its name.

    Returns:
        The model document, with errors and warnings.

    Raises:
        groot.Error: With `Status.INVALID_MODEL` for a value that is not such a document, and with
            `Status.LIMIT_EXCEEDED` for one that is too large.
    """
    notes = Notes(file)
    source = Source(_files.checked(document, file), notes)
    entities = convert(source, titled(Path(file).name.partition(".")[0]) or "Root")
    return SchemaModel(
        file,
        {"entities": entities.converted},
        tuple(notes.errors),
        tuple(notes.warnings),
        entities.places,
    )
