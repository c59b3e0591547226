"""The command `info`: the facts about a store, which stays as it is."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from diagram_models import PLAIN

import groot
from groot.cli import main
from groot.models import stores

HEROES = [
    {"id": 1, "name": "Batman", "publisher": {}, "powers": [{"name": "Wealth"}]},
    {"id": 2, "name": "Hulk", "publisher": {}, "powers": [{"name": "Strength"}, {"name": "Rage"}]},
]


def mapping() -> groot.Mapping:
    return groot.Mapping(groot.Model(PLAIN), implicit=True)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Make a store of two heroes, a villain and their powers."""
    path = tmp_path / "comic heroes?.sqlite"
    with groot.Context(mapping(), store=path) as context:
        context.load("Hero", HEROES)
        context.load("Villain", {"id": 3, "publisher": {}, "powers": [{"name": "Humour"}]})
        context.save()
    return path


def facts(path: Path, capsys: Any, *options: str, code: int = 0) -> dict[str, Any]:
    assert main(["info", str(path), "--json", *options]) == code
    out, err = capsys.readouterr()
    assert err == ""
    found: dict[str, Any] = json.loads(out)
    return found


def contents(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_each_entity_has_the_number_of_its_own_objects(store: Path, capsys: Any) -> None:
    found = facts(store, capsys)
    assert {one["name"]: one["objects"] for one in found["entities"]} == {
        "Hero": 2, "Villain": 1, "Power": 4, "Publisher": 3, "Plan": 0,
    }  # fmt: skip
    assert [one["parent"] for one in found["entities"]] == [None, "Hero", None, None, None]
    assert found["version"] == 1
    assert found["file"] == str(store)
    assert found["size"] == store.stat().st_size
    assert found["application_id"] == 0x47727574
    assert (found["format"], found["journal_mode"], found["views"]) == (1, "wal", False)
    assert (found["check"], found["faults"]) == ("full", [])


def test_the_text_has_sub_entities_under_their_parents(store: Path, capsys: Any) -> None:
    found = facts(store, capsys)
    assert main(["info", str(store), "--quick"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines() == [
        f"store         {store}",
        f"size          {store.stat().st_size:,} bytes",
        "journal mode  wal",
        "format        1, application id 0x47727574",
        f"model         {found['model']}, 5 entities",
        "views         no",
        "integrity     good (quick check)",
        "",
        "Hero       2",
        "  Villain  1",
        "Power      4",
        "Publisher  3",
        "Plan       0",
    ]


def test_the_store_and_its_folder_stay_as_they_are(store: Path, capsys: Any) -> None:
    before = contents(store.parent)
    facts(store, capsys)
    assert contents(store.parent) == before


def test_a_store_in_a_folder_without_rights_can_be_read(store: Path, capsys: Any) -> None:
    store.parent.chmod(0o500)
    try:
        assert facts(store, capsys)["faults"] == []
    finally:
        store.parent.chmod(0o700)


def test_a_store_that_is_open_shows_what_was_saved(store: Path, capsys: Any) -> None:
    with groot.Context(mapping(), store=store) as context:
        context.load("Hero", {"id": 9, "publisher": {}})
        assert facts(store, capsys)["entities"][0]["objects"] == 2
        context.save()
        found = facts(store, capsys)
        assert found["entities"][0]["objects"] == 3
        assert found["wal_size"] > 0
        assert found["journal_mode"] == "wal"


def test_a_store_that_another_process_writes_can_be_read(store: Path, capsys: Any) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM Hero_powers")
        assert facts(store, capsys)["faults"] == []
        connection.rollback()


def test_placeholders_are_counted(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "places.sqlite"
    relationship = {"destination": "Place", "optional": True}
    entities = {
        "Hero": {
            "attributes": {"name": {"type": "string"}},
            "relationships": {"home": relationship},
        },
        "Place": {
            "userInfo": {"identityAttributes": "id"},
            "attributes": {"id": {"type": "integer64"}},
        },
    }
    model = groot.Model({"entities": entities})
    with groot.Context(groot.Mapping(model, implicit=True), store=path) as context:
        context.load("Hero", {"name": "Hulk", "home": 7})
        context.save()
    assert facts(path, capsys)["entities"][1]["placeholders"] == 1
    main(["info", str(path)])
    assert "Place  1  1 placeholder\n" in capsys.readouterr().out


def test_views_and_the_remembered_dialect_are_told(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "heroes.sqlite"
    groot.Context(mapping(), store=path, views=True).close()
    assert facts(path, capsys)["dialect"] is None
    with groot.Context(mapping(), store=path) as context:
        told = stores.Remembered(groot.Model(PLAIN).document_text, implicit=True)
        stores.remember(context, told)
        context.save()
    found = facts(path, capsys)
    assert (found["views"], found["dialect"]) == (True, "groot")


def test_the_hash_of_the_model_is_that_of_each_store_of_it(
    store: Path, tmp_path: Path, capsys: Any
) -> None:
    same, other = tmp_path / "same.sqlite", tmp_path / "other.sqlite"
    groot.Context(mapping(), store=same).close()
    model = groot.Model({"entities": {"Hero": {"attributes": {"id": {"type": "integer64"}}}}})
    groot.Context(groot.Mapping(model, implicit=True), store=other).close()
    assert facts(same, capsys)["model"] == facts(store, capsys)["model"]
    assert facts(other, capsys)["model"] != facts(store, capsys)["model"]


# Damage


@pytest.mark.parametrize("option", ["--json", "--quick"])
def test_a_damaged_table_is_a_fault(option: str, store: Path, capsys: Any) -> None:
    with sqlite3.connect(store) as connection:
        find = "SELECT rootpage FROM sqlite_master WHERE name = 'Hero'"
        page = connection.execute(find).fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    copy = store.with_name("copy.sqlite")
    shutil.copy(store, copy)
    with copy.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)
    before = contents(store.parent)
    assert main(["info", str(copy), option]) == 1
    out, _ = capsys.readouterr()
    if option == "--json":
        assert json.loads(out)["faults"]
        assert json.loads(out)["entities"][0]["objects"] is None
    else:
        assert "(quick check)\n  " in out
        assert "Hero       ?\n" in out
    assert contents(store.parent) == before


def test_an_index_without_an_entry_is_a_fault_of_the_full_check(store: Path, capsys: Any) -> None:
    where = "FROM sqlite_master WHERE name = '_Hero_mentor'"
    with sqlite3.connect(store) as connection:
        index = connection.execute(f"SELECT * {where}").fetchone()
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(f"DELETE {where}")
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE Hero SET mentor = _id")
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", index)
    assert facts(store, capsys, "--quick")["faults"] == []
    assert any("_Hero_mentor" in one for one in facts(store, capsys, code=1)["faults"])


def test_a_schema_that_cannot_be_read_is_a_fault(store: Path, capsys: Any) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET rootpage = 9999 WHERE name = '_Hero_plan'")
    found = facts(store, capsys, code=1)
    assert (found["model"], found["entities"]) == (None, [])
    assert "malformed" in found["faults"][0]
    assert main(["info", str(store)]) == 1
    assert "integrity     1 fault (full check)\n  malformed" in capsys.readouterr().out


def test_a_link_to_a_missing_row_is_a_fault(store: Path, capsys: Any) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("DELETE FROM Power WHERE name = 'Wealth'")
    found = facts(store, capsys, code=1)
    assert len(found["faults"]) == 1
    assert "of Hero_powers refers to a row of Power that is missing" in found["faults"][0]


def test_a_name_that_a_terminal_would_obey_is_escaped(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "odd.sqlite"
    model = groot.Model({"entities": {"a\x1b[2J": {}}})
    groot.Context(groot.Mapping(model), store=path).close()
    assert main(["info", str(path)]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert r"'a\x1b[2J'  0" in out


# Other files


def test_a_missing_file_is_an_issue(tmp_path: Path, capsys: Any) -> None:
    assert main(["info", str(tmp_path / "missing.sqlite")]) == 2
    assert "missing.sqlite cannot be read" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_another_file_is_not_a_store(tmp_path: Path, capsys: Any) -> None:
    text, database = tmp_path / "text.sqlite", tmp_path / "other.sqlite"
    text.write_text("SQLite format 3")
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE _groot (key, value)")
    for path in (text, database):
        assert main(["info", str(path), "--json-errors"]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert json.loads(err)["code"] == "STORE_INVALID"
        assert "is not a store of Groot" in err


def test_a_store_of_a_newer_format_is_refused(store: Path, capsys: Any) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA user_version = 3")
    assert main(["info", str(store), "--json-errors"]) == 2
    assert json.loads(capsys.readouterr().err)["code"] == "STORE_TOO_NEW"


def test_a_pipe_gets_the_text_of_a_terminal(store: Path, capsys: Any) -> None:
    assert main(["info", str(store)]) == 0
    command = [sys.executable, "-m", "groot", "info", str(store)]
    found = subprocess.run(command, capture_output=True, check=True, env=dict(os.environ))
    assert found.stdout.decode() == capsys.readouterr().out
