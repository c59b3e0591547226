"""Stores that remember their mapping."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from command_checks import HEROES, MODEL

import groot
from groot.models import stores


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "heroes.sqlite"
    with groot.Context(groot.Mapping(groot.Model(MODEL)), store=path) as heroes:
        heroes.load("Hero", HEROES)
        heroes.save()
    return path


def write(store: Path, *statements: tuple[str, tuple[Any, ...]]) -> None:
    connection = sqlite3.connect(store)
    with connection:
        for sql, values in statements:
            connection.execute(sql, values)
    connection.close()


def remember(store: Path, told: stores.Remembered) -> None:
    with groot.Context(groot.Mapping(groot.Model(MODEL)), store=store) as heroes:
        stores.remember(heroes, told)
        heroes.save()


def test_a_store_that_a_program_made_remembers_nothing(store: Path) -> None:
    assert stores.is_store(store)
    assert stores.read(store) is None
    with pytest.raises(groot.Error, match="remembers no model") as failure:
        groot.Model.load(store)
    assert failure.value.code == groot.Status.INVALID_ARGUMENT


def test_a_store_gives_the_mapping_back_that_it_remembers(store: Path) -> None:
    rules = {"Hero": {"name": "hero"}}
    told = stores.Remembered(groot.Model(MODEL).document_text, "kvc", False, rules, "omit")
    remember(store, told)
    assert stores.read(store) == stores.known(store) == told
    told = stores.Remembered(json.dumps(MODEL))
    remember(store, told)
    assert stores.read(store) == told
    assert groot.Model.load(store).document == groot.Model(MODEL).document
    mapping = told.mapping()
    assert mapping.identity("Hero") == ("id",)
    with groot.Context(mapping, store=store, migrate=False) as heroes:
        assert heroes.count("Hero") == 3


def test_a_model_keeps_its_text(store: Path) -> None:
    text = json.dumps(MODEL, indent=3) + "\n"
    remember(store, stores.Remembered(text))
    assert stores.known(store).model == text


def test_a_migration_leaves_what_a_store_remembers(store: Path) -> None:
    told = stores.Remembered(json.dumps(MODEL))
    remember(store, told)
    changed = json.loads(json.dumps(MODEL))
    changed["entities"]["Hero"]["attributes"]["motto"] = {"type": "string", "optional": True}
    with groot.Context(groot.Mapping(groot.Model(changed)), store=store):
        pass
    assert stores.read(store) == told


def test_reading_leaves_no_file_beside_the_store(store: Path) -> None:
    remember(store, stores.Remembered(json.dumps(MODEL)))
    before = store.read_bytes()
    assert stores.read(store)
    assert store.read_bytes() == before
    assert os.listdir(store.parent) == [store.name]


def test_an_open_store_is_read_with_its_journal(store: Path) -> None:
    other = sqlite3.connect(store)
    row = ("note mapping", json.dumps({"version": 1, "dialect": "hyper"}))
    with other:
        other.execute("INSERT INTO _groot VALUES (?, ?)", row)
        other.execute("INSERT INTO _groot VALUES ('note mapping_model', '{}')")
    assert Path(stores.journal(store)).exists()
    assert stores.known(store).dialect == "hyper"
    other.close()


HOSTILE: dict[str, tuple[Any, Any]] = {
    "no JSON": ("{", "{}"),
    "no object": ("[]", "{}"),
    "no version": ("{}", "{}"),
    "another type": (5, "{}"),
    "bytes": (b"\xff\xfe", "{}"),
    "an unknown part": ('{"version": 1, "x": 1}', "{}"),
    "nested without end": ("[" * 100_000, "{}"),
    "no model": ('{"version": 1}', None),
    "a model of another type": ('{"version": 1}', 5),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_mapping_that_cannot_be_read_is_an_error(store: Path, case: str) -> None:
    sql = "INSERT INTO _groot VALUES (?, ?)"
    mapping, model = HOSTILE[case]
    rows = [("note mapping", mapping)] + (
        [("note mapping_model", model)] if model is not None else []
    )
    write(store, *((sql, row) for row in rows))
    with pytest.raises(groot.Error) as failure:
        stores.read(store)
    assert failure.value.code == groot.Status.STORE_INVALID


def test_a_mapping_of_a_newer_version_is_an_error(store: Path) -> None:
    sql = "INSERT INTO _groot VALUES ('note mapping', ?)"
    write(store, (sql, ('{"version": 2, "more": []}',)))
    with pytest.raises(groot.Error) as failure:
        stores.read(store)
    assert failure.value.code == groot.Status.STORE_TOO_NEW


def test_a_view_in_the_place_of_the_table_is_not_read(store: Path) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i FROM n"
    write(store, ("DROP TABLE _groot", ()), (f"CREATE VIEW _groot (key, value) AS {endless}", ()))
    with pytest.raises(groot.Error, match="lacks the table _groot"):
        stores.read(store)


@pytest.mark.parametrize("content", [None, b"", b"{}", b"SQLite format 3\0" + bytes(100)])
def test_another_file_is_not_a_store(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x"
    if content is not None:
        path.write_bytes(content)
    assert not stores.is_store(path)
    with pytest.raises(groot.Error) as failure:
        stores.read(path)
    expected = groot.Status.FILE_ERROR if content is None else groot.Status.STORE_INVALID
    assert failure.value.code == expected


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert not stores.is_store(tmp_path / "pipe")
    with pytest.raises(groot.Error, match="is not a store"):
        stores.read(tmp_path / "pipe")
