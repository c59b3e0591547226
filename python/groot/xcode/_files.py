"""From a path to the bytes of a `contents` file: bundles, their versions, and other files."""

from __future__ import annotations

import json
import os
import plistlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groot._text import file_error
from groot.errors import Error, Status
from groot.xcode._notes import refusal
from groot.xcode._xml import MAXIMUM_SIZE

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
    """The `contents` file of a model, read."""

    file: Path
    """The file."""
    data: bytes
    """Its content."""
    version: str | None = None
    """The version of the bundle, without suffix; None where there is no bundle."""
    versions: tuple[str, ...] = ()
    """All versions of the bundle."""
    guessed: bool = False
    """Whether the bundle does not say which of its versions is current."""


def is_xcode(path: str | os.PathLike[str]) -> bool:
    """Whether a path is to be read as a model of Xcode rather than as a model document.

    That is so for folders, for the suffixes of Xcode's models, also those that are refused, for
    files called `contents` or `elements`, and for files that begin as XML or a binary property
    list does.
    """
    file = Path(path)
    if file.suffix in _SUFFIXES or file.name in ("contents", "elements") or file.is_dir():
        return True
    if not file.is_file():
        return False  # text that is read from a pipe is gone
    try:
        with file.open("rb") as opened:
            beginning = opened.read(64)
    except OSError:
        return False
    return beginning.startswith(_BINARY) or beginning.lstrip(_BEFORE)[:1] == b"<"


def find(path: str | os.PathLike[str], version: str | None = None) -> Contents:
    """Find and read the `contents` of the model at `path`.

    Raises `groot.Error` with `Status.FILE_ERROR` for an unreadable file, and with
    `Status.INVALID_MODEL` for one that is not a model of Xcode 4 or later.
    """
    location = Path(path)
    if location.suffix in _COMPILED:
        raise _compiled(location)
    if location.suffix in _MAPPING:
        raise refusal(
            location, "a mapping model describes a migration; give the .xcdatamodeld itself"
        )
    if not location.is_dir():
        if version is not None:
            raise refusal(location, "one file has no versions to choose from", Status.FILE_ERROR)
        data = _read(location)
        if data.lstrip(_BEFORE)[:1] in (b"{", b"["):
            raise _json_file(location, data)
        return Contents(location, data)
    names = _names(location)
    if location.suffix != _MODEL and any(name.endswith(_MODEL) for name in names):
        return _find_version(location, names, version)
    if version is not None:
        raise refusal(location, "it has no versions to choose from", Status.FILE_ERROR)
    return Contents(location / "contents", _read_folder(location, names))


def _names(location: Path) -> list[str]:
    """Give the names in a folder, without the companions that macOS leaves on other disks."""
    try:
        return sorted(name for name in os.listdir(location) if not name.startswith("._"))
    except OSError as cause:
        raise _unreadable(location, cause) from cause


def _find_version(bundle: Path, names: list[str], wanted: str | None) -> Contents:
    """Read the version that is wanted, the current one, or the last."""
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
    """Make a key that puts `Model 10` after `Model 9`."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", _stem(name))]


def _current(file: Path) -> str:
    """Read which version is the current one."""
    data = _read(file)
    if len(data) > _LONGEST_LIST:
        raise refusal(file, "it is too large to tell the current version")
    try:
        content = plistlib.loads(data)
        name = content["_XCCurrentVersionName"]
    except Exception as cause:  # the errors of parsers of property lists
        raise refusal(file, f"it does not tell the current version: {cause!r}") from None
    if not isinstance(name, str) or not name:
        raise refusal(file, "the name of the current version is not a text")
    return name


def _read_folder(folder: Path, names: list[str]) -> bytes:
    """Read the `contents` of a model folder, or say what the folder is instead."""
    if "contents" in names:
        return _read(folder / "contents")
    if "elements" in names:
        raise _legacy(folder)
    if any(name.endswith(_COMPILED) for name in names):
        raise _compiled(folder)
    raise refusal(folder, "the folder has neither 'contents' nor versions of a model in it")


def _is_other(file: Path) -> bool:
    """Whether there is something other than a file."""
    try:
        return file.exists() and not file.is_file()
    except OSError as cause:
        raise _unreadable(file, cause) from cause


def _read(file: Path) -> bytes:
    """Read a file, though never more than a model may have."""
    # Opening a pipe would wait for ever.
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
            file, "it is a model document already, not the XML of Xcode: use it as it is"
        )
    return refusal(
        file,
        "it is JSON, not the XML of Xcode; give a .xcdatamodeld, a .xcdatamodel or its contents",
    )


def _compiled(file: Path) -> Error:
    return refusal(
        file, "it is a compiled model; give the .xcdatamodeld or .xcdatamodel that it was made from"
    )
