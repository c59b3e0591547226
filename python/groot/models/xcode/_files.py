"""The bytes of the `contents` file at a path: bundles, their versions, and other files."""

from __future__ import annotations

import json
import os
import plistlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groot.errors import Error, Status, file_error
from groot.models.xcode._notes import refusal
from groot.models.xcode._xml import MAXIMUM_SIZE

_BUNDLE = ".xcdatamodeld"
_MODEL = ".xcdatamodel"
_COMPILED = (".mom", ".momd", ".omo")
_MAPPING = (".xcmappingmodel", ".cdm")
_SUFFIXES = (_BUNDLE, _MODEL, *_COMPILED, *_MAPPING)
_BINARY = b"bplist"
_LONGEST_LIST = 64 << 10
_BEFORE = b"\xef\xbb\xbf \t\r\n"


@dataclass(frozen=True)
class Contents:
    """The content of the `contents` file of a model."""

    file: Path
    """The path of the file."""
    data: bytes
    """The bytes of the file."""
    version: str | None = None
    """The version of the bundle, without suffix; None if there is no bundle."""
    versions: tuple[str, ...] = ()
    """All versions of the bundle, in order."""
    guessed: bool = False
    """Whether the version was chosen because the bundle does not mark one as current."""


def is_xcode(path: str | os.PathLike[str]) -> bool:
    """Return whether a path has an Xcode model and not a model document.

    Xcode models are folders, paths with a suffix of Xcode's models, files called `contents` or
    `elements`, and files that begin like XML or a binary property list. Compiled models and others
    that `read` refuses count too.

    Args:
        path: The path of a file or a folder. It may be missing.

    Returns:
        Whether `read` is the function for the path.
    """
    file = Path(path)
    if file.suffix in _SUFFIXES or file.name in ("contents", "elements") or file.is_dir():
        return True
    if not file.is_file():
        return False  # text can be read from a pipe only once
    try:
        with file.open("rb") as opened:
            beginning = opened.read(64)
    except OSError:
        return False
    return beginning.startswith(_BINARY) or beginning.lstrip(_BEFORE)[:1] == b"<"


def find(path: str | os.PathLike[str], version: str | None = None) -> Contents:
    """Find and read the `contents` file of the model at `path`.

    Raises:
        groot.Error: With `Status.FILE_ERROR` for an unreadable file or a missing version, and with
            `Status.INVALID_MODEL` for a model that is not of Xcode 4 or later.
    """
    location = Path(path)
    if location.suffix in _COMPILED:
        raise _compiled(location)
    if location.suffix in _MAPPING:
        raise refusal(
            location, "it is a mapping model, which describes a migration; give the .xcdatamodeld"
        )
    if not location.is_dir():
        if version is not None:
            message = f"a file has no versions; leave out the version '{version}'"
            raise refusal(location, message, Status.FILE_ERROR)
        data = _read(location)
        if data.lstrip(_BEFORE)[:1] in (b"{", b"["):
            raise _json_file(location, data)
        return Contents(location, data)
    names = _names(location)
    if location.suffix != _MODEL and any(name.endswith(_MODEL) for name in names):
        return _find_version(location, names, version)
    if version is not None:
        message = f"the folder has no versions; leave out the version '{version}'"
        raise refusal(location, message, Status.FILE_ERROR)
    return Contents(location / "contents", _read_folder(location, names))


def _names(location: Path) -> list[str]:
    """Return the names in a folder, without the `._` files of macOS."""
    try:
        return sorted(name for name in os.listdir(location) if not name.startswith("._"))
    except OSError as cause:
        raise _unreadable(location, cause) from cause


