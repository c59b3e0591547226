"""A model of Xcode: the file that was read, the document made of it, and its warnings."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from groot.errors import Error, Issue, Status
from groot.xcode import _files
from groot.xcode._entities import Converter, Lines
from groot.xcode._members import user_info
from groot.xcode._notes import Location, Notes
from groot.xcode._xml import parse

_Made = TypeVar("_Made")


@dataclass(frozen=True)
class XcodeModel:
    """A model of Xcode, read and converted, but not yet checked as a whole.

    In every issue `path` is the file, `line` the line in it.
    """

    file: str
    """The file that was read."""
    document: dict[str, Any]
    """The model document; of use only when there are no errors."""
    errors: tuple[Issue, ...] = ()
    """The unreadable parts; `make` raises them together with the errors of the model's check."""
    warnings: tuple[Issue, ...] = ()
    """The parts that were read in another way than they are written, or left out."""
    user_info: dict[str, str] = field(default_factory=dict)
    """Annotations of the model itself, which a model document has no room for."""
    version: str | None = None
    """The version of the bundle that was read; None when it was not a bundle."""
    versions: tuple[str, ...] = ()
    """All versions of the bundle, in order."""
    _lines: Lines = field(default_factory=dict, repr=False)

    def make(self, model: Callable[[dict[str, Any]], _Made]) -> _Made:
        """Make a model of the document, with `groot.Model`.

        Raises `groot.Error` with `Status.INVALID_MODEL` and one issue for each error: those of the
        file, and those that the library finds in the model as a whole.
        """
        try:
            made = model(self.document)
        except Error as cause:
            known = {(one.entity, one.property) for one in self.errors}
            found = [self._placed(issue) for issue in cause.issues]
            # A part left out because of an error is missed by the check, and was reported.
            more = [issue for issue in found if (issue.entity, issue.property) not in known]
            raise Error(Status.INVALID_MODEL, (*self.errors, *more)) from None
        if self.errors:
            raise Error(Status.INVALID_MODEL, self.errors)
        return made

    def _placed(self, issue: Issue) -> Issue:
        """Name the file and the line of what the library found in the document."""
        message, entity, property = issue.message, issue.entity, issue.property
        if issue.path:
            message += f" (at {issue.path} of the document)"
            entity, property = _names(issue.path)
        line = self._lines.get((entity or "", property or ""))
        line = line or self._lines.get((entity or "", ""))
        return dataclasses.replace(
            issue, message=message, path=self.file, entity=entity, property=property, line=line
        )


_MEMBER = r"""(?:\.(\w+)|\[("(?:[^"\\]|\\.)*")\])"""
_PROPERTY = re.compile(rf"\$\.entities{_MEMBER}(?:\.(?:attributes|relationships){_MEMBER})?")


def _names(path: str) -> tuple[str | None, str | None]:
    """Give the entity and the property at a path in a model document."""
    found = _PROPERTY.match(path)
    if found is None:
        return None, None
    entity, quoted_entity, property, quoted_property = found.groups()
    return (
        json.loads(quoted_entity) if quoted_entity else entity,
        json.loads(quoted_property) if quoted_property else property,
    )


def read(path: str | os.PathLike[str], version: str | None = None) -> XcodeModel:
    """Read a `.xcdatamodeld` bundle, a `.xcdatamodel` folder, or the `contents` file of one.

    Of a bundle it reads the version asked for by name, else the one that the bundle says is
    current, else the last one.

    Raises `groot.Error` with `Status.FILE_ERROR` when the file or the version cannot be read. The
    status is `Status.INVALID_MODEL` when it is not XML, or XML that is refused, or a compiled or
    old binary model.
    """
    contents = _files.find(path, version)
    read = read_contents(contents.data, str(contents.file))
    warnings = read.warnings
    if contents.guessed:
        message = (
            f"the bundle does not say which version is current; '{contents.version}' is taken, the "
            f"last of {', '.join(map(repr, contents.versions))}"
        )
        warnings = (Issue(Status.INVALID_MODEL, message, 1, str(path)), *warnings)
    return dataclasses.replace(
        read, warnings=warnings, version=contents.version, versions=contents.versions
    )


def read_contents(data: bytes, file: str = "contents") -> XcodeModel:
    """Read the bytes of a `contents` file; messages call it `file`.

    Raises `groot.Error` with `Status.INVALID_MODEL` when it is not XML, or XML that is refused.
    """
    notes = Notes(file)
    root = parse(data, file)
    converter = Converter(root, notes)
    location = Location(notes, root.line)
    noted = user_info(root, location)
    if noted:
        listed = ", ".join(f"{key}={value!r}" for key, value in noted.items())
        location.warn(f"annotations of the model itself are not in its document: {listed}")
    return XcodeModel(
        file,
        {"entities": converter.entities},
        tuple(notes.errors),
        tuple(notes.warnings),
        noted,
        _lines=converter.lines,
    )
