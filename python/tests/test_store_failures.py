"""Failures around a store: full disks, files that must not be written."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import document
from store_checks import changed, check_file, mapping_of

import groot
from groot import Status

NOBODY = 65534


@contextmanager
def file_size(limit: int) -> Iterator[None]:
    """Limit the size of files, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def fails_for_want_of_room(context: Any) -> bool:
    return context.value.code in (Status.STORE_FULL, Status.STORE_FAILED)


def test_a_full_disk_stops_a_save_which_can_then_be_done(tmp_path: Path) -> None:
    path = tmp_path / "full.sqlite"
    mapping = mapping_of(document("types"))
    with groot.Context(mapping, store=path) as context:
        context.insert("Thing", id=1)
        context.save()
        context.load("Thing", [{"id": n, "name": "x" * 500} for n in range(2, 2000)])
        for limit in (70_000, 200_000, 500_000):
            with file_size(limit), pytest.raises(groot.Error) as raised:
                context.save()
            assert fails_for_want_of_room(raised)
            assert context.changes == {"inserted": 1998, "updated": 0, "deleted": 0}
            context.check()
            with groot.Context(mapping, store=path) as other:
                assert other.count("Thing") == 1
        context.save()
        assert context.changes == {"inserted": 0, "updated": 0, "deleted": 0}
    check_file(path)
    with groot.Context(mapping, store=path) as context:
        assert context.count("Thing") == 1999


def test_a_full_disk_stops_the_making_of_a_store(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    mapping = mapping_of(document("types"))
    for limit in (0, 3000, 9000):
        with file_size(limit), pytest.raises(groot.Error) as raised:
            groot.Context(mapping, store=path)
        assert fails_for_want_of_room(raised)
        with groot.Context(mapping, store=path) as context:
            assert context.count("Thing") == 0
        path.unlink()


@pytest.mark.parametrize("backup", [False, True])
def test_a_full_disk_stops_a_migration_which_can_then_be_done(tmp_path: Path, backup: bool) -> None:
    path = tmp_path / "old.sqlite"
    model = document("types")
    with groot.Context(mapping_of(model), store=path) as context:
        context.load("Thing", [{"id": n, "small": n, "name": "x" * 100} for n in range(1, 2000)])
        context.save()
    options = {"backup": tmp_path / "copy.sqlite"} if backup else {}
    for limit in (40_000, 150_000, 300_000):
        before = path.read_bytes()
        with file_size(limit), pytest.raises(groot.Error) as raised:
            groot.Context(mapping_of(changed(model)), store=path, **options)
        assert fails_for_want_of_room(raised)
        with groot.Context(mapping_of(model), store=path, migrate=False) as context:
            assert context.count("Thing") == 1999
        assert path.read_bytes() == before
    with groot.Context(mapping_of(changed(model)), store=path, **options) as context:
        assert context.count("Thing", {"color": "red" * 20}) == 1999
    if backup:
        with groot.Context(mapping_of(model), store=options["backup"], migrate=False) as context:
            assert context.distinct("Thing", "small")[-1] == 1999


def test_a_second_name_of_an_open_file_is_told_in_the_error(tmp_path: Path) -> None:
    mapping = mapping_of(document("types"))
    with groot.Context(mapping, store=tmp_path / "one.sqlite") as context:
        context.insert("Thing", id=1)
        context.save()
        (tmp_path / "two.sqlite").hardlink_to(tmp_path / "one.sqlite")
        with pytest.raises(groot.Error, match="2 names") as raised:
            groot.Context(mapping, store=tmp_path / "two.sqlite")
        assert raised.value.code is Status.STORE_FAILED
    check_file(tmp_path / "one.sqlite")


READER = """
import json, os, sys
import groot
groot.Context  # the other user may not be able to read the modules
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
mapping = groot.Mapping(groot.Model(json.loads(sys.argv[1])))
try:
    with groot.Context(mapping, store=sys.argv[2]) as context:
        print("opened", context.count("Thing"))
        context.insert("Thing", id=99)
        try:
            context.save()
        except groot.Error as error:
            print("save", error.code.name, context.changes["inserted"])
except groot.Error as error:
    print("open", error.code.name)
"""


@pytest.mark.parametrize("folder", [0o755, 0o555])
def test_a_read_only_store_is_refused_and_stays(folder: int) -> None:
    """A file without permission to write, in a folder with and without that permission."""
    with tempfile.TemporaryDirectory(prefix="groot-") as place:
        path = Path(place) / "store.sqlite"
        model = document("types")
        with groot.Context(mapping_of(model), store=path) as context:
            context.insert("Thing", id=1)
            context.save()
        before = path.read_bytes()
        path.chmod(0o444)
        Path(place).chmod(folder)
        if os.geteuid() == 0:
            os.chown(place, NOBODY, NOBODY)
        try:
            run = subprocess.run(
                [sys.executable, "-c", READER, json.dumps(model), str(path)],
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            Path(place).chmod(0o755)
        lines = run.stdout.splitlines()
        assert lines in (
            ["opened 1", "save STORE_READ_ONLY 1"],
            ["open STORE_READ_ONLY"],
            ["open FILE_ERROR"],
        ), run.stderr
        assert path.read_bytes() == before
        path.chmod(0o644)
        with groot.Context(mapping_of(model), store=path) as context:
            assert context.count("Thing") == 1
            context.insert("Thing", id=2)
            context.save()
