"""The command `sync`: as a user runs it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from command_checks import HEROES, MODEL, Folder, dump

TEN = [{"id": number, "name": f"Hero {number}"} for number in range(10)]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path)
    folder.write("heroes.model.json", MODEL)
    folder.write("ten.json", TEN)
    done = folder.groot("sync", "s.sqlite", "Hero", "ten.json", "--model", "heroes.model.json")
    assert done == (0, "10 inserted, 0 updated, 0 unchanged, 0 deleted\n", "")
    return folder


def names(folder: Folder) -> list[str]:
    done = folder.groot("query", "s.sqlite", "Hero", "--columns", "name", "--csv", "--sort", "id")
    return done.out.splitlines()[1:]


def test_a_store_becomes_equal_to_the_feed(folder: Folder) -> None:
    folder.write("new.json", [{"id": 0, "name": "Zero"}, *TEN[2:], {"id": 10, "name": "Ten"}])
    done = folder.groot("sync", "s.sqlite", "Hero", "new.json")
    assert done == (0, "1 inserted, 1 updated, 8 unchanged, 1 deleted\n", "")
    done = folder.groot("sync", "s.sqlite", "Hero", "new.json")
    assert done == (0, "0 inserted, 0 updated, 10 unchanged, 0 deleted\n", "")


GUARDED: dict[str, tuple[int, tuple[str, ...], int]] = {
    "half may go": (5, (), 0),
    "more than half may not": (4, (), 4),
    "nothing is left": (0, (), 4),
    "with --yes all may go": (0, ("--yes",), 0),
    "a number is the limit": (9, ("--max-deletions", "1"), 0),
    "more than the number": (8, ("--max-deletions", "1"), 4),
    "none may go": (9, ("--max-deletions", "0"), 4),
    "a part is the limit": (9, ("--max-deletions", "10%"), 0),
    "more than the part": (8, ("--max-deletions", "10%"), 4),
    "a larger part": (1, ("--max-deletions", "90%"), 0),
    "--yes is stronger": (1, ("--max-deletions", "0", "--yes"), 0),
    "nothing is deleted": (0, ("--no-delete",), 0),
}


@pytest.mark.parametrize("is_dry", [False, True], ids=["done", "dry"])
@pytest.mark.parametrize("case", GUARDED)
def test_a_guard_refuses_many_deletions(folder: Folder, case: str, is_dry: bool) -> None:
    kept, options, code = GUARDED[case]
    before = dump(folder.path / "s.sqlite")
    folder.write("new.json", TEN[:kept])
    dry = ("--dry-run",) if is_dry else ()
    done = folder.groot("sync", "s.sqlite", "Hero", "new.json", *options, *dry)
    assert done.code == code, done
    is_same = dump(folder.path / "s.sqlite") == before
    assert is_same == (is_dry or code == 4 or case == "nothing is deleted")
    if code == 4:
        assert done.out == ""
        assert f"would delete or mark {10 - kept} " in done.err
        assert "--yes" in done.err
        assert "--max-deletions N or N%" in done.err


@pytest.mark.parametrize("limit", ["x", "-1", "1.5", "101%", "-1%", "nan%", "%", ""])
def test_a_wrong_limit_is_a_wrong_command_line(folder: Folder, limit: str) -> None:
    done = folder.groot("sync", "s.sqlite", "Hero", "ten.json", f"--max-deletions={limit}")
    assert done.code == 2, done
    assert "--max-deletions" in done.err


def test_the_scope_of_deletions_is_a_predicate(folder: Folder) -> None:
    folder.write("new.json", [{"id": 8, "name": "Hero 8"}])
    scope = ("--where", '{"id": {">=": 8}}')
    done = folder.groot("sync", "s.sqlite", "Hero", "new.json", *scope)
    assert done == (0, "0 inserted, 0 updated, 1 unchanged, 1 deleted\n", "")
    assert len(names(folder)) == 9
    for wrong, words in (
        ("{", "is not JSON"),
        ("[]", "is not a predicate"),
        ('{"nam": 1}', "'name'?"),
    ):
        done = folder.groot("sync", "s.sqlite", "Hero", "new.json", "--where", wrong)
        assert done.code == 2, done
        assert words in done.err


FEEDS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "lines": ({"new.ndjson": '{"id": 1, "name": "a"}\n\n{"id": 2, "name": "b"}\n'}, ()),
    "packed": ({"new.json.gz": gzip.compress(b'[{"id":1,"name":"a"},{"id":2,"name":"b"}]')}, ()),
    "packed lines": (
        {"n.jsonl.gz": gzip.compress(b'{"id":1,"name":"a"}\n{"id":2,"name":"b"}')},
        (),
    ),
    "a root": (
        {"new.json": {"data": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}},
        ("--root", "/data"),
    ),
    "keyed": (
        {"new.json": {"1": {"name": "a"}, "2": {"name": "b"}}},
        ("--form", "keyed"),
    ),
    "several": (
        {"1.json": [{"id": 1, "name": "a"}], "2.ndjson": '{"id": 2, "name": "b"}\n'},
        (),
    ),
    "several with a root": (
        {
            "1.json": {"data": [{"id": 1, "name": "a"}]},
            "2.json.gz": gzip.compress(b'{"data":[{"id":2,"name":"b"}]}'),
        },
        ("--root", "/data"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FEEDS)
def test_the_feed_has_any_form(folder: Folder, case: str) -> None:
    files, options = FEEDS[case]
    for name, content in files.items():
        folder.write(name, content)
    done = folder.groot("sync", "s.sqlite", "Hero", *files, *options, "--yes")
    assert (done.code, done.err) == (0, ""), done
    assert names(folder) == ["a", "b"]


def test_numbers_of_several_files_keep_their_digits(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    attribute = {"type": "decimal", "userInfo": {"JSONKeyPath": "d"}}
    whole = {"type": "integer64", "userInfo": {"JSONKeyPath": "id"}}
    entity = {"userInfo": {"identityAttributes": "id"}, "attributes": {"id": whole, "d": attribute}}
    folder.write("m.json", {"entities": {"N": entity}})
    folder.write("a.json", '[{"id": 9007199254740993, "d": 0.1234567890123456789012345678}]')
    folder.write("b.json", '[{"id": 1e2, "d": 12345678901234567890123456789}]')
    done = folder.groot("sync", "n.sqlite", "N", "a.json", "b.json", "--model", "m.json")
    assert done.code == 0, done
    assert folder.groot("query", "n.sqlite", "N", "--csv").out.split() == [
        "id,d",
        "9007199254740993,0.1234567890123456789012345678",
        "100,12345678901234567890123456789.0",
    ]


def test_faults_of_several_files_have_their_file_line_and_path(folder: Folder) -> None:
    before = dump(folder.path / "s.sqlite")
    folder.write("a.json", '[{"id": 1, "name": "a"},\n {"id": 2, "name": 2}]')
    folder.write("b.ndjson", '{"id": 3, "name": "c"}\n{"id": 4, "name": 4}\n')
    done = folder.groot("sync", "s.sqlite", "Hero", "a.json", "b.ndjson", "--yes")
    assert done.code == 1
    assert [line for line in done.err.splitlines() if "json" in line] == [
        "a.json:2: $[1].name: Hero.name: 2 is not a string",
    ]
    folder.write("a.json", [{"id": 1, "name": "a"}])
    done = folder.groot("sync", "s.sqlite", "Hero", "a.json", "b.ndjson", "--yes")
    assert [line for line in done.err.splitlines() if "json" in line] == [
        "b.ndjson:2: $[1].name: Hero.name: 4 is not a string",
    ]
    assert dump(folder.path / "s.sqlite") == before


def test_an_entry_that_is_not_identified_withholds_deletions_and_is_told(folder: Folder) -> None:
    folder.write("new.json", [*TEN[:9], {"name": "nobody"}])
    done = folder.groot("sync", "s.sqlite", "Hero", "new.json")
    assert (done.code, done.out) == (
        1,
        "0 inserted, 0 updated, 9 unchanged, 0 deleted, 1 issue, 1 withheld\n",
    )
    assert done.err.splitlines()[0].startswith("new.json:1:")
    assert done.err.splitlines()[-1] == (
        "1 object kept that the feed does not list, since an entry has no identity"
    )
    assert len(names(folder)) == 10


def test_an_answer_without_a_list_deletes_nothing(folder: Folder) -> None:
    before = dump(folder.path / "s.sqlite")
    folder.write("new.json", {"error": "rate limited"})
    done = folder.groot("sync", "s.sqlite", "Hero", "new.json", "--yes")
    assert done.code == 1, done
    assert dump(folder.path / "s.sqlite") == before


def test_no_records_are_told_and_may_fail(folder: Folder) -> None:
    folder.write("new.json", [])
    before = dump(folder.path / "s.sqlite")
    done = folder.groot("sync", "s.sqlite", "Hero", "new.json", "--yes", "--fail-empty")
    assert (done.code, done.err) == (1, "no records: the list in new.json is empty\n")
    assert dump(folder.path / "s.sqlite") == before
    done = folder.groot("sync", "s.sqlite", "Hero", "new.json", "--yes")
    assert done.code == 0
    assert names(folder) == []


def test_a_dry_run_lists_old_and_new_values(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    store = folder.heroes()
    before = dump(tmp_path / store)
    folder.write("new.json", [{**HEROES[0], "name": "Bruce"}, HEROES[2]])
    done = folder.groot("sync", store, "Hero", "new.json", "--dry-run")
    assert done.out.splitlines() == [
        "Hero id=1: name 'Batman' → 'Bruce'",
        "- Hero id=2",
        "0 inserted, 2 updated, 5 unchanged, 1 deleted",
    ]
    report = json.loads(
        folder.groot("sync", store, "Hero", "new.json", "--dry-run", "--report=json").out
    )
    assert [(one["change"], one["entity"], one["identity"]) for one in report["changes"]] == [
        ("updated", "Hero", 1),
        ("updated", "Publisher", 1),
        ("deleted", "Hero", 2),
    ]
    assert dump(tmp_path / store) == before


def test_an_entity_without_identity_is_refused(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.write("m.json", {"entities": {"Note": {"attributes": {"text": {"type": "string"}}}}})
    folder.write("n.json", [])
    done = folder.groot("sync", "n.sqlite", "Note", "n.json", "--model", "m.json", "--implicit")
    assert (done.code, (tmp_path / "n.sqlite").exists()) == (2, False)
    assert "needs an identity" in done.err
