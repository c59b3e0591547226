"""Files that cannot be read or written: errors that are both of Groot and of the system."""

from __future__ import annotations

import errno
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import groot

Use = Callable[[groot.Context, Path], object]
READERS: dict[str, Use] = {
    "load_file": lambda context, path: context.load_file("Character", path),
    "sync_file": lambda context, path: context.sync_file("Character", path),
    "dump_file": lambda context, path: context.dump_file([], path / "file"),
    "model": lambda _, path: groot.Model.load(path),
    "xcode": lambda _, path: groot.Model.load(path.with_suffix(".xcdatamodeld")),
    "store": lambda context, path: groot.Context(context.mapping, path, create=False),
}


@pytest.mark.parametrize("name", READERS)
def test_a_missing_file(comics: groot.Context, tmp_path: Path, name: str) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        READERS[name](comics, tmp_path / "missing")
    found = raised.value
    assert isinstance(found, groot.FileError)
    assert isinstance(found, groot.Error)
    assert (found.code, found.errno) == (groot.Status.FILE_ERROR, errno.ENOENT)
    assert "missing" in str(found)
    again = pickle.loads(pickle.dumps(found))
    assert (type(again), str(again), again.errno) == (type(found), str(found), found.errno)


def test_paths_of_other_things_than_files(comics: groot.Context, tmp_path: Path) -> None:
    with pytest.raises(groot.FileError) as raised:
        comics.load_file("Character", tmp_path)
    assert not isinstance(raised.value, FileNotFoundError)
    assert isinstance(raised.value, OSError)
    assert raised.value.errno == errno.EISDIR


def test_other_errors_are_not_os_errors(comics: groot.Context) -> None:
    with pytest.raises(groot.Error) as raised:
        comics.load("Character", "[")
    assert not isinstance(raised.value, OSError)