def _find_version(bundle: Path, names: list[str], wanted: str | None) -> Contents:
    """Read the wanted version, or else the current one, or else the last."""
    folders = sorted((name for name in names if name.endswith(_MODEL)), key=_order)
    guessed = False
    if wanted is not None:
        chosen = _folder(wanted)
        source, status = "the version asked for", Status.FILE_ERROR
    elif ".xccurrentversion" in names:
        chosen = _folder(_current(bundle / ".xccurrentversion"))
        source, status = "the current version", Status.INVALID_MODEL
    else:
        chosen, guessed = folders[-1], len(folders) > 1
        source, status = "", Status.FILE_ERROR
    if chosen not in folders:
        there = ", ".join(f"'{_stem(name)}'" for name in folders)
        raise refusal(bundle, f"{source}, '{_stem(chosen)}', is missing; versions: {there}", status)
    folder = bundle / chosen
    return Contents(
        folder / "contents",
        _read_folder(folder, _names(folder)),
        _stem(chosen),
        tuple(map(_stem, folders)),
        guessed,
    )


def _folder(version: str) -> str:
    return version if version.endswith(_MODEL) else version + _MODEL


def _stem(folder: str) -> str:
    return folder[: -len(_MODEL)]


def _order(name: str) -> list[Any]:
    """Make a sort key that puts `Model 10` after `Model 9`."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", _stem(name))]


def _current(file: Path) -> str:
    """Read the name of the current version."""
    data = _read(file)
    if len(data) > _LONGEST_LIST:
        limit = f"{_LONGEST_LIST >> 10} KiB"
        raise refusal(file, f"the file of the current version has more than {limit}")
    try:
        content = plistlib.loads(data)
        name = content["_XCCurrentVersionName"]
    except Exception as cause:  # parsers of property lists raise many kinds
        raise refusal(file, f"the current version cannot be read from it: {cause!r}") from None
    if not isinstance(name, str) or not name:
        raise refusal(file, f"the name of the current version is {name!r}, not a text")
    return name


def _read_folder(folder: Path, names: list[str]) -> bytes:
    """Read the `contents` file of a model folder, or raise an error with the folder's real kind."""
    if "contents" in names:
        return _read(folder / "contents")
    if "elements" in names:
        raise _legacy(folder)
    if any(name.endswith(_COMPILED) for name in names):
        raise _compiled(folder)
    raise refusal(folder, "the folder has neither a 'contents' file nor versions of a model")


def _is_other(file: Path) -> bool:
    """Whether the path exists and is not a file."""
    try:
        return file.exists() and not file.is_file()
    except OSError as cause:
        raise _unreadable(file, cause) from cause


def _read(file: Path) -> bytes:
    """Read a file up to the maximum size of a model, and one byte more."""
    # Opening a pipe would wait forever.
    if _is_other(file):
        raise refusal(file, "it is not a file", Status.FILE_ERROR)
    try:
        with file.open("rb") as opened:
            data = opened.read(MAXIMUM_SIZE + 1)
    except OSError as cause:
        raise _unreadable(file, cause) from cause
    if data.startswith(_BINARY) and file.name != ".xccurrentversion":
        raise _legacy(file)
    return data


def _unreadable(file: Path, cause: OSError) -> Error:
    message = file_error(file, "read", cause).issues[0].message
    return refusal(file, message, Status.FILE_ERROR)


def _legacy(file: Path) -> Error:
    return refusal(
        file,
        "it is a binary model, compiled or saved by Xcode 3. Open its source in Xcode, set Tools "
        "Version to Xcode 4 or later in the file inspector, save it, and give the .xcdatamodeld or "
        ".xcdatamodel",
    )


def _json_file(file: Path, data: bytes) -> Error:
    try:
        read = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        read = None
    if isinstance(read, dict) and "entities" in read:
        return refusal(
            file, "it is already a model document, not the XML of Xcode; give it to groot.Model"
        )
    return refusal(
        file,
        "it is JSON, not the XML of Xcode; give a .xcdatamodeld, a .xcdatamodel or its contents",
    )


def _compiled(file: Path) -> Error:
    return refusal(
        file, "it is a compiled model; give the .xcdatamodeld or .xcdatamodel that it was made from"
    )
