"""Stores that are only read: published files, folders that cannot be written, and other models."""

from __future__ import annotations

import os
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, Union

import pytest

import groot
from groot import Status

NOBODY = 65534
Access = Union[bool, Literal["immutable"]]
ACCESSES: list[Access] = [True, "immutable"]


def mapping(*more: str) -> groot.Mapping:
    attributes = {name: {"type": "string", "optional": True} for name in ("name", *more)}
    return groot.Mapping(groot.Model({"entities": {"Hero": {"attributes": attributes}}}))


def opened(path: Path, read_only: Access = True, *more: str) -> groot.Context:
    return groot.Context(mapping(*more), store=path, read_only=read_only)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that other users can enter."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture(params=["heroes.sqlite", "100% of heroes?#.sqlite"])
def path(folder: Path, request: pytest.FixtureRequest) -> Path:
    """A store with a hero."""
    path = folder / str(request.param)
    with groot.Context(mapping(), store=path) as context:
        context.insert("Hero").name = "Ada"
        context.save()
    return path


def in_a_child(body: Callable[[], None]) -> int:
    """Run a function in a child, which is not root, and return its exit code."""
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            body()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("access", ACCESSES)
def test_a_store_is_read_and_not_written(path: Path, access: Access) -> None:
    before = path.read_bytes(), path.stat().st_mtime_ns
    with opened(path, access) as context:
        hero = context.fetch("Hero")[0]
        assert hero.name == "Ada"
        context.save()
        hero.name = "Eve"
        with pytest.raises(groot.Error, match="opened for reading only") as raised:
            context.save()
        assert raised.value.code == Status.STORE_READ_ONLY
        assert hero.name == "Eve"
        context.rollback()
        assert hero.name == "Ada"
        context.check()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


@pytest.mark.parametrize("access", ACCESSES)
def test_a_store_is_read_in_a_folder_that_cannot_be_written(path: Path, access: Access) -> None:
    path.chmod(0o444)
    path.parent.chmod(0o555)

    def read() -> None:
        assert not os.access(path.parent, os.W_OK)
        with opened(path, access) as context:
            assert [one.name for one in context.fetch("Hero")] == ["Ada"]
            context.refresh()
            assert context.count("Hero") == 1

    assert in_a_child(read) == 0


def test_a_refresh_shows_the_writes_of_others(path: Path) -> None:
    with groot.Context(mapping(), store=path) as writer, opened(path) as reader:
        writer.insert("Hero").name = "Eve"
        writer.save()
        assert reader.count("Hero") == 1
        reader.refresh()
        assert reader.count("Hero") == 2


def test_a_store_of_another_model_is_refused(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(groot.Error, match="another model") as raised:
        opened(path, True, "alias")
    assert raised.value.code == Status.STORE_MODEL
    assert path.read_bytes() == before


@pytest.mark.parametrize("access", ACCESSES)
def test_a_file_without_a_store_is_refused(folder: Path, access: Access) -> None:
    with pytest.raises(FileNotFoundError):
        opened(folder / "none.sqlite", access)
    assert not list(folder.iterdir())
    empty = folder / "empty.sqlite"
    empty.touch()
    with pytest.raises(groot.Error, match="empty") as raised:
        opened(empty, access)
    assert raised.value.code == Status.STORE_READ_ONLY
    text = folder / "text.sqlite"
    text.write_text("heroes " * 200)
    with pytest.raises(groot.Error) as raised:
        opened(text, access)
    assert raised.value.code == Status.STORE_INVALID


def test_a_copy_is_made_of_a_store_that_is_only_read(path: Path) -> None:
    other = path.parent / "copy.sqlite"
    with opened(path) as context, groot.Context(mapping(), store=other) as copy:
        context.copy_store(copy)
        assert copy.count("Hero") == 1


def test_only_known_accesses_are_taken(path: Path) -> None:
    with pytest.raises(groot.Error, match="True, False or 'immutable'"):
        groot.Context(mapping(), store=path, read_only="never")  # type: ignore[arg-type]
