"""The options of opening a store."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

import groot
from groot import Status


@pytest.mark.parametrize(
    "wrong",
    [
        {"durability": "none"},
        {"durability": None},
        {"busy_timeout": -0.5},
        {"busy_timeout": 86_401},
        {"busy_timeout": 1e12},
        {"migrate": "maybe"},
        {"migrate": None},
        {"backup": ""},
        {"backup": "a\0b"},
    ],
    ids=str,
)
def test_wrong_options_are_refused(
    tmp_path: Path, types_mapping: groot.Mapping, wrong: Any
) -> None:
    path = tmp_path / "x.sqlite"
    with pytest.raises(groot.Error) as caught:
        groot.Context(types_mapping, store=path, **wrong)
    assert caught.value.code is Status.INVALID_ARGUMENT
    assert next(iter(wrong)) in str(caught.value) or "NUL" in str(caught.value)
    assert not path.exists()


def test_options_of_stores(tmp_path: Path, types_mapping: groot.Mapping) -> None:
    path = tmp_path / "x.sqlite"
    with pytest.raises(groot.Error) as caught:
        groot.Context(types_mapping, store=path, create=False)
    assert caught.value.code is Status.FILE_ERROR
    for options in ({}, {"busy_timeout": 0}, {"busy_timeout": 0.0001}, {"busy_timeout": 86_400}):
        with groot.Context(types_mapping, store=path, **options) as context:  # type: ignore[arg-type]
            context.save()


def test_without_a_timeout_a_save_does_not_wait(
    tmp_path: Path, types_mapping: groot.Mapping
) -> None:
    path = tmp_path / "x.sqlite"
    with groot.Context(types_mapping, store=path, busy_timeout=0) as context:
        context.insert("Thing", id=1)
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            with pytest.raises(groot.Error) as caught:
                context.save()
            assert caught.value.code is Status.STORE_LOCKED
            assert time.monotonic() - began < 5
        context.save()
