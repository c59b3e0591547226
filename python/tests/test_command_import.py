"""The command `import`: as a user runs it."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard
from command_checks import HEROES, MODEL, Folder, dump


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_a_new_store_gets_the_given_model_and_remembers_it(folder: Folder) -> None:
    store = folder.heroes()
    again = folder.groot("import", store, "Hero", "heroes.json")
    assert (again.code, again.out, again.err) == (
        0,
        "0 inserted, 0 updated, 8 unchanged, 0 deleted\n",
        "",
    )
    exported = folder.groot("export", store, "Hero")
    assert [one["name"] for one in json.loads(exported.out)] == ["Batman", "Bane", "Hulk"]


def test_without_a_model_one_is_inferred_and_named_in_one_line(folder: Folder) -> None:
    folder.write("heroes.json", HEROES)
    done = folder.groot("import", "new.sqlite", "Hero", "heroes.json")
    assert done.code == 0
    assert done.err == (
        "inferred a model of 4 entities from heroes.json: Hero is identified by id\n"
    )
    assert json.loads(folder.groot("export", "new.sqlite", "Hero").out) == HEROES
    assert folder.groot("import", "new.sqlite", "Hero", "heroes.json").err == ""


def test_the_model_is_a_schema_or_another_store_too(folder: Folder) -> None:
    store = folder.heroes()
    done = folder.groot("import", "copy.sqlite", "Hero", "heroes.json", "--model", store)
    assert (done.code, done.err) == (0, "")
    schema = folder.groot("schema", store, "--entity", "Hero", "-o", "heroes.schema.json")
    assert schema.code == 0
    done = folder.groot("import", "x.sqlite", "Hero", "heroes.json", "--model=heroes.schema.json")
    assert done.code == 0, done


def test_the_dialect_and_the_rules_are_remembered(folder: Folder) -> None:
    model = {
        "entities": {
            "Person": {
                "attributes": {
                    "id": {"type": "integer64", "optional": True},
                    "firstName": {"type": "string", "optional": True},
                }
            }
        }
    }
    folder.write("people.model.json", model)
    folder.write("people.json", [{"id": 1, "first_name": "Ann"}])
    arguments = ("import", "p.sqlite", "Person", "people.json")
    done = folder.groot(*arguments, "--model", "people.model.json", "--dialect", "hyper")
    assert done.code == 0, done
    assert folder.groot(*arguments).out == "0 inserted, 0 updated, 1 unchanged, 0 deleted\n"
    assert folder.groot("export", "p.sqlite", "Person").out == '[{"id":1,"first_name":"Ann"}]\n'

    folder.write("rules.json", {"people": {"Person.id": {"no": "id", "first": "firstName"}}})
    folder.write("rows.json", [{"no": 2, "first": "Bob"}])
    arguments = ("import", "k.sqlite", "Person", "rows.json")
    model = ("--model", "people.model.json")
    done = folder.groot(*arguments, *model, "--rules", "rules.json")
    assert done.code == 0, done
    assert folder.groot(*arguments).out == "0 inserted, 0 updated, 1 unchanged, 0 deleted\n"
    done = folder.groot("query", "k.sqlite", "Person")
    assert done.out == '{"id":2,"firstName":"Bob"}\n'
    assert folder.groot("export", "k.sqlite", "Person").out == '[{"no":2,"first":"Bob"}]\n'

    for rules, words in (("no.json", "cannot be read"), ("rows.json", "not a JSON object")):
        done = folder.groot(*arguments[:1], "x.sqlite", *arguments[2:], *model, "--rules", rules)
        assert (done.code, words in done.err) == (2, True), done


PACKED = {
    "plain": ("feed.json", lambda text: text),
    "gzip": ("feed.json.gz", gzip.compress),
    "gzip in two members": (
        "feed.json.gz",
        lambda text: gzip.compress(text[:9]) + gzip.compress(text[9:]),
    ),
    "gzip by its content": ("feed", gzip.compress),
    "a byte order mark": ("feed.json", lambda text: b"\xef\xbb\xbf" + text),
    "a packed mark": ("feed.json.gz", lambda text: gzip.compress(b"\xef\xbb\xbf" + text)),
    "Zstandard": ("feed.json.zst", zstandard.compress),
}


@pytest.mark.parametrize("batch", [(), ("--batch", "2")], ids=["whole", "batches"])
@pytest.mark.parametrize("case", PACKED)
def test_files_may_be_packed(folder: Folder, case: str, batch: tuple[str, ...]) -> None:
    store = folder.heroes()
    name, pack = PACKED[case]
    folder.write(name, pack(json.dumps([*HEROES, {"id": 4, "name": "Flash"}]).encode()))
    done = folder.groot("import", store, "Hero", name, *batch)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("1 inserted, 0 updated")
    synchronized = folder.groot("sync", store, "Hero", name)
    assert synchronized.out == "0 inserted, 0 updated, 9 unchanged, 0 deleted\n", synchronized


@pytest.mark.parametrize("batch", [(), ("--batch", "2")], ids=["whole", "batches"])
@pytest.mark.parametrize("damage", ["cut", "checksum", "middle"])
def test_a_damaged_packed_file_changes_nothing(
    folder: Folder, damage: str, batch: tuple[str, ...]
) -> None:
    store = folder.heroes()
    before = dump(folder.path / store)
    text = json.dumps([{"id": number, "name": "new"} for number in range(20_000)]).encode()
    packed = gzip.compress(text)
    broken = {
        "cut": packed[:-9],
        "checksum": packed[:-8] + b"12345678",
        "middle": packed[:2000] + bytes(200) + packed[2200:],
    }[damage]
    folder.write("feed.json.gz", broken)
    done = folder.groot("import", store, "Hero", "feed.json.gz", *batch)
    assert done.code == 2, done
    assert done.err.startswith("error: feed.json.gz cannot be read: ")
    assert dump(folder.path / store) == before


def test_another_packing_is_not_json(folder: Folder) -> None:
    store = folder.heroes()
    folder.write("feed.json.bz2", bz2.compress(b"[]"))
    done = folder.groot("import", store, "Hero", "feed.json.bz2")
    assert (done.code, done.err[:18]) == (1, "feed.json.bz2:1:3:")


@pytest.mark.parametrize("pipe", ["-", "/dev/stdin"])
def test_standard_input_is_read_as_a_file_is(folder: Folder, pipe: str) -> None:
    store = folder.heroes()
    text = json.dumps([{"id": 4, "name": "Flash"}])
    done = folder.groot("import", store, "Hero", pipe, stdin=text)
    assert (done.code, done.out) == (0, "1 inserted, 0 updated, 0 unchanged, 0 deleted\n")
    done = folder.groot("import", "new.sqlite", "Hero", pipe, stdin=text)
    assert done.code == 0
    assert done.err.startswith(f"inferred a model of 1 entity from {pipe}: ")
    done = folder.groot("import", "other.sqlite", "Hero", pipe, stdin='[{"id": 1},\n{"id": ]')
    assert (done.code, f"{pipe}:2" in done.err) == (1, True), done


def test_several_files_are_one_import(folder: Folder) -> None:
    store = folder.heroes()
    folder.write("a.json", [{"id": 4, "name": "Flash"}])
    folder.write("b.ndjson", '{"id": 5, "name": "Wonder"}\n\n{"id": 6, "name": "Thor"}\n')
    done = folder.groot("import", store, "Hero", "a.json", "b.ndjson")
    assert (done.code, done.out) == (0, "3 inserted, 0 updated, 0 unchanged, 0 deleted\n")
    before = dump(folder.path / store)
    folder.write("c.json", [{"id": "x", "name": "?"}])
    folder.write("d.json", [{"id": 7, "name": 8}])
    done = folder.groot("import", store, "Hero", "a.json", "c.json", "b.ndjson", "d.json")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines() == [
        'c.json:1:9: $[0].id: Hero.id: "x" is not a whole number',
        "groot import: correct the records, or leave them out with --errors skip",
        "d.json:1:20: $[0].name: Hero.name: 8 is not a string",
        "groot import: correct the records, or leave them out with --errors skip",
        "groot import: nothing was changed",
    ]
    assert dump(folder.path / store) == before


FAULTS: dict[str, tuple[str, tuple[str, ...], list[str]]] = {
    "types": (
        '[{"id": 1, "name": 2},\n {"id": "x", "name": "y"}]',
        (),
        [
            "feed.json:1:20: $[0].name: Hero.name: 2 is not a string",
            'feed.json:2:9: $[1].id: Hero.id: "x" is not a whole number',
        ],
    ),
    "the first only": (
        '[{"id": 1, "name": 2},\n {"id": "x", "name": "y"}]',
        ("--errors", "abort"),
        ["feed.json:1:20: $[0].name: Hero.name: 2 is not a string"],
    ),
    "a missing value": (
        '[{"id": 7}]',
        (),
        [
            "feed.json:1:2: $[0].name: Hero.name: the key is missing, but the property is "
            "required"
        ],
    ),
    "a syntax error": (
        '[{"id": 1, "name": "A"},\n{"id": 2 "name": "B"}]',
        (),
        ["feed.json:2:15: $[1]: '}' expected near '\"name\"'"],
    ),
    "lines": (
        '{"id": 1, "name": "A"}\n{"id": 2, "name": 3}\n',
        ("--lines",),
        ["feed.json:2:19: $[1].name: Hero.name: 3 is not a string"],
    ),
    "a root": (
        '{"data": [{"id": 1, "name": 2}]}',
        ("--root", "/data"),
        ["feed.json:1:29: $.data[0].name: Hero.name: 2 is not a string"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("batch", [(), ("--batch", "9")], ids=["whole", "batches"])
@pytest.mark.parametrize("case", FAULTS)
def test_faults_have_file_line_column_and_path(
    folder: Folder, case: str, batch: tuple[str, ...]
) -> None:
    store = folder.heroes()
    before = dump(folder.path / store)
    text, options, expected = FAULTS[case]
    folder.write("feed.json", text)
    done = folder.groot("import", store, "Hero", "feed.json", *options, *batch)
    found = [line for line in done.err.splitlines() if line.startswith("feed.json:")]
    assert (done.code, done.out, found) == (1, "", expected), done
    assert done.err.endswith("groot import: nothing was changed\n")
    assert dump(folder.path / store) == before


def test_faults_are_json_for_programs(folder: Folder) -> None:
    store = folder.heroes()
    folder.write("feed.json", FAULTS["types"][0])
    done = folder.groot("import", store, "Hero", "feed.json", "--json-errors")
    first, second = map(json.loads, done.err.splitlines())
    assert first == {
        "version": 1,
        "command": "groot import",
        "severity": "error",
        "code": "WRONG_TYPE",
        "file": "feed.json",
        "line": 1,
        "column": 20,
        "path": "$[0].name",
        "entity": "Hero",
        "property": "name",
        "message": "2 is not a string",
        "remedy": "correct the records, or leave them out with --errors skip",
    }
    assert (second["line"], second["path"]) == (2, "$[1].id")


@pytest.mark.parametrize("batch", [(), ("--batch", "1")], ids=["whole", "batches"])
def test_skipped_records_are_counted_and_the_others_imported(
    folder: Folder, batch: tuple[str, ...]
) -> None:
    store = folder.heroes()
    folder.write("feed.json", [{"id": 7, "name": "A"}, {"id": 8}, {"id": "9", "name": 1}])
    done = folder.groot("import", store, "Hero", "feed.json", "--errors", "skip", *batch)
    assert (done.code, done.out) == (
        0,
        "1 inserted, 0 updated, 0 unchanged, 0 deleted, 2 skipped, 2 issues\n",
    )
    assert done.err.endswith("2 wrong records left out\n")
    assert folder.groot("query", store, "Hero", '{"id": 7}', "--columns", "id").out == '{"id":7}\n'


def test_many_skipped_records_are_told_in_part_to_people_and_all_to_programs(
    folder: Folder,
) -> None:
    store = folder.heroes()
    folder.write("feed.json", [{"id": number} for number in range(250)])
    skipping = ("import", store, "Hero", "feed.json", "--errors", "skip")
    done = folder.groot(*skipping)
    assert done.code == 0
    assert done.err.splitlines()[-2:] == ["… 147 more faults", "247 wrong records left out"]
    assert len(folder.groot(*skipping, "--json-errors").err.splitlines()) == 247


def test_a_dry_run_lists_changes_and_makes_none(folder: Folder) -> None:
    store = folder.heroes()
    before = dump(folder.path / store)
    folder.write("feed.json", [{"id": 1, "name": "Bruce"}, {"id": 4, "name": "Flash"}])
    done = folder.groot("import", store, "Hero", "feed.json", "--dry-run")
    assert done.out.splitlines() == [
        "Hero id=1: name 'Batman' → 'Bruce'",
        "+ Hero id=4: name='Flash'",
        "1 inserted, 1 updated, 0 unchanged, 0 deleted",
    ]
    assert dump(folder.path / store) == before
    done = folder.groot("import", "new.sqlite", "Hero", "feed.json", "--dry-run")
    assert done.code == 0
    assert not (folder.path / "new.sqlite").exists()


def test_the_report_is_json_for_programs(folder: Folder) -> None:
    store = folder.heroes()
    folder.write("feed.json", [{"id": 1, "name": "Bruce", "publisher": 2}])
    done = folder.groot("import", store, "Hero", "feed.json", "--report", "json", "--dry-run")
    assert json.loads(done.out) == {
        "version": 1,
        "entity": "Hero",
        "dryRun": True,
        "inserted": 0,
        "updated": 3,
        "unchanged": 0,
        "deleted": 0,
        "skipped": 0,
        "stale": 0,
        "withheld": 0,
        "issues": 0,
        "changes": [
            {
                "change": "updated",
                "entity": "Hero",
                "identity": 1,
                "properties": {
                    "name": {"old": "Batman", "new": "Bruce"},
                    "publisher": {"old": 1, "new": 2},
                },
            },
            {
                "change": "updated",
                "entity": "Publisher",
                "identity": 1,
                "properties": {"heroes": {"old": [1, 2], "new": [2]}},
            },
            {
                "change": "updated",
                "entity": "Publisher",
                "identity": 2,
                "properties": {"heroes": {"old": [3], "new": [3, 1]}},
            },
        ],
    }


EMPTY: dict[str, tuple[Any, tuple[str, ...], str]] = {
    "an empty list": ([], (), "no records: the list in feed.json is empty\n"),
    "an empty root": (
        {"data": {"items": []}},
        ("--root", "/data/items"),
        "no records: the list at /data/items in feed.json is empty\n",
    ),
    "no lines": ("\n\n", ("--lines",), "no records: feed.json has no lines\n"),
}


@pytest.mark.parametrize("case", EMPTY)
def test_no_records_are_told_with_the_reason(folder: Folder, case: str) -> None:
    store = folder.heroes()
    content, options, expected = EMPTY[case]
    folder.write("feed.json", content)
    done = folder.groot("import", store, "Hero", "feed.json", *options)
    assert (done.code, done.err) == (0, expected)
    done = folder.groot("import", store, "Hero", "feed.json", *options, "--fail-empty")
    assert (done.code, done.err) == (1, expected)


def test_records_that_are_all_older_are_told(folder: Folder) -> None:
    model = json.loads(json.dumps(MODEL))
    notes = model["entities"]["Hero"]
    notes["userInfo"]["groot.version"] = "revision"
    notes["attributes"]["revision"] = {
        "type": "integer64", "optional": True, "userInfo": {"JSONKeyPath": "revision"},
    }  # fmt: skip
    folder.write("model.json", model)
    folder.write("new.json", [{"id": 1, "name": "new", "revision": 2}])
    folder.write("old.json", [{"id": 1, "name": "old", "revision": 1}])
    assert folder.groot("import", "s.sqlite", "Hero", "new.json", "--model=model.json").code == 0
    done = folder.groot("import", "s.sqlite", "Hero", "old.json")
    assert (done.code, done.err.splitlines()) == (
        0,
        [
            "1 record older than the store left out",
            "no records: all are older than the objects in the store",
        ],
    )
    assert folder.groot("import", "s.sqlite", "Hero", "old.json", "--fail-empty").code == 1


@pytest.mark.parametrize("exists", [True, False])
def test_a_root_that_leads_nowhere_is_an_error_of_the_command_line(
    folder: Folder, exists: bool
) -> None:
    store = folder.heroes() if exists else "new.sqlite"
    folder.write("heroes.json", HEROES)
    done = folder.groot("import", store, "Hero", "heroes.json", "--root", "/data")
    assert (done.code, done.err) == (
        2,
        "error: heroes.json has nothing at the root /data; give --root with the JSON Pointer to "
        "the records, or --root '' for the whole file\n",
    )
    assert (folder.path / store).exists() == exists


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "an entity": (("STORE", "Heroo", "FILE"), "no entity 'Heroo'; did you mean 'Hero'?"),
    "a file": (("STORE", "Hero", "no.json"), "no.json cannot be read: No such file or directory"),
    "a folder": (("STORE", "Hero", "."), ". cannot be read: Is a directory"),
    "a store": (("FILE", "Hero", "FILE"), "'heroes.json' is not a store of Groot"),
    "a folder of the store": (("no/s.sqlite", "Hero", "FILE", "--model", "MODEL"), "no/"),
    "an empty path": (("", "Hero", "FILE"), "the path of the store is empty"),
    "a time": (("STORE", "Hero", "FILE", "--wait", "nan"), "is not a number of seconds"),
    "a long time": (("STORE", "Hero", "FILE", "--wait", "86401"), "is not a number of seconds"),
    "a model": (("x.sqlite", "Hero", "FILE", "--model", "no.json"), "no.json cannot be read"),
    "a model that is none": (("x.sqlite", "Hero", "FILE", "--model", "FILE"), "heroes.json: "),
    "a part of a model": (("STORE", "Hero", "FILE", "--implicit"), "--implicit needs a model"),
    "batches in a dry run": (
        ("STORE", "Hero", "FILE", "--batch", "2", "--dry-run"),
        "leave out one of them",
    ),
    "batches of several files": (
        ("STORE", "Hero", "FILE", "FILE", "--batch", "2"),
        "give --commits each, or one file",
    ),
    "commits without batches": (("STORE", "Hero", "FILE", "--commits", "each"), "--batch N"),
    "no batch": (("STORE", "Hero", "FILE", "--batch", "0"), "0 is not a number from 1"),
    "an option": (
        ("STORE", "Hero", "FILE", "--bach", "2"),
        "unknown option '--bach'; did you mean '--batch'?",
    ),
    "an option unlike all": (("STORE", "Hero", "FILE", "-z"), "unknown option '-z'\n"),
    "an argument": (("STORE", "Hero"), "FILE"),
    "standard input twice": (("STORE", "Hero", "-", "-"), "give '-' once"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_command_line_is_2_and_changes_nothing(folder: Folder, case: str) -> None:
    store = folder.heroes()
    before = dump(folder.path / store)
    named = {"STORE": store, "FILE": "heroes.json", "MODEL": "heroes.model.json"}
    arguments, words = WRONG[case]
    done = folder.groot("import", *(named.get(one, one) for one in arguments))
    assert (done.code, done.out) == (2, ""), done
    assert words in done.err
    assert dump(folder.path / store) == before
    assert not (folder.path / "x.sqlite").exists()


def test_a_store_of_another_model_is_migrated_only_when_told(folder: Folder) -> None:
    store = folder.heroes()
    model = json.loads(json.dumps(MODEL))
    model["entities"]["Hero"]["attributes"]["motto"] = {
        "type": "string", "optional": True, "userInfo": {"JSONKeyPath": "motto"},
    }  # fmt: skip
    folder.write("new.model.json", model)
    folder.write("feed.json", [{"id": 1, "name": "Batman", "motto": "I am"}])
    before = dump(folder.path / store)
    told = ("import", store, "Hero", "feed.json", "--model", "new.model.json")
    done = folder.groot(*told)
    assert done.code == 2
    assert "--migrate" in done.err
    assert dump(folder.path / store) == before
    assert folder.groot(*told, "--migrate").code == 0
    done = folder.groot("query", store, "Hero", "--columns", "motto", "--limit", "1")
    assert done.out == '{"motto":"I am"}\n'


def test_a_command_that_is_unknown_names_the_nearest(folder: Folder) -> None:
    for name in ("improt", "synch", "querry"):
        done = folder.groot(name)
        assert (done.code, "did you mean" in done.err) == (2, True), done
    done = folder.groot("improt", "--json-errors")
    assert json.loads(done.err)["message"] == "unknown command 'improt'; did you mean 'import'?"


def test_batches_that_are_committed_one_by_one_stay(folder: Folder) -> None:
    folder.write("heroes.model.json", MODEL)
    feed = [{"id": number, "name": "A"} for number in range(10)]
    folder.write("feed.json", [*feed, {"id": 10}])
    arguments = ("import", "s.sqlite", "Hero", "feed.json", "--model", "heroes.model.json")
    done = folder.groot(*arguments, "--batch", "4", "--commits", "each")
    assert done.code == 1
    assert done.err.endswith("groot import: the batches that were committed before stay\n")
    done = folder.groot("query", "s.sqlite", "Hero", "--columns", "id", "--csv")
    assert done.out.split() == ["id", *map(str, range(8))]
    done = folder.groot(*arguments, "--batch", "4", "--commits", "each", "--errors", "skip")
    assert (done.code, done.out) == (
        0,
        "2 inserted, 0 updated, 8 unchanged, 0 deleted, 1 skipped, 1 issue\n",
    )


def test_a_store_with_views_has_them(folder: Folder) -> None:
    folder.write("heroes.json", HEROES)
    assert folder.groot("import", "s.sqlite", "Hero", "heroes.json", "--views").code == 0
    assert any('CREATE VIEW "Hero_view"' in one for one in dump(folder.path / "s.sqlite"))


def test_a_new_store_may_be_behind_a_link(folder: Folder) -> None:
    folder.write("heroes.json", HEROES)
    (folder.path / "data").mkdir()
    (folder.path / "link.sqlite").symlink_to("data/s.sqlite")
    assert folder.groot("import", "link.sqlite", "Hero", "heroes.json").code == 0
    assert (folder.path / "link.sqlite").is_symlink()
    assert folder.groot("import", "data/s.sqlite", "Hero", "heroes.json").code == 0
    assert [one.name for one in (folder.path / "data").iterdir()] == ["s.sqlite"]


def test_an_empty_file_of_the_stores_name_becomes_the_store(folder: Folder) -> None:
    folder.write("s.sqlite", b"")
    folder.write("heroes.json", HEROES)
    assert folder.groot("import", "s.sqlite", "Hero", "heroes.json").code == 0
    assert folder.groot("import", "s.sqlite", "Hero", "heroes.json").code == 0


def test_quiet_says_nothing_but_faults(folder: Folder) -> None:
    folder.write("heroes.json", HEROES)
    done = folder.groot("import", "s.sqlite", "Hero", "heroes.json", "--quiet")
    assert done == (0, "", "")
