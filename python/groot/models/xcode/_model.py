"""An Xcode model: the file that was read, the document made of it, and its warnings."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from groot.errors import Error, Issue, Status
from groot.models._document_paths import names_at
from groot.models.xcode import _files
from groot.models.xcode._entities import Converter, Lines
from groot.models.xcode._members import user_info
from groot.models.xcode._notes import Location, Notes
from groot.models.xcode._xml import parse

_Made = TypeVar("_Made")


@dataclass(frozen=True)
class XcodeModel:
    """An Xcode model, read and converted, but not yet checked as a whole.

    In every issue `path` is the file, and `line` is the line in it.
    """

    file: str
    """The file that was read."""
    document: dict[str, Any]
    """The model document; incomplete if there are errors."""
    errors: tuple[Issue, ...] = ()
    """The unreadable parts; `make` raises them together with the errors of the model's check."""
    warnings: tuple[Issue, ...] = ()
    """The parts that were left out, or read with another meaning."""
    user_info: dict[str, str] = field(default_factory=dict)
    """The annotations of the model itself, which a model document cannot have."""
    version: str | None = None
    """The version that was read, without suffix; None if the model is not in a bundle."""
    versions: tuple[str, ...] = ()
    """All versions of the bundle, in order."""
    _lines: Lines = field(default_factory=dict, repr=False)

    def make(self, model: Callable[[dict[str, Any]], _Made]) -> _Made:
        """Make a model of the document.

            model = groot.models.xcode.read("Heroes.xcdatamodeld").make(groot.Model)

        Args:
            model: The function that makes a model of a document: `groot.Model`.

        Returns:
            The model.

        Raises:
            groot.Error: With `Status.INVALID_MODEL` and an issue for each error, both in the file
                and in the model as a whole.
        """
        try:
            made = model(self.document)
        except Error as cause:
            known = {(one.entity, one.property) for one in self.errors}
            found = [self._placed(issue) for issue in cause.issues]
            # The check misses a part that an error left out; that error is already reported.
            more = [issue for issue in found if (issue.entity, issue.property) not in known]
            raise Error(Status.INVALID_MODEL, (*self.errors, *more)) from None
        if self.errors:
            raise Error(Status.INVALID_MODEL, self.errors)
        return made

    def _placed(self, issue: Issue) -> Issue:
        """Add the file and the line to an issue that the library found in the document."""
        message, entity, property = issue.message, issue.entity, issue.property
        if issue.path:
            message += f" (at {issue.path} of the document)"
            entity, property = names_at(issue.path)
        line = self._lines.get((entity or "", property or ""))
        line = line or self._lines.get((entity or "", ""))
        return dataclasses.replace(
            issue, message=message, path=self.file, entity=entity, property=property, line=line
        )


def read(path: str | os.PathLike[str], version: str | None = None) -> XcodeModel:
    """Read a `.xcdatamodeld` bundle, a `.xcdatamodel` folder, or the `contents` file in one.

    Args:
        path: The path of the bundle, the folder or the file.
        version: The name of a version in a bundle. By default it is the version that the bundle
            marks as current, or else the last one.

    Returns:
        The model document, with errors and warnings.

    Raises:
        groot.Error: With `Status.INVALID_MODEL` for a file that is not the XML of an Xcode model,
            for XML that is refused, and for a compiled or old binary model. It is a
            `groot.FileError` if the file or the version cannot be read.
    """
    contents = _files.find(path, version)
    read = read_contents(contents.data, str(contents.file))
    warnings = read.warnings
    if contents.guessed:
        message = (
            f"the bundle does not mark a version as current; the last is read, "
            f"'{contents.version}' of {', '.join(map(repr, contents.versions))}"
        )
        warnings = (Issue(Status.INVALID_MODEL, message, 1, str(path)), *warnings)
    return dataclasses.replace(
        read, warnings=warnings, version=contents.version, versions=contents.versions
    )


def read_contents(data: bytes, file: str = "contents") -> XcodeModel:
    """Read the bytes of a `contents` file.

    Args:
        data: The bytes.
        file: The name of the file in issues.

    Returns:
        The model document, with errors and warnings.

    Raises:
        groot.Error: With `Status.INVALID_MODEL` for bytes that are not the XML of an Xcode model,
            and for XML that is refused, such as one with a document type.
    """
    notes = Notes(file)
    root = parse(data, file)
    converter = Converter(root, notes)
    location = Location(notes, root.line)
    noted = user_info(root, location)
    if noted:
        listed = ", ".join(f"{key}={value!r}" for key, value in noted.items())
        location.warn(f"a model document cannot have annotations of the model itself: {listed}")
    return XcodeModel(
        file,
        {"entities": converter.entities},
        tuple(notes.errors),
        tuple(notes.warnings),
        noted,
        _lines=converter.lines,
    )
