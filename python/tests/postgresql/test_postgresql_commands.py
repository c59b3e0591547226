"""The command line with stores in PostgreSQL."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from command_checks import HEROES, MODEL, Folder
from servers import Server

import groot
from groot.models import stores


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path)
    folder.write("heroes.json", HEROES)
    folder.write("model.json", MODEL)
    return folder


def exported(folder: Folder, store: str) -> Any:
    found = folder.groot("export", store, "Hero", "--sort", "id")
    assert found.code == 0, found.err
    return json.loads(found.out)


def test_every_command_takes_a_url_as_it_takes_a_file(folder: Folder, store: str) -> None:
    told: dict[str, list[Any]] = {}
    for place in ("heroes.sqlite", store):
        steps = [
            folder.groot("import", place, "Hero", "heroes.json", "--model", "model.json"),
            folder.groot("query", place, "Hero", "--sort", "id"),
            folder.groot("diff", place, "Hero", "heroes.json"),
            folder.groot("sync", place, "Hero", "heroes.json", "--dry-run"),
            folder.groot("sync", place, "Hero", "heroes.json", "--report", "json"),
            folder.groot("convert", place),
            folder.groot("schema", place),
            folder.groot("generate", "python", place),
            folder.groot("check", place, "heroes.json", "--entity", "Hero"),
        ]
        told[place] = [(one.code, one.out, one.err) for one in steps]
        assert [one.code for one in steps] == [0] * len(steps), steps
    for file, database in zip(told["heroes.sqlite"], told[store]):
        assert [text.replace(store, "STORE") for text in database[1:]] == [
            text.replace("heroes.sqlite", "STORE") for text in file[1:]
        ]
    assert exported(folder, store) == exported(folder, "heroes.sqlite")


def test_the_sql_of_a_store_is_that_of_its_database(folder: Folder, store: str) -> None:
    folder.groot("import", store, "Hero", "heroes.json", "--model", "model.json")
    found = folder.groot("schema", store, "--sql")
    assert found.code == 0, found.err
    assert 'CREATE TABLE "Hero" (' in found.out
    assert "timestamptz" not in found.out
    assert 'REFERENCES "Publisher" (' in found.out


def test_info_tells_the_same_of_both(folder: Folder, store: str) -> None:
    for place in ("heroes.sqlite", store):
        folder.groot("import", place, "Hero", "heroes.json", "--model", "model.json", "--views")
    first, second = (
        json.loads(folder.groot("info", place, "--json").out) for place in ("heroes.sqlite", store)
    )
    own = ("file", "size", "wal_size", "journal_mode", "check", "application_id", "format")
    assert {k: v for k, v in first.items() if k not in own} == {
        k: v for k, v in second.items() if k not in own
    }
    assert second["size"] > 8192
    assert second["views"]
    assert second["faults"] == []
    told = folder.groot("info", store)
    assert told.code == 0
    assert f"store         {store}\n" in told.out
    assert "format        1\n" in told.out
    assert "journal" not in told.out


def test_a_damaged_store_is_told(folder: Folder, server: Server, schema: str, store: str) -> None:
    folder.groot("import", store, "Hero", "heroes.json", "--model", "model.json")
    server.psql(f'ALTER TABLE {schema}."Hero" DROP COLUMN name')
    told = folder.groot("info", store)
    assert told.code == 1
    assert "the column 'name' of the table 'Hero'" in told.out


def test_an_import_that_fails_lets_the_next_one_begin_anew(folder: Folder, store: str) -> None:
    folder.write("wrong.json", '[{"id": 1, "name": "Batman"}, {"id": 2, "name": 5}]')
    folder.write("other.json", '[{"code": "x", "title": "Other"}]')
    failed = folder.groot("import", store, "Hero", "wrong.json", "--model", "model.json")
    assert failed.code == 1
    assert stores.read(store) is None
    good = folder.groot("import", store, "Thing", "other.json")
    assert good.code == 0, good.err
    told = stores.read(store)
    assert told is not None
    assert "Thing" in json.loads(told.model)["entities"]
    again = folder.groot("import", store, "Thing", "other.json")
    assert again.code == 0, again.err


def test_batches_have_the_mapping_from_the_first_one_on(folder: Folder, store: str) -> None:
    found = folder.groot(
        "import", store, "Hero", "heroes.json", "--model", "model.json", "--batch", "1"
    )
    assert found.code == 0, found.err
    assert stores.known(store).model == groot.Model.load(folder.path / "model.json").document_text
    assert len(exported(folder, store)) == len(HEROES)


def test_a_dry_run_makes_no_store(folder: Folder, store: str) -> None:
    found = folder.groot(
        "import", store, "Hero", "heroes.json", "--model", "model.json", "--dry-run"
    )
    assert found.code == 0, found.err
    with pytest.raises(groot.Error) as failure:
        groot.describe_store(store)
    assert failure.value.code == groot.Status.FILE_ERROR


def test_a_url_without_a_store_is_an_error(folder: Folder, store: str) -> None:
    for command in (["query", store, "Hero"], ["info", store], ["copy", store, "copy.sqlite"]):
        found = folder.groot(*command)
        assert found.code == 2, found
        assert "there is no store in the schema" in found.err
    found = folder.groot("diff", store, "heroes.json", "--model", "model.json")
    assert found.code == 2


def test_a_copy_goes_to_a_database_and_back(folder: Folder, store: str) -> None:
    made = folder.groot(
        "import", "heroes.sqlite", "Hero", "heroes.json", "--model", "model.json", "--views"
    )
    assert made.code == 0, made.err
    told = folder.groot("copy", "heroes.sqlite", store)
    assert told.code == 0, told.err
    assert told.err == f"copied 8 objects to {store}\n"
    back = folder.groot("copy", store, "back.sqlite")
    assert back.code == 0, back.err
    assert exported(folder, store) == exported(folder, "back.sqlite")
    assert exported(folder, "heroes.sqlite") == exported(folder, "back.sqlite")
    assert groot.describe_store(store)["views"]
    assert groot.describe_store(folder.path / "back.sqlite")["views"]
    first, second = (
        dict(
            sqlite3.connect(folder.path / name).execute("SELECT key, value FROM _groot").fetchall()
        )
        for name in ("heroes.sqlite", "back.sqlite")
    )
    # The original computes a position that was never taken; its copy has it written.
    assert first.items() <= second.items()
    again = folder.groot("copy", "heroes.sqlite", store)
    assert again.code != 0
    assert "must be empty" in again.err
    assert folder.groot("sync", store, "Hero", "heroes.json").code == 0


def test_a_copy_of_a_store_that_a_program_made_needs_its_model(folder: Folder, store: str) -> None:
    with groot.Context(
        groot.Mapping(groot.Model(MODEL)), store=folder.path / "own.sqlite"
    ) as heroes:
        heroes.load("Hero", HEROES)
        heroes.save()
    refused = folder.groot("copy", "own.sqlite", store)
    assert refused.code == 2
    assert "give the model" in refused.err
    told = folder.groot("copy", "own.sqlite", store, "--model", "model.json")
    assert told.code == 0, told.err
    assert len(exported(folder, store)) == len(HEROES)


def test_a_copy_into_a_new_file_is_whole_or_missing(folder: Folder) -> None:
    folder.groot("import", "heroes.sqlite", "Hero", "heroes.json", "--model", "model.json")
    for target in ("heroes.sqlite", "./heroes.sqlite", ""):
        assert folder.groot("copy", "heroes.sqlite", target).code == 2
    missing = folder.groot("copy", "heroes.sqlite", "none/copy.sqlite")
    assert missing.code != 0
    assert folder.groot("copy", "heroes.sqlite", "copy.sqlite").code == 0
    assert folder.groot("copy", "heroes.sqlite", "copy.sqlite").code != 0
    assert sorted(one.name for one in folder.path.glob("*.sqlite*")) == [
        "copy.sqlite",
        "heroes.sqlite",
    ]
    assert [one.name for one in folder.path.iterdir() if one.name.startswith(".")] == []


def test_no_message_has_a_password(folder: Folder, store: str) -> None:
    folder.groot("import", store, "Hero", "heroes.json", "--model", "model.json")
    secret = store.replace("//", "//postgres:s3cret@", 1) + "&password=s3cret"
    for command in (
        ["info", secret],
        ["info", secret, "--json"],
        ["copy", secret, "copy.sqlite"],
        ["copy", "copy.sqlite", secret],
        ["query", secret, "Nobody"],
        ["import", secret, "Hero", "missing.json"],
        ["diff", secret, "Hero", "heroes.json"],
    ):
        found = folder.groot(*command)
        assert "s3cret" not in found.out + found.err, found
